#include "check/race.h"

#include <string.h>

#include "base/mem.h"

enum { ROWS = 1 << 20, LANES = 1 << 26, FIRST_WIDTH = 4 };

void race_init(struct race_detector *d, struct undo *undo)
{
    shadow_init(&d->shadow);
    clock_pool_init(&d->clocks, FIRST_WIDTH, LANES);
    d->undo = undo;
    d->readers = mem_reserve((size_t)ROWS * READER_WIDTH * sizeof *d->readers);
    d->reader_rows = 1;
    d->parts = mem_reserve((size_t)ROWS * sizeof *d->parts);
    d->part_rows = 1;
}

static bool within(uint64_t address, const void *start, size_t size)
{
    return address - (uint64_t)(uintptr_t)start < size;
}

bool race_holds(const struct race_detector *d, uint64_t address)
{
    return shadow_holds(&d->shadow, address) || within(address, d, sizeof *d) ||
           within(address, d->readers, (size_t)ROWS * READER_WIDTH * sizeof *d->readers) ||
           within(address, d->parts, (size_t)ROWS * sizeof *d->parts);
}

void know_begin(struct race_detector *d, struct know *child, uint32_t actor, struct know *creator, uint32_t time)
{
    clock_pool_widen(&d->clocks, actor + 1);
    memset(child, 0, sizeof *child);
    child->actor = actor;
    child->time = time;
    if (creator) {
        child->clock = clock_copy(&d->clocks, creator->clock);
        clock_lanes(&d->clocks, child->clock)[creator->actor] = creator->time;
        d->origins[actor] = (struct origin){child->clock, creator->actor};
        know_tick(creator);
    }
    know_tick(child);
}

void know_learn(struct race_detector *d, struct know *k, clock_id clock, uint32_t actor, uint32_t time)
{
    clock_id known = k->own;
    if (known)
        clock_join(&d->clocks, known, clock);
    else
        k->clock = k->own = known = clock_joined(&d->clocks, k->clock, clock);
    uint32_t *lane = clock_lanes(&d->clocks, known) + actor;
    *lane = time > *lane ? time : *lane;
}

// A thread that learnt nothing knows no more than its creator, but for what it did itself.
static IN_PLACE bool learnt_nothing(const struct race_detector *d, const struct know *child, const struct know *creator)
{
    const struct origin *origin = &d->origins[child->actor];
    return origin->clock == child->clock && origin->creator == creator->actor;
}

void know_join(struct race_detector *d, struct know *k, const struct know *other)
{
    if (k->own && learnt_nothing(d, other, k))
        clock_lanes(&d->clocks, k->own)[other->actor] = other->time;
    else
        know_learn(d, k, other->clock, other->actor, other->time);
}

static void release_more(struct race_detector *d, clock_id clock, uint32_t actor, uint32_t time, struct release *to)
{
    clock_id joined = clock_copy(&d->clocks, to->clock);
    uint32_t *lanes = clock_lanes(&d->clocks, joined);
    if (to->time > lanes[to->actor])
        lanes[to->actor] = to->time;
    clock_join(&d->clocks, joined, clock);
    if (time > lanes[actor])
        lanes[actor] = time;
    *to = (struct release){joined, 0, 0, 0};
}

void know_release_more(struct race_detector *d, struct know *k, struct release *to)
{
    if (to->time && to->actor == k->actor) { // its own earlier release: it knows more now
        know_release(d, k, to);
        return;
    }
    release_more(d, k->clock, k->actor, k->time, to);
    know_tick(k);
}

enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST };

static bool acquires(int order)
{
    return order == CONSUME || order == ACQUIRE || order == ACQ_REL || order == SEQ_CST;
}

static bool releases(int order)
{
    return order == RELEASE || order == ACQ_REL || order == SEQ_CST;
}

void know_load(struct race_detector *d, struct know *k, struct release *object, int order)
{
    if (acquires(order)) {
        know_acquire(d, k, object);
    } else if (object->clock || object->time) {
        struct know seen = {.clock = k->seen, .actor = k->actor}; // `own` is 0: a fence may have been given the old one
        know_acquire(d, &seen, object);
        k->seen = seen.clock;
    }
}

