// A lock for many readers or one writer, made of a mutex and a condition variable.
//
// WRONG lets the writer in when no other writer is there, without looking at the readers.
//
// heddle check examples/readers_writer.c        verified
// heddle check examples/readers_writer_wrong.c  bug: race on `data`
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers;
static bool writing;
static int data; // protected by the readers-writer lock

static void read_lock(void)
{
    pthread_mutex_lock(&mutex);
    while (writing)
        pthread_cond_wait(&changed, &mutex);
    readers++;
    pthread_mutex_unlock(&mutex);
}

static void read_unlock(void)
{
    pthread_mutex_lock(&mutex);
    if (--readers == 0)
        pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void write_lock(void)
{
    pthread_mutex_lock(&mutex);
#ifdef WRONG
    while (writing)
#else
    while (writing || readers)
#endif
        pthread_cond_wait(&changed, &mutex);
    writing = true;
    pthread_mutex_unlock(&mutex);
}

static void write_unlock(void)
{
    pthread_mutex_lock(&mutex);
    writing = false;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void *reader(void *unused)
{
    (void)unused;
    read_lock();
    assert(data == 0 || data == 1);
    read_unlock();
    return NULL;
}

static void *writer(void *unused)
{
    (void)unused;
    write_lock();
    data++;
    write_unlock();
    return NULL;
}

int main(void)
{
    pthread_t thread[3];
    pthread_create(&thread[0], NULL, reader, NULL);
    pthread_create(&thread[1], NULL, reader, NULL);
    pthread_create(&thread[2], NULL, writer, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(thread[i], NULL);
    assert(data == 1 && readers == 0 && !writing);
    return 0;
}
