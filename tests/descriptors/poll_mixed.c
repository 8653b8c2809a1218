// expect: incomplete native: no refused: poll on pipes
#include "outcome.h"

#include <poll.h>

int main(void)
{
    int ends[2];
    assert(!pipe(ends));
    struct pollfd fds[2] = {{0, POLLIN, 0}, {ends[0], POLLIN, 0}};
    return poll(fds, 2, 0) < 0;
}
