#include "fuzz/prune_program.h"

#include <stdbool.h>

#include "fuzz/program.h"

enum { VARIABLES = 5, LOCKS = 3, LOCALS = 3, DEPTH = 2 };

struct writer {
    FILE *out;
    uint64_t state;
    uint32_t held;         // a bit for each lock that the thread has at this place, whatever way it came
    uint32_t wrong;        // one access out of so many is not under its lock; 0: none is …
    uint32_t wrong_inside; // … and within a branch, which only some orders may take
    uint32_t branches;     // around this place
    uint32_t sections, variables;
    bool rich;  // pointers, arrays, calls
    bool waits; // condition variables
};

static uint32_t below(struct writer *w, uint32_t n)
{
    return (uint32_t)(splitmix(&w->state) % n);
}

void prune_print_head(FILE *out)
{
    fprintf(out, "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n"
                 "static int v[5], a[4], *p = &v[0];\nstatic double d;\n"
                 "static struct { char b; short s; long l; } f;\n"
                 "static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;\n"
                 "static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER, c1 = PTHREAD_COND_INITIALIZER;\n"
                 "static int w[3], data[3];\n"
                 "static pthread_rwlock_t m2 = PTHREAD_RWLOCK_INITIALIZER;\n"
                 "static pthread_t handle[4];\n"
                 "__attribute__((noinline)) static void add(int *x, int n) { *x += n; }\n"
                 "__attribute__((noinline)) static int get(int *x) { return *x; }\n"
                 "static void bump(int *x) { (*x)++; }\n\n");
}

static void print_lock(struct writer *w, uint32_t lock, bool take)
{
    if (lock < 2)
        fprintf(w->out, "pthread_mutex_%s(&m%u); ", take ? "lock" : "unlock", lock);
    else if (take && below(w, 3) == 0)
        fprintf(w->out, "pthread_rwlock_rdlock(&m2); ");
    else
        fprintf(w->out, "pthread_rwlock_%s(&m2); ", take ? "wrlock" : "unlock");
    w->held = take ? w->held | 1u << lock : w->held & ~(1u << lock);
}

static bool goes_wrong(struct writer *w)
{
    uint32_t chance = w->branches ? w->wrong_inside : w->wrong;
    return chance && below(w, chance) == 0;
}

// A variable that belongs to a lock the thread has, as a rule.
static uint32_t variable(struct writer *w)
{
    uint32_t v = below(w, w->variables);
    for (int tries = 0; tries < 50 && !(w->held >> (v % LOCKS) & 1) && !goes_wrong(w); tries++)
        v = below(w, w->variables);
    return v;
}

static void print_value(struct writer *w)
{
    switch (below(w, 6)) {
    case 0:
    case 1:
        fprintf(w->out, "%u", below(w, 3));
        break;
    case 2:
    case 3:
        fprintf(w->out, "l%u", below(w, LOCALS));
        break;
    case 4:
        fprintf(w->out, "v[%u]", variable(w));
        break;
    default:
        fprintf(w->out, "l%u * 3 + v[%u]", below(w, LOCALS), variable(w));
        break;
    }
}

static void print_statement(struct writer *w, uint32_t depth);

static void print_condition(struct writer *w)
{
    static const char *const compare[] = {"==", "!=", "<", ">="};
    if (below(w, 2))
        fprintf(w->out, "v[%u]", variable(w));
    else
        fprintf(w->out, "l%u", below(w, LOCALS));
    fprintf(w->out, " %s %u", compare[below(w, 4)], below(w, 3));
}

static void print_branch(struct writer *w, uint32_t depth)
{
    fprintf(w->out, "if (");
    print_condition(w);
    fprintf(w->out, ") { ");
    w->branches++;
    print_statement(w, depth);
    if (below(w, 3) == 0) {
        fprintf(w->out, "} else { ");
        print_statement(w, depth);
    }
    w->branches--;
    fprintf(w->out, "} ");
}

