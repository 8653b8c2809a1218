// One thread uses an entry while another one evicts it.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

#include "cache.h"

static void *use(void *unused)
{
    struct entry *entry = cache_get("needle");
    if (entry) {
        assert(!strcmp(entry->name, "needle"));
        cache_give_back(entry);
    }
    return unused;
}

int main(void)
{
    pthread_t thread;
    cache_put("needle");
    pthread_create(&thread, NULL, use, NULL);
    cache_evict("needle");
    pthread_join(thread, NULL);
    return 0;
}
