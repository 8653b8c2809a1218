#include "fuzz/switched_program.h"

#include <string.h>

#include "fuzz/program.h"

// In what is printed %1$u is the number of the program, %2$u the object, %3$u the register and %4$u the value.
static const struct {
    const char *text;
    uint8_t weight;
    uint8_t objects, values;
} ops[] = {
    {"r[%3$u] = c%1$u[%2$u];", 4, 2, 1},
    {"c%1$u[%2$u] = %4$u;", 4, 2, 3},
    {"r[%3$u] = atomic_fetch_add(&c%1$u[%2$u], %4$u);", 3, 2, 3},
    {"{ int e = %4$u; r[%3$u] = atomic_compare_exchange_strong(&c%1$u[%2$u], &e, 2); }", 2, 2, 2},
    {"if (!(own & (1u << %2$u))) { pthread_mutex_lock(&m%1$u[%2$u]); own |= 1u << %2$u; }", 6, 2, 1},
    {"if (own & (1u << %2$u)) { own &= ~(1u << %2$u); pthread_mutex_unlock(&m%1$u[%2$u]); }", 5, 2, 1},
    {"if (!pthread_mutex_trylock(&m%1$u[%2$u])) { own |= 1u << %2$u; r[%3$u] = 1; }", 2, 2, 1},
    {"if (own & 1) pthread_cond_wait(&v%1$u, &m%1$u[0]);", 2, 1, 1},
    {"if (own & 1) r[%3$u] = pthread_cond_timedwait(&v%1$u, &m%1$u[0], &(struct timespec){%4$u, 0}) != 0;", 1, 1, 2},
    {"pthread_cond_signal(&v%1$u);", 2, 1, 1},
    {"pthread_cond_broadcast(&v%1$u);", 1, 1, 1},
    {"if (own & (1u << %2$u)) r[%3$u] = (uint8_t)(g%1$u[%2$u] = 2 * g%1$u[%2$u] + %4$u);", 4, 2, 3},
    {"g%1$u[1] = %4$u;", 1, 1, 2},
    {"free(q); q = malloc(8); if (q) *q = %4$u; else r[%3$u] = 3;", 4, 1, 3},
    {"free(q); q = NULL;", 3, 1, 1},
    {"if (q) { int *old = atomic_exchange(&p%1$u[%2$u], q); q = NULL; free(old); }", 4, 2, 1},
    {"{ int *old = atomic_exchange(&p%1$u[%2$u], NULL); if (old) { r[%3$u] = (uint8_t)*old; free(old); } }", 4, 2, 1},
    {"{ int *old = p%1$u[%2$u]; r[%3$u] = old == last; last = old; }", 3, 2, 1},
    {"{ int *e = last; r[%3$u] = q && atomic_compare_exchange_strong(&p%1$u[%2$u], &e, q); if (r[%3$u]) q = NULL; }", 2,
     2, 1},
    {"{ int *old = p%1$u[%2$u]; if (old) r[%3$u] = (uint8_t)*old; }", 1, 2, 1},
    {"last = q;", 2, 1, 1},
    {"r[%3$u] = heddle_choose(2);", 1, 1, 1},
    {"{ int *u = malloc(8); if (u) { if (r[%3$u] == %4$u) *u = 1; if (*u == 1) r[%3$u] = 2; free(u); } }", 2, 1, 2},
    {"r[%3$u] = leave%1$u(%4$u);", 1, 1, 2},
    {"{ int *there = l%1$u; if (there) r[%3$u] = (uint8_t)*there; }", 1, 1, 1},
    {"r[%3$u] = write(1, \"\", 0) < 0;", 2, 1, 1},
    {"r[%3$u] = ++mine%1$u;", 1, 1, 1},
    {"if (r[%3$u] == %4$u) goto l%5$u;", 3, 1, 2},
    {"assert(r[%3$u] != %4$u && \"a%5$u\");", 1, 1, 3},
    {"heddle_assume(r[%3$u] != %4$u);", 1, 1, 3},
    {"q = realloc(q, 16);", 1, 1, 1},
    {"{ struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); r[%3$u] = (uint8_t)(t.tv_sec & 3); }", 1, 1, 1},
    {"nanosleep(&(struct timespec){%4$u, 0}, NULL);", 1, 1, 3},
    {"r[%3$u] = rand() & 1;", 1, 1, 1},
    {"for (int n = 0; n < 2 && c%1$u[%2$u] != %4$u; n++) sched_yield();", 1, 2, 2},
    {"{ int n = 0; while (c%1$u[%2$u] == %4$u && !n) n = c%1$u[!%2$u]; }", 1, 2, 1},
};

enum { OPS = sizeof ops / sizeof *ops, SKIPS = 27 };

static uint8_t draw_op(uint64_t *state)
{
    uint32_t all = 0, at = 0;
    for (uint32_t i = 0; i < OPS; i++)
        all += ops[i].weight;
    uint32_t drawn = (uint32_t)(splitmix(state) % all);
    while (drawn >= ops[at].weight)
        drawn -= ops[at++].weight;
    return (uint8_t)at;
}

// A program that uses few kinds of operation uses them against each other.
static uint8_t draw_of(const uint8_t *favourites, uint64_t *state)
{
    return splitmix(state) % 3 ? favourites[splitmix(state) % 4] : draw_op(state);
}

