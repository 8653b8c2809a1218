// Checks inject/comparable.c against plain enumeration: on random traces with creations, joins, nested mutexes and barriers, all
// orders that keep to the rules are gone through. If the check says that no pair of dependent accesses can be turned around,
// none may be; how often it leaves a pair open that cannot be is printed. If libz3 is there, the same is asked of it: it has to agree
// with enumeration, and what it says of pairs that are left open has to be so.
//
//     fuzz_comparable [count [first seed]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/program.h"
#include "inject/comparable.h"
#include "inject/order_solver.h"

enum { THREADS = 4, EVENTS = 12, MUTEXES = 3, STATES = 1 << 16, MOST = 200000, MOST_ASKED = 4000 };

struct trace {
    uint32_t threads, created, joined;
    struct order_thread thread[THREADS];
    struct order_event event[THREADS][EVENTS];
};

static uint64_t below(uint64_t *seed, uint64_t n)
{
    return splitmix(seed) % n;
}

static void add(struct trace *t, uint32_t thread, struct order_event e)
{
    if (t->thread[thread].count < EVENTS)
        t->event[thread][t->thread[thread].count++] = e;
}

static void add_access(struct trace *t, uint32_t thread, uint64_t *seed)
{
    bool writes = below(seed, 2);
    add(t, thread,
        (struct order_event){
            .kind = ORDER_ACCESS, .reads = !writes, .writes = writes, .object = 8 * below(seed, 3), .size = 4});
}

// The first thread creates and joins the others, in sections too: then mutexes order more than the rest does.
static void add_threads(struct trace *t, uint64_t *seed)
{
    if (t->created < t->threads && below(seed, 2))
        add(t, 0, (struct order_event){.kind = ORDER_CREATE, .other = t->created++});
    if (t->joined < t->created && below(seed, 3) == 0)
        add(t, 0, (struct order_event){.kind = ORDER_JOIN, .other = t->joined++});
}

// Sections nest, and in any order.
static void add_section(struct trace *t, uint32_t thread, uint64_t *seed, uint32_t held)
{
    uint64_t mutex = below(seed, MUTEXES);
    if (held >> mutex & 1 || t->thread[thread].count + 3 > EVENTS - 2 * (size_t)__builtin_popcount(held))
        return;
    add(t, thread, (struct order_event){.kind = ORDER_LOCK, .object = mutex});
    if (below(seed, 3) == 0)
        add_section(t, thread, seed, held | 1u << mutex);
    if (t->thread[thread].count + 2 <= EVENTS && below(seed, 4))
        add_access(t, thread, seed);
    if (!thread && t->thread[0].count + 4 <= EVENTS)
        add_threads(t, seed);
    add(t, thread, (struct order_event){.kind = ORDER_UNLOCK, .object = mutex});
}

static void make_trace(struct trace *t, uint64_t seed)
{
    memset(t, 0, sizeof *t);
    t->threads = 2 + (uint32_t)below(&seed, THREADS - 1);
    bool locks = below(&seed, 4) != 0, barrier = below(&seed, 4) == 0;
    t->created = t->joined = 1;
    for (uint32_t i = 0; i < THREADS; i++)
        t->thread[i].events = t->event[i];
    for (uint32_t thread = 0; thread < t->threads; thread++) {
        for (uint64_t n = 1 + below(&seed, 4); n > 0; n--) {
            if (!thread)
                add_threads(t, &seed);
            if (locks && below(&seed, 2))
                add_section(t, thread, &seed, 0);
            else
                add_access(t, thread, &seed);
        }
        if (barrier && thread && t->thread[thread].count + 3 <= EVENTS) {
            add(t, thread, (struct order_event){.kind = ORDER_ARRIVE, .object = 99});
            add(t, thread, (struct order_event){.kind = ORDER_LEAVE, .object = 99});
            add_access(t, thread, &seed);
        }
    }
}

// ---- enumeration ----

struct state {
    uint8_t at[THREADS];
};

struct enumeration {
    const struct trace *t;
    bool creatable[THREADS]; // somebody creates it
    uint8_t *seen;           // by state: 1 cannot be finished, 2 can
    uint64_t states;
    bool too_many;
    bool before[THREADS][EVENTS][THREADS][EVENTS]; // this can be done while that is not
};

static size_t number_of(const struct state *s)
{
    size_t n = 0;
    for (int i = 0; i < THREADS; i++)
        n = n * (EVENTS + 1) + s->at[i];
    return n;
}

