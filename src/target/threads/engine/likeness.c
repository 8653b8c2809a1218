#include "target/threads/engine/likeness.h"

#include "base/mem.h"
#include "model/fill.h"
#include "target/threads/engine/commons.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/library/library_room.h"

// What is known after each event.
struct after {
    struct fingerprint unknown;    // sum of words of heddle's own that differ from the beginning …
    struct fingerprint theirs;     // … and of those that are looked at with the threads they belong to
    uint16_t mentions[MAX_ACTORS]; // how many global words point to the memory of each
    uint32_t stack_mentions;       // … to main's stack
    uint32_t argument_mentions;    // … and into the array of arguments
};

static struct {
    struct after *after; // by number of events
    uint64_t base, size; // of the program
    double counterparts; // of the newest state
    uint64_t changed[MAX_ACTORS / 64];
    uint32_t orders; // how often threads were put in order, or could not be, and how many states that stood for
    double counterparts_in_all;
    uint16_t once_like[MAX_ACTORS]; // whom each was exactly like in some state, the lowest of them, plus 1; 0: nobody
} like;

bool likeness_prepare(bool wanted)
{
    engine.alike = wanted && engine.check_races && !engine.learnt.told_apart && !engine.turns && !engine.plain &&
                   engine.rules.fill != FILL_RANDOM;
    arguments_prepare();
    plain_fill(like.changed, 0, sizeof like.changed);
    plain_fill(like.once_like, 0, sizeof like.once_like);
    like.orders = 0;
    like.counterparts_in_all = 0;
    if (engine.alike && !like.after) {
        like.after = mem_reserve((engine.exec.limit + 1ull) * sizeof *like.after);
        image_program(&like.base, &like.size);
    }
    return engine.alike;
}

// ---- global variables ----

static void mention(struct after *after, uint64_t word, int by)
{
    uint64_t offset;
    uint32_t owner = spelling_owner(word, &offset);
    if (owner != OWNER_NONE)
        after->mentions[owner] = (uint16_t)(after->mentions[owner] + by);
    if (spelling_means_stack(word))
        after->stack_mentions += (uint32_t)by;
    if (arguments_meant(word))
        after->argument_mentions += (uint32_t)by;
}

static bool is_within(uint64_t address, uint64_t start, uint64_t size)
{
    return address - start < size;
}

// Marks of who is joined stand with the threads.
static bool is_joining(uint64_t address)
{
    return is_within(address, (uint64_t)(uintptr_t)&engine.strangers,
                     offsetof(struct engine, joining_kept) + 8 - offsetof(struct engine, strangers));
}

bool likeness_is_programs(uint64_t address)
{
    return is_within(address, like.base, like.size) || is_within(address, BOOT_HEAP, BOOT_HEAP_SIZE + MAIN_HEAP_SIZE) ||
           exits_keep_there(address);
}

void likeness_word(uint64_t address, uint64_t before, uint64_t now)
{
    struct after *after = &like.after[engine.exec.count];
    uint64_t offset;
    if (likeness_is_programs(address)) {
        mention(after, before, -1);
        mention(after, now, 1);
        return;
    }
    bool theirs = is_joining(address) || spelling_owner(address, &offset) != OWNER_NONE;
    struct fingerprint *sum = theirs ? &after->theirs : &after->unknown;
    fingerprint_subtract(sum, fingerprint_of(address, before));
    fingerprint_add(sum, fingerprint_of(address, now));
}

void likeness_begin(void)
{
    plain_fill(&like.after[engine.exec.count], 0, sizeof *like.after);
}

void likeness_begun(void)
{
    like.after[engine.exec.count].argument_mentions = arguments_mentions();
    like.after[engine.exec.count].theirs =
        (struct fingerprint){0, 0}; // what threads have at the beginning they have in all states
}

void likeness_follow(void)
{
    like.after[engine.exec.count] = like.after[engine.exec.count - 1];
    like.counterparts = 1;
}

bool likeness_names_arguments(void)
{
    return like.after[engine.exec.count].argument_mentions;
}

bool likeness_names_stack(void)
{
    return like.after[engine.exec.count].stack_mentions;
}

bool likeness_is_possible(void)
{
    const struct fingerprint *unknown = &like.after[engine.exec.count].unknown;
    return engine.alike && !unknown->low && !unknown->high;
}

struct fingerprint likeness_theirs(void)
{
    return like.after[engine.exec.count].theirs;
}

void likeness_pin_mentioned(uint64_t *pinned)
{
    const struct after *after = &like.after[engine.exec.count];
    for (uint32_t actor = 1; actor < engine.exec.known; actor++)
        if (after->mentions[actor])
            pinned[actor / 64] |= 1ull << (actor % 64);
}

// ---- kin ----

bool likeness_sees_crowd(void)
{
    enum { CROWD = 3 };
    uint32_t most = 0;
    for (uint32_t actor = 1; actor < engine.exec.known; actor++) {
        uint32_t same = 0;
        for (uint32_t other = 1; other <= actor; other++)
            same += !engine.exec.actors[other].parent && engine.threads[other].start == engine.threads[actor].start;
        most = same > most ? same : most;
    }
    return most >= CROWD && engine.undoing && !engine.learnt.told_apart;
}

uint32_t likeness_kin(uint32_t actor)
{
    const struct actor *a = &engine.exec.actors[actor];
    if (!engine.alike || !actor || a->parent || a->number >= LESSON_KIN)
        return actor;
    return MAX_ACTORS + engine.learnt.kin[a->number];
}

