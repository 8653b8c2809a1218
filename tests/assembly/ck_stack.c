// Concurrency Kit's stack: two threads push, and pop if POPS. Everything that was pushed is there once.
// WRONG: a push that tries once and does not look whether it succeeded.
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>
#include <stdbool.h>

enum { THREADS = 2 };

static _Alignas(16) ck_stack_t stack = CK_STACK_INITIALIZER;
static struct item {
    ck_stack_entry_t entry;
    int taken;
} items[THREADS];

static void *work(void *number)
{
    ck_stack_entry_t *entry = &items[(long)number].entry;
#ifdef WRONG
    (void)ck_stack_trypush_upmc(&stack, entry);
#else
    ck_stack_push_mpmc(&stack, entry);
#endif
#ifdef POPS
    struct item *item = (struct item *)ck_stack_pop_mpmc(&stack);
    assert(item);
    item->taken++;
#endif
    return NULL;
}

int main(void)
{
    pthread_t thread[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    ck_stack_entry_t *entry;
    CK_STACK_FOREACH(&stack, entry)
        ((struct item *)entry)->taken++;
    for (int i = 0; i < THREADS; i++)
        assert(items[i].taken == 1);
}
