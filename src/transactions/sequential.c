#include "transactions/sequential.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "history/models.h"

const struct level *sequential_level(void)
{
    static const struct level level = {"sequential", "sequentially consistent", SERIALIZABLE, SESSION_ORDER};
    return &level;
}

// Reads that were not seen say nothing, and are left out.
static bool says_nothing(const struct operation *op, bool reads)
{
    return reads && (operation_pending(op) || !op->known);
}

static void add_operation(struct transactions *all, const struct operation *op, struct access access)
{
    struct transaction *t = &all->all[all->count];
    *t = (struct transaction){op->process,  all->access_count, 1, op->invoked, op->returned, op->line,
                              op->end_line, OUTCOME_COMMITTED};
    if (operation_pending(op))
        t->outcome = OUTCOME_UNKNOWN;
    access.transaction = all->count++;
    access.final = access.write;
    all->accesses[all->access_count++] = access;
}

static uint32_t key_of(struct transactions *all, struct lookup *keys, int64_t key)
{
    uint32_t *number = lookup_at(keys, key, 0);
    if (*number == LOOKUP_NONE) {
        *number = all->key_count;
        all->keys = alloc_reserve(all->keys, all->key_count + (size_t)1, &all->key_room, sizeof *all->keys);
        all->keys[all->key_count++] = key;
    }
    return *number;
}

static bool take_operations(struct transactions *all, const struct spec *spec, struct input *input, struct lookup *keys)
{
    static const char only_key[] = "the register";
    bool map = spec->step == spec_map.step;
    int64_t only = value_of_text(&input->values, only_key, strlen(only_key));
    int64_t initial = map ? VALUE_NIL : spec->initial;
    for (uint32_t i = 0; i < input->count; i++) {
        const struct operation *op = &input->ops[i];
        bool reads = op->call == (map ? MAP_GET : REGISTER_READ), writes = op->call == (map ? MAP_PUT : REGISTER_WRITE);
        int64_t value = reads ? op->result : op->argument[map];
        if ((!reads && !writes) || (writes && (value == initial || value == VALUE_NIL)))
            return false;
        if (reads && op->known && value == VALUE_NIL && initial != VALUE_NIL)
            return false;
        if (says_nothing(op, reads))
            continue;
        struct access access = {.write = writes, .key = key_of(all, keys, map ? op->argument[0] : only)};
        access.value = value == initial ? VALUE_NIL : value;
        add_operation(all, op, access);
    }
    return true;
}

// The same value written twice leaves open which write was read.
static void index_writes(struct transactions *all)
{
    for (uint32_t i = 0; i < all->access_count; i++) {
        if (!all->accesses[i].write)
            continue;
        uint32_t *writer = lookup_at(&all->writers, all->accesses[i].key, all->accesses[i].value);
        all->repeated += *writer != NO_ACCESS;
        *writer = *writer == NO_ACCESS ? i : REPEATED_WRITE;
    }
}

bool sequential_as_transactions(struct transactions *all, const struct spec *spec, struct input *input)
{
    struct lookup keys = {0};
    *all = (struct transactions){.model = MODEL_REGISTERS};
    if (input->keyed || (spec->step != spec_register.step && spec->step != spec_map.step))
        return false;
    all->all = alloc_ended(input->count, sizeof *all->all);
    all->accesses = alloc_ended(input->count, sizeof *all->accesses);
    all->process_count = input->process_count;
    all->processes = alloc_ended(input->process_count, sizeof *all->processes);
    memcpy(all->processes, input->processes, input->process_count * sizeof *all->processes);
    bool fits = take_operations(all, spec, input, &keys);
    all->values = input->values;
    if (fits)
        index_writes(all);
    lookup_free(&keys);
    return fits;
}

void sequential_free(struct transactions *all)
{
    all->values = (struct values){0};
    transactions_free(all);
}