uint32_t likeness_object(uint32_t object)
{
    uint64_t offset;
    return object && spelling_owner_of_place(engine.places[object].address, &offset) != OWNER_NONE ? PLACES : object;
}

static bool is_less(struct fingerprint a, struct fingerprint b)
{
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

static bool can_move(uint32_t actor, const uint64_t *pinned)
{
    return actor && engine.exec.actors[actor].state != ACTOR_ABSENT && !engine.exec.actors[actor].children &&
           !(pinned[actor / 64] >> (actor % 64) & 1);
}

double likeness_counterparts(void)
{
    return likeness_is_possible() ? like.counterparts : 1;
}

void likeness_tell(uint64_t *alike)
{
    for (uint32_t i = 0; i < MAX_ACTORS / 64; i++)
        alike[i] = engine.alike ? like.changed[i] : 0;
}

// Counts the ways in which one more thread can be among `before` others of its kin, `same` of which are exactly like it.
static void count_ways(uint32_t before, uint32_t same)
{
    like.counterparts *= before + 1.0;
    like.counterparts /= same + 1.0;
}

// The report calls them by how many main had created with them.
static void note_changed(uint32_t actor)
{
    uint32_t number = (engine.exec.actors[actor].number + 1) % MAX_ACTORS;
    like.changed[number / 64] |= 1ull << (number % 64);
}

bool likeness_may_swap(uint32_t a, uint32_t b, const struct fingerprint *colours, const uint64_t *pinned)
{
    bool may = can_move(a, pinned) && can_move(b, pinned) && likeness_kin(a) == likeness_kin(b) &&
               engine.threads[a].start == engine.threads[b].start && colours[a].low == colours[b].low &&
               colours[a].high == colours[b].high;
    if (may) {
        note_changed(a);
        note_changed(b);
    }
    return may;
}

static uint32_t lowest_like(uint32_t actor)
{
    while (like.once_like[actor])
        actor = like.once_like[actor] - 1u;
    return actor;
}

static void were_like(uint32_t a, uint32_t b)
{
    a = lowest_like(a);
    b = lowest_like(b);
    if (a != b)
        like.once_like[a > b ? a : b] = (uint16_t)((a > b ? b : a) + 1);
}

// By insertion; who is between may be of another kin.
static void put_in_order(struct naming *naming, const struct fingerprint *colours, const uint64_t *pinned,
                         uint32_t actor)
{
    uint32_t at = actor, kin = likeness_kin(actor), before = 0, same = 0;
    bool less = true;
    for (uint32_t to = actor; to-- > 1;) {
        if (!can_move(to, pinned) || likeness_kin(to) != kin || engine.threads[to].start != engine.threads[actor].start)
            continue;
        uint32_t other = naming->actor[to];
        struct fingerprint there = colours[other];
        bool equal = there.low == colours[actor].low && there.high == colours[actor].high;
        if (equal && engine.exec.actors[actor].state != ACTOR_ENDED)
            were_like(actor, other);
        bool related = lowest_like(actor) == lowest_like(other);
        before += related;
        same += equal;
        if (related && !equal) {
            note_changed(actor);
            note_changed(other);
        }
        less &= is_less(colours[actor], there);
        if (less) {
            naming->actor[at] = naming->actor[to];
            at = to;
        }
    }
    naming->actor[at] = (uint16_t)actor;
    count_ways(before, same);
}

static void note_counterparts(void)
{
    like.orders++;
    like.counterparts_in_all += like.counterparts;
}

void likeness_order_none(void)
{
    like.counterparts = 1;
    note_counterparts();
}

void likeness_order(struct naming *naming, const struct fingerprint *colours, const uint64_t *pinned)
{
    for (uint32_t actor = 0; actor < engine.exec.known; actor++)
        naming->actor[actor] = (uint16_t)actor;
    like.counterparts = 1;
    for (uint32_t actor = 1; actor < engine.exec.known; actor++)
        if (can_move(actor, pinned))
            put_in_order(naming, colours, pinned, actor);
    note_counterparts();
    for (uint32_t place = 0; place < engine.exec.known; place++)
        naming->place[naming->actor[place]] = (uint16_t)place;
}

// ---- telling apart ----

void likeness_told_apart(void)
{
    if (engine.learnt.told_apart)
        return;
    engine.learnt.told_apart = true;
    search_again(engine.running);
}

void likeness_look_whether_any(void)
{
    enum { TELLING = 2000 };
    const double few = 1.1; // counterparts of a state
    if (engine.alike && like.orders > TELLING && like.counterparts_in_all < few * like.orders && !commons_are_open()) {
        engine.learnt.told_apart = true;
        search_again(NULL);
    }
}

void likeness_split(const uint64_t *actors)
{
    // A kin of which a part stands apart becomes two, or, if that part is one thread, as many as it has threads.
    uint8_t most = 0;
    for (uint32_t i = 0; i < LESSON_KIN; i++)
        most = engine.learnt.kin[i] > most ? engine.learnt.kin[i] : most;
    if (most > LESSON_KIN / 2) {
        engine.learnt.told_apart = true;
        return;
    }
    for (uint32_t actor = 1; actor < engine.exec.known; actor++)
        if (!engine.exec.actors[actor].parent && engine.exec.actors[actor].number < LESSON_KIN &&
            actors[actor / 64] >> (actor % 64) & 1)
            engine.learnt.kin[engine.exec.actors[actor].number] = (uint8_t)(most + 1);
}
