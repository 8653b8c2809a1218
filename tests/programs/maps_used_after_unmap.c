// expect: bug use-after-unmap
// The second of two threads that are done unmaps what they share; one of them may still read it, atomically.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

struct shared {
    atomic_int users, value;
};

static struct shared *p;

static void *use(void *none)
{
    p->value = 1;
    if (atomic_fetch_sub(&p->users, 1) == 2)
        munmap(p, sizeof *p); // the first one, by mistake
    return none;
}

int main(void)
{
    pthread_t a, b;
    p = mmap(0, sizeof *p, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    p->users = 2;
    pthread_create(&a, 0, use, 0);
    pthread_create(&b, 0, use, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
