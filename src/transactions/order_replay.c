#include "transactions/order_replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct replayed_key {
    int64_t *list; // of a register: its values so far, the last is the current one
    bool *whole;   // a transaction ended with so many elements
    uint32_t count;
    size_t room, whole_room;
};

struct replay {
    const struct transactions *from;
    const struct level *level;
    struct replayed_key *keys;
    uint32_t *snapshot; // of each access: how much of its key there was when its transaction began
    uint8_t *state;     // of each transaction: 0, 1: it began, 2: it ended
    int64_t *started;   // of each process: the latest call among its transactions that began
    int64_t started_at; // the same of all
};

// Orders of time

// Nothing that has begun was called only after this one had returned, as far as the level minds.
static bool ends_in_time(const struct replay *r, const struct transaction *t)
{
    if (t->returned == OPERATION_NEVER)
        return true;
    if (r->level->order == TIME_ORDER)
        return r->started_at <= t->returned;
    return r->level->order != SESSION_ORDER || r->started[t->process] <= t->called;
}

static bool begin_transaction(struct replay *r, uint32_t number)
{
    const struct transaction *t = &r->from->all[number];
    if (r->state[number])
        return false;
    r->state[number] = 1;
    for (uint32_t i = t->first; i < t->first + t->count; i++)
        r->snapshot[i] = r->keys[r->from->accesses[i].key].count;
    if (t->called > r->started_at)
        r->started_at = t->called;
    if (t->called > r->started[t->process])
        r->started[t->process] = t->called;
    return true;
}

// Reads

static bool is_whole(const struct replayed_key *key, uint32_t count)
{
    return !count || key->whole[count - 1];
}

// `own` writes of the transaction stand behind what others left, the newest last.
static bool list_read_fits(const struct replay *r, uint32_t read, uint32_t own)
{
    const struct access *access = &r->from->accesses[read];
    const struct replayed_key *key = &r->keys[access->key];
    const int64_t *list = elements_of(r->from, access);
    if (access->count < own)
        return false;
    uint32_t others = access->count - own, at = access->count;
    for (uint32_t i = read; i-- > r->from->all[access->transaction].first;) {
        const struct access *write = &r->from->accesses[i];
        if (write->write && write->key == access->key && list[--at] != write->value)
            return false;
    }
    if (r->level->isolation != READ_COMMITTED || own) {
        if (others != r->snapshot[read])
            return false;
    } else if (others > key->count || !is_whole(key, others)) {
        return false;
    }
    return !others || !memcmp(list, key->list, others * sizeof *list);
}

static bool register_read_fits(const struct replay *r, uint32_t read, uint32_t last_own)
{
    const struct access *access = &r->from->accesses[read];
    const struct replayed_key *key = &r->keys[access->key];
    uint32_t seen = r->snapshot[read];
    if (last_own != NO_ACCESS)
        return access->value == r->from->accesses[last_own].value;
    if (r->level->isolation != READ_COMMITTED)
        return access->value == (seen ? key->list[seen - 1] : VALUE_NIL);
    bool found = access->value == VALUE_NIL;
    for (uint32_t i = seen; i-- > 0 && !found;)
        found = key->list[i] == access->value;
    return found;
}

static bool read_fits(const struct replay *r, uint32_t read)
{
    const struct access *access = &r->from->accesses[read];
    uint32_t own = 0, last_own = NO_ACCESS;
    for (uint32_t i = r->from->all[access->transaction].first; i < read; i++)
        if (r->from->accesses[i].write && r->from->accesses[i].key == access->key) {
            own++;
            last_own = i;
        }
    return r->from->model == MODEL_LISTS ? list_read_fits(r, read, own) : register_read_fits(r, read, last_own);
}

// Writes

static void put(struct replayed_key *key, int64_t value, bool whole)
{
    key->list = alloc_reserve(key->list, key->count + (size_t)1, &key->room, sizeof *key->list);
    key->whole = alloc_reserve(key->whole, key->count + (size_t)1, &key->whole_room, sizeof *key->whole);
    key->list[key->count] = value;
    key->whole[key->count++] = whole;
}

static bool end_transaction(struct replay *r, uint32_t number)
{
    const struct transaction *t = &r->from->all[number];
    if (r->state[number] != 1 || !ends_in_time(r, t))
        return false;
    r->state[number] = 2;
    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        const struct access *access = &r->from->accesses[i];
        if (access->write ? r->keys[access->key].count != r->snapshot[i]
                          : t->outcome == OUTCOME_COMMITTED && !read_fits(r, i))
            return false;
    }
    for (uint32_t i = t->first; i < t->first + t->count; i++) {
        const struct access *access = &r->from->accesses[i];
        if (access->write && (access->final || r->from->model == MODEL_LISTS))
            put(&r->keys[access->key], access->value, access->final);
    }
    return true;
}

static bool run(struct replay *r, const struct replay_step *steps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (steps[i].begins && !begin_transaction(r, steps[i].transaction))
            return false;
        if (steps[i].ends && !end_transaction(r, steps[i].transaction))
            return false;
    }
    for (uint32_t t = 0; t < r->from->count; t++)
        if (r->from->all[t].outcome == OUTCOME_ABORTED     ? r->state[t] != 0
            : r->from->all[t].outcome == OUTCOME_COMMITTED ? r->state[t] != 2
                                                           : r->state[t] == 1)
            return false;
    return true;
}

bool replay_fits(const struct transactions *from, const struct level *level, const struct replay_step *steps,
                 uint32_t count)
{
    struct replay r = {.from = from, .level = level, .started_at = INT64_MIN};
    r.keys = alloc_ended(from->key_count, sizeof *r.keys);
    r.snapshot = alloc_ended(from->access_count, sizeof *r.snapshot);
    r.state = alloc_ended(from->count, sizeof *r.state);
    r.started = alloc_ended(from->process_count, sizeof *r.started);
    for (uint32_t p = 0; p < from->process_count; p++)
        r.started[p] = INT64_MIN;
    bool fits = run(&r, steps, count);
    for (uint32_t k = 0; k < from->key_count; k++) {
        free(r.keys[k].list);
        free(r.keys[k].whole);
    }
    free(r.keys);
    free(r.snapshot);
    free(r.state);
    free(r.started);
    return fits;
}
