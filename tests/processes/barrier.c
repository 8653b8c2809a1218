// wrong: race. Two processes meet at a barrier; readers share a lock.
#include "share.h"

int main(void)
{
    struct table {
        pthread_barrier_t meeting;
        pthread_rwlock_t lock;
        int written, read;
    } *table = share(sizeof *table);
    pthread_barrierattr_t attributes;
    pthread_rwlockattr_t kind;
    pthread_barrierattr_init(&attributes);
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&table->meeting, &attributes, 2);
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    pthread_rwlock_init(&table->lock, &kind);
    if (!fork()) {
        table->written = 1;
        if (!WRONG)
            pthread_barrier_wait(&table->meeting);
        pthread_rwlock_rdlock(&table->lock);
        int seen = table->read;
        pthread_rwlock_unlock(&table->lock);
        exit(seen > 1);
    }
    if (!WRONG)
        pthread_barrier_wait(&table->meeting);
    assert(table->written == 1);
    pthread_rwlock_wrlock(&table->lock);
    table->read = 1;
    pthread_rwlock_unlock(&table->lock);
    int status;
    wait(&status);
    assert(status == 0);
}
