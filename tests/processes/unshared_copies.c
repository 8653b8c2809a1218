// Locks in memory that is not shared: each process has its own.
#include "share.h"

static sem_t sem;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;

static void use(void)
{
    assert(!sem_wait(&sem) && !pthread_mutex_lock(&lock) && !pthread_spin_lock(&spin));
    assert(!pthread_spin_unlock(&spin) && !pthread_mutex_unlock(&lock) && !sem_post(&sem));
}

int main(void)
{
    int *shared = share(sizeof *shared);
    sem_init(&sem, 0, 1);
    pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
    if (!fork()) {
        use();
        __atomic_store_n(shared, 1, __ATOMIC_SEQ_CST);
        _exit(0);
    }
    use();
    wait(NULL);
    return __atomic_load_n(shared, __ATOMIC_SEQ_CST) != 1;
}
