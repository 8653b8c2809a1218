// N threads push a node each onto a lock-free stack, by compare-and-swap until it succeeds; main counts them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#ifndef N
#define N 5
#endif

struct node {
    struct node *next;
};

static struct node node[N];
static _Atomic(struct node *) top;

static void *push(void *own)
{
    struct node *n = own, *old = atomic_load(&top);
    do
        n->next = old;
    while (!atomic_compare_exchange_strong(&top, &old, n));
    return NULL;
}

int main(void)
{
    pthread_t thread[N];
    for (int i = 0; i < N; i++)
        pthread_create(&thread[i], NULL, push, &node[i]);
    for (int i = 0; i < N; i++)
        pthread_join(thread[i], NULL);
    int count = 0;
    for (struct node *n = atomic_load(&top); n; n = n->next)
        count++;
    assert(count == N);
    return 0;
}
