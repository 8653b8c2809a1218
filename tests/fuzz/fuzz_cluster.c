// fuzz_cluster OBJECT WRONG SYMMETRIC RANDOM OBSERVED DRAWN DRAWN_SYMMETRIC DRAWN_OBSERVED COUNT [FIRST]: random protocols with random budgets have the same final global states by plain
// enumeration, by each strategy, by the automatic policy and by rules that an audit of every answer confirms. OBJECT is
// tests/data/cluster/random.c as a shared object, WRONG the same with a wrong rule, which audits must report, SYMMETRIC the
// same with nodes that may change places: there the automatic policy must find the same final states up to renaming; RANDOM the
// same with random rules: those that change the final states must be accused; OBSERVED has an observer. Nodes of the last three
// choose by heddle_choose.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/cluster_run.h"
#include "target/nodes/renaming.h"

enum { MOST = 1 << 16, ENOUGH = 30000 };

struct set {
    uint64_t hash[MOST];
    size_t count;
};

static struct set truth, found, *current;
static void add(uint64_t hash);
static void (*final)(uint64_t hash) = add;
static unsigned long wrong_rules, renamed, accused, confirmed, observed;

static void add(uint64_t hash)
{
    size_t at = 0, end = current->count;
    while (at < end) {
        size_t middle = (at + end) / 2;
        if (current->hash[middle] < hash)
            at = middle + 1;
        else
            end = middle;
    }
    if ((at < current->count && current->hash[at] == hash) || current->count == MOST)
        return;
    memmove(current->hash + at + 1, current->hash + at, (current->count - at) * sizeof hash);
    current->hash[at] = hash;
    current->count++;
}

static void add_up_to_renaming(uint64_t hash)
{
    (void)hash;
    add(renaming_canonical());
}

static enum cluster_end explore(const char *object, struct cluster_options *options, struct set *set,
                                uint64_t *complete)
{
    struct cluster_result result;
    set->count = 0;
    current = set;
    cluster_final = final;
    const char *wrong = world_open(object, &options->world);
    if (wrong) {
        printf("%s: %s\n", object, wrong);
        exit(2);
    }
    cluster_run(options, &result);
    world_close();
    cluster_result_free(&result);
    renamed += result.policy.renamed;
    *complete = result.executions - result.redundant;
    return result.end;
}

static bool same(unsigned seed, const char *what)
{
    if (truth.count == found.count && !memcmp(truth.hash, found.hash, truth.count * sizeof *truth.hash))
        return true;
    printf("seed %u: %s has %zu final states instead of %zu\n", seed, what, found.count, truth.count);
    return false;
}

// Connections know no other faults of the network than crashes; of these there may be two.
static void draw_crashes(struct cluster_options *o, unsigned x)
{
    o->world.budget[FAULT_DROP] = o->world.budget[FAULT_DUPLICATE] = o->world.budget[FAULT_PARTITION] = 0;
    o->world.budget[FAULT_REBOOT] = 1;
    o->world.budget[FAULT_CRASH] = 1 + (x >> 8) % 2;
}

static void draw_options(struct cluster_options *o, unsigned seed)
{
    unsigned x = seed * 2654435761u >> 7;
    *o = (struct cluster_options){
        .world = {.nodes = 2 + (int)(x % 2), .max_events = 200}, .max_executions = ENOUGH, .runs = 1, .patience = 10};
    o->world.order = (enum order)((x >> 1) % 3);
    o->world.budget[(x >> 2) % FAULTS] = 1;
    o->world.budget[(x >> 5) % FAULTS] = 1;
    if (o->world.order == ORDER_CONNECTION)
        draw_crashes(o, x);
    if ((o->world.budget[FAULT_REBOOT] || o->world.budget[FAULT_DISK]) && !o->world.budget[FAULT_CRASH])
        o->world.budget[FAULT_CRASH] = 1;
}

// A rule that is wrong wherever two messages meet at a node; there may be no such place.
static void accuse(unsigned seed, const char *wrong_object)
{
    struct cluster_options o;
    uint64_t complete;
    draw_options(&o, seed);
    o.world.nodes = 3;
    o.max_executions = 1000;
    o.policy = (struct policy){.lmi = true, .audit = true};
    wrong_rules += explore(wrong_object, &o, &found, &complete) == CLUSTER_WRONG_RULE;
}

// Whether the protocol was small enough to be enumerated; counts failures.
static bool compare(unsigned seed, const char *object, const char *wrong_object, unsigned *failed)
{
    static const enum strategy_kind strategies[] = {STRATEGY_DPOR, STRATEGY_OPTIMAL};
    struct cluster_options o;
    uint64_t complete, traces = 0;
    draw_options(&o, seed);
    o.strategy = &strategy_table[STRATEGY_DFS];
    if (explore(object, &o, &truth, &complete) != CLUSTER_DONE)
        return false;
    for (size_t i = 0; i < sizeof strategies / sizeof *strategies; i++) {
        o.strategy = &strategy_table[strategies[i]];
        explore(object, &o, &found, &complete);
        *failed += !same(seed, o.strategy->name);
        traces = complete;
    }
    o.strategy = NULL;
    explore(object, &o, &found, &complete);
    *failed += !same(seed, "policy none");
    if (complete != traces) {
        printf("seed %u: %lu traces by sleep sets, %lu by optimal\n", seed, (unsigned long)complete,
               (unsigned long)traces);
        ++*failed;
    }
    o.policy = (struct policy){.automatic = true};
    explore(object, &o, &found, &complete);
    *failed += !same(seed, "policy auto");
    o.next = seed % 2 ? NEXT_RANDOM : NEXT_TURNS;
    o.seed = seed;
    explore(object, &o, &found, &complete);
    *failed += !same(seed, "policy auto going on at random places");
    o.policy = (struct policy){.automatic = false};
    explore(object, &o, &found, &complete);
    *failed += !same(seed, "random-dpor");
    o.next = NEXT_LAST;
    o.policy = (struct policy){.lmi = true, .cmi = true, .audit = true};
    if (explore(object, &o, &found, &complete) != CLUSTER_DONE) {
        printf("seed %u: the audit finds a right rule wrong\n", seed);
        ++*failed;
    }
    *failed += !same(seed, "policy lmi,cmi");
    if (explore(wrong_object, &o, &found, &complete) == CLUSTER_DONE)
        *failed += !same(seed, "a wrong rule that the audit confirms");
    return true;
}

