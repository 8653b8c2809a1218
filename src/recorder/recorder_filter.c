// Which plain accesses are worth a record.
//
// Each word of memory has a shadow, which says who touched it:
//
//   nobody     0
//   one        its tag in the upper half, below it how many accesses were recorded, up to ONES. Then the word is *settled*:
//              nothing the thread does to it is recorded until another one comes.
//   several    SHARED, in the upper half the tag of the one that touched it last (MANY: several have read it), WROTE if that was a
//              write, and below it, for threads by their number modulo READERS, how many reads were recorded since the
//              last write, up to READS. Then reads of that thread are not recorded until somebody writes.
//
// A thread that comes to a word which another one has touched in a conflicting way takes a number, so that the two stand in the
// order in which they happened. Otherwise, an access that the thread recorded twice since it last synchronised, by the same
// instruction, is not recorded again (`recent`): all it could be part of, the first two are part of as well.
//
// What is lost, then: accesses to a word beyond the first ONES before any other thread touched it, reads beyond the first READS
// between two writes, and accesses beyond the second of one instruction between two synchronisations. --full keeps all of
// these.
//
// Shadows are changed without locks. If two threads change one at the same moment, one change is lost, and that thread makes it
// again when it comes to the word next.
#include "recorder/recorder.h"

#include <sys/mman.h>

enum { TAG_SHIFT = 16, SHARED = 0x8000, WROTE = 0x4000, ONES = 8, READERS = 7, READS = 3, READ_BITS = 2 };
enum { TWICE = 2, WINDOW_BITS = 37, LARGE = 1 << 17, LONGEST_RUN = RECORDING_LARGEST >> 3 };
#define MANY 0xffffu

bool recorder_reserve_shadow(void)
{
    size_t bytes = sizeof(uint32_t) << WINDOW_BITS;
    void *shadow = recorder_map(bytes, MAP_NORESERVE);
    if (!shadow)
        return false;
    madvise(shadow, bytes, MADV_DONTDUMP);
    madvise(shadow, bytes, MADV_NOHUGEPAGE);
    recorder.shadow = shadow;
    return true;
}

static uint32_t reads_shift(const struct recorder_thread *me)
{
    return me->tag % READERS * READ_BITS;
}

void recorder_take_tag(struct recorder_thread *me, uint32_t number)
{
    me->tag = number + 1;
    me->settled = me->tag << TAG_SHIFT | ONES;
    me->read_mask = SHARED | READS << reads_shift(me);
    me->read_settled = me->read_mask;
}

// ---- what a word's shadow becomes ----

static IN_PLACE bool is_conflict(const struct recorder_thread *me, uint32_t state, bool write)
{
    uint32_t last = state >> TAG_SHIFT;
    return state && last != me->tag && (write || !(state & SHARED) || state & WROTE);
}

static IN_PLACE uint32_t after_read(const struct recorder_thread *me, uint32_t state)
{
    uint32_t last = state >> TAG_SHIFT, reads = state & (WROTE - 1);
    if (last == me->tag || !(state & SHARED) || state & WROTE)
        state = me->tag << TAG_SHIFT | SHARED | (last == me->tag ? state & WROTE : 0) | (state & SHARED ? reads : 0);
    else
        state |= MANY << TAG_SHIFT;
    bool counts = (state & me->read_mask) != me->read_settled;
    return counts ? state + (1u << reads_shift(me)) : state;
}

static IN_PLACE uint32_t after_access(const struct recorder_thread *me, uint32_t state, bool write)
{
    if (!state)
        return me->tag << TAG_SHIFT | 1;
    if (!(state & SHARED) && state >> TAG_SHIFT == me->tag)
        return state + ((state & 0xff) < ONES);
    return write ? me->tag << TAG_SHIFT | SHARED | WROTE : after_read(me, state);
}

// Whether the filter has no use for the access, whatever `recent` says.
static IN_PLACE bool is_settled(const struct recorder_thread *me, uint32_t state, bool write)
{
    return state == me->settled || (!write && (state & me->read_mask) == me->read_settled);
}