static bool is_done(const struct trace *t, const struct state *s, enum order_kind kind, uint64_t object, uint32_t other)
{
    for (uint32_t thread = 0; thread < t->threads; thread++)
        for (size_t i = 0; i < s->at[thread]; i++)
            if (t->event[thread][i].kind == kind && t->event[thread][i].object == object &&
                t->event[thread][i].other == other)
                return true;
    return false;
}

static bool is_free(const struct trace *t, const struct state *s, uint64_t mutex)
{
    for (uint32_t thread = 0; thread < t->threads; thread++) {
        int held = 0;
        for (size_t i = 0; i < s->at[thread]; i++)
            if (t->event[thread][i].object == mutex)
                held += (t->event[thread][i].kind == ORDER_LOCK) - (t->event[thread][i].kind == ORDER_UNLOCK);
        if (held > 0)
            return false;
    }
    return true;
}

static bool all_have_arrived(const struct trace *t, const struct state *s)
{
    for (uint32_t thread = 0; thread < t->threads; thread++)
        for (size_t i = s->at[thread]; i < t->thread[thread].count; i++)
            if (t->event[thread][i].kind == ORDER_ARRIVE)
                return false;
    return true;
}

static bool can_step(const struct enumeration *en, const struct state *s, uint32_t thread)
{
    const struct trace *t = en->t;
    if (s->at[thread] >= t->thread[thread].count || (en->creatable[thread] && !is_done(t, s, ORDER_CREATE, 0, thread)))
        return false;
    const struct order_event *e = &t->event[thread][s->at[thread]];
    switch (e->kind) {
    case ORDER_LOCK:
        return is_free(t, s, e->object);
    case ORDER_JOIN:
        return s->at[e->other] == t->thread[e->other].count;
    case ORDER_LEAVE:
        return all_have_arrived(t, s);
    default:
        return true;
    }
}

static void note_orders(struct enumeration *en, const struct state *s)
{
    for (uint32_t a = 0; a < en->t->threads; a++)
        for (size_t i = 0; i < s->at[a]; i++)
            for (uint32_t b = 0; b < en->t->threads; b++)
                for (size_t k = s->at[b]; k < en->t->thread[b].count; k++)
                    en->before[a][i][b][k] = true;
}

// Whether the run can come to its end from here.
static bool finishes(struct enumeration *en, const struct state *s)
{
    uint8_t *seen = &en->seen[number_of(s)];
    if (*seen)
        return *seen == 2;
    if (en->states++ > MOST) {
        en->too_many = true;
        return false;
    }
    bool end = true, can = false;
    *seen = 1;
    for (uint32_t thread = 0; thread < en->t->threads; thread++) {
        end &= s->at[thread] == en->t->thread[thread].count;
        if (!can_step(en, s, thread))
            continue;
        struct state next = *s;
        next.at[thread]++;
        can |= finishes(en, &next);
    }
    if (end || can) {
        *seen = 2;
        note_orders(en, s);
    }
    return end || can;
}

// Whether some pair of dependent accesses can stand in either order.
static bool is_reversible(const struct enumeration *en)
{
    const struct trace *t = en->t;
    for (uint32_t a = 0; a < t->threads; a++)
        for (size_t i = 0; i < t->thread[a].count; i++)
            for (uint32_t b = a + 1; b < t->threads; b++)
                for (size_t k = 0; k < t->thread[b].count; k++) {
                    const struct order_event *x = &t->event[a][i], *y = &t->event[b][k];
                    if (x->kind == ORDER_ACCESS && y->kind == ORDER_ACCESS && x->object == y->object &&
                        (x->writes || y->writes) && en->before[a][i][b][k] && en->before[b][k][a][i])
                        return true;
                }
    return false;
}

struct count {
    uint64_t checked, pass, open, open_pairs, closed, locked, asked, rejected, wrong;
};

static void fail(struct count *n, uint64_t seed, const char *what)
{
    printf("FAILED: seed %llu: %s\n", (unsigned long long)seed, what);
    n->wrong++;
}

// Whether all sections end: those that do not order nothing here, while nobody enters them in enumeration.
static bool ends_sections(const struct trace *t)
{
    int open = 0;
    for (uint32_t a = 0; a < t->threads; a++)
        for (size_t i = 0; i < t->thread[a].count; i++)
            open += (t->event[a][i].kind == ORDER_LOCK) - (t->event[a][i].kind == ORDER_UNLOCK);
    return !open;
}