void switched_random(struct switched_program *p, uint64_t seed)
{
    uint64_t state = seed * 2 + 1;
    uint8_t favourites[4];
    *p = (struct switched_program){.threads = 2 + splitmix(&state) % 3 / 2};
    for (uint32_t i = 0; i < 4; i++)
        favourites[i] = draw_op(&state);
    if (splitmix(&state) % 8 == 0)
        p->threads = 4;
    for (uint32_t t = 0; t < p->threads; t++)
        p->function[t] = (uint8_t)(splitmix(&state) % (p->threads > 3 ? 1 : p->threads));
    uint32_t longest = p->threads == 2 ? SWITCHED_LENGTH : p->threads == 3 ? 4 : 3;
    for (uint32_t f = 0; f < SWITCHED_FUNCTIONS; f++) {
        p->length[f] = 1 + (uint32_t)(splitmix(&state) % longest);
        for (uint32_t i = 0; i < p->length[f]; i++) {
            uint8_t code = draw_of(favourites, &state);
            p->code[f][i] =
                (struct switched_op){code, (uint8_t)(splitmix(&state) % ops[code].objects),
                                     (uint8_t)(splitmix(&state) % 2), (uint8_t)(splitmix(&state) % ops[code].values)};
        }
    }
}

// A label is its own instruction's number, an assertion is known by its function and number.
static uint32_t last_part(const struct switched_op *op, uint32_t f, uint32_t i)
{
    return op->code == SKIPS ? i + 2 : f * SWITCHED_LENGTH + i;
}

#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void print_function(const struct switched_program *p, uint32_t k, uint32_t f, FILE *out)
{
    fprintf(out,
            "static void *thread%u_%u(void *unused)\n{\n"
            "    uint8_t r[2] = {0}; int *q = NULL, *last = NULL; unsigned own = 0;\n"
            "    (void)unused; (void)own; (void)last;\n",
            k, f);
    for (uint32_t i = 0; i < p->length[f]; i++) {
        const struct switched_op *op = &p->code[f][i];
        fprintf(out, "l%u:;\n    ", i);
        fprintf(out, ops[op->code].text, k, op->object, op->reg, op->value, last_part(op, f, i));
        fprintf(out, "\n");
    }
    fprintf(out, "l%u:; l%u:;\n    free(q);\n", p->length[f], p->length[f] + 1);
    for (uint32_t i = 0; i < 2; i++)
        fprintf(out, "    if (own & %u) pthread_mutex_unlock(&m%u[%u]);\n", 1 + i, k, i);
    fprintf(out, "    return (void *)(r[0] + 5ul * r[1] + 1);\n}\n");
}

static bool is_run(const struct switched_program *p, uint32_t f)
{
    for (uint32_t t = 0; t < p->threads; t++)
        if (p->function[t] == f)
            return true;
    return false;
}

// What threads of one function have returned is added up.
static void print_main(const struct switched_program *p, uint32_t k, FILE *out)
{
    fprintf(out, "static void begin%u(void)\n{\n    pthread_t h[%u]; void *value; int wrong[%u];\n", k, p->threads,
            p->threads);
    for (uint32_t t = 0; t < p->threads; t++)
        fprintf(out, "    wrong[%u] = pthread_create(&h[%u], NULL, thread%u_%u, NULL);\n", t, t, k, p->function[t]);
    for (uint32_t t = 0; t < p->threads; t++)
        fprintf(out, "    if (!wrong[%u]) { pthread_join(h[%u], &value); left%u[%u] += weight((long)value); }\n", t, t,
                k, p->function[t]);
    fprintf(out, "}\n");
}

void switched_print(const struct switched_program *p, uint32_t k, FILE *out)
{
    fprintf(out,
            "static _Atomic int c%1$u[2];\n"
            "static int *_Atomic p%1$u[2], *_Atomic l%1$u;\n"
            "static pthread_mutex_t m%1$u[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n"
            "static pthread_cond_t v%1$u = PTHREAD_COND_INITIALIZER;\n"
            "static int g%1$u[2];\n"
            "static uint64_t left%1$u[%2$u];\n"
            "__attribute__((unused)) static __thread uint8_t mine%1$u;\n"
            "__attribute__((noinline, unused)) static uint8_t leave%1$u(int stays)\n{\n"
            "    int here = 2; uint8_t seen;\n"
            "    l%1$u = &here; seen = (uint8_t)c%1$u[0]; if (!stays) l%1$u = NULL;\n"
            "    return seen;\n}\n",
            k, SWITCHED_FUNCTIONS);
    for (uint32_t f = 0; f < SWITCHED_FUNCTIONS; f++)
        if (is_run(p, f))
            print_function(p, k, f, out);
    fprintf(out,
            "UNSEEN static void end%1$u(int who)\n{\n"
            "    uint8_t b[64]; int n = 0;\n"
            "    b[n++] = (uint8_t)who;\n"
            "    for (int i = 0; i < 2; i++)\n"
            "        b[n++] = *(uint8_t *)(void *)&c%1$u[i], b[n++] = (uint8_t)g%1$u[i];\n"
            "    memcpy(b + n, left%1$u, sizeof left%1$u);\n"
            "    note(b, n + (int)sizeof left%1$u);\n"
            "}\n",
            k);
    print_main(p, k, out);
}

bool switched_leave_out(struct switched_program *p, uint32_t n)
{
    for (uint32_t f = 0; f < SWITCHED_FUNCTIONS; f++) {
        if (is_run(p, f) && n < p->length[f]) {
            p->length[f]--;
            memmove(&p->code[f][n], &p->code[f][n + 1], (p->length[f] - n) * sizeof p->code[f][0]);
            return true;
        }
        n -= is_run(p, f) ? p->length[f] : 0;
    }
    if (n >= p->threads || p->threads <= 2)
        return false;
    p->threads--;
    memmove(&p->function[n], &p->function[n + 1], p->threads - n);
    return true;
}
