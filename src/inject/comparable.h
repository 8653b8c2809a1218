// Whether runs of a program can be compared with this one at all (seed 000, definition 5): does every run have its dependent
// accesses in the same order? If two threads access the same bytes, at least one of them writing, and either may come first,
// a difference between two runs may be due to the schedule and not to a fault.
//
// The order that every run keeps: each thread's own, creations, joins, barriers, and that sections of one mutex do not
// overlap. Never that a signal comes before a wait: a wait may be over for other reasons. The seed asks a solver whether some
// order turns a pair around. Here clocks give what creations, joins and barriers order; for mutexes, if a section must begin
// before another one ends, it must end before the other begins, and that is added until nothing is new. Pairs that are then
// unordered are *open*. If libz3 is there, it is asked about them (inject/order_solver.h) until one is found that can be turned
// around; pairs that are still open are taken for such, which is safe. tests/fuzz/fuzz_comparable.c counts how many cannot.
#ifndef INJECT_COMPARABLE_H
#define INJECT_COMPARABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum order_kind { ORDER_ACCESS, ORDER_CREATE, ORDER_JOIN, ORDER_LOCK, ORDER_UNLOCK, ORDER_ARRIVE, ORDER_LEAVE };

struct order_event {
    enum order_kind kind;
    bool reads, writes;
    uint64_t object; // location, mutex or barrier
    uint32_t size;   // of an access, in bytes
    uint32_t other;  // thread that is created or joined; round of a barrier
    size_t record;   // for whoever asked
};

struct order_thread {
    struct order_event *events;
    size_t count, room;
};

struct order_pair {
    uint32_t thread[2];
    size_t event[2];
    uint64_t object;
};

struct comparison_check {
    uint64_t accesses, locations, dependent; // dependent pairs of different threads that were looked at
    uint64_t open;                           // pairs that either order may have
    struct order_pair first;                 // of these
    struct order_pair *pairs;                // the first of them, for the solver; comparable_free frees them
    size_t pair_count, pair_room;
    uint64_t closed;     // open pairs that have one order after all, as the solver says
    bool certain;        // `first` can be turned around, as the solver says
    const char *unasked; // why there was no solver, or null
    uint64_t lock_edges;
    uint64_t elsewhere; // accesses of memory that has no name, which were not looked at
    bool stuck;         // the run cannot be put into any order: its records make no sense
};

// Threads that nobody creates are there from the beginning.
void comparable_check(const struct order_thread *threads, uint32_t count, struct comparison_check *result);

// Asks the solver about pairs that are open. Those that have one order are taken off `open`.
void comparable_ask(const struct order_thread *threads, uint32_t count, struct comparison_check *result);
void comparable_free(struct comparison_check *result);

// Both of a canonical trace. Null, or why it cannot be told.
struct canonical_trace;
const char *comparable_trace(const struct canonical_trace *trace, struct comparison_check *result);

#endif
