// The recorder, which `heddle record` loads into a program that runs natively: with its own threads, on all cores. What the
// program does arrives at the functions of recorded_*.c, which stand in front of the C library and of heddle's runtime. They do
// it, and note it in a chunk of the calling thread (model/recording_format.h).
//
// Nothing here allocates by malloc, which is the program's, and no thread waits for another, but for a chunk to write to.
// A thread's own structure is touched by it alone. A signal handler that interrupts a record finds `busy` set and records nothing.
#ifndef RECORDER_H
#define RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/paths.h"
#include "model/recording_format.h"

#define PUBLIC __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)

enum { RECENT = 4096, RUNS = 64, CALLS = 512 };
enum { RECORDER_NOBODY = UINT32_MAX }; // no thread, no chunk

// A record of neighbouring accesses by one instruction, which the next one may extend.
struct run {
    struct recording_unit *unit; // in the present chunk; null: none
    uint64_t place, from, next, stamp;
    uint64_t swift; // an access here extends it without further ado; 0: none does
    uint32_t size;
    bool alone; // its unit has a stamp in it, and no room for a longer size
};

enum recorder_busy {
    NOT_BUSY,
    BUSY,   // with a record: what a signal handler does meanwhile is lost
    INSIDE, // calls of the C library on the recorder's own behalf
};

struct recorder_thread {
    struct recording_unit *next, *end; // what is left of its chunk
    // What the shadow of a word says that is not worth a record (recorder_filter.c).
    uint32_t settled, read_mask, read_settled;
    uint32_t tag;
    uint32_t interval;       // counts its synchronisation
    uint8_t busy;            // enum recorder_busy
    uint64_t stamp;          // as the chunk says it
    uint64_t base;           // the last number or stamp in the chunk
    uint64_t recent[RECENT]; // plain accesses that were recorded lately (recorder_filter.c)
    struct run runs[RUNS];
    uint32_t number, chunk, chunks;
    uint32_t endings;             // rounds of destructors that it has gone through
    uint64_t load[3];             // the last atomic load: address, place, value …
    const void *load_at;          // … and what was next in the chunk then
    const void *allocates_at;     // who calls operator new, while that calls malloc
    uint32_t depth, lowest, told; // calls it is in, the fewest since they were told, and how many were told then
    struct recording_unit calls[CALLS];
    uint64_t frames[CALLS]; // where their frames are
    struct recorder_thread *spare;
    struct recording_unit *unseen; // with --values: a write that was recorded last, and has happened by now; null: none
};

struct recorder {
    struct recording_ring *ring;
    uint32_t *shadow;
    bool on, with_stacks, keeps_all, with_values;
};

extern struct recorder recorder;
extern __thread struct recorder_thread *recorder_self __attribute__((tls_model("initial-exec")));

// Not by memset, which the compiler would make of an assignment: that is one of the functions that record.
static inline void recorder_clear(void *start, size_t size)
{
    __asm__ volatile("rep stosb" : "+D"(start), "+c"(size) : "a"(0) : "memory");
}

// ---- recorder_buffer.c ----

// The calling thread, which is now busy; null if nothing is to be recorded. Every record stands between these two.
struct recorder_thread *recorder_enter(void);

static inline void recorder_leave(struct recorder_thread *me)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    me->busy = NOT_BUSY;
}

// A hook comes before its access: what a write leaves is seen when its thread comes to the recorder next, before anything else there.
void recorder_see_written(struct recorder_thread *me);

// Room for so many units in a row, at most RECORDING_CHUNK_UNITS / 4; null if the recording has ended.
struct recording_unit *recorder_room(struct recorder_thread *me, uint64_t units);

// Puts a record of one unit, or of several of which the others are there already.
static inline void recorder_put(struct recorder_thread *me, struct recording_unit *at, struct recording_unit unit,
                                uint64_t units)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    at->where = unit.where;
    __atomic_store_n(&at->what, unit.what, __ATOMIC_RELEASE);
    me->next = at + units;
}

// The next number, and how it is written.
static inline uint64_t recorder_take_number(struct recorder_thread *me)
{
    uint64_t number = __atomic_fetch_add(&recorder.ring->number, 1, __ATOMIC_SEQ_CST), written = number - me->base;
    me->base = number;
    me->stamp = number + 1;
    return written;
}

// Takes the next number and records.
void recorder_sync(enum recording_op op, const volatile void *object, uint64_t value, uint32_t flags, const void *pc);
// The same by a thread that is busy.
void recorder_sync_by(struct recorder_thread *me, enum recording_op op, uint64_t address, uint64_t value,
                      uint32_t flags, const void *pc);

// Tells of calls that were made and returned from, if that is wanted.
void recorder_tell_calls(struct recorder_thread *me);

// Hands the thread's chunk over, if it has any.
void recorder_hand_over(struct recorder_thread *me);

// A record with text.
void recorder_text(enum recording_op op, uint64_t address, const char *text, size_t length);

// Nothing is recorded from now on.
void recorder_stop(enum recording_stop why);

// ---- recorder_filter.c ----

static IN_PLACE uint32_t *recorder_shadow(uint64_t address)
{
    enum { WINDOW_BITS = 37 }; // words: a terabyte
    return recorder.shadow + (address >> 3 & ((1ull << WINDOW_BITS) - 1));
}

bool recorder_reserve_shadow(void);
void recorder_take_tag(struct recorder_thread *me, uint32_t number);
void recorder_access(struct recorder_thread *me, uint64_t address, uint32_t size, bool write, const void *pc);
void recorder_range(const void *start, size_t size, bool write, const void *pc);

// A word that is accessed atomically: other threads have to see that it is no longer one thread's own.
void recorder_touch(const struct recorder_thread *me, uint64_t address);

// The memory is new: nobody has touched it.
void recorder_fresh(uint64_t address, uint64_t size);

// ---- recorder_threads.c ----

bool recorder_prepare_threads(void); // before the first
struct recorder_thread *recorder_attach(uint32_t number, uint32_t creator_plus_1);
uint32_t recorder_new_number(void);

// Which thread has this pthread_t, if it was not joined; who has it from now on.
uint32_t recorder_find(uint64_t handle);
void recorder_know_handle(uint32_t number, uint64_t handle);
void recorder_forget_handle(uint32_t number);

// ---- recorder_start.c ----

void *recorder_native(const char *name); // the C library's

#define NATIVE(name)                                                                                                   \
    ({                                                                                                                 \
        static __typeof__(&name) native_##name;                                                                        \
        if (unlikely(!native_##name))                                                                                  \
            native_##name = (__typeof__(&name))(uintptr_t)recorder_native(#name);                                      \
        native_##name;                                                                                                 \
    })

extern uint32_t recorder_modules_stale; // some may have been loaded
void recorder_tell_modules(void);       // those that were loaded since the last time

// Zeroed memory; null if there is none.
void *recorder_map(size_t bytes, int flags);
void recorder_unmap(void *start, size_t bytes);

#endif
