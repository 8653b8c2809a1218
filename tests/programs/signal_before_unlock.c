// expect: verified
// Everything that the thread does with the job is done before the waiter can see that it is; so it may be freed at once.
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

struct job {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_rwlock_t lock;
    sem_t finished;
    int done;
};

static void *work(void *p)
{
    struct job *job = p;
    pthread_mutex_lock(&job->mutex);
    job->done = 1;
    pthread_cond_signal(&job->changed);
    pthread_mutex_unlock(&job->mutex);
    pthread_rwlock_rdlock(&job->lock);
    pthread_rwlock_unlock(&job->lock);
    sem_post(&job->finished);
    return NULL;
}

int main(void)
{
    struct job *job = malloc(sizeof *job);
    pthread_mutex_init(&job->mutex, NULL);
    pthread_cond_init(&job->changed, NULL);
    pthread_rwlock_init(&job->lock, NULL);
    sem_init(&job->finished, 0, 0);
    job->done = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, job);
    pthread_mutex_lock(&job->mutex);
    while (!job->done)
        pthread_cond_wait(&job->changed, &job->mutex);
    pthread_mutex_unlock(&job->mutex);
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->mutex);
    sem_wait(&job->finished);
    sem_destroy(&job->finished);
    pthread_rwlock_destroy(&job->lock);
    free(job);
    pthread_join(thread, NULL);
}
