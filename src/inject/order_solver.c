#include "inject/order_solver.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { MOST_PAIRS = 200000, MOST_MILLISECONDS = 10000 };

// The few functions of Z3's interface for C that are needed; it is spoken to in SMT-LIB.
static struct {
    void *library;
    void *(*mk_config)(void);
    void (*del_config)(void *config);
    void *(*mk_context)(void *config);
    void (*del_context)(void *context);
    void (*set_error_handler)(void *context, void (*handler)(void *context, int error));
    const char *(*eval)(void *context, const char *text);
} z3;

struct order_solver {
    void *context;
    const struct order_thread *threads;
    uint32_t count;
};

static void ignore_error(void *context, int error)
{
    (void)context;
    (void)error;
}

static bool find_function(void *where, const char *name)
{
    *(void **)where = dlsym(z3.library, name);
    return *(void **)where != NULL;
}

static bool z3_is_there(void)
{
    static bool looked, found;
    if (looked)
        return found;
    looked = true;
    z3.library = dlopen("libz3.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!z3.library)
        z3.library = dlopen("libz3.so", RTLD_NOW | RTLD_LOCAL);
    found = z3.library && find_function(&z3.mk_config, "Z3_mk_config") &&
            find_function(&z3.del_config, "Z3_del_config") && find_function(&z3.mk_context, "Z3_mk_context") &&
            find_function(&z3.del_context, "Z3_del_context") &&
            find_function(&z3.set_error_handler, "Z3_set_error_handler") &&
            find_function(&z3.eval, "Z3_eval_smtlib2_string");
    return found;
}

// ---- the trace in SMT-LIB ----
//
// "t2e17" is event 17 of thread 2; "t2b" and "t2z" are its begin and its end.

static bool is_anchor(const struct order_event *e)
{
    return e->kind != ORDER_ACCESS;
}

static void say_program_order(const struct order_solver *s, struct buffer *text)
{
    for (uint32_t t = 0; t < s->count; t++) {
        buffer_add(text, "(declare-const t%ub Int)(declare-const t%uz Int)\n(assert (< t%ub ", t, t, t);
        for (size_t i = 0; i < s->threads[t].count; i++)
            if (is_anchor(&s->threads[t].events[i]))
                buffer_add(text, "t%ue%zu))(assert (< t%ue%zu ", t, i, t, i);
        buffer_add(text, "t%uz))\n", t);
    }
}

static void declare_anchors(const struct order_solver *s, struct buffer *text)
{
    for (uint32_t t = 0; t < s->count; t++)
        for (size_t i = 0; i < s->threads[t].count; i++)
            if (is_anchor(&s->threads[t].events[i]))
                buffer_add(text, "(declare-const t%ue%zu Int)\n", t, i);
}

static void say_barrier(const struct order_solver *s, uint32_t thread, size_t event, struct buffer *text)
{
    const struct order_event *leaves = &s->threads[thread].events[event];
    for (uint32_t t = 0; t < s->count; t++)
        for (size_t i = 0; i < s->threads[t].count; i++) {
            const struct order_event *e = &s->threads[t].events[i];
            if (e->kind == ORDER_ARRIVE && e->object == leaves->object && e->other <= leaves->other)
                buffer_add(text, "(assert (< t%ue%zu t%ue%zu))\n", t, i, thread, event);
        }
}

static void say_threads(const struct order_solver *s, struct buffer *text)
{
    for (uint32_t t = 0; t < s->count; t++)
        for (size_t i = 0; i < s->threads[t].count; i++) {
            const struct order_event *e = &s->threads[t].events[i];
            if (e->kind == ORDER_CREATE && e->other < s->count)
                buffer_add(text, "(assert (< t%ue%zu t%ub))\n", t, i, e->other);
            else if (e->kind == ORDER_JOIN && e->other < s->count)
                buffer_add(text, "(assert (< t%uz t%ue%zu))\n", e->other, t, i);
            else if (e->kind == ORDER_LEAVE)
                say_barrier(s, t, i, text);
        }
}

struct locked {
    uint32_t thread;
    size_t begin, end; // SIZE_MAX: it does not end
};

static size_t end_of(const struct order_thread *t, size_t begin)
{
    size_t depth = 0;
    for (size_t i = begin; i < t->count; i++) {
        if (t->events[i].object != t->events[begin].object)
            continue;
        depth += t->events[i].kind == ORDER_LOCK;
        if (t->events[i].kind == ORDER_UNLOCK && !--depth)
            return i;
    }
    return SIZE_MAX;
}

static size_t find_locked(const struct order_solver *s, uint64_t mutex, struct locked *found)
{
    size_t n = 0;
    for (uint32_t t = 0; t < s->count; t++)
        for (size_t i = 0; i < s->threads[t].count; i++) {
            const struct order_event *e = &s->threads[t].events[i];
            if (e->kind != ORDER_LOCK || e->object != mutex)
                continue;
            if (found)
                found[n] = (struct locked){t, i, end_of(&s->threads[t], i)};
            n++;
            if (found && found[n - 1].end != SIZE_MAX)
                i = found[n - 1].end; // what is locked again in it belongs to it
        }
    return n;
}

static void say_before(const struct locked *a, const struct locked *b, struct buffer *text)
{
    buffer_add(text, " (< t%ue%zu t%ue%zu)", a->thread, a->end, b->thread, b->begin);
}

// False: there are too many.
static bool say_mutex(const struct order_solver *s, uint64_t mutex, size_t *pairs, struct buffer *text)
{
    struct locked *sections = alloc_zeroed(find_locked(s, mutex, NULL) + 1, sizeof *sections);
    size_t n = find_locked(s, mutex, sections);
    *pairs += n * n / 2;
    for (size_t i = 0; i < n && *pairs <= MOST_PAIRS; i++)
        for (size_t k = i + 1; k < n; k++) {
            if (sections[i].thread == sections[k].thread || sections[i].end == SIZE_MAX || sections[k].end == SIZE_MAX)
                continue; // somebody else may have ended it
            buffer_add(text, "(assert (or");
            say_before(&sections[i], &sections[k], text);
            say_before(&sections[k], &sections[i], text);
            buffer_add(text, "))\n");
        }
    free(sections);
    return *pairs <= MOST_PAIRS;
}

static bool is_first_of(const struct order_solver *s, uint32_t thread, size_t event, uint64_t mutex)
{
    for (uint32_t t = 0; t <= thread; t++)
        for (size_t i = 0; i < (t == thread ? event : s->threads[t].count); i++)
            if (s->threads[t].events[i].kind == ORDER_LOCK && s->threads[t].events[i].object == mutex)
                return false;
    return true;
}

static bool say_mutexes(const struct order_solver *s, struct buffer *text)
{
    size_t pairs = 0;
    for (uint32_t t = 0; t < s->count; t++)
        for (size_t i = 0; i < s->threads[t].count; i++) {
            const struct order_event *e = &s->threads[t].events[i];
            if (e->kind == ORDER_LOCK && is_first_of(s, t, i, e->object) && !say_mutex(s, e->object, &pairs, text))
                return false;
        }
    return true;
}

// ---- asking ----

struct order_solver *order_solver_open(const struct order_thread *threads, uint32_t count, const char **why)
{
    struct order_solver s = {NULL, threads, count};
    struct buffer text = {0};
    *why = NULL;
    if (!z3_is_there()) {
        *why = "libz3 is not there";
        return NULL;
    }
    buffer_add(&text, "(set-option :timeout %d)(set-logic QF_IDL)\n", MOST_MILLISECONDS);
    declare_anchors(&s, &text);
    say_program_order(&s, &text);
    say_threads(&s, &text);
    if (!say_mutexes(&s, &text)) {
        *why = "there are too many sections of mutexes for Z3";
        buffer_free(&text);
        return NULL;
    }
    void *config = z3.mk_config();
    s.context = z3.mk_context(config);
    z3.del_config(config);
    z3.set_error_handler(s.context, ignore_error);
    buffer_add(&text, "(check-sat)\n");
    const char *answer = z3.eval(s.context, text.text);
    bool makes_sense = answer && !strncmp(answer, "sat", 3); // or else every order would be impossible
    buffer_free(&text);
    if (!makes_sense) {
        *why = "Z3 finds no order for the trace at all";
        z3.del_context(s.context);
        return NULL;
    }
    struct order_solver *made = alloc_zeroed(1, sizeof *made);
    *made = s;
    return made;
}

void order_solver_close(struct order_solver *s)
{
    if (s)
        z3.del_context(s->context);
    free(s);
}

static void name_anchor(const struct order_solver *s, uint32_t thread, size_t event, bool before, struct buffer *text)
{
    const struct order_thread *t = &s->threads[thread];
    size_t i = event;
    if (before)
        while (i > 0 && !is_anchor(&t->events[i - 1]))
            i--;
    else
        while (++i < t->count && !is_anchor(&t->events[i]))
            ;
    if (before ? i == 0 : i >= t->count)
        buffer_add(text, "t%u%c", thread, before ? 'b' : 'z');
    else
        buffer_add(text, "t%ue%zu", thread, before ? i - 1 : i);
}

// The access stands between the events of its thread that order others.
static void place_access(const struct order_solver *s, const char *name, struct order_place at, struct buffer *text)
{
    buffer_add(text, "(declare-const %s Int)(assert (< ", name);
    name_anchor(s, at.thread, at.event, true, text);
    buffer_add(text, " %s))(assert (< %s ", name, name);
    name_anchor(s, at.thread, at.event, false, text);
    buffer_add(text, "))\n");
}

enum order_answer order_solver_ask(struct order_solver *s, struct order_place first, struct order_place second)
{
    struct buffer text = {0};
    buffer_add(&text, "(push)\n");
    place_access(s, "first", first, &text);
    place_access(s, "second", second, &text);
    buffer_add(&text, "(assert (< second first))(check-sat)(pop)\n");
    const char *answer = z3.eval(s->context, text.text);
    buffer_free(&text);
    if (answer && !strncmp(answer, "sat", 3))
        return ORDER_POSSIBLE;
    return answer && !strncmp(answer, "unsat", 5) ? ORDER_IMPOSSIBLE : ORDER_UNKNOWN;
}
