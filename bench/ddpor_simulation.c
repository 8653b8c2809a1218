// bench/ddpor_simulation MODEL plain|aggressive WORKERS…: the seed's distributed DPOR (Inspect, Figures 6.2 to 6.4) on a model, with the backtrack sets of
// Figure 2.1 (plain) or of Figure 6.9 (aggressive): how many executions all workers run, how many traces these are, and which share
// is redundant. Workers run one execution each in turn; one with more than two backtrack points gives the deepest one away while another
// is idle. A worker that was given a stack also explores what it adds to the states before the one it was given, since the
// giver may never find it; that the giver may find it too is where redundancy comes from.
//
// Models: aget, five threads with two critical sections each on one lock (113,400 traces); aget-small, four threads (2,520); fsbench-small, eight pairs of
// threads that meet at a lock of their own (256); tables, four threads with three sections each, in three tables.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 16, OPS = 3, DEPTH = THREADS * OPS + 1, WORKERS = 1024, SLOTS = 1 << 24, POINTS = 2 };

// A step of a thread takes one object for itself. All can be taken at any time, and two depend on each other if they take the same.
static struct {
    uint32_t threads, ops;
    uint8_t object[THREADS][OPS];
} model;

struct state {
    uint32_t backtrack, done; // a bit for each thread
    uint8_t taken;            // who left it
};

struct worker {
    bool busy;
    uint32_t depth; // states in `stack`
    struct state stack[DEPTH];
};

static struct worker workers[WORKERS];
static uint32_t worker_count;
static bool aggressive;
static uint64_t *seen, executions, traces;

static _Noreturn void stop(const char *why)
{
    fprintf(stderr, "ddpor_simulation: %s\n", why);
    exit(2);
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// What was executed: who, with which of its steps, and what each event knows of the others.
struct run {
    uint32_t count, at[THREADS];          // events; steps of each thread
    uint8_t thread[DEPTH], object[DEPTH]; // of each event
    uint64_t before[DEPTH];               // events that happen before each, itself included: a bit for each
};

static uint64_t past_of(const struct run *r, uint32_t thread, uint8_t object)
{
    uint64_t past = 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->thread[i] == thread || r->object[i] == object)
            past |= r->before[i];
    return past;
}

static void run_step(struct run *r, uint32_t thread)
{
    uint8_t object = model.object[thread][r->at[thread]];
    r->before[r->count] = past_of(r, thread, object) | 1ull << r->count;
    r->thread[r->count] = (uint8_t)thread;
    r->object[r->count++] = object;
    r->at[thread]++;
}

// What the thread has seen so far, without its next step.
static uint64_t past_of_thread(const struct run *r, uint32_t thread)
{
    uint64_t past = 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->thread[i] == thread)
            past |= r->before[i];
    return past;
}

static void update_backtrack_sets(struct worker *w, const struct run *r, uint32_t thread)
{
    uint8_t object = model.object[thread][r->at[thread]];
    uint64_t past = past_of_thread(r, thread);
    for (uint32_t i = r->count; i-- > 0;) {
        if (r->object[i] != object || r->thread[i] == thread || past >> i & 1)
            continue;
        w->stack[i].backtrack |= (1u << thread) & ~w->stack[i].done;
        if (!aggressive)
            return;
    }
}

static void note_trace(const struct run *r)
{
    uint32_t position[256] = {0};
    uint64_t hash = 0;
    for (uint32_t i = 0; i < r->count; i++)
        hash += mix((uint64_t)r->object[i] << 32 | (uint64_t)position[r->object[i]]++ << 8 | r->thread[i] | 1ull << 60);
    executions++;
    for (uint64_t at = hash % SLOTS;; at = (at + 1) % SLOTS) {
        if (seen[at] == hash)
            return;
        if (!seen[at]) {
            seen[at] = hash;
            if (++traces == SLOTS / 2)
                stop("there are too many traces");
            return;
        }
    }
}

static void look_at(struct worker *w, const struct run *r)
{
    struct state *s = &w->stack[w->depth++];
    *s = (struct state){0};
    for (uint32_t thread = model.threads; thread-- > 0;) {
        if (r->at[thread] == model.ops)
            continue;
        update_backtrack_sets(w, r, thread);
        s->backtrack = 1u << thread;
    }
}

