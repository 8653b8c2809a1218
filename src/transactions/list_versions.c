// Lists: each read shows all that was appended so far, and in which order.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "transactions/versions.h"

struct list_scan {
    struct versions *v;
    const struct transactions *from;
    uint32_t *seen; // of each access: the read that was last seen to have it, plus one
};

static void report(struct versions *v, enum anomaly_kind kind, uint32_t read, uint32_t write, uint32_t other)
{
    if (v->anomaly.kind == ANOMALY_NONE)
        v->anomaly = (struct anomaly){.kind = kind, .read = read, .write = write, .other = other};
}

// The first append of the same transaction to the same list after this access, or NO_ACCESS.
static uint32_t append_after(const struct transactions *from, uint32_t access)
{
    const struct access *a = &from->accesses[access];
    const struct transaction *t = &from->all[a->transaction];
    for (uint32_t i = access + 1; i < t->first + t->count; i++)
        if (from->accesses[i].write && from->accesses[i].key == a->key)
            return i;
    return NO_ACCESS;
}

static uint32_t append_before(const struct transactions *from, uint32_t access)
{
    const struct access *a = &from->accesses[access];
    const struct transaction *t = &from->all[a->transaction];
    for (uint32_t i = access; i-- > t->first;)
        if (from->accesses[i].write && from->accesses[i].key == a->key)
            return i;
    return NO_ACCESS;
}

// How many elements at the end are the transaction's own, if it sees what it appended before, and nothing else of its own.
static bool check_own(struct list_scan *s, uint32_t read, uint32_t *own)
{
    const struct transactions *from = s->from;
    const struct access *r = &from->accesses[read];
    const int64_t *list = elements_of(from, r);
    *own = 0;
    for (uint32_t a = append_before(from, read); a != NO_ACCESS; a = append_before(from, a)) {
        if (*own == r->count || list[r->count - 1 - *own] != from->accesses[a].value) {
            report(s->v, ANOMALY_INTERNAL, read, a, NO_ACCESS);
            return false;
        }
        ++*own;
    }
    return true;
}

// Each element on its own: somebody appended it, who did not abort; it is there once; it is not the reader's own.
static bool check_element(struct list_scan *s, uint32_t read, uint32_t at, uint32_t own)
{
    const struct transactions *from = s->from;
    const struct access *r = &from->accesses[read];
    int64_t value = elements_of(from, r)[at];
    uint32_t write = transactions_writer(from, r->key, value);
    if (write == NO_ACCESS) {
        report(s->v, ANOMALY_GARBAGE, read, NO_ACCESS, NO_ACCESS);
        s->v->anomaly.value = s->v->anomaly.read == read ? value : s->v->anomaly.value;
        return false;
    }
    if (s->seen[write] == read + 1) {
        report(s->v, ANOMALY_TWICE, read, write, NO_ACCESS);
        return false;
    }
    s->seen[write] = read + 1;
    uint32_t writer = from->accesses[write].transaction;
    if (from->all[writer].outcome == OUTCOME_ABORTED) {
        report(s->v, ANOMALY_ABORTED, read, write, NO_ACCESS);
        return false;
    }
    if (writer == r->transaction && at < r->count - own) {
        report(s->v, write > read ? ANOMALY_FUTURE : ANOMALY_INTERNAL, read, write, NO_ACCESS);
        return false;
    }
    s->v->takes_part[writer] = true;
    return true;
}

static void scan_read(struct list_scan *s, uint32_t read)
{
    const struct transactions *from = s->from;
    struct versions *v = s->v;
    const struct access *r = &from->accesses[read];
    uint32_t own;
    if (!check_own(s, read, &own))
        return;
    for (uint32_t i = 0; i < r->count; i++)
        if (!check_element(s, read, i, own))
            return;
    uint32_t *longest = &v->longest[r->key];
    if (*longest == NO_ACCESS || from->accesses[*longest].count < r->count)
        *longest = read;
    v->of_access[read] = own ? NO_VERSION : FIRST_VERSION;
    if (r->count == own)
        return;
    uint32_t last = transactions_writer(from, r->key, elements_of(from, r)[r->count - own - 1]);
    uint32_t missing = append_after(from, last);
    if (missing != NO_ACCESS && s->seen[missing] == read + 1)
        report(v, ANOMALY_REORDERED, read, missing, last);
    else if (missing != NO_ACCESS)
        report(v, ANOMALY_INTERMEDIATE, read, last, missing);
    else if (!own)
        v->of_access[read] = last;
}

