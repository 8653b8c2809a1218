// The holder, which `heddle predict --native` loads into a program that runs natively: it holds threads back at the places of a
// prediction, for a bounded time, so that what is predicted comes about if the program goes that way (model/holding.h).
//
// Functions of held_*.c stand in front of heddle's runtime and the C library. Each tells `hold_at` where it was called before it does
// what it is for. Nothing here allocates by malloc, which is the program's.
//
// A point is *passed* when its thread is let go on from there, and *done* when that thread comes to the holder again: only then is
// it certain that the access was made.
#ifndef HOLDER_H
#define HOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/paths.h"
#include "model/holding.h"

#define PUBLIC __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)

enum { HOLDER_CALLS = 128, HOLDER_LOCKS = 32, HOLDER_PENDING = 32, HOLDER_WATCHED = 1 << 16 };

struct holder_pending {
    uint32_t order, point, age;
};

// Touched by its thread alone, but for `locks`, which whoever judges a deadlock reads while this thread is held.
struct holder_thread {
    uint32_t number; // from 1; 0: it has not come to a point
    bool busy;
    bool keeps;        // the memory that it is about to free: somebody is to use it after that
    uint32_t stuck;    // the order of the deadlock it is in, plus 1; 0: none
    uint32_t releases; // locks it has let go
    uint32_t lock_count;
    uint64_t locks[HOLDER_LOCKS]; // that it holds
    uint32_t pending_count;
    struct holder_pending pending[HOLDER_PENDING]; // points that it has passed and not done
    uint32_t depth;
    uint64_t calls;                                   // that it has made
    uint64_t call[HOLDER_CALLS], frame[HOLDER_CALLS]; // those it is in: their numbers, and where their frames are
};

struct holder {
    struct holding_block *block;           // null: the program runs as if there were no holder
    uint64_t watched[HOLDER_WATCHED / 64]; // bits by holder_hash: places of points
};

extern struct holder holder;
extern __thread struct holder_thread holder_self;

static IN_PLACE uint32_t holder_hash(const void *pc)
{
    return (uint32_t)((uint64_t)(uintptr_t)pc * 0x9e3779b97f4a7c15ull >> 48);
}

// The thread comes to a place, about this memory. `same`: it is still where it came last, about other memory, and has done nothing.
void holder_arrive(uint64_t address, uint64_t size, const void *pc, bool same);

static IN_PLACE void hold_at(const volatile void *p, uint64_t size, const void *pc)
{
    uint32_t bit = holder_hash(pc);
    if (unlikely(holder_self.pending_count || holder.watched[bit / 64] >> bit % 64 & 1))
        holder_arrive((uint64_t)(uintptr_t)p, size, pc, false);
}

static IN_PLACE void hold_also(const volatile void *p, uint64_t size, const void *pc)
{
    uint32_t bit = holder_hash(pc);
    if (unlikely(holder.watched[bit / 64] >> bit % 64 & 1))
        holder_arrive((uint64_t)(uintptr_t)p, size, pc, true);
}

// The thread goes on: what it has passed is done.
static IN_PLACE void hold_goes_on(void)
{
    if (unlikely(holder_self.pending_count))
        holder_arrive(0, 0, NULL, false);
}

// ---- holder_orders.c ----

void orders_begin(void);
// Under the lock of holder_start.c: points that the thread has passed are done.
void orders_finish_pending(struct holder_thread *me);
// The thread has come to the place: what to wait for. False: it can go on.
struct hold_visit {
    uint32_t order, point, age;
    bool gate; // the thread is at the gate of the point
};
bool orders_arrive(struct holder_thread *me, uint64_t address, uint64_t size, uint64_t pc, struct hold_visit *visit);
// Whether the wait is over; if so, the thread passes the point, if that still makes sense.
bool orders_ready(struct holder_thread *me, const struct hold_visit *visit);
// It was in vain.
void orders_give_up(const struct hold_visit *visit);

// ---- holder_start.c ----

void *holder_next(const char *name); // the next definition of this function behind the holder's
#define NEXT(name)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&name) next_##name;                                                                          \
        if (unlikely(!next_##name))                                                                                    \
            next_##name = (__typeof__(&name))(uintptr_t)holder_next(#name);                                            \
        next_##name;                                                                                                   \
    })

// Somebody who waits may go on.
void holder_tell(void);

#endif
