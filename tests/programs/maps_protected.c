// expect: bug signal
// One thread makes a page read-only when it is done with it, in an order that a flag gives; the other writes to it.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static int *p;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *seal(void *none)
{
    pthread_mutex_lock(&lock);
    mprotect(p, 4096, PROT_READ);
    pthread_mutex_unlock(&lock);
    return none;
}

static void *write_it(void *none)
{
    pthread_mutex_lock(&lock);
    p[3] = 1;
    pthread_mutex_unlock(&lock);
    return none;
}

int main(void)
{
    pthread_t a, b;
    p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    pthread_create(&a, 0, write_it, 0);
    pthread_create(&b, 0, seal, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
