// Gives a page of its own back to the system by an instruction that heddle does not know of. The program may do that; heddle,
// which goes on to put the page back, dies of it. That is no bug of the program.
#include <pthread.h>
#include <stdint.h>

// movl $11, %eax; syscall; ret: munmap
__attribute__((section(".text.unseen,\"ax\",@progbits#"), used)) static const unsigned char code[] = {0xb8, 11, 0, 0, 0, 0x0f, 0x05, 0xc3};

enum { PAGE = 4096 };

static char page[PAGE] __attribute__((aligned(4096)));
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused)
{
    pthread_mutex_lock(&mutex);
    if (!count++)
        page[7] = 1;
    else
        ((long (*)(void *, long))(uintptr_t)code)(page, PAGE);
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void)
{
    pthread_t one, other;
    pthread_create(&one, NULL, add, NULL);
    pthread_create(&other, NULL, add, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