void know_store(struct race_detector *d, struct know *k, struct release *object, int order)
{
    if (releases(order))
        know_release(d, k, object);
    else if (!(object->time && object->actor == k->actor && object->time > k->fence_time)) // see race.h
        *object = (struct release){k->fence_clock, k->fence_time, k->actor, 0};
}

static uint32_t passed_on(const struct race_detector *d, const struct release *object, uint32_t actor)
{
    uint32_t time = clock_lane(&d->clocks, object->clock, actor);
    return object->actor == actor && object->time > time ? object->time : time;
}

// Whether whoever acquires the object learns all that `k` knows and has done.
static bool passes_on(const struct race_detector *d, const struct release *object, const struct know *k)
{
    if (k->used || passed_on(d, object, k->actor) + 1 < k->time)
        return false;
    for (uint32_t actor = 0; actor < d->clocks.width; actor++)
        if (actor != k->actor && passed_on(d, object, actor) < clock_lane(&d->clocks, k->clock, actor))
            return false;
    return true;
}

bool know_rmw(struct race_detector *d, struct know *k, struct release *object, int order)
{
    know_load(d, k, object, order);
    if (releases(order) && !passes_on(d, object, k))
        know_release_more(d, k, object);
    else if (!releases(order) && passed_on(d, object, k->actor) < k->fence_time)
        release_more(d, k->fence_clock, k->actor, k->fence_time, object);
    else // it continues the release sequence it read from
        return false;
    return true;
}

void know_fence(struct race_detector *d, struct know *k, int order)
{
    if (acquires(order) && k->seen)
        know_learn(d, k, k->seen, 0, 0);
    if (releases(order)) {
        k->fence_clock = k->clock;
        k->own = 0;
        k->fence_time = k->time;
        know_tick(k);
    }
}

static __attribute__((noinline)) bool reader_row_before(const struct race_detector *d, const struct know *k,
                                                        uint32_t row, uint32_t *racing)
{
    const uint32_t *times = d->readers + (size_t)row * READER_WIDTH;
    for (uint32_t actor = 0; actor < d->clocks.width; actor++) {
        if (actor != k->actor && times[actor] > clock_lane(&d->clocks, k->clock, actor)) {
            *racing = actor;
            return false;
        }
    }
    return true;
}

// Whether all recorded reads happened before; `racing` is one that did not.
static IN_PLACE bool reads_before(const struct race_detector *d, const struct know *k, uint32_t read, bool shared,
                                  uint32_t *racing)
{
    if (shared)
        return reader_row_before(d, k, read, racing);
    if (!read || know_before(d, k, read))
        return true;
    *racing = read >> EPOCH_SHIFT;
    return false;
}

static IN_PLACE bool write_before(const struct race_detector *d, const struct know *k, uint32_t write, uint32_t *racing)
{
    if (!write || know_before(d, k, write))
        return true;
    *racing = write >> EPOCH_SHIFT;
    return false;
}

static uint32_t new_row(struct race_detector *d)
{
    require_room(d->reader_rows < ROWS, "words that several threads read in one execution (1048576)");
    undo_save_word(d->undo, (void *)((uintptr_t)&d->reader_rows & ~(uintptr_t)7));
    return d->reader_rows++;
}

// Adds this thread to a set of readers that began with one epoch, which it may know; returns the row.
static __attribute__((noinline)) uint32_t share(struct race_detector *d, const struct know *k, uint32_t read)
{
    uint32_t row = new_row(d);
    uint32_t *times = d->readers + (size_t)row * READER_WIDTH;
    for (uint32_t i = 0; i < d->clocks.width; i++) // memset would be the program's
        times[i] = 0;
    if (!know_before(d, k, read))
        times[read >> EPOCH_SHIFT] = read & TIME_LIMIT;
    times[k->actor] = k->time;
    return row;
}

// Whether it is in the set since it last released something.
static IN_PLACE bool has_read(const struct race_detector *d, const struct know *k, uint32_t row)
{
    return d->readers[(size_t)row * READER_WIDTH + k->actor] == k->time;
}

static void set_reader(struct race_detector *d, uint32_t *lane, uint32_t time)
{
    undo_save_word(d->undo, (void *)((uintptr_t)lane & ~(uintptr_t)7));
    *lane = time;
}