// From the deepest state that has something to try to the end of an execution. False if there is none.
static bool run_one(struct worker *w)
{
    struct run r = {0};
    while (w->depth && !w->stack[w->depth - 1].backtrack)
        w->depth--;
    if (!w->depth)
        return false;
    for (uint32_t i = 0; i + 1 < w->depth; i++)
        run_step(&r, w->stack[i].taken);
    while (w->stack[w->depth - 1].backtrack) {
        struct state *s = &w->stack[w->depth - 1];
        s->taken = (uint8_t)__builtin_ctz(s->backtrack);
        s->backtrack &= s->backtrack - 1;
        s->done |= 1u << s->taken;
        run_step(&r, s->taken);
        look_at(w, &r);
    }
    note_trace(&r);
    return true;
}

static uint32_t count_points(const struct worker *w)
{
    uint32_t points = 0;
    for (uint32_t i = 0; i < w->depth; i++)
        points += (uint32_t)__builtin_popcount(w->stack[i].backtrack);
    return points;
}

static void unload(struct worker *w, struct worker *to)
{
    uint32_t deepest = w->depth - 1;
    while (!w->stack[deepest].backtrack)
        deepest--;
    uint32_t given = w->stack[deepest].backtrack & (0 - w->stack[deepest].backtrack);
    *to = (struct worker){.busy = true, .depth = deepest + 1};
    for (uint32_t i = 0; i <= deepest; i++) {
        to->stack[i] = w->stack[i];
        to->stack[i].done |= to->stack[i].backtrack; // the giver keeps those
        to->stack[i].backtrack = 0;
    }
    to->stack[deepest].backtrack = given;
    w->stack[deepest].backtrack &= ~given;
    w->stack[deepest].done |= given;
}

static struct worker *find_idle(void)
{
    for (uint32_t i = 0; i < worker_count; i++)
        if (!workers[i].busy)
            return &workers[i];
    return NULL;
}

static void explore(void)
{
    struct run nothing = {0};
    memset(workers, 0, sizeof workers);
    memset(seen, 0, SLOTS * sizeof *seen);
    executions = traces = 0;
    workers[0].busy = true;
    look_at(&workers[0], &nothing);
    for (bool some = true; some;) {
        some = false;
        for (uint32_t i = 0; i < worker_count; i++) {
            struct worker *w = &workers[i], *idle;
            if (!w->busy)
                continue;
            some = true;
            w->busy = run_one(w);
            if (w->busy && count_points(w) > POINTS && (idle = find_idle()))
                unload(w, idle);
        }
    }
}

static void choose_model(const char *name)
{
    static const uint8_t tables[4][OPS] = {{1, 2, 3}, {2, 3, 1}, {3, 1, 2}, {1, 3, 2}};
    bool small = !strcmp(name, "aget-small");
    if (small || !strcmp(name, "aget")) {
        model.threads = small ? 4 : 5;
        model.ops = 2;
        memset(model.object, 1, sizeof model.object);
    } else if (!strcmp(name, "fsbench-small")) {
        model.threads = THREADS;
        model.ops = 1;
        for (uint32_t i = 0; i < THREADS; i++)
            model.object[i][0] = (uint8_t)(i % (THREADS / 2));
    } else if (!strcmp(name, "tables")) {
        model.threads = 4;
        model.ops = OPS;
        memcpy(model.object, tables, sizeof tables);
    } else {
        stop("the models are aget, aget-small, fsbench-small and tables");
    }
}

int main(int argc, char **argv)
{
    if (argc < 4 || (strcmp(argv[2], "plain") && strcmp(argv[2], "aggressive")))
        stop("use: MODEL plain|aggressive WORKERS…");
    choose_model(argv[1]);
    aggressive = argv[2][0] == 'a';
    seen = calloc(SLOTS, sizeof *seen);
    if (!seen)
        stop("there is no memory");
    for (int i = 3; i < argc; i++) {
        worker_count = (uint32_t)strtoul(argv[i], NULL, 10);
        if (!worker_count || worker_count > WORKERS)
            stop("there may be 1 to 1024 workers");
        explore();
        printf("%u %" PRIu64 " %" PRIu64 " %.1f\n", worker_count, executions, traces,
               100 * (double)(executions - traces) / (double)executions);
    }
    free(seen);
    return 0;
}
