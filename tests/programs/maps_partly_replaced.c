// expect: verified
// A fixed mapping whose end lies within pages that were unmapped before: one page of them is there again, the other is not.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <sys/mman.h>

enum { PAGE = 4096 };

static char *p;

static void *read_first(void *none)
{
    assert(p[0] == 0 && p[PAGE] == 0);
    return none;
}

int main(void)
{
    pthread_t a;
    p = mmap(0, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(p != MAP_FAILED);
    p[0] = p[PAGE] = 1;
    munmap(p + PAGE, 2 * PAGE);
    assert(mmap(p, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == p);
    munmap(p, PAGE);
    munmap(p, 3 * PAGE);
    assert(mmap(p, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == p);
    pthread_create(&a, 0, read_first, 0);
    pthread_join(a, 0);
    munmap(p, 4 * PAGE);
}
