#include "fuzz/history_naive.h"

#include <string.h>

#include "history/models.h"

// The bag, for the checker.

static size_t bag_room(const struct spec *spec, const struct operation *ops, uint32_t count)
{
    (void)spec, (void)ops;
    return 8 * (count + 1);
}

static size_t bag_init(const struct spec *spec, void *state)
{
    (void)spec, (void)state;
    return 0;
}

static size_t bag_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                       uint32_t nth, void *to, int64_t *result)
{
    (void)spec;
    const int64_t *from = state;
    int64_t *out = to;
    uint32_t count = (uint32_t)(size / 8), at = 0;
    *result = VALUE_NIL;
    if (op->call == QUEUE_PUT) { // kept in order, so that equal bags are equal bytes
        for (uint32_t i = 0; i < count && from[i] < op->argument[0]; i++)
            out[at++] = from[i];
        out[at] = op->argument[0];
        memcpy(out + at + 1, from + at, (count - at) * 8);
        return nth ? SPEC_NONE : size + 8;
    }
    if (!count)
        return nth ? SPEC_NONE : 0;
    if (nth >= count)
        return SPEC_NONE;
    *result = from[nth];
    memcpy(out, from, nth * 8);
    memcpy(out + nth, from + nth + 1, (count - nth - 1) * 8);
    return size - 8;
}

static void bag_show(const struct spec *spec, const struct values *values, const void *state, size_t size, char *out,
                     size_t room)
{
    spec_queue.show(spec, values, state, size, out, room);
}

static const struct spec_call bag_calls[] = {{"put", 1, SPEC_VOID, VALUE_TEXTS}, {"get", 0, SPEC_VALUE, VALUE_NIL}};

static const struct spec spec_bag = {.name = "bag",
                                     .calls = bag_calls,
                                     .call_count = 2,
                                     .room = bag_room,
                                     .init = bag_init,
                                     .step = bag_step,
                                     .show = bag_show};

const struct spec *naive_spec(enum model model)
{
    static const struct spec *const specs[] = {&spec_register, &spec_set,     &spec_queue, &spec_stack,
                                               &spec_map,      &spec_counter, &spec_mutex, &spec_bag};
    return specs[model];
}

static size_t own_room(const struct spec *spec, const struct operation *ops, uint32_t count)
{
    const struct spec *known = spec->context;
    return known->room(known, ops, count);
}

static size_t own_init(const struct spec *spec, void *state)
{
    const struct spec *known = spec->context;
    return known->init(known, state);
}

static size_t own_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                       uint32_t nth, void *to, int64_t *result)
{
    const struct spec *known = spec->context;
    return known->step(known, state, size, op, nth, to, result);
}

static void own_show(const struct spec *spec, const struct values *values, const void *state, size_t size, char *out,
                     size_t room)
{
    const struct spec *known = spec->context;
    known->show(known, values, state, size, out, room);
}

const struct spec *naive_own_spec(enum model model)
{
    static struct spec own[MODELS];
    const struct spec *known = naive_spec(model);
    own[model] = (struct spec){.name = known->name,
                               .calls = known->calls,
                               .call_count = known->call_count,
                               .initial = known->initial,
                               .own = true,
                               .by_process = known->by_process,
                               .context = known,
                               .room = own_room,
                               .init = own_init,
                               .step = own_step,
                               .equal = known->equal,
                               .hash = known->hash,
                               .show = own_show};
    return &own[model];
}

// The same models once more, in the simplest way.

void naive_init(enum model model, struct naive_state *s)
{
    memset(s, 0, sizeof *s);
    if (model == M_REGISTER)
        s->word[0] = VALUE_NIL;
}

static void remove_at(struct naive_state *s, int at, int width)
{
    for (int i = at; i + width < s->count; i++)
        s->word[i] = s->word[i + width];
    s->count -= width;
}

static int find(const struct naive_state *s, int64_t key, int width)
{
    for (int i = 0; i < s->count; i += width)
        if (s->word[i] == key)
            return i;
    return -1;
}

static bool step_register(struct naive_state *s, const struct operation *op, int64_t *result)
{
    int64_t old = s->word[0];
    if (op->call == REGISTER_READ)
        *result = old;
    else if (op->call == REGISTER_WRITE)
        s->word[0] = op->argument[0];
    else if (old == op->argument[0])
        s->word[0] = op->argument[1], *result = VALUE_TRUE;
    else
        *result = VALUE_FALSE;
    return true;
}

