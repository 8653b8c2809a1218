// fuzz_node_states RIGHT OBSERVED DRAWN SYMMETRIC BOTH FORGETS WRONG BROKEN COUNT [FIRST]: searches by states of random protocols with random
// budgets against plain enumeration, which this file does by itself: the same final states by every policy, place to go on, way to keep
// states and bound on memory; the same number of states where all are kept; with nodes that may change places or state that does not
// count, up to these; the same verdict on protocols that fail, and a shortest failure by breadth-first search. Objects are
// tests/data/cluster/random.c: BOTH is symmetric and forgets, WRONG forgets what matters, which an audit must report unless nothing
// comes of it.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/cluster_run.h"
#include "target/nodes/renaming.h"

enum { MOST = 1 << 17, ENOUGH = 30000, MANY = 50 };

// Numbers of states; 0 is never one.
struct set {
    uint64_t slot[MOST];
    size_t count;
};

static struct set all, ends, found;
static bool up_to_renaming;
static uint32_t shortest; // steps to a failure; 0: none
static unsigned failed, kinds[8], spilled, shared;

static bool put(struct set *set, uint64_t number)
{
    size_t at = (number += !number) % MOST;
    while (set->slot[at] && set->slot[at] != number)
        at = (at + 1) % MOST;
    bool is_new = !set->slot[at];
    set->slot[at] = number;
    set->count += is_new;
    return is_new;
}

static void clear(struct set *set)
{
    memset(set, 0, sizeof *set);
}

static bool is_same(const struct set *a, const struct set *b)
{
    for (size_t i = 0; i < MOST; i++) {
        size_t at = a->slot[i] % MOST;
        if (!a->slot[i])
            continue;
        while (b->slot[at] && b->slot[at] != a->slot[i])
            at = (at + 1) % MOST;
        if (!b->slot[at])
            return false;
    }
    return a->count == b->count;
}

static uint64_t number_at_hand(void)
{
    return up_to_renaming ? renaming_canonical() : world_hash();
}

// The first that chooses, or all that can happen. True if there are any.
static uint32_t list_actors(uint32_t *actors, bool *chooses)
{
    uint32_t count = 0;
    *chooses = false;
    for (uint32_t actor = 0; actor < world.exec.known; actor++) {
        if (!exec_is_parked(&world.exec, actor) || !world.target.ready(&world.target, actor))
            continue;
        if (world.exec.actors[actor].pending.kind == OP_CHOOSE) {
            actors[0] = actor;
            *chooses = true;
            return 1;
        }
        actors[count++] = actor;
    }
    return count;
}

// Plain enumeration of executions, cut where the whole state was there before at no greater depth. False: there are too many.
static struct depths {
    uint64_t number;
    uint32_t depth;
} seen[MOST];
static size_t seen_count;

static bool is_news(uint64_t number, uint32_t depth)
{
    size_t at = (number += !number) % MOST;
    while (seen[at].number && seen[at].number != number)
        at = (at + 1) % MOST;
    bool is_new = !seen[at].number, is_nearer = !is_new && depth < seen[at].depth;
    if (is_new || is_nearer)
        seen[at] = (struct depths){number, depth};
    seen_count += is_new;
    return is_new || is_nearer;
}

static bool enumerate(void)
{
    uint32_t depth = world.exec.count, actors[MAX_ACTORS];
    bool chooses;
    if (world.failure != FAILURE_NONE) {
        if (!shortest || depth < shortest)
            shortest = depth;
        return true;
    }
    uint32_t count = list_actors(actors, &chooses);
    if (!is_news(world_whole_hash() + chooses, depth))
        return true;
    if (seen_count > ENOUGH || depth >= 100)
        return false;
    if (!chooses)
        put(count ? &all : &ends, number_at_hand());
    for (uint32_t i = 0; i < count; i++) {
        world.target.ready(&world.target, actors[i]);
        uint32_t outcomes = world.exec.actors[actors[i]].pending.alternatives;
        for (uint32_t k = 0; k < outcomes; k++) {
            world.target.step(&world.target, actors[i], k);
            bool fine = enumerate();
            world.target.restart(&world.target, depth);
            if (!fine)
                return false;
        }
    }
    return true;
}

