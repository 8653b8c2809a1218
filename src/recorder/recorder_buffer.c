// Chunks: where threads write, and how they are handed to the command.
#include "recorder/recorder.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/raw.h"

struct recorder recorder;
__thread struct recorder_thread *recorder_self;

void recorder_stop(enum recording_stop why)
{
    uint32_t none = STOP_NOT;
    struct recording_ring *ring = recorder.ring;
    uint64_t number = __atomic_load_n(&ring->number, __ATOMIC_SEQ_CST);
    if (__atomic_compare_exchange_n(&ring->stop, &none, why, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        __atomic_store_n(&ring->stopped_at, number, __ATOMIC_SEQ_CST);
    __atomic_store_n(&recorder.on, false, __ATOMIC_RELEASE);
}

// The command looks by itself from time to time. It is woken when there is much to do, since a system call for each chunk would cost
// the program more than filling it.
static void wake_command(struct recording_ring *ring, uint32_t enough)
{
    uint32_t waiting =
        __atomic_load_n(&ring->filled, __ATOMIC_RELAXED) - __atomic_load_n(&ring->freed, __ATOMIC_RELAXED);
    if (waiting >= enough)
        raw_futex(&ring->filled, FUTEX_WAKE, 1, NULL);
}

void recorder_hand_over(struct recorder_thread *me)
{
    enum { ENOUGH = 8 };
    struct recording_ring *ring = recorder.ring;
    if (me->chunk == RECORDER_NOBODY)
        return;
    __atomic_store_n(&ring->chunk[me->chunk].state, CHUNK_FULL, __ATOMIC_RELEASE);
    me->chunk = RECORDER_NOBODY;
    me->next = me->end = NULL;
    for (int i = 0; i < RUNS; i++) {
        me->runs[i].unit = NULL;
        me->runs[i].swift = 0;
    }
    __atomic_fetch_add(&ring->filled, 1, __ATOMIC_RELEASE);
    wake_command(ring, ENOUGH);
}

static bool take_free_chunk(struct recorder_thread *me)
{
    struct recording_ring *ring = recorder.ring;
    uint32_t chunks = __atomic_load_n(&ring->chunks, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < chunks; i++) {
        struct recording_chunk *chunk = &ring->chunk[i];
        uint32_t free_one = CHUNK_FREE;
        if (__atomic_load_n(&chunk->state, __ATOMIC_RELAXED) != CHUNK_FREE ||
            !__atomic_compare_exchange_n(&chunk->state, &free_one, CHUNK_IN_USE, false, __ATOMIC_ACQUIRE,
                                         __ATOMIC_RELAXED))
            continue;
        chunk->thread = me->number;
        chunk->order = me->chunks++;
        me->chunk = i;
        me->next = ring->unit[i];
        me->end = me->next + RECORDING_CHUNK_UNITS;
        return true;
    }
    return false;
}

// Whether every chunk is one that a thread writes to: then waiting would not help.
static bool too_many_threads(void)
{
    struct recording_ring *ring = recorder.ring;
    for (uint32_t i = 0; i < ring->chunks; i++)
        if (__atomic_load_n(&ring->chunk[i].state, __ATOMIC_RELAXED) != CHUNK_IN_USE)
            return false;
    return true;
}

// Waits until the command has written a chunk away. The command may have ended: then nobody will.
static bool wait_for_chunk(struct recorder_thread *me)
{
    struct recording_ring *ring = recorder.ring;
    const struct timespec moment = {0, 200000000};
    while (!__atomic_load_n(&ring->stop, __ATOMIC_RELAXED)) {
        uint32_t freed = __atomic_load_n(&ring->freed, __ATOMIC_ACQUIRE);
        if (take_free_chunk(me))
            return true;
        if (too_many_threads())
            recorder_stop(STOP_THREADS);
        else if ((uint32_t)raw_call(SYS_getppid, 0, 0, 0) != ring->command)
            recorder_stop(STOP_INTERRUPTED);
        else {
            wake_command(ring, 0);
            raw_futex(&ring->freed, FUTEX_WAIT, freed, &moment);
        }
    }
    return false;
}

static RARE struct recording_unit *change_chunk(struct recorder_thread *me)
{
    recorder_hand_over(me);
    if (__atomic_load_n(&recorder.ring->stop, __ATOMIC_RELAXED)) {
        __atomic_store_n(&recorder.on, false, __ATOMIC_RELAXED);
        return NULL;
    }
    if (!take_free_chunk(me) && !wait_for_chunk(me))
        return NULL;
    me->stamp = me->base = 0; // each chunk begins with one
    return me->next;
}

struct recording_unit *recorder_room(struct recorder_thread *me, uint64_t units)
{
    if (likely(me->next && me->next + units <= me->end))
        return me->next;
    return change_chunk(me);
}

struct recorder_thread *recorder_enter(void)
{
    if (unlikely(!__atomic_load_n(&recorder.on, __ATOMIC_RELAXED)))
        return NULL;
    struct recorder_thread *me = recorder_self;
    if (unlikely(!me))
        me = recorder_attach(recorder_new_number(), 0);
    if (unlikely(!me))
        return NULL;
    if (unlikely(me->busy)) {
        if (me->busy == BUSY)
            __atomic_fetch_add(&recorder.ring->lost_in_handlers, 1, __ATOMIC_RELAXED);
        return NULL;
    }
    me->busy = BUSY;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (unlikely(me->unseen != NULL))
        recorder_see_written(me);
    return me;
}

void recorder_tell_calls(struct recorder_thread *me)
{
    if (likely(me->told == me->depth && me->lowest == me->depth))
        return;
    uint32_t depth = me->depth < CALLS ? me->depth : CALLS, lowest = me->lowest < depth ? me->lowest : depth;
    uint32_t told = me->told < CALLS ? me->told : CALLS, made = depth - lowest;
    struct recording_unit *at = recorder_room(me, 2 + made);
    if (!at)
        return;
    for (uint32_t i = 0; i < made; i++)
        at[2 + i] = me->calls[lowest + i];
    *(struct recording_extra *)(at + 1) = (struct recording_extra){told - lowest, made};
    recorder_put(me, at, recording_unit_of(RECORDING_CALLS, 0, 0, 0), 2 + made);
    me->told = me->lowest = me->depth;
}

void recorder_sync_by(struct recorder_thread *me, enum recording_op op, uint64_t address, uint64_t value,
                      uint32_t flags, const void *pc)
{
    if (unlikely(recorder.with_stacks))
        recorder_tell_calls(me);
    struct recording_unit *at = recorder_room(me, 2);
    if (unlikely(!at))
        return;
    uint64_t number = recorder_take_number(me), place = (uint64_t)(uintptr_t)pc;
    if (likely(number < SHORT_DIFFERENCES && value < SHORT_VALUES)) {
        recorder_put(me, at, recording_short_unit(op, address, value << SHORT_FLAG_BITS | flags, place, number), 1);
    } else {
        *(struct recording_extra *)(at + 1) = (struct recording_extra){number, value};
        recorder_put(me, at, recording_unit_of(op, address, flags, place), 2);
    }
    me->interval++;
}

void recorder_sync(enum recording_op op, const volatile void *object, uint64_t value, uint32_t flags, const void *pc)
{
    struct recorder_thread *me = recorder_enter();
    if (!me)
        return;
    if (unlikely(__atomic_load_n(&recorder.ring->stop, __ATOMIC_RELAXED)))
        __atomic_store_n(&recorder.on, false, __ATOMIC_RELAXED);
    else
        recorder_sync_by(me, op, (uint64_t)(uintptr_t)object, value, flags, pc);
    recorder_leave(me);
}

void recorder_text(enum recording_op op, uint64_t address, const char *text, size_t length)
{
    struct recorder_thread *me = recorder_enter();
    if (!me)
        return;
    if (length > RECORDING_CHUNK_UNITS)
        length = RECORDING_CHUNK_UNITS;
    struct recording_unit *at = recorder_room(me, 2 + (length + 15) / 16);
    if (at) {
        char *to = (char *)(at + 2);
        for (size_t i = 0; i < length; i++)
            to[i] = text[i];
        *(struct recording_extra *)(at + 1) = (struct recording_extra){recorder_take_number(me), length};
        recorder_put(me, at, recording_unit_of(op, address, 0, 0), 2 + (length + 15) / 16);
    }
    recorder_leave(me);
}
