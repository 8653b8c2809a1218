// expect: bug race
// The job belongs to the waiter as soon as `done` can be seen: the signal may come when it has been destroyed and freed.
#include <pthread.h>
#include <stdlib.h>

struct job {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    int done;
};

static void *work(void *p)
{
    struct job *job = p;
    pthread_mutex_lock(&job->mutex);
    job->done = 1;
    pthread_mutex_unlock(&job->mutex);
    pthread_cond_signal(&job->changed);
    return NULL;
}

int main(void)
{
    struct job *job = malloc(sizeof *job);
    pthread_mutex_init(&job->mutex, NULL);
    pthread_cond_init(&job->changed, NULL);
    job->done = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, work, job);
    pthread_mutex_lock(&job->mutex);
    while (!job->done)
        pthread_cond_wait(&job->changed, &job->mutex);
    pthread_mutex_unlock(&job->mutex);
    pthread_cond_destroy(&job->changed);
    pthread_mutex_destroy(&job->mutex);
    free(job);
    pthread_join(thread, NULL);
}