static void open_world(const char *object, const struct cluster_options *o)
{
    const char *wrong = world_open(object, &o->world);
    if (!wrong)
        return;
    printf("%s: %s\n", object, wrong);
    exit(2);
}

static bool find_truth(const char *object, const struct cluster_options *o)
{
    clear(&all);
    clear(&ends);
    memset(seen, 0, sizeof seen);
    seen_count = shortest = 0;
    open_world(object, o);
    bool whole = enumerate();
    world_close();
    return whole;
}

static void note_end(uint64_t hash)
{
    (void)hash;
    put(&found, number_at_hand());
}

static void search(const char *object, const struct cluster_options *o, struct cluster_result *r)
{
    clear(&found);
    cluster_final = note_end;
    open_world(object, o);
    cluster_run(o, r);
    world_close();
    cluster_result_free(r);
    spilled += r->policy.disk_bytes > 0;
}

static void draw_options(struct cluster_options *o, unsigned seed)
{
    unsigned x = seed * 2654435761u >> 7;
    *o = (struct cluster_options){
        .world = {.nodes = 2 + (int)(x % 2), .max_events = 100}, .max_executions = UINT64_MAX, .patience = 10};
    o->seed = seed;
    o->world.order = (enum order)((x >> 1) % 3);
    o->world.budget[(x >> 2) % FAULTS] = 1;
    o->world.budget[(x >> 5) % FAULTS] = 1;
    if (o->world.order == ORDER_CONNECTION)
        o->world.budget[FAULT_DROP] = o->world.budget[FAULT_DUPLICATE] = o->world.budget[FAULT_PARTITION] = 0;
    if (o->world.budget[FAULT_REBOOT] || o->world.budget[FAULT_DISK])
        o->world.budget[FAULT_CRASH] = 1;
}

static void complain(unsigned seed, const char *what, const struct cluster_options *o, const struct cluster_result *r)
{
    printf(
        "seed %u, %s, policy%s%s%s%s, next %d, states%s%s%s%s: end %d, %zu ends instead of %zu, %lu states instead of "
        "%zu, found after %u instead of %u%s%s\n",
        seed, what, o->policy.automatic ? " auto" : "", o->policy.states ? " states" : "", o->policy.lmi ? " lmi" : "",
        o->policy.cmi ? " cmi" : "", (int)o->next, o->keeping.exact ? " exact" : "",
        o->keeping.branching ? " branching" : "", o->keeping.alike ? " alike" : "", o->keeping.memory ? " little" : "",
        (int)r->end, found.count, ends.count, (unsigned long)r->policy.states, all.count, r->found_after, shortest,
        *r->policy.wrong ? ": " : "", r->policy.wrong);
    failed++;
}

// A combination of everything that searches by states can be asked for.
static void draw_search(struct cluster_options *o, unsigned x, bool has_rules)
{
    static const enum policy_next places[] = {NEXT_LAST, NEXT_RANDOM, NEXT_TURNS, NEXT_FIRST};
    o->policy = (struct policy){.automatic = x & 1, .states = !(x & 1)};
    if (has_rules && !(x & 1))
        o->policy.lmi = o->policy.cmi = x & 2;
    o->next = places[x >> 2 & 3];
    o->workers = o->next != NEXT_TURNS && !(x & 16) && x & 128 ? 2 + (x >> 8 & 1) : 1;
    o->keeping = (struct state_keeping){.exact = x & 16, .branching = x & 32, .memory = x & 64 ? 64 : 0};
}

