// fuzz_cases CASES BROKEN COUNT [FIRST]: random protocols of kinds that were judged wrongly once, each beside a truth that does
// not come from a search. CASES is tests/data/cluster/cases.c, BROKEN is random.c with -DBROKEN, as shared objects.
//
// settle:  a value that is too large only while nodes come to rest, by adding up;
// own:     what a node sent to itself before a crash never comes after it, what a peer echoes does;
// unfair:  executions that leave long queues behind: those that end are never accused, those that do not always are;
// memory:  scripts of malloc, free and accesses, by an interpreter;
// replay:  failing executions in any order of messages, from the file, in another world;
// verdict: the search with samples says what depth-first search says.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cluster/file.h"
#include "cluster/cluster_run.h"
#include "data/cluster/cases.h"

static unsigned wrong, bugs, fine, undecided;

static void set(const char *name, unsigned value)
{
    char text[16];
    snprintf(text, sizeof text, "%u", value);
    setenv(name, text, 1);
}

static void open_world(const char *object, const struct world_options *options)
{
    const char *complaint = world_open(object, options);
    if (!complaint)
        return;
    printf("%s: %s\n", object, complaint);
    exit(2);
}

static struct cluster_result search(const char *object, const struct cluster_options *o)
{
    struct cluster_result r;
    open_world(object, &o->world);
    cluster_run(o, &r);
    return r;
}

static void judge(const char *kind, unsigned seed, const struct cluster_result *r, bool is_bug,
                  enum failure_kind failure)
{
    bool found = r->end == CLUSTER_BUG, ended = found || (r->end == CLUSTER_DONE && !r->cut && !r->no_room[0]);
    undecided += !ended;
    bugs += found;
    fine += ended && !found;
    if ((found && (!is_bug || r->failure != failure)) || (ended && !found && is_bug)) {
        printf("%s %u: %s instead of %s: %s\n", kind, seed, found ? failure_names[r->failure] : "verified",
               is_bug ? failure_names[failure] : "verified", found ? r->text : "");
        wrong++;
    }
}

static struct cluster_options usual(int nodes, unsigned seed)
{
    return (struct cluster_options){.world = {.nodes = nodes, .max_events = 300, .order = (enum order)(seed % 2)},
                                    .policy = {.automatic = true},
                                    .next = seed % 3 ? NEXT_TURNS : NEXT_LAST,
                                    .max_executions = 20000,
                                    .seed = seed,
                                    .runs = 1,
                                    .patience = 200};
}

// All timers run out whenever nothing is in flight, until everybody is content.
static bool settles_badly(const struct drawn_case *c)
{
    int rounds = 0;
    for (int i = 0; i < c->nodes; i++)
        rounds = c->wants[i] > rounds ? c->wants[i] : rounds;
    for (int i = 0; i < c->nodes; i++) {
        int from = (i + c->nodes - 1) % c->nodes, value = c->messages[from] * c->gain[i];
        int most = value > 0 ? value : 0, rings = rounds < c->rings[i] ? rounds : c->rings[i];
        for (int ring = 0; ring < rings; ring++) {
            value += c->tick[i];
            most = value > most ? value : most;
        }
        if (most > c->limit[i])
            return true;
    }
    return false;
}

static void try_settle(const char *object, unsigned seed)
{
    struct drawn_case c = draw_case(CASE_SETTLE, seed);
    struct cluster_options o = usual(c.nodes, seed);
    struct cluster_result r = search(object, &o);
    judge("settle", seed, &r, settles_badly(&c), FAILURE_CHECK);
    world_close();
    cluster_result_free(&r);
}

