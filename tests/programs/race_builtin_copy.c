// expect: bug race
// What is copied by the compiler's own name for memcpy is seen all the same.
#include <pthread.h>
#include <stddef.h>

static struct {
    char bytes[48];
} from, to;

static void *copy(void *unused)
{
    (void)unused;
    __builtin_memcpy(&to, &from, sizeof to);
    return NULL;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, copy, NULL);
    __builtin_memset(&to, 0, sizeof to);
    pthread_join(thread, NULL);
    return 0;
}
