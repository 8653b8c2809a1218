// expect: verified options: --restart verify
// Comparing takes a lock, so that other threads run in the middle of a sort; one is too long for its stack.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 3, WIDE = 400 };

struct element {
    int key, place;
    char more[WIDE];
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int compared;

static int by_key(const void *one, const void *other)
{
    pthread_mutex_lock(&mutex);
    compared++;
    pthread_mutex_unlock(&mutex);
    return ((const struct element *)one)->key - ((const struct element *)other)->key;
}

static int by_value(const void *one, const void *other)
{
    pthread_mutex_lock(&mutex);
    compared++;
    pthread_mutex_unlock(&mutex);
    return (int)strtol(*(char *const *)one, NULL, 10) - (int)strtol(*(char *const *)other, NULL, 10);
}

static void *sort_elements(void *nothing)
{
    struct element e[COUNT] = {{2, 0, ""}, {1, 1, ""}, {1, 2, ""}};
    qsort(e, COUNT, sizeof *e, by_key);
    assert(e[0].place == 1 && e[1].place == 2 && e[2].place == 0);
    struct element wanted = {.key = 2};
    const struct element *found = bsearch(&wanted, e, COUNT, sizeof *e, by_key);
    assert(found == &e[2]);
    return nothing;
}

int main(void)
{
    pthread_t thread;
    char *words[] = {"10", "9", "8x"};
    pthread_create(&thread, NULL, sort_elements, NULL);
    qsort(words, 3, sizeof *words, by_value);
    assert(!strcmp(words[0], "8x") && !strcmp(words[2], "10"));
    pthread_join(thread, NULL);
    assert(compared >= 2 * 2 + 2);
    return 0;
}
