// expect: bug assertion
// A use of a stream before the first flockfile is ordered with it: if the teller prints first, the holder may be told in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static atomic_int told;
static int before, after;

static void *hold(void *unused)
{
    flockfile(stdout);
    before = told;
    after = told;
    funlockfile(stdout);
    return unused;
}

static void *tell(void *unused)
{
    fputs("told\n", stdout);
    told = 1;
    return unused;
}

int main(void)
{
    pthread_t holder, teller;
    pthread_create(&holder, NULL, hold, NULL);
    pthread_create(&teller, NULL, tell, NULL);
    pthread_join(holder, NULL);
    pthread_join(teller, NULL);
    assert(before == after);
}