// ---- repetitions ----

// An entry of `recent` is a hash of address, kind, instruction and interval, with how often that was recorded in its lowest bits. A small
// entry is worth more than one that cannot be mistaken: most of the time goes into waiting for it, and with 62 bits a mistake
// (an access is left out for another one) will not be seen.
static IN_PLACE bool seen_twice(struct recorder_thread *me, uint64_t address, bool write, const void *pc)
{
    enum { COUNT = 3, WRITE_SHIFT = 48 };
    uint64_t place = (uint64_t)(uintptr_t)pc ^ (uint64_t)me->interval << 32;
    uint64_t hash = (address | (uint64_t)write << WRITE_SHIFT) * 0x9e3779b97f4a7c15ull ^ place * 0xd6e8feb86659fd93ull;
    uint64_t *recent = &me->recent[hash >> 52], found = *recent;
    _Static_assert(RECENT == 1 << 12, "the index is 12 bits");
    if ((found ^ hash) & ~(uint64_t)COUNT) {
        *recent = (hash & ~(uint64_t)COUNT) | 1;
        return false;
    }
    if ((found & COUNT) >= TWICE)
        return true;
    *recent = found + 1;
    return false;
}

// ---- records ----

static IN_PLACE struct run *run_of(struct recorder_thread *me, uint64_t place, bool write)
{
    return &me->runs[(place ^ place >> 6 ^ (uint64_t)write << 5) % RUNS];
}

// Whether the record of the access before by the same instruction may have this one in it as well. The two are in the same interval,
// since nothing was stamped in between. If they are in conflict with others, the first one took a number.
static IN_PLACE bool extends_run(const struct recorder_thread *me, const struct run *run, uint64_t address,
                                 uint64_t size, const void *pc)
{
    return run->next == address && run->place == (uint64_t)(uintptr_t)pc && run->stamp == me->stamp &&
           run->size == size && run->unit && address + size - run->from <= LONGEST_RUN && !recorder.with_stacks;
}

struct bytes {
    uint64_t address, size;
    bool write, conflict;
    const void *pc;
    bool last; // of this word: what the thread does to it next is not recorded
};

static IN_PLACE void extend_run(struct run *run, uint64_t size, bool write)
{
    uint64_t length = run->next + size - run->from, coded = length << 3 | (uint64_t)__builtin_ctzll(size);
    *run->unit = recording_unit_of(write ? RECORDING_WRITE_RUN : RECORDING_READ_RUN, run->from, coded, run->place);
    run->next += size;
    run->swift = length + size <= LONGEST_RUN ? run->next : 0;
}

// What the number is now. In a conflict it is the thread's own, so that its record stands behind what others have done.
static uint64_t present_stamp(bool conflict)
{
    uint64_t *number = &recorder.ring->number;
    return conflict ? __atomic_fetch_add(number, 1, __ATOMIC_SEQ_CST) + 1 : __atomic_load_n(number, __ATOMIC_ACQUIRE);
}

// The first unit of a record, with its stamp if that is new. Returns where it goes; null if the recording has ended.
static struct recording_unit *prepare(struct recorder_thread *me, enum recording_op op, struct bytes b,
                                      struct recording_unit *unit)
{
    uint64_t place = (uint64_t)(uintptr_t)b.pc, now = present_stamp(b.conflict);
    if (unlikely(recorder.with_stacks))
        recorder_tell_calls(me);
    struct recording_unit *at = recorder_room(me, 3);
    if (!at)
        return NULL;
    uint64_t difference = now - me->base;
    bool stamped = now != me->stamp, brief = stamped && difference < SHORT_DIFFERENCES && b.size < SHORT_SIZES;
    if (stamped && !brief)
        recorder_put(me, at++, recording_unit_of(RECORDING_STAMP, 0, 0, difference), 1);
    if (stamped)
        me->stamp = me->base = now;
    *unit = brief ? recording_short_unit(op, b.address, b.size, place, difference)
                  : recording_unit_of(op, b.address, b.size, place);
    return at;
}

