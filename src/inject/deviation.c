#include "inject/deviation.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { WINDOW = 4000, AGAIN = 8 }; // how far to look for where both are at the same places again, and how many in a row

const char *const deviation_words[DEVIATION_KINDS] = {
    [DEVIATES_NOT] = "does the same",        [DEVIATES_IN_VALUE] = "another value",
    [DEVIATES_IN_OBJECT] = "another object", [DEVIATES_IN_WAY] = "another way",
    [DEVIATES_BY_END] = "ends earlier",      [DEVIATES_BY_MORE] = "goes on",
    [DEVIATES_BY_ABSENCE] = "is not there",  [DEVIATES_BY_PRESENCE] = "is there only now",
    [DEVIATES_BY_FAULT] = "only the fault",
};

static enum deviation_kind compare_records(const struct canonical_record *a, const struct canonical_record *b)
{
    return a->what != b->what       ? DEVIATES_IN_WAY
           : a->object != b->object ? DEVIATES_IN_OBJECT
           : a->value != b->value   ? DEVIATES_IN_VALUE
                                    : DEVIATES_NOT;
}

static void note_object(struct deviation *d, uint64_t object)
{
    for (size_t i = 0; i < d->reached_count; i++)
        if (d->reached[i] == object)
            return;
    d->reached = alloc_grow(d->reached, d->reached_count, &d->reached_room, sizeof *d->reached);
    d->reached[d->reached_count++] = object;
}

// Whether both threads do the same for a while from there on.
static bool goes_together(const struct canonical_thread *a, size_t i, const struct canonical_thread *b, size_t k)
{
    size_t n = 0;
    while (n < AGAIN && i + n < a->count && k + n < b->count && a->records[i + n].what == b->records[k + n].what)
        n++;
    return n == AGAIN || (n > 0 && i + n == a->count && k + n == b->count);
}

// Moves both to where they go together again, by as few records as can be. False: nowhere near.
static bool meet_again(const struct canonical_thread *a, size_t *i, const struct canonical_thread *b, size_t *k)
{
    for (size_t sum = 1; sum <= WINDOW; sum++)
        for (size_t more = 0; more <= sum; more++) {
            size_t x = *i + sum - more, y = *k + more;
            if (x < a->count && y < b->count && goes_together(a, x, b, y)) {
                *i = x;
                *k = y;
                return true;
            }
        }
    return false;
}

static void first_deviation(struct thread_deviation *t, enum deviation_kind kind, size_t i, size_t k)
{
    if (t->kind)
        return;
    t->kind = kind;
    t->at[0] = i;
    t->at[1] = k;
}

// Passes over a record of a fault that only one of the two threads has there.
static bool pass_fault(const struct canonical_thread *a, size_t *i, const struct canonical_thread *b, size_t *k)
{
    bool first = *i < a->count && canonical_op_of(a->records[*i].what) == CANONICAL_FAULT;
    bool second = *k < b->count && canonical_op_of(b->records[*k].what) == CANONICAL_FAULT;
    if (first && second && compare_records(&a->records[*i], &b->records[*k]) == DEVIATES_NOT)
        return false;
    *i += first;
    *k += second;
    return first || second;
}

static void compare_ends(struct thread_deviation *t, size_t i, size_t k)
{
    if (i < t->golden->count)
        first_deviation(t, DEVIATES_BY_END, i, k);
    else if (k < t->other->count)
        first_deviation(t, DEVIATES_BY_MORE, i, k);
    t->missing += t->golden->count - i;
    t->additional += t->other->count - k;
}

static void compare_threads(struct deviation *d, struct thread_deviation *t)
{
    const struct canonical_thread *a = t->golden, *b = t->other;
    size_t i = 0, k = 0, fault[2] = {SIZE_MAX, 0};
    for (;;) {
        size_t at[2] = {i, k};
        if (pass_fault(a, &i, b, &k) && fault[0] == SIZE_MAX)
            memcpy(fault, at, sizeof fault);
        if (i >= a->count || k >= b->count)
            break;
        enum deviation_kind kind = compare_records(&a->records[i], &b->records[k]);
        if (kind)
            first_deviation(t, kind, i, k);
        if (kind == DEVIATES_IN_WAY) {
            size_t from = i, since = k;
            t->others++;
            if (!meet_again(a, &i, b, &k))
                break;
            t->missing += i - from;
            t->additional += k - since;
            continue;
        }
        t->values += kind == DEVIATES_IN_VALUE;
        t->objects += kind == DEVIATES_IN_OBJECT;
        if (kind && b->records[k].object)
            note_object(d, b->records[k].object);
        i++;
        k++;
    }
    compare_ends(t, i, k);
    if (fault[0] != SIZE_MAX)
        first_deviation(t, DEVIATES_BY_FAULT, fault[0], fault[1]);
}