void list_versions(struct versions *v)
{
    const struct transactions *from = v->from;
    struct list_scan s = {v, from, alloc_ended(from->access_count, sizeof *s.seen)};
    for (uint32_t i = 0; i < from->access_count; i++)
        if (!from->accesses[i].write && from->all[from->accesses[i].transaction].outcome == OUTCOME_COMMITTED)
            scan_read(&s, i);
    for (uint32_t i = 0; i < from->access_count && v->anomaly.kind == ANOMALY_NONE; i++) {
        const struct access *r = &from->accesses[i];
        if (r->write || from->all[r->transaction].outcome != OUTCOME_COMMITTED)
            continue;
        const struct access *longest = &from->accesses[v->longest[r->key]];
        if (r->count && memcmp(elements_of(from, r), elements_of(from, longest), r->count * sizeof *from->elements))
            report(v, ANOMALY_INCOMPATIBLE, i, NO_ACCESS, v->longest[r->key]);
    }
    free(s.seen);
}

// The order

static bool has_later(const struct transactions *from, const struct access *read, uint32_t at, uint32_t write)
{
    const int64_t *list = elements_of(from, read);
    for (uint32_t i = at; i < read->count; i++)
        if (list[i] == from->accesses[write].value)
            return true;
    return false;
}

// The append of the same transaction before this one is not where it has to be: directly before this one, at `at`.
static void report_misplaced(struct versions *v, uint32_t longest, uint32_t at, uint32_t write, uint32_t missing)
{
    const struct transactions *from = v->from;
    const struct access *read = &from->accesses[longest];
    if (has_later(from, read, at, missing))
        report(v, ANOMALY_REORDERED, longest, write, missing);
    else if (has_later(from, read, 0, missing))
        report(v, ANOMALY_INTERLEAVED, longest, write,
               transactions_writer(from, read->key, elements_of(from, read)[at - 1]));
    else
        report(v, ANOMALY_INTERMEDIATE, longest, write, missing);
}

// Goes along the longest list: the appends of each transaction stand together, in their order, and all of them.
static void order_list(struct versions *v, uint32_t key)
{
    const struct transactions *from = v->from;
    uint32_t longest = v->longest[key], last = key, previous = NO_ACCESS;
    const struct access *read = &from->accesses[longest];
    for (uint32_t i = 0; i < read->count; i++) {
        uint32_t write = transactions_writer(from, key, elements_of(from, read)[i]);
        uint32_t expected = append_before(from, write);
        bool begins = previous == NO_ACCESS || from->accesses[previous].final;
        if (expected != NO_ACCESS && expected != previous) {
            report_misplaced(v, longest, i, write, expected);
            return;
        }
        if (expected == NO_ACCESS && !begins) {
            uint32_t missing = append_after(from, previous);
            bool later = has_later(from, read, i, missing);
            report(v, later ? ANOMALY_INTERLEAVED : ANOMALY_INTERMEDIATE, longest, previous, later ? write : missing);
            return;
        }
        previous = write;
        uint32_t final = write;
        while (!from->accesses[final].final)
            final = append_after(from, final);
        uint32_t version = v->of_access[final];
        if (version == last)
            continue;
        v->all[last].next = version;
        v->all[version].previous = last;
        last = version;
    }
}

void list_order(struct versions *v)
{
    for (uint32_t key = 0; key < v->from->key_count && v->anomaly.kind == ANOMALY_NONE; key++)
        if (v->longest[key] != NO_ACCESS)
            order_list(v, key);
}
