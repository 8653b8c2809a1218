// expect: verified
// A mutex and a counter in memory that the program maps: at the same place in every execution, and empty in each.
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

struct shared {
    pthread_mutex_t lock;
    int count;
};

static struct shared *p;

static void *add(void *none)
{
    pthread_mutex_lock(&p->lock);
    p->count++;
    pthread_mutex_unlock(&p->lock);
    return none;
}

int main(void)
{
    pthread_t a, b;
    p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(p != MAP_FAILED && !p->count);
    pthread_mutex_init(&p->lock, 0);
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(p->count == 2);
    munmap(p, 4096);
}