static bool step_set(struct naive_state *s, const struct operation *op, int64_t *result)
{
    int at = find(s, op->argument[0], 1);
    *result = (at >= 0) != (op->call == SET_ADD) ? VALUE_TRUE : VALUE_FALSE;
    if (op->call == SET_ADD && at < 0)
        s->word[s->count++] = op->argument[0];
    if (op->call == SET_REMOVE && at >= 0)
        remove_at(s, at, 1);
    return true;
}

static bool step_map(struct naive_state *s, const struct operation *op, int64_t *result)
{
    int at = find(s, op->argument[0], 2);
    int64_t value = at < 0 ? VALUE_NIL : s->word[at + 1];
    switch (op->call) {
    case MAP_GET:
        *result = value;
        break;
    case MAP_PUT:
        if (at < 0) {
            at = s->count;
            s->count += 2;
            s->word[at] = op->argument[0];
        }
        s->word[at + 1] = op->argument[1];
        break;
    case MAP_REMOVE:
        *result = at < 0 ? VALUE_FALSE : VALUE_TRUE;
        if (at >= 0)
            remove_at(s, at, 2);
        break;
    default:
        *result = at >= 0 && value == op->argument[1] ? VALUE_TRUE : VALUE_FALSE;
        if (*result == VALUE_TRUE)
            s->word[at + 1] = op->argument[2];
    }
    return true;
}

static bool step_list(enum model model, struct naive_state *s, const struct operation *op, int nth, int64_t *result)
{
    if (op->call == QUEUE_PUT) {
        s->word[s->count++] = op->argument[0];
        return nth == 0;
    }
    if (!s->count)
        return op->call == QUEUE_GET && nth == 0;
    int at = model == M_QUEUE ? 0 : model == M_STACK ? s->count - 1 : nth;
    if (at >= s->count || (model != M_BAG && nth))
        return false;
    *result = s->word[at];
    remove_at(s, at, 1);
    return true;
}

static bool step_counter(struct naive_state *s, const struct operation *op, int64_t *result)
{
    if (op->call == COUNTER_GET || op->call == COUNTER_FETCH_ADD)
        *result = s->word[0];
    s->word[0] += op->call == COUNTER_INC ? 1 : op->call == COUNTER_GET ? 0 : op->argument[0];
    return true;
}

static bool step_mutex(struct naive_state *s, const struct operation *op, int64_t *result)
{
    if (op->call == MUTEX_TRY)
        *result = s->word[0] ? VALUE_FALSE : VALUE_TRUE;
    else if ((op->call == MUTEX_ACQUIRE) == (s->word[0] != 0))
        return false;
    s->word[0] = op->call != MUTEX_RELEASE;
    return true;
}

bool naive_step(enum model model, struct naive_state *s, const struct operation *op, int nth, int64_t *result)
{
    *result = VALUE_NIL;
    if (model == M_QUEUE || model == M_STACK || model == M_BAG)
        return step_list(model, s, op, nth, result);
    if (nth)
        return false;
    switch (model) {
    case M_REGISTER:
        return step_register(s, op, result);
    case M_SET:
        return step_set(s, op, result);
    case M_MAP:
        return step_map(s, op, result);
    case M_COUNTER:
        return step_counter(s, op, result);
    default:
        return step_mutex(s, op, result);
    }
}

// Orders

static bool quiet_before(const struct naive *n, int64_t time)
{
    for (int i = 0; i < n->count; i++)
        if (n->ops[i].invoked < time && n->ops[i].returned >= time)
            return false;
    return true;
}

bool naive_before(const struct naive *n, int a, int b)
{
    const struct operation *x = &n->ops[a], *y = &n->ops[b];
    if (operation_pending(x))
        return false;
    if (n->judgement == JUDGE_LINEARIZABLE)
        return x->returned < y->invoked;
    if (n->judgement == JUDGE_SEQUENTIAL)
        return x->process == y->process && x->invoked < y->invoked;
    for (int c = 0; c < n->count; c++)
        if (n->ops[c].invoked > x->returned && n->ops[c].invoked <= y->invoked && quiet_before(n, n->ops[c].invoked))
            return true;
    return false;
}

static bool fails_freely(const struct naive *n, const struct operation *op)
{
    const struct spec_call *call = &naive_spec(n->model)->calls[op->call];
    return n->may_fail >> op->call & 1 && op->known && call->failure != VALUE_TEXTS && op->result == call->failure;
}

struct tries {
    const struct naive *n;
    bool placed[NAIVE_OPS];
    bool no_pending;               // those that never returned take no part
    const struct operation *waits; // if not null: has to wait at the end
};

