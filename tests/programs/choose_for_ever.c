// expect: incomplete options: --strategy optimal --time 3
// More and more executions are owed, each longer than the one before, up to the bound on events.
#include <heddle/heddle.h>
#include <pthread.h>

static void *build(void *nothing)
{
    while (heddle_choose(3))
        ;
    return nothing;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, build, 0);
    pthread_join(thread, 0);
    return 0;
}