static uint64_t value_at(uint64_t address, uint64_t size)
{
    uint64_t value = 0;
    const volatile unsigned char *from = (const volatile unsigned char *)(uintptr_t)address;
    if (size == 8)
        return *(const volatile uint64_t *)from;
    if (size == 4)
        return *(const volatile uint32_t *)from;
    for (uint64_t i = 0; i < size; i++)
        value |= (uint64_t)from[i] << 8 * i;
    return value;
}

static void record_with_value(struct recorder_thread *me, struct bytes b)
{
    struct recording_unit unit, *at;
    at = prepare(me, b.write ? RECORDING_WRITE_UNSEEN : RECORDING_READ_VALUE, b, &unit);
    if (!at)
        return;
    uint64_t before = value_at(b.address, b.size);
    at[1] = (struct recording_unit){before, before};
    recorder_put(me, at, unit, 2);
    me->unseen = b.write && !b.last ? at : NULL;
}

void recorder_see_written(struct recorder_thread *me)
{
    struct recording_unit *unit = me->unseen;
    const uint64_t changed = (uint64_t)(RECORDING_WRITE_UNSEEN ^ RECORDING_WRITE_VALUE) << 48;
    unit[1].where = value_at(unit->what & RECORDING_ADDRESS, unit->what >> 56);
    __atomic_store_n(&unit->what, unit->what ^ changed, __ATOMIC_RELEASE);
    me->unseen = NULL;
}

static void record_new(struct recorder_thread *me, struct run *run, struct bytes b)
{
    struct recording_unit unit, *at = prepare(me, b.write ? RECORDING_WRITE : RECORDING_READ, b, &unit);
    if (!at)
        return;
    recorder_put(me, at, unit, 1);
    *run = (struct run){.unit = at,
                        .place = (uint64_t)(uintptr_t)b.pc,
                        .from = b.address,
                        .next = b.address + b.size,
                        .stamp = me->stamp,
                        .size = b.size <= 8 ? (uint32_t)b.size : 0,
                        .alone = recording_is_short(unit)};
}

// The second access of a run whose first one has a stamp in its unit begins the unit that the others extend.
static void part_from_stamp(struct recorder_thread *me, struct run *run, struct bytes b)
{
    enum recording_op op = b.write ? RECORDING_WRITE : RECORDING_READ;
    run->unit = me->next;
    run->from = b.address;
    run->next += b.size;
    run->alone = false;
    recorder_put(me, me->next, recording_unit_of(op, b.address, b.size, run->place), 1);
}

static IN_PLACE void record_bytes(struct recorder_thread *me, struct run *run, struct bytes b)
{
    if (unlikely(recorder.with_values))
        record_with_value(me, b);
    else if (recorder.keeps_all || !extends_run(me, run, b.address, b.size, b.pc))
        record_new(me, run, b); // NOLINT(bugprone-branch-clone): what is more frequent comes first
    else if (!run->alone)
        extend_run(run, b.size, b.write);
    else if (me->next < me->end)
        part_from_stamp(me, run, b);
    else
        record_new(me, run, b);
}

// An access within one word.
static void access_in_word(struct recorder_thread *me, uint64_t address, uint32_t size, bool write, const void *pc)
{
    uint32_t *word = recorder_shadow(address), state = __atomic_load_n(word, __ATOMIC_RELAXED);
    bool conflict = is_conflict(me, state, write);
    struct run *run = run_of(me, (uint64_t)(uintptr_t)pc, write);
    if (!recorder.keeps_all) {
        if (is_settled(me, state, write))
            return;
        if (!extends_run(me, run, address, size, pc) && !conflict && seen_twice(me, address, write, pc))
            return;
    }
    uint32_t changed = after_access(me, state, write);
    if (changed != state)
        __atomic_store_n(word, changed, __ATOMIC_RELAXED);
    record_bytes(me, run, (struct bytes){address, size, write, conflict, pc, changed == me->settled});
}

