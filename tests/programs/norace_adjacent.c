// expect: verified executions=1
// Neighbouring bytes and array elements of different threads do not race.
#include <pthread.h>
#include <stddef.h>
#include <assert.h>

static struct {
    char a, b;
    short c;
    int d[2];
} record;

static void *first(void *unused)
{
    (void)unused;
    record.a = 1;
    record.c = 3;
    record.d[0] = 4;
    return NULL;
}

static void *second(void *unused)
{
    (void)unused;
    record.b = 2;
    record.d[1] = 5;
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, first, NULL);
    pthread_create(&two, NULL, second, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(record.a == 1 && record.b == 2 && record.c == 3 && record.d[0] == 4 && record.d[1] == 5);
    return 0;
}
