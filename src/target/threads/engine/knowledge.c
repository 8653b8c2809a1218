#include "target/threads/engine/knowledge.h"

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/engine/accessed.h"
#include "target/threads/engine/spelling.h"
#include "target/threads/memory/memory_room.h"

enum { MOST_HOLDERS = 1 << 16, ROUNDS = 3 };
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
    uint32_t next; // of the same actor, plus 1; 0: none
};

static struct {
    struct holder *holders;
    uint32_t *lanes; // a row for each holder
    uint32_t holder_count, width;
    uint32_t row[MAX_ACTORS]; // of the thread's holder, plus 1
    uint32_t least[MAX_ACTORS];
    struct access *accesses;
    uint32_t access_count;
    uint32_t first[MAX_ACTORS];             // of its accesses, plus 1; 0: it has none …
    struct fingerprint digests[MAX_ACTORS]; // … and all of them, by classes
    uint64_t factors[256];                  // of accesses to these bytes of a word: sums of one for each byte
    uint32_t *bounds;                       // of one actor: what holders know, in order
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
    accessed_prepare(all);
    if (k.holders)
        return;
    k.holders = mem_reserve(MOST_HOLDERS * sizeof *k.holders);
    k.lanes = mem_reserve((size_t)MOST_HOLDERS * MAX_ACTORS * sizeof *k.lanes);
    k.known = mem_reserve((size_t)MOST_HOLDERS * MAX_ACTORS * sizeof *k.known);
    k.accesses = mem_reserve((size_t)ACCESSED_CELLS * sizeof *k.accesses);
    k.bounds = mem_reserve((MOST_HOLDERS + 1) * sizeof *k.bounds);
    k.ranks = mem_reserve((MOST_HOLDERS + 1) * sizeof *k.ranks);
    k.classes = mem_reserve((MOST_HOLDERS + 1) * sizeof *k.classes);
    for (uint32_t mask = 1; mask < 256; mask++)
        k.factors[mask] = k.factors[mask & (mask - 1)] + fingerprint_scramble((uint64_t)__builtin_ctz(mask) + 1);
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
    require_room(k.access_count < ACCESSED_CELLS, "accesses that threads do not all know of (4194304)");
    if (unlikely(k.pinned != NULL))
        place = called_by(actor, place, kind);
    k.accesses[k.access_count++] = (struct access){actor, time, in_bytes(fingerprint_of(place, kind), mask), 0};
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
    if (!accessed_address(cell, &place)) // an address is the same in every process, and where the shadow lies is not
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

// Finds the classes of one actor's accesses, those that the same holders know of being one, and how many of them each holder knows.
static void rank_actor(uint32_t actor)
{
    uint32_t count = find_bounds(actor), rank = 0;
    struct fingerprint *digest = &k.digests[actor];
    *digest = (struct fingerprint){0, 0};
    for (uint32_t i = 0; i <= count; i++)
        k.classes[i] = (struct fingerprint){0, 0};
    for (uint32_t i = k.first[actor]; i; i = k.accesses[i - 1].next)
        fingerprint_add(&k.classes[bound_of(k.accesses[i - 1].time, count)], k.accesses[i - 1].where);
    for (uint32_t i = 0; i <= count; i++) {
        if (k.classes[i].low | k.classes[i].high) {
            fingerprint_mix(digest, k.classes[i].low);
            fingerprint_mix(digest, k.classes[i].high);
            rank++;
        }
        k.ranks[i] = rank;
    }
    for (uint32_t h = 0; h < k.holder_count; h++) {
        uint32_t lane = k.lanes[(size_t)h * k.width + actor];
        k.known[(size_t)h * k.width + actor] = lane > k.least[actor] ? k.ranks[bound_of(lane, count)] : 0;
    }
}

static void rank_all(void)
{
    for (uint32_t i = 0; i < k.holder_count * k.width; i++)
        k.known[i] = 0;
    for (uint32_t actor = 0; actor < k.width; actor++)
        k.first[actor] = 0;
    for (uint32_t i = 0; i < k.access_count; i++) {
        struct access *access = &k.accesses[i];
        access->next = k.first[access->actor];
        k.first[access->actor] = i + 1;
    }
    for (uint32_t actor = 0; actor < k.width; actor++)
        if (k.first[actor])
            rank_actor(actor);
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
    for (uint32_t i = 0; i < accessed_count(); i++) {
        bool belongs;
        const struct cell *cell = accessed_cell(i, &belongs);
        if (belongs)
            add_cell(cell);
        if (unlikely(cell->ignored))
            fingerprint_add(&ignored, fingerprint_of((uint64_t)(uintptr_t)cell, cell->ignored));
    }
    k.ignored = ignored.low;
    if (engine.learnt.mixed)
        mixed_each(add_atomic, NULL);
    if (k.access_count)
        add_objects();
    if (pinned && k.access_count)
        pin_owners();
    if (k.access_count)
        rank_all();
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
    for (uint32_t place = 0; place < k.width; place++) {
        uint32_t actor = naming->actor[place];
        if (!k.first[actor])
            continue;
        fingerprint_mix(f, place + 1u);
        fingerprint_mix(f, k.digests[actor].low);
        fingerprint_mix(f, k.digests[actor].high);
    }
    mix_holders(f, naming);
}

// ---- threads that differ ----

// The sum over a row or a column of `known` stays the same if others change places.
static uint64_t known_by(uint32_t kind, uint32_t what, uint32_t known)
{
    return known ? fingerprint_scramble((uint64_t)kind << 56 | (uint64_t)what << 32 | known) : 0;
}

void knowledge_sign(uint64_t *signs)
{
    enum { ITSELF = 16, OF_OTHERS = 32 };
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        signs[actor] = 0;
    if (!k.access_count)
        return;
    for (uint32_t actor = 0; actor < k.width && actor < engine.exec.known; actor++)
        signs[actor] = k.first[actor] ? k.digests[actor].low : 0;
    for (uint32_t h = 0; h < k.holder_count; h++) {
        const struct holder *holder = &k.holders[h];
        const uint32_t *known = k.known + (size_t)h * k.width;
        bool object = holder->kind >= RELEASED;
        for (uint32_t actor = 0; actor < k.width && actor < engine.exec.known; actor++) {
            bool itself = !object && holder->what == actor;
            signs[actor] += known_by(holder->kind | (itself ? ITSELF : 0u), object ? holder->what : 0, known[actor]);
            if (!object && !itself)
                signs[holder->what] += known_by(holder->kind | (uint32_t)OF_OTHERS, 0, known[actor]);
        }
    }
}

// ---- fresh accesses ----

void knowledge_begin_fresh(const struct thread *t)
{
    k.width = engine.races.clocks.width;
    for (uint32_t actor = 0; actor < k.width; actor++)
        k.least[actor] = ALL;
    k.least[t->actor] = t->know.time - 1;
    accessed_forget();
}

struct fingerprint knowledge_end_fresh(void)
{
    struct fingerprint sum = {0, 0};
    k.access_count = 0;
    bool belongs;
    for (uint32_t i = 0; i < accessed_count(); i++)
        add_cell(accessed_cell(i, &belongs));
    for (uint32_t i = 0; i < k.access_count; i++)
        fingerprint_add(&sum, k.accesses[i].where);
    return sum;
}
