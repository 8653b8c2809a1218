#include "cache.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 16 };

static struct entry *entries[ENTRIES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// With the lock held.
static struct entry **find(const char *name)
{
    for (int i = 0; i < ENTRIES; i++)
        if (entries[i] && !strcmp(entries[i]->name, name))
            return &entries[i];
    return NULL;
}

void cache_put(const char *name)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry)
        return;
    strncpy(entry->name, name, sizeof entry->name - 1);
    atomic_store(&entry->users, 1);
    pthread_mutex_lock(&lock);
    for (int i = 0; i < ENTRIES; i++) {
        if (!entries[i]) {
            entries[i] = entry;
            entry = NULL;
            break;
        }
    }
    pthread_mutex_unlock(&lock);
    free(entry);
}

struct entry *cache_get(const char *name)
{
    pthread_mutex_lock(&lock);
    struct entry **place = find(name), *entry = place ? *place : NULL;
    pthread_mutex_unlock(&lock);
    if (entry)
        atomic_fetch_add(&entry->users, 1);
    return entry;
}

void cache_give_back(struct entry *entry)
{
    if (atomic_fetch_sub(&entry->users, 1) == 1)
        free(entry);
}

void cache_evict(const char *name)
{
    pthread_mutex_lock(&lock);
    struct entry **place = find(name), *entry = place ? *place : NULL;
    if (place)
        *place = NULL;
    pthread_mutex_unlock(&lock);
    if (entry)
        cache_give_back(entry);
}
