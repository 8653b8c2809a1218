// expect: bug exit options: --exit-status
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int count;

static void *add(void *nothing)
{
    count = count + 1;
    return nothing;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&two, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return count == 2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
