// expect: verified
// A reader is waiting, or not yet, when the last writer closes; and when its own descriptor is closed.
#include "outcome.h"

#include <signal.h>

static int ends[2], others[2];
static int answer;

static void *reader(void *unused)
{
    (void)unused;
    char c;
    assert(read(ends[0], &c, 1) == 0);
    ssize_t n = read(others[0], &c, 1);
    answer = n == 1 ? 1 : n == -1 && errno == EBADF ? 2 : 0;
    assert(answer);
    return NULL;
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    assert(!pipe(ends) && !pipe(others));
    pthread_t a = start(reader);
    assert(!close(ends[1]));
    assert(!close(others[0])); // a read under way keeps the file
    if (write(others[1], "x", 1) < 0)
        assert(errno == EPIPE);
    join(a);
    outcome(answer);
    return 0;
}
