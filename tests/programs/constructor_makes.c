// expect: verified
// What a constructor makes is there in main: a key, a semaphore, a pipe, a barrier, a handler, a routine that has run, a thread.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static pthread_key_t key;
static sem_t semaphore;
static int ends[2], times, handled;
static pthread_barrier_t barrier;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;

static void count(void)
{
    times++;
}

static void handle(int number)
{
    handled = number;
}

static void *work(void *value)
{
    assert(!pthread_getspecific(key));
    assert(!pthread_setspecific(key, value) && pthread_getspecific(key) == value);
    pthread_once(&once, count);
    sem_wait(&semaphore);
    pthread_mutex_lock(&mutex);
    assert(write(ends[1], "x", 1) == 1);
    pthread_mutex_unlock(&mutex);
    pthread_barrier_wait(&barrier);
    return value;
}

__attribute__((constructor)) static void construct(int argc, char **argv, char **envp)
{
    assert(argc == 1 && argv[0] && !argv[1] && envp);
    assert(!pthread_key_create(&key, NULL) && !pthread_setspecific(key, &key));
    sem_init(&semaphore, 0, 0);
    assert(!pipe(ends));
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_once(&once, count);
    signal(SIGUSR1, handle);
    pthread_mutex_lock(&mutex);
    pthread_create(&thread, NULL, work, &key);
}

int main(void)
{
    char one;
    assert(pthread_getspecific(key) == &key);
    sem_post(&semaphore);
    pthread_mutex_unlock(&mutex);
    pthread_barrier_wait(&barrier);
    assert(read(ends[0], &one, 1) == 1 && one == 'x');
    raise(SIGUSR1);
    assert(handled == SIGUSR1);
    pthread_join(thread, NULL);
    assert(times == 1);
    return 0;
}