// The same with nodes that may change places, and an audit of that.
static void compare_renamed(unsigned seed, const char *object, unsigned *failed)
{
    struct cluster_options o;
    uint64_t complete;
    draw_options(&o, seed);
    o.world.nodes = 3;
    if (o.world.order == ORDER_ANY)
        o.world.order = ORDER_FIFO;
    o.world.budget[FAULT_CRASH] = 1;
    o.max_executions = 5000;
    o.strategy = &strategy_table[STRATEGY_OPTIMAL];
    final = add_up_to_renaming;
    if (explore(object, &o, &truth, &complete) == CLUSTER_DONE) {
        o.strategy = NULL;
        o.policy = (struct policy){.automatic = true, .audit = seed % 2 == 0};
        o.max_executions = UINT64_MAX;
        if (explore(object, &o, &found, &complete) != CLUSTER_DONE) {
            printf("seed %u: the audit finds a right renaming wrong\n", seed);
            ++*failed;
        }
        *failed += !same(seed, "policy auto with renaming");
    }
    final = add;
}

// An observer sees the order of events at different nodes, and requests wait for a state: what was verified with them, by
// every way that takes them.
static void compare_observed(unsigned seed, const char *object, unsigned *failed)
{
    struct cluster_options o;
    uint64_t complete;
    draw_options(&o, seed);
    o.strategy = &strategy_table[STRATEGY_DFS];
    if (explore(object, &o, &truth, &complete) != CLUSTER_DONE)
        return;
    observed++;
    o.strategy = NULL;
    o.seed = seed;
    for (int way = 0; way < 4; way++) {
        o.policy = (struct policy){.automatic = way > 0};
        o.next = way == 2 ? NEXT_TURNS : way == 3 ? NEXT_RANDOM : NEXT_LAST;
        explore(object, &o, &found, &complete);
        *failed += !same(seed, way ? "policy auto with an observer" : "policy none with an observer");
    }
}

// Rules that are drawn, for all policies or some of them.
static void judge_random_rules(unsigned seed, const char *object, unsigned *failed)
{
    struct cluster_options o;
    uint64_t complete;
    unsigned x = seed * 2246822519u >> 9;
    draw_options(&o, seed);
    if (x & 1)
        o.world.budget[FAULT_CRASH] = o.world.budget[FAULT_REBOOT] = 1;
    o.max_executions = 5000;
    o.strategy = &strategy_table[STRATEGY_OPTIMAL];
    if (explore(object, &o, &truth, &complete) != CLUSTER_DONE)
        return;
    o.strategy = NULL;
    o.policy = (struct policy){.lmi = x & 2, .cmi = x & 4, .crs = !(x & 2) || x & 8, .rss = x & 16, .audit = true};
    o.policy.states = x & 128;
    o.next = x & 32 ? NEXT_RANDOM : x & 64 ? NEXT_TURNS : NEXT_LAST;
    o.seed = seed;
    o.max_executions = UINT64_MAX;
    if (explore(object, &o, &found, &complete) != CLUSTER_DONE) {
        accused++;
        return;
    }
    confirmed++;
    o.policy.audit = false;
    explore(object, &o, &found, &complete);
    *failed += !same(seed, "random rules that the audit confirms");
}

int main(int argc, char **argv)
{
    if (argc < 10) {
        puts("usage: fuzz_cluster OBJECT WRONG SYMMETRIC RANDOM OBSERVED DRAWN DRAWN_SYMMETRIC DRAWN_OBSERVED COUNT "
             "[FIRST]");
        return 2;
    }
    unsigned count = (unsigned)atoi(argv[9]), first = argc > 10 ? (unsigned)atoi(argv[10]) : 1, failed = 0, small = 0,
             drawn = 0;
    for (unsigned seed = first; seed < first + count; seed++) {
        char text[16];
        snprintf(text, sizeof text, "%u", seed);
        setenv("FUZZ_SEED", text, 1);
        accuse(seed, argv[2]);
        small += compare(seed, argv[1], argv[2], &failed);
        compare_renamed(seed, argv[3], &failed);
        judge_random_rules(seed, argv[4], &failed);
        compare_observed(seed, argv[5], &failed);
        drawn += compare(seed, argv[6], argv[6], &failed);
        compare_renamed(seed, argv[7], &failed);
        compare_observed(seed, argv[8], &failed);
    }
    printf("%u protocols, %u of them enumerated, %lu wrong rules reported, %lu crashes alike, %lu sets of random rules "
           "accused and %lu confirmed, %lu observed, %u with choices, %u failures\n",
           count, small, wrong_rules, renamed, accused, confirmed, observed, drawn, failed);
    return failed || !small || !drawn || !wrong_rules || !renamed || !accused || !confirmed || !observed;
}
