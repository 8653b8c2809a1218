// expect: verified
// Plain accesses to an atomic location that are ordered with the atomic ones, and to its neighbour in the same word.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static struct {
    int plain;
    _Atomic int shared;
} word;

static void *adder(void *unused)
{
    (void)unused;
    atomic_fetch_add(&word.shared, 1);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, adder, NULL);
    word.plain = 1;
    pthread_join(one, NULL);
    *(int *)&word.shared += 1;
    pthread_create(&two, NULL, adder, NULL);
    word.plain++;
    pthread_join(two, NULL);
    assert(*(int *)&word.shared == 3 && word.plain == 2);
    return 0;
}
