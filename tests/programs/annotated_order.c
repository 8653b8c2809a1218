// expect: verified
// Relaxed atomics hand over data; annotations for ThreadSanitizer say that they do.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);
void AnnotateHappensBefore(const char *file, int line, const volatile void *address);
void AnnotateHappensAfter(const char *file, int line, const volatile void *address);

static int data, more;
static atomic_int ready;

static void *put(void *none)
{
    data = 1;
    __tsan_release(&ready);
    more = 1;
    AnnotateHappensBefore(__FILE__, __LINE__, &more);
    atomic_store_explicit(&ready, 1, memory_order_relaxed);
    return none;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, put, 0);
    if (atomic_load_explicit(&ready, memory_order_relaxed)) {
        __tsan_acquire(&ready);
        assert(data);
        AnnotateHappensAfter(__FILE__, __LINE__, &more);
        assert(more);
    }
    pthread_join(t, 0);
}
