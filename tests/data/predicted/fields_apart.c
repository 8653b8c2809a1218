// expect: nothing
// Threads keep to fields of their own. That the structure is set and copied as a whole does not make it one variable.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int a, b;
};

static struct pair global, *block;

static void *one(void *unused)
{
    global.a++;
    block->a++;
    return unused;
}

static void *two(void *unused)
{
    global.b++;
    block->b++;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    global = (struct pair){1, 2};
    block = malloc(sizeof *block);
    *block = global;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    struct pair copy = global, other = *block;
    assert(copy.a == 2 && copy.b == 3 && other.a == 2 && other.b == 3);
    free(block);
    return 0;
}