static bool dependent(const struct order_event *x, const struct order_event *y)
{
    return x->kind == ORDER_ACCESS && y->kind == ORDER_ACCESS && x->object == y->object && (x->writes || y->writes);
}

// Whether Z3 can turn some pair around. `wrong`: it does not agree with enumeration about one.
static bool solver_reverses(struct order_solver *s, const struct enumeration *en, bool *wrong)
{
    const struct trace *t = en->t;
    bool some = false;
    for (uint32_t a = 0; a < t->threads; a++)
        for (size_t i = 0; i < t->thread[a].count; i++)
            for (uint32_t b = a + 1; b < t->threads; b++)
                for (size_t k = 0; k < t->thread[b].count; k++) {
                    if (!dependent(&t->event[a][i], &t->event[b][k]))
                        continue;
                    struct order_place x = {a, i}, y = {b, k};
                    bool later = order_solver_ask(s, x, y) == ORDER_POSSIBLE;
                    bool sooner = order_solver_ask(s, y, x) == ORDER_POSSIBLE;
                    *wrong |= later != en->before[b][k][a][i] || sooner != en->before[a][i][b][k];
                    some |= later && sooner;
                }
    return some;
}

static void ask_solver(const struct enumeration *en, uint64_t seed, bool truth, struct comparison_check *check,
                       struct count *n)
{
    const char *why;
    bool wrong = false, passed = !check->open && !check->stuck;
    struct order_solver *s = order_solver_open(en->t->thread, en->t->threads, &why);
    if (!s) {
        if (strcmp(why, "libz3 is not there"))
            fail(n, seed, why);
        return;
    }
    bool reverses = solver_reverses(s, en, &wrong);
    order_solver_close(s);
    n->asked++;
    n->rejected += reverses;
    if (ends_sections(en->t) ? wrong || reverses != truth : truth && !reverses)
        fail(n, seed, "Z3 and enumeration do not agree");
    if (passed && reverses)
        fail(n, seed, "the check is more permissive than Z3");
    comparable_ask(en->t->thread, en->t->threads, check);
    n->closed += check->closed;
    if (check->certain && !truth && ends_sections(en->t))
        fail(n, seed, "a pair that has one order is said to have two");
    if (!check->open && truth)
        fail(n, seed, "with Z3 the check passes a trace that has a pair with two orders");
    n->open_pairs += check->open && !truth;
}

static void check_trace(const struct enumeration *en, uint64_t seed, struct count *n)
{
    struct comparison_check check;
    comparable_check(en->t->thread, en->t->threads, &check);
    bool truth = is_reversible(en), said = check.open > 0 || check.stuck;
    n->checked++;
    n->pass += !said;
    n->open += said && !truth;
    n->locked += check.lock_edges > 0;
    if (truth && !said)
        fail(n, seed, "a pair can be turned around, and the check says none can");
    if (n->asked < MOST_ASKED)
        ask_solver(en, seed, truth, &check, n);
    comparable_free(&check);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 4000, first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct count n = {0};
    static struct trace t;
    static struct enumeration en;
    size_t all = 1;
    for (int i = 0; i < THREADS; i++)
        all *= EVENTS + 1;
    for (uint64_t seed = first; n.checked < count && seed < first + 50 * count; seed++) {
        make_trace(&t, seed);
        uint8_t *seen = calloc(all, 1);
        memset(&en, 0, sizeof en);
        en.t = &t;
        en.seen = seen;
        for (uint32_t thread = 0; thread < t.threads; thread++)
            for (size_t i = 0; i < t.thread[thread].count; i++)
                if (t.event[thread][i].kind == ORDER_CREATE)
                    en.creatable[t.event[thread][i].other] = true;
        if (seen && finishes(&en, &(struct state){{0}}) && !en.too_many)
            check_trace(&en, seed, &n);
        free(seen);
    }
    printf("%llu traces: %llu comparable, %llu left open that are, %llu with an order that only mutexes give; %llu "
           "failed\n",
           (unsigned long long)n.checked, (unsigned long long)n.pass, (unsigned long long)n.open,
           (unsigned long long)n.locked, (unsigned long long)n.wrong);
    if (n.asked)
        printf("Z3: %llu of %llu traces have a pair with two orders; it closed %llu pairs, and %llu comparable traces "
               "stay open\n",
               (unsigned long long)n.rejected, (unsigned long long)n.asked, (unsigned long long)n.closed,
               (unsigned long long)n.open_pairs);
    return n.wrong != 0;
}
