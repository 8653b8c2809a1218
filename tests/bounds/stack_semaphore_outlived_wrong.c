// expect: bug use-after-return
// A semaphore on the stack of a thread that ends when the flag is set: the other posts after that.
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t *_Atomic published;
static atomic_int done;

static void *own(void *unused)
{
    sem_t posted;
    sem_init(&posted, 0, 0);
    published = &posted;
    while (!atomic_load(&done))
        ;
    return unused;
}

static void *use(void *unused)
{
    sem_t *posted;
    while (!(posted = published))
        ;
    atomic_store(&done, 1);
    sem_post(posted);
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
