// Concurrency Kit's queue for many producers and consumers, with entries that are used again: who takes a value out keeps
// the entry that comes with it, and uses it for the next value that it puts in.
#include <stdlib.h>
#include <ck_fifo.h>
#include <heddle/lin.h>

struct queue {
    _Alignas(16) ck_fifo_mpmc_t fifo;
    ck_fifo_mpmc_entry_t stub;
};

static _Thread_local ck_fifo_mpmc_entry_t *spare[16];
static _Thread_local int spares;

static void *create(void)
{
    struct queue *q = aligned_alloc(64, (sizeof *q + 63) / 64 * 64);
    ck_fifo_mpmc_init(&q->fifo, &q->stub);
    return q;
}

static int64_t enqueue(void *object, const int64_t *argument)
{
    struct queue *q = object;
    ck_fifo_mpmc_entry_t *e = spares ? spare[--spares] : aligned_alloc(16, sizeof *e);
    ck_fifo_mpmc_enqueue(&q->fifo, e, (void *)(intptr_t)argument[0]);
    return HEDDLE_NIL;
}

static int64_t dequeue(void *object, const int64_t *argument)
{
    struct queue *q = object;
    void *value;
    ck_fifo_mpmc_entry_t *garbage;
    (void)argument;
    if (!ck_fifo_mpmc_dequeue(&q->fifo, &value, &garbage))
        return HEDDLE_NIL;
    spare[spares++] = garbage;
    return (int64_t)(intptr_t)value;
}

heddle_lin(.create = create, .operations = {{"enq", enqueue, {HEDDLE_FRESH}}, {"deq", dequeue}});
