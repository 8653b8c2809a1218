// Reads whose value nobody uses race all the same.
#include <heddle/heddle.h>
#include <pthread.h>

struct pair {
    int a, b;
};

static int x, list[8], sink;
static struct pair pair;

static void *writes(void *argument)
{
    x = 1;
    list[3] = 1;
    pair.b = 2;
    return argument;
}

static void run(void *(*reads)(void *))
{
    pthread_t t[2];
    pthread_create(&t[0], NULL, reads, NULL);
    pthread_create(&t[1], NULL, writes, NULL);
    pthread_join(t[0], NULL);
    pthread_join(t[1], NULL);
}

#define READ(name, ...)                                                                                                \
    static void *name(void *argument)                                                                                  \
    {                                                                                                                  \
        __VA_ARGS__;                                                                                                   \
        return argument;                                                                                               \
    }                                                                                                                  \
    heddle_test(#name)                                                                                                 \
    {                                                                                                                  \
        run(name);                                                                                                     \
    }

READ(unused, int v = x; (void)v)
READ(sum, int s = 0; for (int i = 0; i < 8; i++) s += list[i]; (void)s)
READ(copy, struct pair c = pair; (void)c)
READ(branch, if (x) {})
READ(twice, int v = x; v += x; (void)v)
READ(never, int v = x; if (v == v + 1) sink = 1)
READ(cases, switch (x) { default: break; })
READ(loop, while (x > 5) break)
READ(some_ways, int v = x; if (argument) sink = v)
