#include "fuzz/transactions_random.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/history_random.h"

// Old: a transaction reads from some moment in the past. Older: so does each of its reads.
enum store { STORE_SERIAL, STORE_SNAPSHOT, STORE_COMMITTED, STORE_DIRTY, STORE_OLD, STORE_OLDER, STORES };

struct contents {
    int list[NAIVE_LENGTH], length;
};

struct database {
    struct contents key[NAIVE_KEYS];
};

struct running {
    struct naive_txns *h;
    uint64_t *seed;
    enum store store;
    struct database now, snapshot[NAIVE_TXNS], past[NAIVE_TXNS + 1];
    int commits;
    int done[NAIVE_TXNS]; // accesses
    int of_process[NAIVE_TXNS];
    int clock, keys, next_value;
    bool repeat;
};

static int below(uint64_t *seed, int n)
{
    return (int)(random_next(seed) % (uint64_t)n);
}

static void write_to(const struct naive_txns *h, struct contents *c, int value)
{
    if (!h->lists)
        c->length = 0;
    if (c->length < NAIVE_LENGTH)
        c->list[c->length++] = value;
}

// Seldom long ago.
static struct database past_moment(struct running *r)
{
    int back = 0;
    while (back < r->commits && below(r->seed, 2))
        back++;
    return r->past[r->commits - back];
}

static void begin(struct running *r, int number, int process)
{
    struct naive_txn *t = &r->h->txn[number];
    *t = (struct naive_txn){.process = process, .called = r->clock++, .outcome = NAIVE_UNKNOWN};
    t->count = 1 + below(r->seed, NAIVE_ACCESSES);
    for (int i = 0; i < t->count; i++) {
        bool write = below(r->seed, 2);
        t->access[i] = (struct naive_access){.write = write, .key = below(r->seed, r->keys)};
        if (write)
            t->access[i].value = r->repeat ? 1 + below(r->seed, 3) : r->next_value++;
    }
    r->snapshot[number] = r->store == STORE_OLD ? past_moment(r) : r->now;
    r->done[number] = 0;
}

// What the transaction would see of the key now.
static struct contents see(struct running *r, int number, int key, int upto)
{
    const struct naive_txn *t = &r->h->txn[number];
    struct contents c = r->now.key[key];
    if (r->store == STORE_SNAPSHOT || r->store == STORE_OLD)
        c = r->snapshot[number].key[key];
    else if (r->store == STORE_OLDER)
        c = past_moment(r).key[key];
    for (int i = 0; i < upto && r->store != STORE_DIRTY; i++)
        if (t->access[i].write && t->access[i].key == key)
            write_to(r->h, &c, t->access[i].value);
    return c;
}

static void step(struct running *r, int number)
{
    struct naive_txn *t = &r->h->txn[number];
    int at = r->done[number]++;
    struct naive_access *a = &t->access[at];
    if (a->write) {
        if (r->store == STORE_DIRTY)
            write_to(r->h, &r->now.key[a->key], a->value);
        return;
    }
    struct contents c = see(r, number, a->key, at);
    a->length = c.length;
    memcpy(a->list, c.list, sizeof c.list);
    if (!r->h->lists)
        a->value = c.length ? c.list[0] : NAIVE_NIL;
}

static bool conflicts(const struct running *r, int number)
{
    const struct naive_txn *t = &r->h->txn[number];
    for (int i = 0; i < t->count && r->store == STORE_SNAPSHOT; i++) {
        const struct contents *then = &r->snapshot[number].key[t->access[i].key], *now = &r->now.key[t->access[i].key];
        if (t->access[i].write && (then->length != now->length || memcmp(then->list, now->list, sizeof then->list)))
            return true;
    }
    return false;
}

static void end(struct running *r, int number)
{
    struct naive_txn *t = &r->h->txn[number];
    bool fails = conflicts(r, number) || !below(r->seed, 12), loses_answer = !below(r->seed, 7);
    for (int i = 0; i < t->count && !fails && r->store != STORE_DIRTY; i++)
        if (t->access[i].write)
            write_to(r->h, &r->now.key[t->access[i].key], t->access[i].value);
    if (!fails)
        r->past[++r->commits] = r->now;
    t->outcome = loses_answer ? NAIVE_UNKNOWN : fails ? NAIVE_ABORTED : NAIVE_COMMITTED;
    t->returned = r->clock++;
}

static void change_read(struct running *r)
{
    struct naive_txn *t = &r->h->txn[below(r->seed, r->h->count)];
    struct naive_access *a = &t->access[below(r->seed, t->count)];
    if (a->write)
        return;
    a->value = below(r->seed, 4) ? below(r->seed, r->next_value + 1) : NAIVE_NIL;
    switch (below(r->seed, 4)) {
    case 0:
        a->length = a->length ? below(r->seed, a->length) : 0;
        break;
    case 1:
        if (a->length < 8)
            a->list[a->length++] = 1 + below(r->seed, r->next_value);
        break;
    case 2:
        if (a->length > 1) {
            int i = below(r->seed, a->length - 1), swap = a->list[i];
            a->list[i] = a->list[i + 1];
            a->list[i + 1] = swap;
        }
        break;
    default: // as somebody else read it
        for (int i = 0; i < r->h->count; i++)
            for (int j = 0; j < r->h->txn[i].count; j++) {
                const struct naive_access *other = &r->h->txn[i].access[j];
                if (!other->write && other->key == a->key && below(r->seed, 2))
                    *a = *other;
            }
    }
}

