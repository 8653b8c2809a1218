#include "target/threads/engine/knowledge.h"

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/engine/commons.h"
#include "target/threads/engine/spelling.h"
#include "target/threads/memory/memory_room.h"

enum { CELLS = 1 << 22, SLOTS = CELLS * 2, MOST_HOLDERS = 1 << 16, ROUNDS = 3 };
enum { ALL = UINT32_MAX };

enum access_kind { WRITTEN, READ, WRITTEN_ATOMICALLY, READ_ATOMICALLY };

// Somebody who knows something: a thread, what it saw or would release by a fence, what an object passes on.
struct holder {
    uint32_t what; // number of actor or place, or what the descriptor calls it
    uint8_t kind;
    bool lives; // a thread that can still access something
};

enum holder_kind { THREAD, SEEN, FENCE, ENDED, RELEASED, SHARED, PASSED /* by a descriptor */ };

// An access in the shadow that not everybody knows of.
struct access {
    uint32_t actor, time;
    struct fingerprint where;
};

static struct {
    // Cells that accesses of the execution at hand were noted in, by their slots; how many after each event.
    uint32_t *cells;
    uint32_t cell_count, *counts;
    // Every cell that was ever noted, and where it stands among those, if it does. This is not taken back.
    struct slot {
        struct cell *cell;
        uint32_t at;
        uint16_t owner; // the only actor that was seen to access it, plus 1
        bool met;       // there were others, or there may have been
    } * slots;
    uint32_t *distinct, distinct_count; // the slots that are used
    uint32_t places;                    // synchronisation objects that there were when it was last looked at
    uint32_t renewals;
    bool grown, all; // a cell was met by another actor since it was last asked; every cell counts as met
    struct holder *holders;
    uint32_t *lanes; // a row for each holder
    uint32_t holder_count, width;
    uint32_t row[MAX_ACTORS]; // of the thread's holder, plus 1
    uint32_t least[MAX_ACTORS];
    struct access *accesses;
    uint32_t access_count;
    uint64_t factors[256]; // of accesses to these bytes of a word: sums of one for each byte
    uint32_t *bounds;      // of one actor: what holders know, in order
    struct fingerprint *classes;
    uint32_t *ranks;            // by bound: how many classes are known with that
    uint32_t *known;            // a row for each holder: ranks
    uint64_t ignored;           // digest of accesses that are not to be looked at
    const struct join_run *run; // that main waits in, or null
    uint64_t *pinned;           // threads that accesses tell apart; null: nobody is renamed
    bool nameless;              // there are accesses that cannot be renamed
} k;

void knowledge_prepare(bool all)
{
    k.all = all;
    if (k.cells)
        return;
    k.cells = mem_reserve(CELLS * sizeof *k.cells);
    k.distinct = mem_reserve(CELLS * sizeof *k.distinct);
    k.counts = mem_reserve((engine.exec.limit + 2ull) * sizeof *k.counts);
    k.slots = mem_reserve(SLOTS * sizeof *k.slots);
    k.holders = mem_reserve(MOST_HOLDERS * sizeof *k.holders);
    k.lanes = mem_reserve((size_t)MOST_HOLDERS * MAX_ACTORS * sizeof *k.lanes);
    k.known = mem_reserve((size_t)MOST_HOLDERS * MAX_ACTORS * sizeof *k.known);
    k.accesses = mem_reserve((size_t)CELLS * sizeof *k.accesses);
    k.bounds = mem_reserve((MOST_HOLDERS + 1) * sizeof *k.bounds);
    k.ranks = mem_reserve((MOST_HOLDERS + 1) * sizeof *k.ranks);
    k.classes = mem_reserve((MOST_HOLDERS + 1) * sizeof *k.classes);
    for (uint32_t mask = 1; mask < 256; mask++)
        k.factors[mask] = k.factors[mask & (mask - 1)] + fingerprint_scramble((uint64_t)__builtin_ctz(mask) + 1);
}

// ---- cells ----

// False for memory far from that of the program.
static bool address_of_cell(const struct cell *cell, uint64_t *address)
{
    uint64_t low = (uint64_t)(uintptr_t)cell - (uint64_t)(uintptr_t)engine.races.shadow.low;
    *address = low / sizeof(struct cell) * 8;
    return low < SHADOW_LOW_END / 8 * sizeof(struct cell);
}

