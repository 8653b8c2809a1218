// pfscan, after the thesis of Inspect (Yang, Utah 2009, sections 4.4, 5.4 and 7.5): "a file scanner implemented using
// multiple threads to search directories and files in parallel; the different threads share a dynamic queue protected
// by a set of mutex locks."
//
// The files are in memory. THREADS counts main, which puts the names of files into the queue while it walks through the
// folders; the others take names out, search the file for a word, and print what they find under a lock. The queue has
// room for SLOTS names and two condition variables; main closes it at the end and waits until the last worker has said
// that it is done.
//
// BUG: the queue is closed with one signal in place of a broadcast, which leaves a worker waiting (the thesis inserted
// a deadlock that it does not describe).
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#ifndef THREADS
#define THREADS 3
#endif
#ifndef FILES
#define FILES 2
#endif

enum { WORKERS = THREADS - 1, SLOTS = 2 };

struct file {
    const char *name, *text;
    const struct file *inside; // of a folder; ends with a name that is null
};

static const struct file sources[] = {
    {"main.c", "int main(void) { return needle(); }", NULL},
#if FILES > 2
    {"other.c", "void other(void) {}", NULL},
#endif
    {NULL, NULL, NULL},
};
static const struct file root[] = {
    {"README", "There is a needle in main.c.", NULL},
    {"src", NULL, sources},
    {NULL, NULL, NULL},
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t more, less;
    const struct file *file[SLOTS];
    int first, count;
    bool closed;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER, .less = PTHREAD_COND_INITIALIZER};

static pthread_mutex_t workers_lock = PTHREAD_MUTEX_INITIALIZER, print_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t workers_done = PTHREAD_COND_INITIALIZER;
static int workers = WORKERS, matches, scanned;

static void queue_put(const struct file *file)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.count == SLOTS)
        pthread_cond_wait(&queue.less, &queue.lock);
    queue.file[(queue.first + queue.count++) % SLOTS] = file;
    pthread_cond_signal(&queue.more);
    pthread_mutex_unlock(&queue.lock);
}

// Null if nothing more will come.
static const struct file *queue_get(void)
{
    const struct file *file = NULL;
    pthread_mutex_lock(&queue.lock);
    while (!queue.count && !queue.closed)
        pthread_cond_wait(&queue.more, &queue.lock);
    if (queue.count) {
        file = queue.file[queue.first];
        queue.first = (queue.first + 1) % SLOTS;
        queue.count--;
        pthread_cond_signal(&queue.less);
    }
    pthread_mutex_unlock(&queue.lock);
    return file;
}

static void queue_close(void)
{
    pthread_mutex_lock(&queue.lock);
    queue.closed = true;
#ifdef BUG
    pthread_cond_signal(&queue.more);
#else
    pthread_cond_broadcast(&queue.more);
#endif
    pthread_mutex_unlock(&queue.lock);
}

static void scan_file(const struct file *file)
{
    const char *found = strstr(file->text, "needle");
    pthread_mutex_lock(&print_lock);
    scanned++;
    if (found) {
        matches++;
        printf("%s: %zu\n", file->name, (size_t)(found - file->text));
    }
    pthread_mutex_unlock(&print_lock);
}

static void *worker(void *unused)
{
    const struct file *file;
    while ((file = queue_get()))
        scan_file(file);
    pthread_mutex_lock(&workers_lock);
    if (!--workers)
        pthread_cond_signal(&workers_done);
    pthread_mutex_unlock(&workers_lock);
    return unused;
}

static void walk(const struct file *folder)
{
    for (; folder->name; folder++) {
        if (folder->inside)
            walk(folder->inside);
        else
            queue_put(folder);
    }
}

int main(void)
{
    pthread_t thread[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    walk(root);
    queue_close();
    pthread_mutex_lock(&workers_lock);
    while (workers)
        pthread_cond_wait(&workers_done, &workers_lock);
    pthread_mutex_unlock(&workers_lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(thread[i], NULL);
    assert(scanned == FILES && matches == 2);
    return 0;
}
