// What the race leads to is seen only if the plain accesses themselves are interleaved.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

static int from, to;

static void *writer(void *unused)
{
    (void)unused;
    from = 1;
    to = 1;
    return NULL;
}

static void *reader(void *unused)
{
    (void)unused;
    int t = to, f = from;
    assert(f == t);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, writer, NULL);
    pthread_create(&two, NULL, reader, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
