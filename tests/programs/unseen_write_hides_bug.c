// expect: bug assertion
// A write that no compiler knows of, so that undo does not take it back: the reader would find it in every later execution, and
// the one order that fails (the second thread, the third, the first) would never be seen.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

// movl %esi, (%rdi); ret
__attribute__((section(".text.unseen,\"ax\",@progbits#"), used)) static const unsigned char code[] = {0x89, 0x37, 0xc3};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int written, seen, order;

static void *write_unseen(void *unused)
{
    pthread_mutex_lock(&mutex);
    order = order * 10 + 1;
    ((void (*)(int *, int))(uintptr_t)code)(&written, 1);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *read_it(void *unused)
{
    pthread_mutex_lock(&mutex);
    order = order * 10 + 2;
    seen = written;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *come_by(void *unused)
{
    pthread_mutex_lock(&mutex);
    order = order * 10 + 3;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t first, second, third;
    written = 0; // seen, and taken back at the very end: comparing with the beginning of main is not enough
    pthread_create(&first, NULL, write_unseen, NULL);
    pthread_create(&second, NULL, read_it, NULL);
    pthread_create(&third, NULL, come_by, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    pthread_join(third, NULL);
    assert(!(order == 231 && seen == 0));
    return 0;
}