// States of others may have left out a cell that this process sees for the first time.
static bool others_left_out(const struct slot *slot)
{
    return !slot->owner && commons_are_open() && commons_see(slot->cell, 0, true) == WORD_NEWLY_MET;
}

static void meet(struct slot *slot)
{
    bool left_out = slot->owner && !slot->met; // states may have left it out
    if (left_out && commons_are_open())
        commons_meet(slot->cell);
    k.grown |= left_out || (!slot->met && others_left_out(slot));
    slot->met = true;
}

// The first actor that is seen to access the cell.
static void own(struct slot *slot, uint32_t actor)
{
    enum commons_word is = commons_are_open() ? commons_see(slot->cell, actor, false) : WORD_OWNED;
    slot->owner = (uint16_t)(actor + 1);
    slot->met = is != WORD_OWNED;
    k.grown |= is == WORD_NEWLY_MET;
}

// Whether others may take the actor's place, and then access the same: it is not memory of its own.
static bool stands_for_others(const struct slot *slot, uint32_t actor)
{
    uint64_t address, offset;
    if (!engine.alike || likeness_kin(actor) == actor)
        return false;
    return !address_of_cell(slot->cell, &address) || spelling_owner(address, &offset) != actor;
}

static void see_accessor(struct slot *slot, uint32_t actor)
{
    if ((slot->owner && slot->owner != actor + 1) || stands_for_others(slot, actor))
        meet(slot);
    else if (!slot->owner && !slot->met)
        own(slot, actor);
}

static void see_epoch(struct slot *slot, uint32_t epoch)
{
    if (epoch)
        see_accessor(slot, epoch >> EPOCH_SHIFT);
}

static void see_readers(struct slot *slot, uint32_t row)
{
    const uint32_t *times = engine.races.readers + (size_t)row * READER_WIDTH;
    for (uint32_t actor = 0; actor < engine.races.clocks.width; actor++)
        if (times[actor])
            see_accessor(slot, actor);
}

static void see_parts(struct slot *slot, const struct part *parts)
{
    for (uint32_t byte = 0; byte < 8; byte++) {
        see_epoch(slot, parts[byte].write);
        if (parts[byte].read & PART_ROW)
            see_readers(slot, parts[byte].read & ~PART_ROW);
        else
            see_epoch(slot, parts[byte].read);
    }
}

// Who has accessed the cell, by what stands in it after the newest event. Whoever frees it leaves no epoch. That a word was accessed in
// parts, or by several readers, says nothing by itself: it depends on what everybody knows of by now, which is no part of states.
static void see_accessors(struct slot *slot)
{
    const struct cell *cell = slot->cell;
    uint64_t address;
    if (slot->met || (address_of_cell(cell, &address) && arguments_keep_apart(address)))
        return;
    if (cell->object) {
        meet(slot);
        return;
    }
    see_epoch(slot, cell->write);
    if (cell->state & CELL_SPLIT)
        see_parts(slot, engine.races.parts[cell->read]);
    else if (cell->state & CELL_SHARED)
        see_readers(slot, cell->read);
    else
        see_epoch(slot, cell->read);
    if (cell->state & CELL_FREED)
        see_accessor(slot, engine.exec.count ? engine.exec.events[engine.exec.count - 1].actor : 0);
}

static struct slot *slot_of(struct cell *cell)
{
    uint64_t at = (uint64_t)(uintptr_t)cell * 0x9e3779b97f4a7c15u >> 40 & (SLOTS - 1);
    while (k.slots[at].cell && k.slots[at].cell != cell)
        at = (at + 1) & (SLOTS - 1);
    if (!k.slots[at].cell) {
        require_room(k.distinct_count < CELLS / 2, "words that are accessed while states are compared (2097152)");
        k.slots[at].cell = cell;
        k.distinct[k.distinct_count++] = (uint32_t)at;
    }
    return &k.slots[at];
}

static void note_cell(struct cell *cell)
{
    struct slot *slot = slot_of(cell);
    uint32_t number = (uint32_t)(slot - k.slots);
    see_accessors(slot);
    if (slot->at < k.cell_count && k.cells[slot->at] == number)
        return;
    slot->at = k.cell_count;
    k.cells[k.cell_count++] = number;
}

// A synchronisation object that is found in a cell survives going back, and so does that others may access it there.
static void see_objects(void)
{
    if (k.places == engine.place_count)
        return;
    k.places = engine.place_count;
    for (uint32_t i = 0; i < k.distinct_count; i++)
        if (k.slots[k.distinct[i]].cell->object && !k.slots[k.distinct[i]].met)
            meet(&k.slots[k.distinct[i]]);
}

