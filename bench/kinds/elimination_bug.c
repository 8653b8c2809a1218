// expect: bug
// A stack by compare-and-swap with a pop that reads the next node after another may have taken it: an element is lost or doubled.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 3 };

static struct node {
    _Atomic int next;
} nodes[NODES + 1];
static _Atomic int top, popped[NODES + 1];

static void push(int n)
{
    int old = atomic_load(&top);
    do
        atomic_store(&nodes[n].next, old);
    while (!atomic_compare_exchange_strong(&top, &old, n));
}

static int pop(void)
{
    int old = atomic_load(&top);
    while (old && !atomic_compare_exchange_strong(&top, &old, atomic_load(&nodes[old].next)))
        ;
    return old;
}

static void *run(void *nothing)
{
    for (int i = 0; i < 3; i++) {
        int n = pop();
        if (!n)
            continue;
        assert(atomic_fetch_add(&popped[n], 1) == 0);
        atomic_fetch_sub(&popped[n], 1);
        push(n);
    }
    return nothing;
}

int main(void)
{
    pthread_t threads[3];
    for (int n = 1; n <= NODES; n++)
        push(n);
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, run, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    return 0;
}