static bool free_to_go(const struct tries *t, int op)
{
    if (t->placed[op] || (t->no_pending && operation_pending(&t->n->ops[op])))
        return false;
    for (int i = 0; i < t->n->count; i++)
        if (!t->placed[i] && i != op && naive_before(t->n, i, op))
            return false;
    return true;
}

static bool ends_here(const struct tries *t, const struct naive_state *s)
{
    struct naive_state copy = *s;
    int64_t ignored;
    for (int i = 0; i < t->n->count; i++)
        if (!t->placed[i] && !operation_pending(&t->n->ops[i]))
            return false;
    return !t->waits || !naive_step(t->n->model, &copy, t->waits, 0, &ignored);
}

static bool try_all(struct tries *t, const struct naive_state *s)
{
    if (ends_here(t, s))
        return true;
    for (int i = 0; i < t->n->count; i++) {
        const struct operation *op = &t->n->ops[i];
        bool found = false, more = true;
        if (!free_to_go(t, i))
            continue;
        t->placed[i] = true;
        if (fails_freely(t->n, op))
            found = try_all(t, s);
        for (int nth = 0; !found && more; nth++) {
            struct naive_state next = *s;
            int64_t result;
            more = naive_step(t->n->model, &next, op, nth, &result);
            if (more && (!op->known || op->result == result))
                found = try_all(t, &next);
        }
        t->placed[i] = false;
        if (found)
            return true;
    }
    return false;
}

bool naive_judge(const struct naive *n)
{
    struct tries t = {.n = n};
    struct naive_state s;
    naive_init(n->model, &s);
    return try_all(&t, &s);
}

bool naive_judge_stuck(const struct naive *n)
{
    struct tries t = {.n = n, .no_pending = true};
    struct naive_state s;
    naive_init(n->model, &s);
    if (!try_all(&t, &s))
        return false;
    for (int i = 0; i < n->count; i++) {
        t.waits = &n->ops[i];
        if (operation_pending(&n->ops[i]) && !try_all(&t, &s))
            return false;
    }
    return true;
}

// Follows an order; where a call has several outcomes any may be the one.
static bool follow(const struct naive *n, const struct naive_state *s, const struct lin_step *order, uint32_t count)
{
    if (!count)
        return true;
    const struct operation *op = &n->ops[order->op];
    if (op->known && op->result != order->result)
        return false;
    if (fails_freely(n, op) && follow(n, s, order + 1, count - 1))
        return true;
    for (int nth = 0;; nth++) {
        struct naive_state next = *s;
        int64_t result;
        if (!naive_step(n->model, &next, op, nth, &result))
            return false;
        if (result == order->result && follow(n, &next, order + 1, count - 1))
            return true;
    }
}

bool naive_order_fits(const struct naive *n, const struct lin_step *order, uint32_t count)
{
    struct naive_state s;
    int seen[NAIVE_OPS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        seen[order[i].op]++;
        for (uint32_t j = i + 1; j < count; j++)
            if (naive_before(n, (int)order[j].op, (int)order[i].op))
                return false;
    }
    for (int i = 0; i < n->count; i++)
        if (seen[i] > 1 || (!seen[i] && !operation_pending(&n->ops[i])))
            return false;
    naive_init(n->model, &s);
    return follow(n, &s, order, count);
}

struct gathering {
    const struct naive *n;
    bool placed[NAIVE_OPS];
    int64_t results[NAIVE_OPS];
    void (*found)(void *context, const int64_t *results);
    void *context;
};

static void gather(struct gathering *g, const struct naive_state *s, int placed)
{
    if (placed == g->n->count)
        g->found(g->context, g->results);
    for (int i = 0; i < g->n->count; i++) {
        bool first = !g->placed[i];
        for (int j = 0; j < i; j++)
            first = first && (g->placed[j] || g->n->ops[j].process != g->n->ops[i].process);
        if (!first)
            continue;
        g->placed[i] = true;
        for (int nth = 0;; nth++) {
            struct naive_state next = *s;
            if (!naive_step(g->n->model, &next, &g->n->ops[i], nth, &g->results[i]))
                break;
            gather(g, &next, placed + 1);
        }
        g->placed[i] = false;
    }
}

void naive_outcomes(const struct naive *n, void (*found)(void *context, const int64_t *results), void *context)
{
    struct gathering g = {.n = n, .found = found, .context = context};
    struct naive_state s;
    naive_init(n->model, &s);
    gather(&g, &s, 0);
}
