#include "fuzz/history_random.h"

#include <stdio.h>

#include "history/models.h"

enum { PROCESSES = 4 };

struct making {
    struct random_history *h;
    uint64_t *seed;
    struct naive_state state;
    int64_t now, fresh, values;
    int open[PROCESSES]; // operation under way, or -1
    bool done[NAIVE_OPS];
    int processes, wanted;
};

uint64_t random_next(uint64_t *seed)
{
    uint64_t z = *seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(uint64_t *seed, int limit)
{
    return (int)(random_next(seed) % (uint64_t)limit);
}

// From a small range, or never the same twice.
static int64_t any_value(struct making *m)
{
    return m->values ? 1 + below(m->seed, (int)m->values) : 100 + m->fresh++;
}

static int64_t seen_value(struct making *m)
{
    return m->values ? any_value(m) : m->fresh ? 100 + below(m->seed, (int)m->fresh) : 100;
}

static void fill_arguments(struct making *m, struct operation *op)
{
    enum model model = m->h->model;
    if (model == M_REGISTER && op->call == REGISTER_CAS) {
        op->argument[0] = below(m->seed, 6) ? seen_value(m) : VALUE_NIL;
        op->argument[1] = any_value(m);
    } else if (model == M_MAP) {
        op->argument[0] = 1 + below(m->seed, 2);
        if (op->call == MAP_PUT)
            op->argument[1] = any_value(m);
        if (op->call == MAP_CAS) {
            op->argument[1] = seen_value(m);
            op->argument[2] = any_value(m);
        }
    } else if (model == M_SET || model == M_COUNTER) {
        if (naive_spec(model)->calls[op->call].arguments)
            op->argument[0] = below(m->seed, 3);
    } else if (naive_spec(model)->calls[op->call].arguments) {
        op->argument[0] = any_value(m);
    }
}

static void invoke(struct making *m, int process)
{
    int index = m->h->count++;
    struct operation *op = &m->h->ops[index];
    *op = (struct operation){
        .process = (uint32_t)process, .invoked = m->now++, .returned = OPERATION_NEVER, .key = VALUE_NIL};
    op->call = (uint16_t)below(m->seed, (int)naive_spec(m->h->model)->call_count);
    fill_arguments(m, op);
    m->open[process] = index;
}

static void take_effect(struct making *m, int op)
{
    struct naive_state next = m->state;
    int64_t result;
    if (!naive_step(m->h->model, &next, &m->h->ops[op], below(m->seed, 2), &result)) {
        next = m->state;
        if (!naive_step(m->h->model, &next, &m->h->ops[op], 0, &result))
            return;
    }
    m->state = next;
    m->h->ops[op].result = result;
    m->done[op] = true;
}

static void move(struct making *m)
{
    int process = below(m->seed, m->processes), op = m->open[process];
    if (op < 0) {
        if (m->h->count < m->wanted)
            invoke(m, process);
    } else if (!m->done[op]) {
        take_effect(m, op);
    } else if (below(m->seed, 2)) {
        m->h->ops[op].returned = m->now++;
        m->h->ops[op].known = true;
        m->open[process] = -1;
    }
}

// Some result becomes another one that might be, or is not known; or the call returns though it had not.
static void spoil(struct making *m)
{
    struct operation *op = &m->h->ops[below(m->seed, m->h->count)];
    if (operation_pending(op)) {
        if (below(m->seed, 2))
            return;
        op->returned = m->now++;
    }
    op->known = below(m->seed, 8) != 0;
    if (naive_spec(m->h->model)->calls[op->call].result == SPEC_VOID)
        op->result = VALUE_NIL;
    else if (op->result == VALUE_TRUE || op->result == VALUE_FALSE)
        op->result = op->result == VALUE_TRUE ? VALUE_FALSE : VALUE_TRUE;
    else if (m->h->model == M_COUNTER)
        op->result = below(m->seed, 5);
    else
        op->result = below(m->seed, 4) ? seen_value(m) : VALUE_NIL;
}

static void make(struct random_history *h, uint64_t *seed, int wanted, enum model model, int values)
{
    struct making m = {
        .h = h, .seed = seed, .processes = 1 + below(seed, PROCESSES), .wanted = wanted, .values = values};
    *h = (struct random_history){.model = model};
    naive_init(h->model, &m.state);
    for (int p = 0; p < PROCESSES; p++)
        m.open[p] = -1;
    for (int moves = 2 * m.wanted + below(seed, 4 * m.wanted); moves > 0 || !h->count; moves--)
        move(&m);
    for (int changes = below(seed, 3); changes > 0; changes--)
        spoil(&m);
    if (below(seed, 4) == 0) { // some times are equal
        for (int i = 0; i < h->count; i++) {
            h->ops[i].invoked /= 2;
            if (!operation_pending(&h->ops[i]))
                h->ops[i].returned /= 2;
        }
    }
}

void random_history(struct random_history *h, uint64_t *seed, int most)
{
    int wanted = 1 + below(seed, most);
    enum model model = (enum model)below(seed, MODELS);
    make(h, seed, wanted, model, below(seed, 2) ? 1 + below(seed, 3) : 0);
}

void random_list_history(struct random_history *h, uint64_t *seed, int most)
{
    make(h, seed, most - below(seed, most / 2), below(seed, 2) ? M_QUEUE : M_STACK, 1 + below(seed, 3));
}

void random_history_print(const struct random_history *h)
{
    const struct spec *spec = naive_spec(h->model);
    printf("  %s\n", spec->name);
    for (int i = 0; i < h->count; i++) {
        const struct operation *op = &h->ops[i];
        char name[32], text[32];
        printf("    process %u, %lld to %lld: %s", op->process, (long long)op->invoked,
               operation_pending(op) ? -1 : (long long)op->returned, spec_call_name(spec, op->call, name, sizeof name));
        for (uint32_t a = 0; a < spec->calls[op->call].arguments; a++)
            printf(" %s", value_show(NULL, op->argument[a], text, sizeof text));
        printf(" gives %s\n", op->known ? value_show(NULL, op->result, text, sizeof text) : "?");
    }
}