// Serial transactions take all their steps at once, somewhere between call and return.
static void move(struct running *r, int process, int most)
{
    int *number = &r->of_process[process];
    if (*number < 0) {
        if (r->h->count == most)
            return;
        *number = r->h->count++;
        begin(r, *number, process);
        return;
    }
    struct naive_txn *t = &r->h->txn[*number];
    if (r->done[*number] < t->count) {
        do
            step(r, *number);
        while (r->store == STORE_SERIAL && r->done[*number] < t->count);
        if (r->store != STORE_SERIAL || below(r->seed, 2))
            return;
    }
    end(r, *number);
    *number = -1;
}

static bool is_over(const struct running *r, int processes, int most)
{
    for (int p = 0; p < processes; p++)
        if (r->of_process[p] >= 0)
            return false;
    return r->h->count == most;
}

void random_txns(struct naive_txns *h, uint64_t *seed, int most, bool repeat)
{
    struct running r = {.h = h, .seed = seed, .next_value = 1, .repeat = repeat};
    int processes = 2 + below(seed, 3), count = most - below(seed, below(seed, 3) ? 3 : most);
    *h = (struct naive_txns){.lists = !repeat && below(seed, 2)};
    r.store = (enum store)below(seed, STORES);
    r.keys = 1 + below(seed, NAIVE_KEYS);
    for (int p = 0; p < processes; p++)
        r.of_process[p] = -1;
    while (!is_over(&r, processes, count))
        move(&r, below(seed, processes), count);
    for (int changes = below(seed, 6) ? 0 : 1 + below(seed, 2); changes; changes--)
        change_read(&r);
}

// Files

struct text {
    char *at, *end;
};

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(t->at, (size_t)(t->end - t->at), format, arguments);
    va_end(arguments);
    t->at = length < t->end - t->at ? t->at + length : t->end - 1;
}

static void add_access(struct text *t, const struct naive_txns *h, const struct naive_access *a, bool results, bool edn)
{
    const char *names[2][2] = {{"\"r\"", h->lists ? "\"append\"" : "\"w\""}, {":r", h->lists ? ":append" : ":w"}};
    const char *nothing = edn ? "nil" : "null", *comma = edn ? "" : ",";
    add(t, "[%s%s %d%s ", names[edn][a->write], comma, a->key, comma);
    if (a->write || (results && !h->lists && a->value != NAIVE_NIL))
        add(t, "%d", a->value);
    else if (!results || !h->lists)
        add(t, "%s", nothing);
    else {
        add(t, "[");
        for (int i = 0; i < a->length; i++)
            add(t, "%s%d", i ? edn ? " " : ", " : "", a->list[i]);
        add(t, "]");
    }
    add(t, "]");
}

static void add_value(struct text *t, const struct naive_txns *h, const struct naive_txn *txn, bool results, bool edn)
{
    add(t, "[");
    for (int i = 0; i < txn->count; i++) {
        add(t, "%s", i ? edn ? " " : ", " : "");
        add_access(t, h, &txn->access[i], results, edn);
    }
    add(t, "]");
}

static void add_events(struct text *t, const struct naive_txns *h)
{
    static const char *const types[] = {"ok", "fail", "info"};
    int last = 0;
    for (int i = 0; i < h->count; i++)
        last = h->txn[i].returned > last ? h->txn[i].returned : last;
    for (int time = 0; time <= last; time++)
        for (int i = 0; i < h->count; i++) {
            const struct naive_txn *txn = &h->txn[i];
            bool call = txn->called == time;
            if (!call && txn->returned != time)
                continue;
            add(t, "{:process %d :type :%s :f :txn :value ", txn->process, call ? "invoke" : types[txn->outcome]);
            add_value(t, h, txn, !call && txn->outcome == NAIVE_COMMITTED, true);
            add(t, "}\n");
        }
}

static void add_whole(struct text *t, const struct naive_txns *h)
{
    for (int i = 0; i < h->count; i++) {
        const struct naive_txn *txn = &h->txn[i];
        add(t, "{\"client\": %d, \"value\": ", txn->process);
        add_value(t, h, txn, txn->outcome == NAIVE_COMMITTED, false);
        add(t, ", \"call\": %d", txn->called);
        if (txn->outcome != NAIVE_UNKNOWN)
            add(t, ", \"return\": %d, \"committed\": %s", txn->returned,
                txn->outcome == NAIVE_COMMITTED ? "true" : "false");
        add(t, "}\n");
    }
}

size_t random_txns_write(const struct naive_txns *h, bool events, char *text, size_t room)
{
    struct text t = {text, text + room};
    if (events)
        add_events(&t, h);
    else
        add_whole(&t, h);
    return (size_t)(t.at - text);
}
