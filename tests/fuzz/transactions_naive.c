#include "fuzz/transactions_naive.h"

#include <string.h>

// A list, or a register as a list of at most one value.
struct contents {
    int list[NAIVE_LENGTH], length;
};

struct database {
    struct contents key[NAIVE_KEYS];
};

struct trying {
    const struct naive_txns *h;
    const struct level *level;
    struct database after[NAIVE_TXNS + 1]; // how many were placed
    int order[NAIVE_TXNS], placed;
    bool used[NAIVE_TXNS];
};

static void write_to(const struct naive_txns *h, struct contents *c, int value)
{
    if (!h->lists)
        c->length = 0;
    c->list[c->length++] = value;
}

static bool writes_key(const struct naive_txn *t, int key)
{
    for (int i = 0; i < t->count; i++)
        if (t->access[i].write && t->access[i].key == key)
            return true;
    return false;
}

static bool shows(const struct naive_txns *h, const struct contents *c, const struct naive_access *read)
{
    if (!h->lists)
        return read->value == (c->length ? c->list[0] : NAIVE_NIL);
    return c->length == read->length && !memcmp(c->list, read->list, sizeof *c->list * (size_t)c->length);
}

// Whether the transaction sees these contents, changed by its own writes.
static bool reads_from(const struct naive_txns *h, const struct naive_txn *t, const struct database *seen)
{
    struct database own = *seen;
    for (int i = 0; i < t->count; i++) {
        const struct naive_access *a = &t->access[i];
        if (a->write)
            write_to(h, &own.key[a->key], a->value);
        else if (t->outcome == NAIVE_COMMITTED && !shows(h, &own.key[a->key], a))
            return false;
    }
    return true;
}

// Read committed: what it reads before its own write is what some transactions left that came first; after it, its own write
// on top of what all of them left.
static bool reads_committed(const struct trying *y, const struct naive_txn *t)
{
    struct database own = y->after[y->placed];
    for (int i = 0; i < t->count; i++) {
        const struct naive_access *a = &t->access[i];
        bool written = false, found = false;
        for (int j = 0; j < i; j++)
            written = written || (t->access[j].write && t->access[j].key == a->key);
        if (a->write)
            write_to(y->h, &own.key[a->key], a->value);
        if (a->write || t->outcome != NAIVE_COMMITTED)
            continue;
        if (written)
            found = shows(y->h, &own.key[a->key], a);
        for (int p = 0; p <= y->placed && !written && !found; p++)
            found = shows(y->h, &y->after[p].key[a->key], a);
        if (!found)
            return false;
    }
    return true;
}

static bool goes_before(const struct trying *y, const struct naive_txn *a, const struct naive_txn *b)
{
    if (a->outcome == NAIVE_UNKNOWN)
        return false;
    if (y->level->order == TIME_ORDER)
        return a->returned < b->called;
    return y->level->order == SESSION_ORDER && a->process == b->process && a->called < b->called;
}

// A snapshot after so many transactions: all that have to come first are in it, and nobody after it wrote the same.
static bool reads_snapshot(const struct trying *y, const struct naive_txn *t, int snapshot)
{
    for (int p = snapshot; p < y->placed; p++) {
        const struct naive_txn *other = &y->h->txn[y->order[p]];
        if (goes_before(y, other, t))
            return false;
        for (int key = 0; key < NAIVE_KEYS; key++)
            if (writes_key(other, key) && writes_key(t, key))
                return false;
    }
    return reads_from(y->h, t, &y->after[snapshot]);
}

static bool can_be_next(const struct trying *y, const struct naive_txn *t)
{
    for (int p = 0; p < y->placed; p++)
        if (goes_before(y, t, &y->h->txn[y->order[p]]))
            return false;
    if (y->level->isolation == READ_COMMITTED)
        return reads_committed(y, t);
    if (y->level->isolation == SERIALIZABLE)
        return reads_from(y->h, t, &y->after[y->placed]);
    for (int snapshot = 0; snapshot <= y->placed; snapshot++)
        if (reads_snapshot(y, t, snapshot))
            return true;
    return false;
}

static void place(struct trying *y, int number)
{
    const struct naive_txn *t = &y->h->txn[number];
    y->used[number] = true;
    y->order[y->placed] = number;
    y->after[y->placed + 1] = y->after[y->placed];
    y->placed++;
    for (int i = 0; i < t->count; i++)
        if (t->access[i].write)
            write_to(y->h, &y->after[y->placed].key[t->access[i].key], t->access[i].value);
}

static bool try_orders(struct trying *y)
{
    bool all = true;
    for (int i = 0; i < y->h->count; i++)
        all = all && (y->used[i] || y->h->txn[i].outcome != NAIVE_COMMITTED);
    if (all)
        return true;
    for (int i = 0; i < y->h->count; i++) {
        if (y->used[i] || y->h->txn[i].outcome == NAIVE_ABORTED || !can_be_next(y, &y->h->txn[i]))
            continue;
        place(y, i);
        bool right = try_orders(y);
        y->placed--;
        y->used[i] = false;
        if (right)
            return true;
    }
    return false;
}

bool naive_allows(const struct naive_txns *h, const struct level *level)
{
    struct trying y = {.h = h, .level = level};
    return try_orders(&y);
}
