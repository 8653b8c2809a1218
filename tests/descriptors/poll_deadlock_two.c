// expect: bug deadlock native: no says: or another descriptor
// Neither of two pipes gets anything.
#include "outcome.h"

#include <poll.h>

int main(void)
{
    int one[2], two[2];
    assert(!pipe(one) && !pipe(two));
    struct pollfd fds[2] = {{one[0], POLLIN, 0}, {two[0], POLLIN, 0}};
    return poll(fds, 2, -1);
}
