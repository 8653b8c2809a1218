// A read r of v cannot be if every write of v that was called before r returned also returned before another write was called
// that returned before r was called, and left another value. The latest call of such a write decides.
#include "history/stale.h"

#include "history/models.h"
#include "history/timing.h"

enum { NONE = UINT32_MAX };

struct stale {
    const struct spec *spec;
    const struct operation *ops;
    struct timing time;
    struct pool values;
    int64_t *last_return;  // of each value: of the writes that were called so far; -1: there is none
    int64_t *needed;       // of each read: when the latest write of another value was called that was over by its call
    int64_t latest[2];     // calls of the latest writes that are over, of different values
    uint32_t latest_of[2]; // values
};

static int64_t written(const struct operation *op)
{
    return op->call == REGISTER_WRITE ? op->argument[0] : op->argument[1];
}

static bool reads_value(const struct operation *op, int64_t *value)
{
    if (operation_pending(op) || !op->known)
        return false;
    *value = op->call == REGISTER_READ ? op->result : op->argument[0];
    return op->call == REGISTER_READ || (op->call == REGISTER_CAS && op->result == VALUE_TRUE);
}

static bool may_write(const struct operation *op)
{
    return op->call == REGISTER_WRITE ||
           (op->call == REGISTER_CAS && (operation_pending(op) || !op->known || op->result == VALUE_TRUE));
}

static bool certainly_writes(const struct operation *op)
{
    if (operation_pending(op))
        return false;
    return op->call == REGISTER_WRITE || (op->call == REGISTER_CAS && op->known && op->result == VALUE_TRUE);
}

static uint32_t number_of(struct stale *s, struct space *space, int64_t value)
{
    bool added;
    uint32_t number = pool_add(&s->values, space, &value, sizeof value, &added);
    if (added && number != POOL_FULL)
        s->last_return[number] = -1;
    return number;
}

static void note_over(struct stale *s, uint32_t value, int64_t call)
{
    if (s->latest_of[0] == value) {
        s->latest[0] = later(s->latest[0], call);
    } else if (call > s->latest[0]) {
        s->latest[1] = s->latest[0];
        s->latest_of[1] = s->latest_of[0];
        s->latest[0] = call;
        s->latest_of[0] = value;
    } else if (call > s->latest[1]) {
        s->latest[1] = call;
        s->latest_of[1] = value;
    }
}

// The events in their order. True: a read cannot be.
static bool sweep(struct stale *s, struct space *space)
{
    for (uint32_t e = 0; e < s->time.events; e++) {
        uint32_t i = s->time.event[e] / 2;
        const struct operation *op = &s->ops[i];
        bool call = !(s->time.event[e] & 1);
        int64_t value = 0;
        bool reads = reads_value(op, &value);
        uint32_t seen = reads ? number_of(s, space, value) : NONE;
        uint32_t left = may_write(op) ? number_of(s, space, written(op)) : NONE;
        if ((reads && seen == POOL_FULL) || (may_write(op) && left == POOL_FULL))
            return false;
        if (call && reads)
            s->needed[i] = s->latest[s->latest_of[0] == seen];
        if (call && left != NONE)
            s->last_return[left] = later(s->last_return[left], s->time.back[i]);
        if (!call && reads && s->last_return[seen] < s->needed[i])
            return true;
        if (!call && certainly_writes(op))
            note_over(s, left, s->time.call[i]);
    }
    return false;
}

bool stale_read(struct space *space, const struct spec *spec, const struct operation *ops, uint32_t count,
                const struct lin_options *options)
{
    struct stale s = {.spec = spec, .ops = ops, .latest = {-1, -1}, .latest_of = {NONE, NONE}};
    if (spec->step != spec_register.step || options->judgement != JUDGE_LINEARIZABLE || options->ignore_pending)
        return false;
    space_clear(space);
    if (!time_operations(space, ops, count, &s.time) || !pool_init(&s.values, space, NULL))
        return false;
    s.last_return = space_take(space, 2 * (size_t)count + 2, sizeof *s.last_return);
    s.needed = space_take(space, count + 1, sizeof *s.needed);
    return s.last_return && s.needed && sweep(&s, space);
}
