// A cache of names: whoever asks for a name gets the same entry as everybody else, until it is evicted.
#ifndef CACHE_H
#define CACHE_H

#include <stdatomic.h>

struct entry {
    atomic_int users; // the cache itself is one
    char name[32];
};

void cache_put(const char *name);

// The entry, or null. Whoever gets one gives it back.
struct entry *cache_get(const char *name);
void cache_give_back(struct entry *entry);

// Later calls do not find the entry any more. It lives as long as it has users.
void cache_evict(const char *name);

#endif