// Any range: one record, if a word of it is worth one.
static void access_in_range(struct recorder_thread *me, uint64_t address, uint64_t size, bool write, const void *pc)
{
    bool conflict = false, worth = recorder.keeps_all;
    for (uint64_t a = address & ~7ull; a < address + size; a += 8) {
        uint32_t *word = recorder_shadow(a), state = __atomic_load_n(word, __ATOMIC_RELAXED);
        if (is_settled(me, state, write))
            continue;
        worth = true;
        conflict |= is_conflict(me, state, write);
        uint32_t changed = after_access(me, state, write);
        if (changed != state)
            __atomic_store_n(word, changed, __ATOMIC_RELAXED);
    }
    if (!worth || (!conflict && !recorder.keeps_all && seen_twice(me, address, write, pc)))
        return;
    for (; size; address += RECORDING_LARGEST) {
        uint64_t part = size < RECORDING_LARGEST ? size : RECORDING_LARGEST;
        record_new(me, run_of(me, (uint64_t)(uintptr_t)pc, write),
                   (struct bytes){address, part, write, conflict, pc, false});
        size -= part;
    }
}

// The next access of a loop over an array. False: it is not known to be one. The thread is busy before anything is looked at, since a
// handler might hand the chunk over.
static IN_PLACE bool access_swiftly(struct recorder_thread *me, uint64_t address, uint32_t size, bool write,
                                    const void *pc)
{
    struct run *run = run_of(me, (uint64_t)(uintptr_t)pc, write);
    if (me->busy || (address & 7) + size > 8)
        return false;
    me->busy = BUSY;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    bool swift =
        run->swift == address && run->place == (uint64_t)(uintptr_t)pc && run->stamp == me->stamp && run->size == size;
    if (swift) {
        uint32_t *word = recorder_shadow(address), state = __atomic_load_n(word, __ATOMIC_RELAXED);
        uint32_t changed = after_access(me, state, write);
        if (changed != state)
            __atomic_store_n(word, changed, __ATOMIC_RELAXED);
        extend_run(run, size, write);
    }
    recorder_leave(me);
    return swift;
}

// After the quick look of the hooks has not sufficed.
void recorder_access(struct recorder_thread *me, uint64_t address, uint32_t size, bool write, const void *pc)
{
    if (me && access_swiftly(me, address, size, write, pc))
        return;
    me = recorder_enter();
    if (!me)
        return;
    if (likely((address & 7) + size <= 8))
        access_in_word(me, address, size, write, pc);
    else
        access_in_range(me, address, size, write, pc);
    recorder_leave(me);
}

void recorder_range(const void *start, size_t size, bool write, const void *pc)
{
    struct recorder_thread *me = size && recorder.on ? recorder_enter() : NULL;
    if (!me)
        return;
    access_in_range(me, (uint64_t)(uintptr_t)start, size, write, pc);
    recorder_leave(me);
}

void recorder_touch(const struct recorder_thread *me, uint64_t address)
{
    uint32_t *word = recorder_shadow(address), state = __atomic_load_n(word, __ATOMIC_RELAXED);
    uint32_t changed = !state                          ? me->tag << TAG_SHIFT | 1
                       : state >> TAG_SHIFT == me->tag ? state
                                                       : me->tag << TAG_SHIFT | SHARED | WROTE;
    if (changed != state)
        __atomic_store_n(word, changed, __ATOMIC_RELAXED);
}

void recorder_fresh(uint64_t address, uint64_t size)
{
    uint32_t *from = recorder_shadow(address), *until = recorder_shadow(address + size + 7);
    if (until < from) // the window ends in between
        return;
    if (size >= LARGE) {
        uint64_t low = ((uint64_t)(uintptr_t)from + 4095) & ~4095ull, high = (uint64_t)(uintptr_t)until & ~4095ull;
        madvise((void *)(uintptr_t)low, high - low, MADV_DONTNEED);
        while ((uint64_t)(uintptr_t)from < low)
            *from++ = 0;
        from = (uint32_t *)(uintptr_t)high;
    }
    while (from < until) {
        *from++ = 0;
        __asm__ volatile("");
    }
}