// Whoever races with a reader that this one knows of races with this one, too. So those are left out, as a single one is, and the set
// does not depend on whether there was a set before.
static __attribute__((noinline)) void add_reader(struct race_detector *d, const struct know *k, uint32_t row)
{
    uint32_t *times = d->readers + (size_t)row * READER_WIDTH;
    for (uint32_t actor = 0; actor < d->clocks.width; actor++)
        if (actor != k->actor && times[actor] && times[actor] <= clock_lane(&d->clocks, k->clock, actor))
            set_reader(d, times + actor, 0);
    set_reader(d, times + k->actor, k->time);
}

// Words accessed in parts keep an epoch pair per byte; concurrent readers of one byte are kept as the pair of the newest
// reader that is not ordered after another, plus a row when there are more: rows are numbered from the top bit.
enum { ROW_FLAG = PART_ROW };

// What the word's reads are to one of its bytes: each byte has readers of its own from now on.
static uint32_t reads_of_byte(struct race_detector *d, const struct cell *cell)
{
    bool shared = cell->state & CELL_SHARED;
    if (!shared && !(cell->read & ROW_FLAG))
        return cell->read;
    uint32_t row = new_row(d);
    uint32_t *to = d->readers + (size_t)row * READER_WIDTH;
    for (uint32_t i = 0; i < d->clocks.width; i++)
        to[i] = shared ? d->readers[(size_t)cell->read * READER_WIDTH + i] : 0;
    if (!shared)
        to[cell->read >> EPOCH_SHIFT] = cell->read & TIME_LIMIT;
    return ROW_FLAG | row;
}

static void split(struct race_detector *d, struct cell *cell)
{
    require_room(d->part_rows < ROWS, "words of which one execution accesses single bytes (1048576)");
    race_keep(d, cell);
    undo_save_word(d->undo, (void *)((uintptr_t)&d->part_rows & ~(uintptr_t)7));
    uint32_t row = d->part_rows++;
    const bool one_reader = !(cell->state & CELL_SHARED) && !(cell->read & ROW_FLAG);
    for (int byte = 0; byte < 8; byte++) {
        bool known = cell->mask >> byte & 1;
        d->parts[row][byte] = !known       ? (struct part){0, 0}
                              : one_reader ? (struct part){cell->write, cell->read}
                                           : (struct part){cell->write, reads_of_byte(d, cell)};
    }
    cell->read = row;
    cell->state = (uint8_t)((cell->state & ~CELL_SHARED) | CELL_SPLIT);
}

static void keep_part(struct race_detector *d, struct part *part)
{
    undo_save_word(d->undo, part);
}

// Epochs with actor numbers of 128 and above would look like rows: such words treat the reader as ordered by a row.
static uint32_t part_access(struct race_detector *d, const struct know *k, struct part *part, bool write, bool leave)
{
    uint32_t racing = NO_RACE;
    bool shared = part->read & ROW_FLAG;
    uint32_t read = part->read & ~ROW_FLAG;
    if (!write_before(d, k, part->write, &racing))
        return racing;
    if (write && !reads_before(d, k, read, shared, &racing))
        return racing;
    if (!leave)
        return NO_RACE;
    if (write) {
        keep_part(d, part);
        *part = (struct part){k->epoch, 0};
    } else if (part->write != k->epoch) {
        if (shared && !has_read(d, k, read)) {
            add_reader(d, k, read);
        } else if (!shared) {
            keep_part(d, part);
            part->read = (!read || know_before(d, k, read)) && k->actor < 128
                             ? k->epoch
                             : ROW_FLAG | share(d, k, read ? read : k->epoch);
        }
    }
    return NO_RACE;
}

// Whether the bytes have been accessed together so far, as those of an element of an array have, and by one reader at a time.
static IN_PLACE bool parts_are_one(const struct part *part, uint32_t bytes)
{
    uint32_t differs = part[0].read & ROW_FLAG;
    for (uint32_t i = 1; i < bytes; i++)
        differs |= (part[i].write ^ part[0].write) | (part[i].read ^ part[0].read);
    return !differs;
}

