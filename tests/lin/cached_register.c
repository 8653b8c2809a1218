// expect: bug not-linearizable client=write(1) | read() options: --time 60
// expect: verified options: --judge sequential
// expect: bug not-linearizable options: --judge quiescent
//
// Each thread reads what it wrote itself. Writing and reading by different threads touch nothing in common, so that one
// execution stands for both orders of the two calls; only one of them shows that the order in which they are seen is lost.
#include <stdlib.h>

#include <heddle/lin.h>

static _Thread_local int64_t cached;

static void *create(void)
{
    return malloc(1);
}

static int64_t write_value(void *object, const int64_t *argument)
{
    (void)object;
    cached = argument[0];
    return HEDDLE_NIL;
}

static int64_t read_value(void *object, const int64_t *argument)
{
    (void)object;
    (void)argument;
    return cached;
}

static int step(void *state, const struct heddle_operation *op, int nth, int64_t *result)
{
    int64_t *value = state;
    if (op->call == 0)
        *value = op->argument[0];
    else
        *result = *value;
    return nth == 0;
}

static const struct heddle_call calls[] = {{.name = "write", .arguments = 1}, {.name = "read"}, {0}};
static const struct heddle_model model = {.name = "register", .state_size = sizeof(int64_t), .calls = calls, .step = step};

heddle_lin(.create = create, .destroy = free, .model = &model,
           .operations = {{"write", write_value, {HEDDLE_FRESH}}, {"read", read_value}});