static void compare(unsigned seed, const char *what, const char *object, unsigned kind, bool has_rules, bool alike)
{
    struct cluster_options o;
    struct cluster_result r;
    draw_options(&o, seed);
    up_to_renaming = alike;
    if (alike) {
        o.world.nodes = 3;
        o.world.order = o.world.order == ORDER_ANY ? ORDER_FIFO : o.world.order;
        if (seed % 4) // few are small enough otherwise
            memset(o.world.budget, 0, sizeof o.world.budget);
    }
    if (!find_truth(object, &o))
        return;
    kinds[kind]++;
    for (unsigned way = 0; way < 4; way++) {
        draw_search(&o, (seed * 2246822519u >> 5) + way * 37, has_rules);
        o.keeping.alike = alike;
        search(object, &o, &r);
        bool counted = o.keeping.branching ? r.policy.states <= all.count : r.policy.states == all.count;
        bool ended = r.searchers || is_same(&ends, &found); // what others found is theirs
        shared += r.searchers > 0;
        if (r.end != CLUSTER_DONE || !ended || !counted)
            complain(seed, what, &o, &r);
    }
    up_to_renaming = false;
}

// Protocols that fail, or not: the same by each way, and at once by breadth-first search.
static void compare_failing(unsigned seed, const char *object)
{
    struct cluster_options o;
    struct cluster_result r;
    draw_options(&o, seed);
    if (!find_truth(object, &o))
        return;
    kinds[5] += shortest > 0;
    for (unsigned way = 0; way < 4; way++) {
        draw_search(&o, (seed * 2246822519u >> 5) + way * 37, true);
        if (!way)
            o.next = NEXT_FIRST;
        search(object, &o, &r);
        bool right = r.end == (shortest ? CLUSTER_BUG : CLUSTER_DONE) &&
                     (!shortest || o.next != NEXT_FIRST || r.found_after == shortest);
        if (!right)
            complain(seed, "broken", &o, &r);
    }
}

// What is forgotten without harm is not accused; what matters is, unless nothing comes of it.
static void compare_audits(unsigned seed, const char *object, const char *wrong_object)
{
    struct cluster_options o;
    struct cluster_result r;
    draw_options(&o, seed);
    for (int wrong = 0; wrong < 2; wrong++) {
        if (!find_truth(wrong ? wrong_object : object, &o))
            return;
        draw_search(&o, seed * 2246822519u >> 5, false);
        o.policy.audit = true;
        search(wrong ? wrong_object : object, &o, &r);
        if (r.end == CLUSTER_WRONG_RULE && wrong) {
            kinds[6]++;
            continue;
        }
        if (r.end != CLUSTER_DONE)
            complain(seed, "audited", &o, &r);
        o.policy.audit = false;
        search(wrong ? wrong_object : object, &o, &r);
        kinds[7]++;
        if (r.end != CLUSTER_DONE || (!r.searchers && !is_same(&ends, &found)))
            complain(seed, "confirmed by an audit", &o, &r);
    }
}

int main(int argc, char **argv)
{
    if (argc < 10) {
        puts("usage: fuzz_node_states RIGHT OBSERVED DRAWN SYMMETRIC BOTH FORGETS WRONG BROKEN COUNT [FIRST]");
        return 2;
    }
    unsigned count = (unsigned)atoi(argv[9]), first = argc > 10 ? (unsigned)atoi(argv[10]) : 1;
    for (unsigned seed = first; seed < first + count; seed++) {
        char text[16];
        snprintf(text, sizeof text, "%u", seed);
        setenv("FUZZ_SEED", text, 1);
        compare(seed, "right", argv[1], 0, true, false);
        compare(seed, "observed", argv[2], 1, false, false);
        compare(seed, "drawn", argv[3], 2, false, false);
        compare(seed, "symmetric", argv[seed % 2 ? 4 : 5], 3, false, true);
        compare(seed, "forgets", argv[6], 4, true, false);
        compare_audits(seed, argv[6], argv[7]);
        compare_failing(seed, argv[8]);
    }
    printf("%u protocols; enumerated: %u, %u observed, %u with choices, %u alike, %u that forget, %u that fail; %u "
           "accused and "
           "%u confirmed of what they forget; %u searches used the disk, %u were shared; %u failures\n",
           count, kinds[0], kinds[1], kinds[2], kinds[3], kinds[4], kinds[5], kinds[6], kinds[7], spilled, shared,
           failed);
    for (unsigned kind = 0; kind < 8; kind++)
        failed += !kinds[kind] && (count >= MANY || kind < 3);
    return failed || (count >= MANY && (!spilled || !shared)); // of a few there may be none of a kind
}
