// A register whose reads, in two steps, give 0 whatever was written. With `read() | write(1)` a depth-first search comes to
// the state between the steps first by a read that began before the write had returned, which explains the 0, and then by one
// that began after it.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>

struct reg {
    _Atomic int64_t value, version;
};

static void *create(void)
{
    return calloc(1, sizeof(struct reg));
}

static int64_t read_it(void *object, const int64_t *argument)
{
    (void)argument;
    struct reg *r = object;
    atomic_load(&r->version);
    atomic_load(&r->version);
    return 0;
}

static int64_t write_it(void *object, const int64_t *argument)
{
    struct reg *r = object;
    atomic_store(&r->value, argument[0]);
    return HEDDLE_NIL;
}

static int step(void *state, const struct heddle_operation *op, int nth, int64_t *result)
{
    int64_t *value = state;
    if (op->call == 0)
        *result = *value;
    else
        *value = op->argument[0];
    return nth == 0;
}

static const struct heddle_call calls[] = {{.name = "read"}, {.name = "write", .arguments = 1}, {0}};
static const struct heddle_model model = {.name = "register", .state_size = 8, .calls = calls, .step = step};

heddle_lin(.create = create, .destroy = free, .model = &model,
           .operations = {{"read", read_it}, {"write", write_it, {HEDDLE_FRESH}}});