bool knowledge_grown(void)
{
    enum { MOST_RENEWALS = 20 }; // then one process alone counts all words, and may have more states than several
    see_objects();
    if (!k.grown || k.all)
        return false;
    k.grown = false;
    k.all = !commons_are_open() && ++k.renewals > MOST_RENEWALS;
    return true;
}

void knowledge_take_over(struct cell *cell)
{
    slot_of(cell)->met = true;
}

void knowledge_take_over_all(void)
{
    k.all = true;
}

void knowledge_note(uint64_t address, uint32_t size)
{
    if (!shadow_holds(&engine.races.shadow, address))
        return;
    uint64_t from = address & ~(uint64_t)(sizeof(struct cell) - 1);
    for (; from < address + size; from += sizeof(struct cell))
        note_cell((struct cell *)(uintptr_t)from);
}

void knowledge_begin(void)
{
    const uint8_t *top = engine.undo.top;
    k.cell_count = 0;
    while (top > engine.undo.start) {
        const struct undo_trailer *trailer = (const struct undo_trailer *)top - 1;
        top = (const uint8_t *)trailer - trailer->stored;
        knowledge_note(trailer->address, trailer->size);
    }
    k.counts[engine.exec.count] = k.cell_count;
}

void knowledge_follow(void)
{
    k.cell_count = k.counts[engine.exec.count - 1];
}

void knowledge_followed(void)
{
    k.counts[engine.exec.count] = k.cell_count;
}

// ---- holders ----

static uint32_t *add_holder(enum holder_kind kind, uint32_t what, bool lives)
{
    require_room(k.holder_count < MOST_HOLDERS, "objects that pass on what threads did (65536)");
    k.holders[k.holder_count] = (struct holder){what, (uint8_t)kind, lives};
    return k.lanes + (size_t)k.holder_count++ * k.width;
}

static void copy_lanes_of(uint32_t *to, clock_id clock)
{
    const uint32_t *from = clock_lanes(&engine.races.clocks, clock);
    for (uint32_t i = 0; i < k.width; i++)
        to[i] = from[i];
}

static void raise(uint32_t *lane, uint32_t time)
{
    *lane = time > *lane ? time : *lane;
}

static void join(uint32_t *to, const uint32_t *from)
{
    for (uint32_t i = 0; i < k.width; i++)
        raise(to + i, from[i]);
}

static void join_release(uint32_t *to, const struct release *from)
{
    join(to, clock_lanes(&engine.races.clocks, from->clock));
    if (from->time)
        raise(to + from->actor, from->time);
}

static void add_thread(const struct thread *t, bool lives)
{
    uint32_t *lanes = add_holder(lives ? THREAD : ENDED, t->actor, lives);
    copy_lanes_of(lanes, t->know.clock);
    raise(lanes + t->actor, t->know.time);
    k.row[t->actor] = k.holder_count;
    if (!lives)
        return;
    if (t->know.seen)
        copy_lanes_of(add_holder(SEEN, t->actor, false), t->know.seen);
    if (t->know.fence_clock || t->know.fence_time) {
        lanes = add_holder(FENCE, t->actor, false);
        copy_lanes_of(lanes, t->know.fence_clock);
        raise(lanes + t->actor, t->know.fence_time);
    }
}

// Whether nobody can learn from the thread that has ended but main, which will before it does anything.
static bool is_as_joined(uint32_t actor)
{
    return is_joined(&engine.threads[actor]) || (k.run && k.run->awaited[actor / 64] >> (actor % 64) & 1);
}

static void add_threads(void)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        const struct thread *t = &engine.threads[actor];
        uint32_t state = engine.exec.actors[actor].state;
        k.row[actor] = 0;
        if (state == ACTOR_PARKED || state == ACTOR_WAITING)
            add_thread(t, true);
        else if (state == ACTOR_ENDED && !is_as_joined(actor))
            add_thread(t, false);
    }
}

static bool is_alive(uint32_t actor)
{
    return k.row[actor] && k.holders[k.row[actor] - 1].lives;
}

