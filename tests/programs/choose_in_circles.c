// expect: verified options: --strategy dlspor
// Executions have no longest one, but every choice leads back to a state or to the end.
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
