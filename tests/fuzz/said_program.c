#include "fuzz/said_program.h"

#include <stdarg.h>
#include <string.h>

#include "fuzz/program.h"

struct draw {
    struct said_program *p;
    uint64_t seed;
    bool tries; // some mutex is tried to lock
};

static uint32_t below(struct draw *d, uint32_t n)
{
    return (uint32_t)(splitmix(&d->seed) % n);
}

static struct said_instr *add(struct draw *d, uint32_t t, enum said_code code)
{
    struct said_program *p = d->p;
    struct said_instr *in = &p->code[t][p->length[t]];
    if (p->length[t] < SAID_CODE - 1)
        p->length[t]++;
    *in = (struct said_instr){.code = (uint8_t)code};
    return in;
}

static bool has_room(const struct draw *d, uint32_t t, uint32_t n)
{
    return d->p->length[t] + n + SAID_THREADS + 1 < SAID_CODE;
}

static void add_access(struct draw *d, uint32_t t)
{
    static const enum said_code codes[] = {SAID_LOAD, SAID_LOAD, SAID_STORE, SAID_STORE,
                                           SAID_ADD,  SAID_CAS,  SAID_CHOOSE};
    struct said_instr *in = add(d, t, codes[below(d, sizeof codes / sizeof *codes)]);
    in->object = (uint8_t)below(d, SAID_CELLS);
    in->reg = (uint8_t)below(d, 2);
    in->value = (uint8_t)(1 + below(d, 2));
    in->other = (uint8_t)below(d, 2);
    if (in->code == SAID_CHOOSE)
        in->value = 2;
    if (!below(d, 4)) {
        in->guarded = true;
        in->guard = (uint8_t)below(d, 2);
        in->equal = (uint8_t)below(d, 3);
    }
}

// Mostly of something that was just read.
static void add_assert(struct draw *d, uint32_t t)
{
    uint8_t reg = (uint8_t)below(d, 2);
    if (below(d, 4)) {
        struct said_instr *in = add(d, t, SAID_LOAD);
        in->object = (uint8_t)below(d, SAID_CELLS);
        in->reg = reg;
    }
    struct said_instr *in = add(d, t, SAID_ASSERT);
    in->reg = reg;
    in->value = (uint8_t)(1 + below(d, 2));
}

static void add_wait(struct draw *d, uint32_t t, uint32_t mutex)
{
    struct said_instr *in = add(d, t, SAID_WAIT);
    in->object = (uint8_t)mutex;
    in->guarded = true;
    in->guard = (uint8_t)below(d, 2);
    in->equal = (uint8_t)below(d, 2);
}

static void add_body(struct draw *d, uint32_t t, uint32_t most)
{
    for (uint32_t i = 0, n = below(d, most + 1); i < n && has_room(d, t, 2); i++)
        add_access(d, t);
}

// Both locks in one region, so that there are circles.
static void add_region(struct draw *d, uint32_t t)
{
    if (!has_room(d, t, 7))
        return;
    uint32_t outer = below(d, SAID_MUTEXES), inner = below(d, SAID_MUTEXES);
    bool tried = d->tries && !below(d, 3);
    struct said_instr *in = add(d, t, tried ? SAID_TRYLOCK : SAID_LOCK);
    in->object = (uint8_t)outer;
    in->reg = (uint8_t)(2 + outer);
    add_body(d, t, 1);
    if (inner != outer && !below(d, 2)) {
        add(d, t, SAID_LOCK)->object = (uint8_t)inner;
        add_body(d, t, 1);
        add(d, t, SAID_UNLOCK)->object = (uint8_t)inner;
    } else if (!tried && !below(d, 4)) {
        add_wait(d, t, outer);
    }
    in = add(d, t, tried ? SAID_TRYUNLOCK : SAID_UNLOCK);
    in->object = (uint8_t)outer;
    in->reg = (uint8_t)(2 + outer);
}

static void add_something(struct draw *d, uint32_t t)
{
    switch (below(d, 10)) {
    case 0:
    case 1:
        add_region(d, t);
        break;
    case 2:
        add(d, t, below(d, 3) ? SAID_SIGNAL : SAID_BROADCAST);
        break;
    case 3:
    case 4:
    case 5:
        add_assert(d, t);
        break;
    case 6:
        if (!below(d, 12)) {
            struct said_instr *in = add(d, t, SAID_EXIT);
            in->guarded = true;
            in->guard = (uint8_t)below(d, 2);
            in->equal = 1;
            break;
        }
        add_access(d, t);
        break;
    default:
        add_access(d, t);
    }
}

static void add_children(struct draw *d, uint32_t t, enum said_code code)
{
    for (uint32_t child = 1; child < d->p->threads; child++)
        if (d->p->parent[child] == t && (code == SAID_CREATE || below(d, 8)))
            add(d, t, code)->object = (uint8_t)child;
}

void said_random(struct said_program *p, uint64_t seed)
{
    struct draw d = {.p = p, .seed = seed * 0x9e3779b97f4a7c15u + 1};
    memset(p, 0, sizeof *p);
    p->threads = 3 + !below(&d, 3);
    d.tries = !below(&d, 4);
    for (uint32_t t = 2; t < p->threads; t++)
        p->parent[t] = below(&d, 4) ? 0 : 1;
    for (uint32_t t = 0; t < p->threads; t++) {
        uint32_t own = t ? 1 + below(&d, 4) : below(&d, 2);
        if (!t && !below(&d, 3))
            add_access(&d, t);
        add_children(&d, t, SAID_CREATE);
        for (uint32_t i = 0; i < own && has_room(&d, t, 2); i++)
            add_something(&d, t);
        add_children(&d, t, SAID_JOIN);
        if (!t && !below(&d, 2) && has_room(&d, t, 2)) {
            add_access(&d, t);
            add_assert(&d, t);
        }
        add(&d, t, SAID_RETURN);
    }
}

