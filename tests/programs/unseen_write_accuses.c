// expect: verified options: --races off
// A write that no compiler knows of, so that undo does not take it back: in the next execution the other thread would find it before
// it was made, and the assertion would fail, as it never does.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

// movl %esi, (%rdi); ret
__attribute__((section(".text.unseen,\"ax\",@progbits#"), used)) static const unsigned char code[] = {0x89, 0x37, 0xc3};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int written, done;

static void *look(void *unused)
{
    pthread_mutex_lock(&mutex);
    assert(written == done);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    pthread_mutex_lock(&mutex);
    ((void (*)(int *, int))(uintptr_t)code)(&written, 1);
    done = 1;
    pthread_mutex_unlock(&mutex);
    pthread_join(thread, NULL);
    return 0;
}
