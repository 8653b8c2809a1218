#include "logger.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

enum { ROOM = 8 };

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const char *message[ROOM];
    int first, count;
    bool stopping;
    void (*write)(const char *message);
    pthread_t thread;
} logger = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

// The next message; null if there will be none.
static const char *next_message(void)
{
    const char *message = NULL;
    pthread_mutex_lock(&logger.lock);
    while (!logger.count && !logger.stopping)
        pthread_cond_wait(&logger.changed, &logger.lock);
    if (logger.count) {
        message = logger.message[logger.first];
        logger.first = (logger.first + 1) % ROOM;
        logger.count--;
        pthread_cond_broadcast(&logger.changed);
    }
    pthread_mutex_unlock(&logger.lock);
    return message;
}

static void *run(void *unused)
{
    const char *message;
    while ((message = next_message()))
        logger.write(message);
    return unused;
}

void logger_start(void (*write)(const char *message))
{
    logger.write = write;
    logger.stopping = false;
    pthread_create(&logger.thread, NULL, run, NULL);
}

void logger_put(const char *message)
{
    pthread_mutex_lock(&logger.lock);
    while (logger.count == ROOM)
        pthread_cond_wait(&logger.changed, &logger.lock);
    logger.message[(logger.first + logger.count++) % ROOM] = message;
    pthread_cond_broadcast(&logger.changed);
    pthread_mutex_unlock(&logger.lock);
}

void logger_flush(void)
{
    pthread_mutex_lock(&logger.lock);
    while (logger.count)
        pthread_cond_wait(&logger.changed, &logger.lock);
    pthread_mutex_unlock(&logger.lock);
}

void logger_stop(void)
{
    pthread_mutex_lock(&logger.lock);
    logger.stopping = true;
    pthread_cond_broadcast(&logger.changed);
    pthread_mutex_unlock(&logger.lock);
    pthread_join(logger.thread, NULL);
}