// The common case of an access to some bytes of a word: they have been accessed together so far, the access races with nothing, and
// its epoch is the only one to remember. False: they have to be looked at one by one, and nothing has changed.
static IN_PLACE bool parts_simple(struct race_detector *d, const struct know *k, struct part *part, uint32_t bytes,
                                  bool write, bool leave)
{
    const struct part old = *part, now = write ? (struct part){k->epoch, 0} : (struct part){old.write, k->epoch};
    uint32_t racing;
    if (bytes % 2 || !parts_are_one(part, bytes) || k->actor >= 128 || !write_before(d, k, old.write, &racing) ||
        !reads_before(d, k, old.read, false, &racing))
        return false;
    if (!leave || (!write && old.write == k->epoch) || (old.write == now.write && old.read == now.read))
        return true;
    undo_save(d->undo, part, bytes * sizeof *part);
    for (uint32_t i = 0; i < bytes; i++)
        part[i] = now;
    return true;
}

static __attribute__((noinline)) uint8_t parts_access(struct race_detector *d, const struct know *k, struct cell *cell,
                                                      uint8_t mask, bool write, bool leave)
{
    uint8_t racing = 0;
    if (!(cell->state & CELL_SPLIT))
        split(d, cell);
    else if (leave)
        race_keep(d, cell); // so that the log tells of every change
    const uint32_t first = (uint32_t)__builtin_ctz(mask), bytes = (uint32_t)__builtin_popcount(mask);
    if (likely(mask >> first == (1 << bytes) - 1 &&
               parts_simple(d, k, &d->parts[cell->read][first], bytes, write, leave)))
        return 0;
    for (int byte = 0; byte < 8; byte++) {
        if (!(mask >> byte & 1))
            continue;
        d->rivals[byte] = part_access(d, k, &d->parts[cell->read][byte], write, leave);
        if (d->rivals[byte] != NO_RACE)
            racing |= (uint8_t)(1u << byte);
    }
    return racing;
}

static RARE uint8_t all_race(struct race_detector *d, uint8_t mask, uint32_t rival)
{
    for (int byte = 0; byte < 8; byte++)
        d->rivals[byte] = rival;
    return mask;
}

static IN_PLACE bool in_one_piece(const struct cell *cell, uint8_t mask)
{
    return !(cell->state & CELL_SPLIT) && (cell->mask == mask || !(cell->write | cell->read));
}

uint8_t race_read(struct race_detector *d, struct know *k, struct cell *cell, uint8_t mask)
{
    if (unlikely(!in_one_piece(cell, mask))) {
        k->used = 1;
        return parts_access(d, k, cell, mask, false, true);
    }
    if (cell->write == k->epoch || (cell->read == k->epoch && !(cell->state & CELL_SHARED)))
        return 0;
    k->used = 1;
    uint32_t racing;
    if (!write_before(d, k, cell->write, &racing))
        return all_race(d, mask, racing);
    if (cell->state & CELL_SHARED) {
        if (!has_read(d, k, cell->read)) {
            race_keep(d, cell); // so that the log tells of every change
            add_reader(d, k, cell->read);
        }
        return 0;
    }
    race_keep(d, cell);
    cell->mask = mask;
    if (!cell->read || know_before(d, k, cell->read)) {
        cell->read = k->epoch;
    } else {
        cell->read = share(d, k, cell->read);
        cell->state |= CELL_SHARED;
    }
    return 0;
}

uint8_t race_write(struct race_detector *d, struct know *k, struct cell *cell, uint8_t mask)
{
    if (unlikely(!in_one_piece(cell, mask))) {
        k->used = 1;
        return parts_access(d, k, cell, mask, true, true);
    }
    if (cell->write == k->epoch && !cell->read)
        return 0;
    k->used = 1;
    uint32_t racing;
    if (!write_before(d, k, cell->write, &racing) ||
        !reads_before(d, k, cell->read, cell->state & CELL_SHARED, &racing))
        return all_race(d, mask, racing);
    race_keep(d, cell);
    cell->mask = mask;
    cell->write = k->epoch;
    cell->read = 0;
    cell->state &= (uint8_t)~CELL_SHARED;
    return 0;
}

uint8_t race_passing(struct race_detector *d, const struct know *k, struct cell *cell, uint8_t mask, bool write)
{
    if (!(cell->write | cell->read) && !(cell->state & CELL_SPLIT))
        return 0;
    if (!in_one_piece(cell, mask))
        return parts_access(d, k, cell, mask, write, false);
    uint32_t racing;
    if (!write_before(d, k, cell->write, &racing) ||
        (write && !reads_before(d, k, cell->read, cell->state & CELL_SHARED, &racing)))
        return all_race(d, mask, racing);
    return 0;
}