// A lock within a branch or a section, in the order of their numbers, so that there is no deadlock.
static void print_inner_section(struct writer *w, uint32_t depth)
{
    uint32_t lock = 0;
    while (w->held >> lock)
        lock++;
    if (lock >= LOCKS)
        return;
    lock += below(w, LOCKS - lock);
    print_lock(w, lock, true);
    print_statement(w, depth);
    print_lock(w, lock, false);
}

static void print_rich(struct writer *w)
{
    static const char *const forms[] = {
        "a[v[%u] & 3]++; ",
        "add(&v[%u], l0); ",
        "l1 = get(&v[%u]); ",
        "p = &v[%u]; ",
        "(*p)++; v[%u]++; ",
        "bump(&v[%u]); ",
        "d += v[%u]; ",
        "f.b = (char)v[%u]; f.l += f.b; ",
        "memcpy(&l2, &v[%u], sizeof l2); ",
        "{ int t[2] = {v[%u], l0}; add(t, 1); l2 = t[l1 & 1]; } ",
        "l0 = v[%u] > 1 ? l1 : l2; ",
        "switch (v[%u]) { case 0: l0 = 1; break; case 1: l1 = 2; break; case 2: v[4]++; break; "
        "case 3: l2++; break; default: l0 = 3; } ",
        "for (int i = 0; i < (v[%u] & 1); i++) l0++; ",
        "for (int i = 0; i < 2; i++) v[%u] += i; ",
        "f.s = (short)(f.s + v[%u]); ",
        "assert(v[%u] < 1000); ",
        "{ int *q = l0 ? &v[%u] : &v[1]; *q = 1; } "};
    fprintf(w->out, forms[below(w, sizeof forms / sizeof *forms)], variable(w));
}

static void print_statement(struct writer *w, uint32_t depth)
{
    uint32_t kind = below(w, depth ? 12 : 8);
    if (w->rich && below(w, 4) == 0) {
        print_rich(w);
        return;
    }
    if (kind < 2) {
        fprintf(w->out, "v[%u]++; ", variable(w));
    } else if (kind < 4) {
        fprintf(w->out, "v[%u] %s ", variable(w), below(w, 2) ? "=" : "+=");
        print_value(w);
        fprintf(w->out, "; ");
    } else if (kind < 6) {
        fprintf(w->out, "l%u = v[%u]; ", below(w, LOCALS), variable(w));
    } else if (kind < 8) {
        fprintf(w->out, "l%u += ", below(w, LOCALS));
        print_value(w);
        fprintf(w->out, "; ");
    } else if (kind < 10) {
        print_branch(w, depth - 1);
    } else {
        print_inner_section(w, depth - 1);
    }
}

// Hands something over, or waits for it: with a loop or, which is wrong, without; with what belongs to it under the lock or after it.
static void print_handover(struct writer *w)
{
    uint32_t n = below(w, 3), lock = n & 1;
    const char *how = below(w, 6) ? "while" : "if";
    fprintf(w->out, "    ");
    switch (below(w, 6)) {
    case 0:
        fprintf(w->out, "data[%u]++; pthread_mutex_lock(&m%u); w[%u] = 1; pthread_cond_broadcast(&c%u); ", n, lock, n,
                lock);
        break;
    case 1:
        fprintf(w->out,
                "pthread_mutex_lock(&m%u); data[%u] = 2; if (!w[%u]) { w[%u] = 1; } pthread_cond_signal(&c%u); ", lock,
                n, n, n, lock);
        break;
    case 2:
        fprintf(w->out, "pthread_mutex_lock(&m%u); if (--w[%u] <= 0) pthread_cond_broadcast(&c%u); ", lock, n, lock);
        break;
    case 3:
        fprintf(w->out, "pthread_mutex_lock(&m%u); %s (!w[%u]) pthread_cond_wait(&c%u, &m%u); v[%u]++; ", lock, how, n,
                lock, lock, lock);
        break;
    case 4:
        fprintf(w->out, "pthread_mutex_lock(&m%u); %s (w[%u] == 0) pthread_cond_wait(&c%u, &m%u); l0 = data[%u]; ",
                lock, how, n, lock, lock, n);
        break;
    default:
        fprintf(
            w->out,
            "pthread_mutex_lock(&m%u); %s (!w[%u]) pthread_cond_wait(&c%u, &m%u); pthread_mutex_unlock(&m%u); l1 += "
            "data[%u]; pthread_mutex_lock(&m%u); ",
            lock, how, n, lock, lock, lock, n, lock);
        break;
    }
    fprintf(w->out, "pthread_mutex_unlock(&m%u);\n", lock);
}