static void try_own(const char *object, unsigned seed)
{
    struct drawn_case c = draw_case(CASE_OWN_MESSAGE, seed);
    struct cluster_options o = usual(c.nodes, seed);
    o.world.order = (enum order)(seed % 3);
    o.world.budget[FAULT_CRASH] = 1 + seed / 3 % 2;
    o.world.budget[FAULT_REBOOT] = seed / 6 % 3;
    if (o.world.order != ORDER_CONNECTION)
        o.world.budget[FAULT_DUPLICATE] = seed / 18 % 2;
    struct cluster_result r = search(object, &o);
    judge("own", seed, &r, c.by_peer && o.world.budget[FAULT_REBOOT] && o.world.order != ORDER_CONNECTION,
          FAILURE_CHECK);
    world_close();
    cluster_result_free(&r);
}

static void try_unfair(const char *object, unsigned seed)
{
    struct drawn_case c = draw_case(CASE_UNFAIR, seed);
    struct cluster_options o = usual(c.nodes, seed);
    o.world.order = ORDER_FIFO;
    o.max_executions = 60;
    o.world.max_events = 40 + seed % 200;
    o.patience = 200 + seed % 50; // each of at most six chains has at most 30 messages
    struct cluster_result r = search(object, &o);
    judge("unfair", seed, &r, c.endless && c.bounces > 0, FAILURE_QUIET);
    world_close();
    cluster_result_free(&r);
}

// The first access that a machine would not stand for, as heddle's heap has it: freed blocks of a class are given out again, the
// last one first. What a name that was freed refers to then is a block again.
static enum failure_kind interpret(const struct drawn_case *c)
{
    struct {
        int size, class, live;
    } cell[CASE_STEPS];
    int name[CASE_BLOCKS] = {-1, -1, -1}, cells = 0, freed[CASE_STEPS], free_count = 0;
    for (int i = 0; i < CASE_STEPS; i++) {
        const struct case_access *a = &c->access[i];
        int at = name[a->block], class = a->size <= 16 ? 0 : a->size <= 32 ? 1 : 2;
        if (a->what == 0) {
            int given = -1;
            for (int k = free_count; k-- > 0 && given < 0;)
                if (cell[freed[k]].class == class) {
                    given = freed[k];
                    memmove(freed + k, freed + k + 1, (size_t)(--free_count - k) * sizeof *freed);
                }
            if (given < 0)
                given = cells++;
            cell[given].size = a->size;
            cell[given].class = class;
            cell[given].live = 1;
            name[a->block] = given;
        } else if (at >= 0 && a->what == 1) {
            if (!cell[at].live)
                return FAILURE_USE;
            cell[at].live = 0;
            freed[free_count++] = at;
        } else if (at >= 0 && (!cell[at].live || a->at >= cell[at].size)) {
            return FAILURE_MEMORY;
        }
    }
    return FAILURE_NONE;
}

static void try_memory(const char *object, unsigned seed)
{
    struct drawn_case c = draw_case(CASE_MEMORY, seed);
    struct cluster_options o = usual(c.nodes, seed);
    enum failure_kind truth = interpret(&c);
    struct cluster_result r = search(object, &o);
    judge("memory", seed, &r, truth != FAILURE_NONE, truth);
    world_close();
    cluster_result_free(&r);
}

static void draw_budgets(struct cluster_options *o, unsigned seed)
{
    static const enum fault kinds[] = {FAULT_CRASH, FAULT_DROP, FAULT_DUPLICATE, FAULT_TIMEOUT, FAULT_PARTITION};
    unsigned x = seed * 2654435761u >> 5;
    o->world.budget[kinds[x % 5]] = 1;
    o->world.budget[kinds[x / 5 % 5]] = 1;
    o->world.budget[FAULT_REBOOT] = o->world.budget[FAULT_CRASH];
}