void said_thread_name(const struct said_program *p, uint32_t thread, char name[32])
{
    uint32_t number = 1;
    if (!thread) {
        strcpy(name, "main");
        return;
    }
    for (uint32_t t = 1; t < thread; t++)
        number += p->parent[t] == p->parent[thread];
    if (!p->parent[thread]) {
        snprintf(name, 32, "T%u", number);
        return;
    }
    char parent[32];
    said_thread_name(p, p->parent[thread], parent);
    snprintf(name, 32, "%.20s.%u", parent, number);
}

struct printer {
    FILE *out;
    uint32_t *line, n;
};

static void say(struct printer *s, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(s->out, "%s\n", text);
    ++*s->line;
}

static void print_instr(struct printer *s, struct said_instr *in)
{
    uint32_t n = s->n, o = in->object, r = in->reg, v = in->value;
    char guard[32] = "", what[128] = "";
    if (in->guarded)
        snprintf(guard, sizeof guard, "if (r%u == %u) ", in->guard, in->equal);
    switch ((enum said_code)in->code) {
    case SAID_LOAD:
        snprintf(what, sizeof what, "r%u = atomic_load(&x%u_%u);", r, n, o);
        break;
    case SAID_STORE:
        snprintf(what, sizeof what, "atomic_store(&x%u_%u, %u);", n, o, v);
        break;
    case SAID_ADD:
        snprintf(what, sizeof what, "r%u = atomic_fetch_add(&x%u_%u, %u);", r, n, o, v);
        break;
    case SAID_CAS:
        snprintf(what, sizeof what, "{ int e = %u; r%u = atomic_compare_exchange_strong(&x%u_%u, &e, %u); }", in->other,
                 r, n, o, v);
        break;
    case SAID_LOCK:
        snprintf(what, sizeof what, "pthread_mutex_lock(&m%u_%u);", n, o);
        break;
    case SAID_UNLOCK:
        snprintf(what, sizeof what, "pthread_mutex_unlock(&m%u_%u);", n, o);
        break;
    case SAID_TRYLOCK:
        snprintf(what, sizeof what, "r%u = !pthread_mutex_trylock(&m%u_%u);", r, n, o);
        break;
    case SAID_TRYUNLOCK:
        snprintf(what, sizeof what, "if (r%u) pthread_mutex_unlock(&m%u_%u);", r, n, o);
        break;
    case SAID_WAIT:
        snprintf(what, sizeof what, "pthread_cond_wait(&c%u, &m%u_%u);", n, n, o);
        break;
    case SAID_SIGNAL:
        snprintf(what, sizeof what, "pthread_cond_signal(&c%u);", n);
        break;
    case SAID_BROADCAST:
        snprintf(what, sizeof what, "pthread_cond_broadcast(&c%u);", n);
        break;
    case SAID_CHOOSE:
        snprintf(what, sizeof what, "r%u = heddle_choose(%u);", r, v);
        break;
    case SAID_ASSERT:
        snprintf(what, sizeof what, "assert(r%u != %u);", r, v);
        break;
    case SAID_CREATE:
        snprintf(what, sizeof what, "pthread_create(&h%u_%u, 0, t%u_%u, 0);", n, o, n, o);
        break;
    case SAID_JOIN:
        snprintf(what, sizeof what, "pthread_join(h%u_%u, 0);", n, o);
        break;
    case SAID_EXIT:
        snprintf(what, sizeof what, "exit(0);");
        break;
    case SAID_RETURN:
        snprintf(what, sizeof what, "return 0;");
        break;
    }
    in->line = *s->line;
    say(s, "    %s%s", guard, what);
}

void said_print(struct said_program *p, uint32_t n, FILE *out, uint32_t *line)
{
    struct printer s = {out, line, n};
    for (uint32_t i = 0; i < SAID_CELLS; i++)
        say(&s, "static atomic_int x%u_%u;", n, i);
    for (uint32_t i = 0; i < SAID_MUTEXES; i++)
        say(&s, "static pthread_mutex_t m%u_%u = PTHREAD_MUTEX_INITIALIZER;", n, i);
    say(&s, "static pthread_cond_t c%u = PTHREAD_COND_INITIALIZER;", n);
    for (uint32_t t = p->threads; t-- > 0;) {
        say(&s, "static pthread_t h%u_%u;", n, t);
        say(&s, "static void *t%u_%u(void *none)", n, t);
        say(&s, "{");
        say(&s, "    int r0 = 0, r1 = 0, r2 = 0, r3 = 0, r4 = 0;");
        for (uint32_t i = 0; i < p->length[t]; i++)
            print_instr(&s, &p->code[t][i]);
        say(&s, "}");
    }
}

void said_print_head(FILE *out, uint32_t *line)
{
    struct printer s = {out, line, 0};
    say(&s, "#include <assert.h>");
    say(&s, "#include <heddle/heddle.h>");
    say(&s, "#include <pthread.h>");
    say(&s, "#include <stdatomic.h>");
    say(&s, "#include <stdlib.h>");
}

void said_print_main(FILE *out, uint32_t programs)
{
    fprintf(out, "static void *(*const begin[])(void *) = {");
    for (uint32_t n = 0; n < programs; n++)
        fprintf(out, "t%u_0, ", n);
    fprintf(out,
            "};\nint main(int argc, char **argv)\n{\n    begin[argc > 1 ? atoi(argv[1]) : 0](0);\n    return 0;\n}\n");
}
