// expect: bug race
// One thread frees a block while another may still be about to read an atomic variable in it. Freeing is no step of its own, so the
// order in which the read comes last need not be run: that nothing orders the two says as much.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int value;
};

static _Atomic(struct node *) head;

static void *reader(void *unused)
{
    struct node *node = atomic_load(&head);
    if (node)
        atomic_load(&node->value);
    return unused;
}

static void *owner(void *unused)
{
    free(atomic_exchange(&head, NULL));
    return unused;
}

int main(void)
{
    pthread_t one, other;
    struct node *node = malloc(sizeof *node);
    atomic_init(&node->value, 1);
    atomic_store(&head, node);
    pthread_create(&one, NULL, reader, NULL);
    pthread_create(&other, NULL, owner, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