// From the file, in a world that has seen nothing.
static bool fails_from_file(const char *object, const struct cluster_options *o, struct cluster_result *r)
{
    char source[] = "x", flags[] = "";
    struct cluster_file file = {.source = source,
                                .flags = flags,
                                .failure = (char *)(uintptr_t)failure_names[r->failure],
                                .text = r->text,
                                .world = o->world,
                                .patience = o->patience,
                                .steps = cluster_name_steps(r->steps, r->step_count),
                                .step_count = r->step_count};
    struct cluster_file again;
    FILE *stream = tmpfile();
    if (!stream || cluster_file_write(stream, &file))
        exit(2);
    rewind(stream);
    const char *complaint = cluster_file_read(stream, &again);
    fclose(stream);
    free(file.steps);
    world_close();
    again.world.max_events = again.step_count + 1;
    open_world(object, &again.world);
    struct step *steps = cluster_find_steps(again.steps, again.step_count);
    uint32_t left_out = cluster_follow(steps, again.step_count);
    world_settle(again.patience);
    bool same = !complaint && !left_out && world.failure == r->failure && !strcmp(world.failure_text, r->text);
    free(steps);
    cluster_file_free(&again);
    return same;
}

static void try_replay(const char *object, unsigned seed)
{
    struct cluster_options o = usual(2 + (int)(seed % 2), seed);
    o.world.order = seed % 4 ? ORDER_ANY : ORDER_FIFO;
    o.max_executions = 500;
    draw_budgets(&o, seed);
    struct cluster_result r = search(object, &o);
    if (r.end == CLUSTER_BUG) {
        bugs++;
        if (!fails_from_file(object, &o, &r)) {
            printf("replay %u: the file does not fail: %s\n", seed, r.text);
            wrong++;
        }
    } else {
        undecided++;
    }
    world_close();
    cluster_result_free(&r);
}

static void try_verdict(const char *object, unsigned seed)
{
    enum cluster_end ends[2];
    bool whole = true;
    for (int i = 0; i < 2; i++) {
        struct cluster_options o = usual(2 + (int)(seed % 2), seed);
        o.next = i ? NEXT_TURNS : NEXT_LAST;
        o.max_executions = i ? 60000 : 4000;
        draw_budgets(&o, seed);
        struct cluster_result r = search(object, &o);
        ends[i] = r.end;
        whole &= (r.end == CLUSTER_DONE || r.end == CLUSTER_BUG) && !r.cut && !r.no_room[0];
        bugs += i && r.end == CLUSTER_BUG;
        world_close();
        cluster_result_free(&r);
    }
    undecided += !whole;
    fine += whole && ends[0] == CLUSTER_DONE;
    if (whole && ends[0] != ends[1]) {
        printf("verdict %u: with samples %s, without %s\n", seed, ends[1] == CLUSTER_BUG ? "a bug" : "verified",
               ends[0] == CLUSTER_BUG ? "a bug" : "verified");
        wrong++;
    }
}

static const struct {
    const char *name;
    void (*try)(const char *object, unsigned seed);
    bool random; // of random.c
} kinds[] = {{"settle", try_settle, false}, {"own", try_own, false},      {"unfair", try_unfair, false},
             {"memory", try_memory, false}, {"replay", try_replay, true}, {"verdict", try_verdict, true}};

int main(int argc, char **argv)
{
    if (argc < 4) {
        puts("usage: fuzz_cases CASES BROKEN COUNT [FIRST [KIND]]");
        return 2;
    }
    unsigned count = (unsigned)atoi(argv[3]), first = argc > 4 ? (unsigned)atoi(argv[4]) : 1, all = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (argc > 5 && strcmp(argv[5], kinds[k].name))
            continue;
        wrong = bugs = fine = undecided = 0;
        set("FUZZ_KIND", (unsigned)k);
        for (unsigned seed = first; seed < first + count; seed++) {
            set("FUZZ_SEED", seed);
            kinds[k].try(argv[kinds[k].random ? 2 : 1], seed);
        }
        printf("%-8s %u from %u: %u bugs, %u verified, %u undecided, %u wrong\n", kinds[k].name, count, first, bugs,
               fine, undecided, wrong);
        fflush(stdout);
        all += wrong + !bugs;
    }
    return all > 0;
}
