// expect: bug deadlock native: no says: waits for the eventfd made at
// Nobody writes.
#include "outcome.h"

#include <poll.h>
#include <sys/eventfd.h>

static int fd;

static void *waiter(void *unused)
{
    (void)unused;
    struct pollfd p = {fd, POLLIN, 0};
    poll(&p, 1, -1);
    return NULL;
}

int main(void)
{
    fd = eventfd(0, 0);
    join(start(waiter));
    return 0;
}
