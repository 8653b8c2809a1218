// expect: verified
// A write that no compiler knows of, made before there is a second thread: nothing can race with it, and no search goes back there.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

// movl %esi, (%rdi); ret
__attribute__((section(".text.unseen,\"ax\",@progbits#"), used)) static const unsigned char code[] = {0x89, 0x37, 0xc3};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int written, count;

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    count += written;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    ((void (*)(int *, int))(uintptr_t)code)(&written, 3);
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(count == 6);
    return 0;
}