// The next thread to take the lock will know what was released there, and what the holder knows now.
static void expect_lock(uint32_t *lanes, uint32_t actor, uint32_t number, bool alone)
{
    const struct place *place = &engine.places[number];
    join_release(lanes, &place->release);
    if (alone)
        join_release(lanes, &place->shared);
    uint32_t owner = place->owner;
    if (owner && owner - 1 != actor && is_alive(owner - 1) && !engine.exec.any_unlocks)
        join(lanes, k.lanes + (size_t)(k.row[owner - 1] - 1) * k.width);
}

static void expect_end(uint32_t *lanes, uint32_t other)
{
    const struct know *know = &engine.threads[other].know;
    if (k.row[other])
        join(lanes, k.lanes + (size_t)(k.row[other] - 1) * k.width);
    else
        join(lanes, clock_lanes(&engine.races.clocks, know->clock));
    lanes[other] = ALL;
}

// Before the thread can access anything it will know this, too.
static void look_forward(uint32_t actor)
{
    const struct request *r = &engine.threads[actor].request;
    uint32_t *lanes = k.lanes + (size_t)(k.row[actor] - 1) * k.width;
    bool parked = engine.exec.actors[actor].state == ACTOR_PARKED;
    if (!actor && k.run) {
        for (uint32_t other = 1; other < engine.exec.known; other++)
            if (k.run->awaited[other / 64] >> (other % 64) & 1 && engine.exec.actors[other].state != ACTOR_ABSENT)
                expect_end(lanes, other);
        return;
    }
    if (parked && (r->kind == OP_LOCK || r->kind == OP_RDLOCK || r->kind == OP_WRLOCK))
        expect_lock(lanes, actor, r->object, r->kind == OP_WRLOCK);
    else if (!parked && r->kind == OP_WAIT)
        expect_lock(lanes, actor, r->mutex, false);
    else if (r->kind == OP_JOIN && r->mutex != actor)
        expect_end(lanes, r->mutex);
}

static void find_least(void)
{
    for (uint32_t i = 0; i < k.width; i++)
        k.least[i] = ALL;
    for (uint32_t h = 0; h < k.holder_count; h++)
        for (uint32_t i = 0; k.holders[h].lives && i < k.width; i++)
            if (k.lanes[(size_t)h * k.width + i] < k.least[i])
                k.least[i] = k.lanes[(size_t)h * k.width + i];
}

// An object that passes on only what everybody knows counts as passing on nothing.
static void add_object(enum holder_kind kind, uint32_t number, const struct release *release)
{
    if (!release->clock && !release->time)
        return;
    bool more = release->time > k.least[release->actor];
    const uint32_t *lanes = clock_lanes(&engine.races.clocks, release->clock);
    for (uint32_t i = 0; i < k.width && !more; i++)
        more = lanes[i] > k.least[i];
    if (!more)
        return;
    uint32_t *to = add_holder(kind, number, false);
    copy_lanes_of(to, release->clock);
    if (release->time)
        raise(to + release->actor, release->time);
}

static void add_passed(uint32_t name, const struct release *release)
{
    add_object(PASSED, name, release);
}

static void add_objects(void)
{
    for (uint32_t number = 1; number <= engine.place_count; number++) {
        add_object(RELEASED, number, &engine.places[number].release);
        add_object(SHARED, number, &engine.places[number].shared);
    }
    descriptors_each_passed(add_passed);
}

// ---- accesses ----

static void pin(uint32_t actor)
{
    k.pinned[actor / 64] |= 1ull << (actor % 64);
}

// What a place is called by the actor that accesses it: memory of its own by where it lies there.
static uint64_t called_by(uint32_t actor, uint64_t place, enum access_kind kind)
{
    uint64_t offset;
    if (place >= SHADOW_LOW_END || (kind != READ && kind != WRITTEN)) {
        k.nameless = true;
        return place;
    }
    uint32_t owner = spelling_owner(place, &offset);
    if (owner == OWNER_NONE)
        return place;
    if (owner == actor)
        return offset;
    pin(owner);
    return place;
}

// Accesses to some bytes of a word: those to all of them, added up, are the same however they are divided.
static struct fingerprint in_bytes(struct fingerprint of_word, uint8_t mask)
{
    return (struct fingerprint){of_word.low * k.factors[mask], of_word.high * k.factors[mask]};
}

static void add_access(uint32_t actor, uint32_t time, uint64_t place, uint8_t mask, enum access_kind kind)
{
    if (!time || time <= k.least[actor])
        return;
    require_room(k.access_count < CELLS, "accesses that threads do not all know of (4194304)");
    if (unlikely(k.pinned != NULL))
        place = called_by(actor, place, kind);
    k.accesses[k.access_count++] = (struct access){actor, time, in_bytes(fingerprint_of(place, kind), mask)};
}

