// expect: bug leak options: --fault malloc:1 --leaks
// The second allocation fails, and the first is lost. What strdup needs may fail like malloc.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct pair {
    char *first, *second;
};

static struct pair *make(void)
{
    struct pair *p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    p->first = strdup("first");
    p->second = strdup("second");
    if (!p->first || !p->second) {
        free(p);
        return NULL;
    }
    return p;
}

static void *work(void *unused)
{
    struct pair *p = make();
    if (p) {
        free(p->first);
        free(p->second);
    }
    free(p);
    return unused;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, work, NULL);
    pthread_join(t, NULL);
    return 0;
}
