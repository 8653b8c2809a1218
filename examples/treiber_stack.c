// A lock-free stack (Treiber) whose nodes are used again: each thread keeps the nodes it has popped and pushes them
// later, the longest-rested first. The head carries a count that rises with every change, so that a compare-and-swap
// cannot mistake a node that came back for one that never left.
//
// WRONG leaves the count out. A pop reads the head 1 and its next 2; the other thread pops 1, pops 2 and pushes 1
// again; the first thread's compare-and-swap succeeds and makes 2 the head, which is not on the stack any more (ABA).
//
// heddle check examples/treiber_stack.c        verified
// heddle check examples/treiber_stack_wrong.c  bug: assertion (a value is popped twice, or lost)
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { NODES = 3, INDEX = 0xff, ONE_CHANGE = 0x100 };

struct node {
    atomic_uint next; // index of a node, 0 if none
    int value;        // belongs to whoever has taken the node off the stack, or not yet put it there
};

static struct node node[NODES + 1];
static atomic_uint head; // index of the top node, and above it the count of changes

// The nodes that one thread may use, oldest first.
struct spare {
    unsigned node[NODES + 1];
    int first, end;
};

static unsigned changed(unsigned old, unsigned top)
{
#ifdef WRONG
    (void)old;
    return top;
#else
    return ((old & ~(unsigned)INDEX) + ONE_CHANGE) | top;
#endif
}

static void push(struct spare *spare, int value)
{
    unsigned mine = spare->node[spare->first++];
    node[mine].value = value;
    unsigned old = atomic_load(&head);
    do
        atomic_store(&node[mine].next, old & INDEX);
    while (!atomic_compare_exchange_strong(&head, &old, changed(old, mine)));
}

// The value on top, or 0 if the stack is empty.
static int pop(struct spare *spare)
{
    unsigned old = atomic_load(&head), next;
    do {
        if (!(old & INDEX))
            return 0;
        next = atomic_load(&node[old & INDEX].next);
    } while (!atomic_compare_exchange_strong(&head, &old, changed(old, next)));
    spare->node[spare->end++] = old & INDEX;
    return node[old & INDEX].value;
}

static int popped[NODES + 1]; // how often each value came off the stack, once all threads have ended

static void *popper(void *result)
{
    struct spare spare = {0};
    *(int *)result = pop(&spare);
    return NULL;
}

static void *pusher(void *result)
{
    struct spare spare = {0};
    int *values = result;
    values[0] = pop(&spare);
    values[1] = pop(&spare);
    if (spare.end > 0)
        push(&spare, 3);
    else
        values[2] = 3; // there was no node to push it with
    return NULL;
}

int main(void)
{
    struct spare spare = {.node = {2, 1}, .end = 2};
    push(&spare, 2);
    push(&spare, 1);

    int a = 0, b[3] = {0};
    pthread_t one, two;
    pthread_create(&one, NULL, popper, &a);
    pthread_create(&two, NULL, pusher, b);
    pthread_join(one, NULL);
    pthread_join(two, NULL);

    popped[a]++;
    for (int i = 0; i < 3; i++)
        popped[b[i]]++;
    struct spare rest = {0};
    for (int i = 0; i < NODES; i++)
        popped[pop(&rest)]++;
    for (int value = 1; value <= NODES; value++)
        assert(popped[value] == 1);
    return 0;
}
