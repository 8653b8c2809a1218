// expect: verified executions=2
// Every execution begins with memory as it was: globals, statics in functions, heap, what main's frame points to.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int order;
static int runs, filled = 7;
static int *block;
static char large[1 << 16];

static int calls(void)
{
    static int count;
    return ++count;
}

static void *worker(void *unused)
{
    (void)unused;
    int number = atomic_fetch_add(&order, 1);
    large[number * 4096] += 1;
    block[number] += 1;
    return NULL;
}

int main(void)
{
    runs++;
    assert(runs == 1 && calls() == 1 && filled == 7 && !block && large[0] == 0 && large[4096] == 0);
    block = calloc(2, sizeof *block);
    assert(block && block[0] == 0 && block[1] == 0);

    pthread_t one, two;
    pthread_create(&one, NULL, worker, NULL);
    pthread_create(&two, NULL, worker, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(runs == 1 && large[0] == 1 && large[4096] == 1 && block[0] == 1 && block[1] == 1);
    filled = 8;
    free(block);
    return 0;
}
