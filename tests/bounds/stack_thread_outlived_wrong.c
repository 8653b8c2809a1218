// expect: bug use-after-return
// A variable on the stack of a thread that ends when the flag is set: the other writes to it after that.
#include <pthread.h>
#include <stdatomic.h>

static int *_Atomic published;
static atomic_int done;

static void *own(void *unused)
{
    int answer = 0;
    published = &answer;
    while (!atomic_load(&done))
        ;
    return unused;
}

static void *use(void *unused)
{
    int *answer;
    while (!(answer = published))
        ;
    atomic_store(&done, 1);
    *answer = 1;
    return unused;
}

int main(void)
{
    pthread_t owner, user;
    pthread_create(&owner, 0, own, 0);
    pthread_create(&user, 0, use, 0);
    pthread_join(owner, 0);
    pthread_join(user, 0);
    return 0;
}