static void add_epoch(uint32_t epoch, uint64_t place, uint8_t mask, enum access_kind kind)
{
    add_access(epoch >> EPOCH_SHIFT, epoch & TIME_LIMIT, place, mask, kind);
}

static void add_readers(uint32_t row, uint64_t place, uint8_t mask)
{
    const uint32_t *times = engine.races.readers + (size_t)row * READER_WIDTH;
    for (uint32_t actor = 0; actor < engine.races.clocks.width; actor++)
        add_access(actor, times[actor], place, mask, READ);
}

static void add_part(const struct part *part, uint64_t place, uint8_t mask)
{
    add_epoch(part->write, place, mask, WRITTEN);
    if (part->read & PART_ROW)
        add_readers(part->read & ~PART_ROW, place, mask);
    else
        add_epoch(part->read, place, mask, READ);
}

static void add_cell(const struct cell *cell)
{
    uint64_t place;
    if (!address_of_cell(cell, &place)) // an address is the same in every process, and where the shadow lies is not
        place = (uint64_t)(uintptr_t)cell;
    if (cell->state & (CELL_FREED | CELL_VISIBLE | CELL_PRIVATE))
        return;
    if (cell->state & CELL_SPLIT) {
        for (uint32_t byte = 0; byte < 8; byte++)
            add_part(&engine.races.parts[cell->read][byte], place, (uint8_t)(1u << byte));
        return;
    }
    add_epoch(cell->write, place, cell->mask, WRITTEN);
    if (cell->state & CELL_SHARED)
        add_readers(cell->read, place, cell->mask);
    else
        add_epoch(cell->read, place, cell->mask, READ);
}

static void add_atomic(void *unused, uint32_t place, uint32_t actor, uint32_t written, uint32_t read)
{
    (void)unused;
    add_access(actor, written, place, 1, WRITTEN_ATOMICALLY);
    add_access(actor, read, place, 1, READ_ATOMICALLY);
}

// ---- classes ----