static void print_section(struct writer *w)
{
    if (w->waits && below(w, 3) == 0) {
        print_handover(w);
        return;
    }
    uint32_t lock = below(w, LOCKS);
    bool locks = !goes_wrong(w);
    fprintf(w->out, "    ");
    if (locks)
        print_lock(w, lock, true);
    for (uint32_t n = 1 + below(w, 3); n; n--)
        print_statement(w, DEPTH);
    if (locks)
        print_lock(w, lock, false);
    fprintf(w->out, "\n");
    w->held = 0;
}

static void print_thread(struct writer *w, uint32_t number, uint32_t t)
{
    fprintf(w->out, "static void *thread%u_%u(void *unused)\n{\n    int l0 = 0, l1 = 1, l2 = 2;\n", number, t);
    for (uint32_t n = 1 + below(w, w->sections); n; n--)
        print_section(w);
    fprintf(w->out, "    (void)unused; (void)l0; (void)l1; (void)l2;\n    return NULL;\n}\n");
}

void prune_print_program(uint64_t seed, uint32_t number, FILE *out)
{
    struct writer w = {.out = out, .state = seed * 2 + 1};
    uint32_t threads = 2 + (below(&w, 3) == 0);
    bool guarded = below(&w, 4);
    w.wrong = guarded ? 0 : below(&w, 2) ? 40 : 8;
    w.wrong_inside = guarded ? 2 : w.wrong;
    w.rich = below(&w, 2);
    w.waits = below(&w, 2);
    w.variables = below(&w, 2) ? VARIABLES : 3;
    w.sections = threads == 2 ? 4 : 2;
    fprintf(out, "// seed %llu\n", (unsigned long long)seed);
    for (uint32_t t = 0; t < threads + 1; t++)
        print_thread(&w, number, t);
    fprintf(out, "static void begin%u(void)\n{\n    int l0 = 0, l1 = 1, l2 = 2;\n", number);
    for (uint32_t t = 0; t < threads; t++)
        fprintf(out, "    pthread_create(&handle[%u], NULL, thread%u_%u, NULL);\n", t, number, t);
    if (below(&w, 3) == 0)
        print_section(&w);
    for (uint32_t t = 0; t < threads; t++)
        fprintf(out, "    pthread_join(handle[%u], NULL);\n", t);
    w.held = (1u << LOCKS) - 1; // alone: it may access everything
    fprintf(out, "    ");
    if (below(&w, 2))
        print_statement(&w, 0);
    bool another = below(&w, 4) == 0;
    if (another)
        fprintf(out,
                "if (l0 + v[%u] > 1) pthread_create(&handle[0], NULL, thread%u_%u, NULL); else handle[0] = 0; v[0]++; ",
                below(&w, VARIABLES), number, threads);
    fprintf(out, "\n    %s(void)l0; (void)l1; (void)l2;\n}\n\n",
            another ? "if (handle[0]) pthread_join(handle[0], NULL);\n    " : "");
}

void prune_print_main(FILE *out, uint32_t programs)
{
    fprintf(out, "static void (*const begin[])(void) = {");
    for (uint32_t i = 0; i < programs; i++)
        fprintf(out, "begin%u, ", i);
    fprintf(out,
            "};\n\nint main(int argc, char **argv)\n{\n    begin[argc > 1 ? atoi(argv[1]) : 0]();\n    return 0;\n}\n");
}