void deviation_each(const struct thread_deviation *t,
                    void (*tell)(void *context, const struct canonical_thread *thread, size_t at), void *context)
{
    size_t i = t->at[0], k = t->at[1];
    while (t->golden && t->other) {
        pass_fault(t->golden, &i, t->other, &k);
        if (i >= t->golden->count || k >= t->other->count)
            return;
        enum deviation_kind kind = compare_records(&t->golden->records[i], &t->other->records[k]);
        if (kind == DEVIATES_IN_WAY && !meet_again(t->golden, &i, t->other, &k))
            return;
        if (kind == DEVIATES_IN_WAY)
            continue;
        if (kind && t->other->records[k].object)
            tell(context, t->other, k);
        i++;
        k++;
    }
}

static void add_thread(struct deviation *d, struct thread_deviation t)
{
    if (!t.kind)
        return;
    d->threads = alloc_grow(d->threads, d->count, &d->room, sizeof *d->threads);
    d->threads[d->count++] = t;
}

void deviation_find(const struct canonical_trace *golden, const struct canonical_trace *other, struct deviation *d)
{
    memset(d, 0, sizeof *d);
    for (size_t i = 0; i < golden->count; i++) {
        const struct canonical_thread *a = &golden->threads[i], *b = canonical_find(other, a->path);
        struct thread_deviation t = {.golden = a, .other = b};
        if (!b) {
            t.kind = DEVIATES_BY_ABSENCE;
            t.missing = a->count;
        } else {
            compare_threads(d, &t);
        }
        add_thread(d, t);
    }
    for (size_t i = 0; i < other->count; i++)
        if (!canonical_find(golden, other->threads[i].path))
            add_thread(d, (struct thread_deviation){.other = &other->threads[i],
                                                    .kind = DEVIATES_BY_PRESENCE,
                                                    .additional = other->threads[i].count});
}

void deviation_free(struct deviation *d)
{
    free(d->threads);
    free(d->reached);
    memset(d, 0, sizeof *d);
}

// ---- words ----

static void print_side(struct canonical_trace *t, const struct canonical_thread *thread, size_t at, const char *mark,
                       FILE *out)
{
    struct buffer words = {0};
    if (!thread || at >= thread->count)
        buffer_add(&words, "(its end)");
    else
        canonical_record_words(t, &thread->records[at], &words);
    fprintf(out, "    %s %s\n", mark, buffer_text(&words));
    buffer_free(&words);
}

void deviation_print(struct canonical_trace *golden, struct canonical_trace *other, const struct deviation *d,
                     FILE *out)
{
    enum { MOST = 12 };
    for (size_t i = 0; i < d->count; i++) {
        const struct thread_deviation *t = &d->threads[i];
        const char *name = t->golden ? t->golden->name : t->other->name;
        fprintf(out, "%s: %s", name, deviation_words[t->kind]);
        if (t->golden && t->other)
            fprintf(out, " after %zu records", t->at[0]);
        fprintf(out, "\n");
        if (t->golden && t->other) {
            print_side(golden, t->golden, t->at[0], "<", out);
            print_side(other, t->other, t->at[1], ">", out);
        }
        fprintf(out,
                "    then %" PRIu64 " other values, %" PRIu64 " other objects, %" PRIu64 " other ways; %" PRIu64
                " records missing, %" PRIu64 " additional\n",
                t->values, t->objects, t->others, t->missing, t->additional);
    }
    if (d->reached_count)
        fprintf(out, "objects reached: %zu\n", d->reached_count);
    for (size_t i = 0; i < d->reached_count && i < MOST; i++) {
        struct buffer name = {0};
        canonical_object(other, d->reached[i], &name);
        fprintf(out, "    %s\n", buffer_text(&name));
        buffer_free(&name);
    }
    if (d->reached_count > MOST)
        fprintf(out, "    … and %zu more\n", d->reached_count - MOST);
}
