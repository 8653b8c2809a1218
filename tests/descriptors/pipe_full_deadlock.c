// expect: bug deadlock native: no says: waits to write to the pipe made at
// Nobody empties the pipe before joining the writer.
#define _GNU_SOURCE
#include "outcome.h"

#include <fcntl.h>

static int ends[2];
static char block[4096];

static void *writer(void *unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++)
        assert(write(ends[1], block, sizeof block) == sizeof block);
    return NULL;
}

int main(void)
{
    assert(!pipe(ends) && fcntl(ends[1], F_SETPIPE_SZ, 4096) == 4096);
    join(start(writer));
    return 0;
}
