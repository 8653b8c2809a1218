// expect: verified options: --memory-errors
// pthread_cleanup_push keeps the place to come back to in a buffer that is shorter than that of setjmp: what lies behind it is
// a variable that another thread uses.
#include <pthread.h>
#include <stdlib.h>

static void *count(void *p)
{
    long *numbers = p;
    for (int i = 0; i < 16; i++)
        numbers[i]++;
    return NULL;
}

static void clean(void *p)
{
    free(p);
}

static void *work(void *unused)
{
    pthread_t t;
    long before[16] = {0}, behind[16] = {0};
    char *block = malloc(8);
    pthread_create(&t, NULL, count, unused ? before : behind);
    pthread_cleanup_push(clean, block);
    pthread_join(t, NULL);
    pthread_exit(NULL);
    pthread_cleanup_pop(1);
    return NULL;
}

int main(int argc, char **words)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    pthread_create(&t, NULL, work, argc ? words : NULL);
    pthread_join(t, NULL);
    return 0;
}
