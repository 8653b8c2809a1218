// expect: verified
// The last one to let go of a block frees it, and knows of everything the others did to the atomic variables in it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    atomic_int users, value;
};

static struct node *node;

static void *use(void *unused)
{
    atomic_fetch_add_explicit(&node->value, 1, memory_order_relaxed);
    if (atomic_fetch_sub_explicit(&node->users, 1, memory_order_release) == 1) {
        atomic_thread_fence(memory_order_acquire);
        free(node);
    }
    return unused;
}

int main(void)
{
    pthread_t one, other;
    node = malloc(sizeof *node);
    atomic_init(&node->value, 0);
    atomic_init(&node->users, 2);
    pthread_create(&one, NULL, use, NULL);
    pthread_create(&other, NULL, use, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