static void sort(uint32_t *values, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        uint32_t value = values[i], at = i;
        for (; at && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static uint32_t find_bounds(uint32_t actor)
{
    uint32_t count = 0, kept = 0;
    for (uint32_t h = 0; h < k.holder_count; h++)
        if (k.lanes[(size_t)h * k.width + actor] > k.least[actor])
            k.bounds[count++] = k.lanes[(size_t)h * k.width + actor];
    sort(k.bounds, count);
    for (uint32_t i = 0; i < count; i++)
        if (!kept || k.bounds[kept - 1] != k.bounds[i])
            k.bounds[kept++] = k.bounds[i];
    return kept;
}

static uint32_t bound_of(uint32_t time, uint32_t count)
{
    uint32_t at = 0;
    while (at < count && k.bounds[at] < time)
        at++;
    return at;
}

// Adds what there is of one actor's accesses: those that the same holders know of are one class.
static void mix_actor(struct fingerprint *f, uint32_t actor, const struct naming *naming)
{
    uint32_t count = find_bounds(actor), rank = 0;
    for (uint32_t i = 0; i <= count; i++)
        k.classes[i] = (struct fingerprint){0, 0};
    for (uint32_t i = 0; i < k.access_count; i++)
        if (k.accesses[i].actor == actor)
            fingerprint_add(&k.classes[bound_of(k.accesses[i].time, count)], k.accesses[i].where);
    for (uint32_t i = 0; i <= count; i++) {
        if (k.classes[i].low | k.classes[i].high) {
            fingerprint_mix(f, naming->place[actor] + 1u);
            fingerprint_mix(f, k.classes[i].low);
            fingerprint_mix(f, k.classes[i].high);
            rank++;
        }
        k.ranks[i] = rank;
    }
    for (uint32_t h = 0; h < k.holder_count; h++) {
        uint32_t lane = k.lanes[(size_t)h * k.width + actor];
        k.known[(size_t)h * k.width + actor] = lane > k.least[actor] ? k.ranks[bound_of(lane, count)] : 0;
    }
}

// A relaxed store leaves what its own thread released there before, unless there was a fence since.
static uint64_t form(const struct holder *h, const struct naming *naming)
{
    const struct release *r = h->kind == RELEASED ? &engine.places[h->what].release : NULL;
    if (!r || !r->time)
        return 0;
    return naming->place[r->actor] + 1u + (r->time > engine.threads[r->actor].know.fence_time ? MAX_ACTORS * 2 : 0);
}

static void mix_holder(struct fingerprint *f, uint32_t h, const struct naming *naming)
{
    const uint32_t *known = k.known + (size_t)h * k.width;
    const struct holder *holder = &k.holders[h];
    bool any = false;
    uint64_t what = holder->kind >= RELEASED ? holder->what : naming->place[holder->what];
    for (uint32_t place = 0; place < k.width; place++) {
        uint32_t actor = naming->actor[place];
        if (!known[actor])
            continue;
        if (!any)
            fingerprint_mix(f, what << 8 | holder->kind | form(holder, naming) << 40);
        any = true;
        fingerprint_mix(f, (uint64_t)place << 32 | known[actor]);
    }
}

// Objects in a thread's own memory are not renamed.
static void pin_owners(void)
{
    uint64_t offset;
    for (uint32_t h = 0; h < k.holder_count; h++) {
        uint32_t owner = k.holders[h].kind == RELEASED || k.holders[h].kind == SHARED
                             ? spelling_owner_of_place(engine.places[k.holders[h].what].address, &offset)
                             : OWNER_NONE;
        if (owner != OWNER_NONE)
            pin(owner);
    }
}

bool knowledge_gather(const struct join_run *run, uint64_t *pinned)
{
    k.width = engine.races.clocks.width;
    k.holder_count = k.access_count = 0;
    k.run = run;
    k.pinned = pinned;
    k.nameless = pinned && engine.learnt.mixed;
    add_threads();
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t actor = 0; actor < engine.exec.known; actor++)
            if (is_alive(actor))
                look_forward(actor);
    find_least();
    struct fingerprint ignored = {0, 0};
    for (uint32_t i = 0; i < k.cell_count; i++) {
        const struct slot *slot = &k.slots[k.cells[i]];
        if (slot->met || k.all)
            add_cell(slot->cell);
        if (unlikely(slot->cell->ignored))
            fingerprint_add(&ignored, fingerprint_of((uint64_t)(uintptr_t)slot->cell, slot->cell->ignored));
    }
    k.ignored = ignored.low;
    if (engine.learnt.mixed)
        mixed_each(add_atomic, NULL);
    if (k.access_count)
        add_objects();
    if (pinned && k.access_count)
        pin_owners();
    return !k.nameless && !ignored.low;
}

// Threads by their places in the new order, each with what it saw and would release.
static void mix_holders(struct fingerprint *f, const struct naming *naming)
{
    for (uint32_t place = 0; place < engine.exec.known; place++)
        for (uint32_t h = 0; h < k.holder_count && k.holders[h].kind < RELEASED; h++)
            if (k.holders[h].what == naming->actor[place])
                mix_holder(f, h, naming);
    for (uint32_t h = 0; h < k.holder_count; h++)
        if (k.holders[h].kind >= RELEASED)
            mix_holder(f, h, naming);
}

void knowledge_mix(struct fingerprint *f, const struct naming *naming)
{
    fingerprint_mix(f, k.ignored);
    if (!k.access_count)
        return;
    for (uint32_t i = 0; i < k.holder_count * k.width; i++)
        k.known[i] = 0;
    bool actors[MAX_ACTORS] = {0};
    for (uint32_t i = 0; i < k.access_count; i++)
        actors[k.accesses[i].actor] = true;
    for (uint32_t place = 0; place < k.width; place++)
        if (actors[naming->actor[place]])
            mix_actor(f, naming->actor[place], naming);
    mix_holders(f, naming);
}

// ---- fresh accesses ----

void knowledge_begin_fresh(const struct thread *t)
{
    k.width = engine.races.clocks.width;
    for (uint32_t actor = 0; actor < k.width; actor++)
        k.least[actor] = ALL;
    k.least[t->actor] = t->know.time - 1;
    k.cell_count = 0;
}

struct fingerprint knowledge_end_fresh(void)
{
    struct fingerprint sum = {0, 0};
    k.access_count = 0;
    for (uint32_t i = 0; i < k.cell_count; i++)
        add_cell(k.slots[k.cells[i]].cell);
    for (uint32_t i = 0; i < k.access_count; i++)
        fingerprint_add(&sum, k.accesses[i].where);
    return sum;
}
