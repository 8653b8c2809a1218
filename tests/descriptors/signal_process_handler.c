// expect: incomplete refused: kill of a signal whose handler would run in any of several threads
// Which thread runs the handler is the kernel's choice.
#include "outcome.h"

#include <signal.h>

static void handler(int number) { (void)number; }
static void *waits(void *unused) { return unused; }

int main(void)
{
    signal(SIGUSR1, handler);
    pthread_t t = start(waits);
    kill(getpid(), SIGUSR1);
    join(t);
    return 0;
}
