#include "history/models.h"

#include <stdio.h>
#include <string.h>

enum { WORD = sizeof(int64_t), ENTRY = 2 * WORD };

static int64_t word_at(const void *state, size_t index)
{
    int64_t word;
    memcpy(&word, (const char *)state + index * WORD, WORD);
    return word;
}

static void put_word(void *state, size_t index, int64_t word)
{
    memcpy((char *)state + index * WORD, &word, WORD);
}

// States of one word.

static size_t word_room(const struct spec *spec, const struct operation *ops, uint32_t count)
{
    (void)spec, (void)ops, (void)count;
    return WORD;
}

static size_t word_init(const struct spec *spec, void *state)
{
    put_word(state, 0, spec->initial);
    return WORD;
}

static void word_show(const struct spec *spec, const struct values *values, const void *state, size_t size, char *out,
                      size_t room)
{
    (void)spec, (void)size;
    value_show(values, word_at(state, 0), out, room);
}

static size_t register_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                            uint32_t nth, void *to, int64_t *result)
{
    (void)spec, (void)size;
    int64_t value = word_at(state, 0);
    if (nth)
        return SPEC_NONE;
    *result = VALUE_NIL;
    if (op->call == REGISTER_READ) {
        *result = value;
    } else if (op->call == REGISTER_WRITE) {
        value = op->argument[0];
    } else {
        *result = value_of_bool(value == op->argument[0]);
        value = value == op->argument[0] ? op->argument[1] : value;
    }
    put_word(to, 0, value);
    return WORD;
}

static bool register_reads(const struct spec *spec, const struct operation *op)
{
    (void)spec;
    return op->call == REGISTER_READ || (op->call == REGISTER_CAS && op->known && op->result == VALUE_FALSE);
}

static size_t counter_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                           uint32_t nth, void *to, int64_t *result)
{
    (void)spec, (void)size;
    uint64_t value = (uint64_t)word_at(state, 0);
    if (nth)
        return SPEC_NONE;
    *result = op->call == COUNTER_GET || op->call == COUNTER_FETCH_ADD ? (int64_t)value : VALUE_NIL;
    if (op->call == COUNTER_INC)
        value++;
    else if (op->call != COUNTER_GET)
        value += (uint64_t)op->argument[0];
    put_word(to, 0, (int64_t)value);
    return WORD;
}

static bool counter_reads(const struct spec *spec, const struct operation *op)
{
    (void)spec;
    return op->call == COUNTER_GET || (op->call != COUNTER_INC && op->argument[0] == 0);
}

static size_t mutex_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                         uint32_t nth, void *to, int64_t *result)
{
    (void)spec, (void)size;
    bool held = word_at(state, 0) != 0;
    if (nth || (op->call == MUTEX_ACQUIRE && held) || (op->call == MUTEX_RELEASE && !held))
        return SPEC_NONE;
    *result = op->call == MUTEX_TRY ? value_of_bool(!held) : VALUE_NIL;
    put_word(to, 0, op->call != MUTEX_RELEASE);
    return WORD;
}

static bool mutex_reads(const struct spec *spec, const struct operation *op)
{
    (void)spec;
    return op->call == MUTEX_TRY && op->known && op->result == VALUE_FALSE;
}

static void mutex_show(const struct spec *spec, const struct values *values, const void *state, size_t size, char *out,
                       size_t room)
{
    (void)spec, (void)values, (void)size;
    snprintf(out, room, "%s", word_at(state, 0) ? "held" : "free");
}

// States of many words: a set is its elements and a map its keys, each followed by the value, in order; a queue begins
// with what comes out next, a stack with what went in first.

static size_t empty_init(const struct spec *spec, void *state)
{
    (void)spec, (void)state;
    return 0;
}

static void show_words(const struct values *values, const void *state, size_t size, const char *between, char *out,
                       size_t room)
{
    size_t at = 0;
    for (size_t i = 0; i < size / WORD && at + 1 < room; i++) {
        char word[64];
        value_show(values, word_at(state, i), word, sizeof word);
        int length = snprintf(out + at, room - at, "%s%s", i ? i % 2 ? between : " " : "", word);
        at += length > 0 ? (size_t)length : 0;
    }
    if (!size)
        snprintf(out, room, "empty");
}

static void list_show(const struct spec *spec, const struct values *values, const void *state, size_t size, char *out,
                      size_t room)
{
    (void)spec;
    show_words(values, state, size, " ", out, room);
}

static void map_show(const struct spec *spec, const struct values *values, const void *state, size_t size, char *out,
                     size_t room)
{
    (void)spec;
    show_words(values, state, size, "=", out, room);
}

static size_t calls_of(const struct operation *ops, uint32_t count, uint16_t call)
{
    size_t calls = 0;
    for (uint32_t i = 0; i < count; i++)
        calls += ops[i].call == call;
    return calls;
}

static size_t set_room(const struct spec *spec, const struct operation *ops, uint32_t count)
{
    (void)spec;
    return WORD * (calls_of(ops, count, SET_ADD) + 1);
}

static size_t map_room(const struct spec *spec, const struct operation *ops, uint32_t count)
{
    (void)spec;
    return ENTRY * (calls_of(ops, count, MAP_PUT) + 1);
}

static size_t queue_room(const struct spec *spec, const struct operation *ops, uint32_t count)
{
    (void)spec;
    return WORD * (calls_of(ops, count, QUEUE_PUT) + 1);
}

// Where the key stands among entries of `width` bytes, or would stand.
static size_t find(const void *state, size_t size, size_t width, int64_t key, bool *there)
{
    size_t low = 0, high = size / width;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (word_at((const char *)state + middle * width, 0) < key)
            low = middle + 1;
        else
            high = middle;
    }
    *there = low * width < size && word_at((const char *)state + low * width, 0) == key;
    return low * width;
}

static size_t insert(const void *state, size_t size, size_t at, const int64_t *entry, size_t width, void *to)
{
    memcpy(to, state, at);
    memcpy((char *)to + at, entry, width);
    memcpy((char *)to + at + width, (const char *)state + at, size - at);
    return size + width;
}

static size_t cut(const void *state, size_t size, size_t at, size_t width, void *to)
{
    memcpy(to, state, at);
    memcpy((char *)to + at, (const char *)state + at + width, size - at - width);
    return size - width;
}

static size_t set_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                       uint32_t nth, void *to, int64_t *result)
{
    (void)spec;
    bool there;
    if (nth)
        return SPEC_NONE;
    size_t at = find(state, size, WORD, op->argument[0], &there);
    *result = value_of_bool(op->call == SET_ADD ? !there : there);
    if (op->call == SET_ADD && !there)
        return insert(state, size, at, op->argument, WORD, to);
    if (op->call == SET_REMOVE && there)
        return cut(state, size, at, WORD, to);
    memcpy(to, state, size);
    return size;
}

static bool set_reads(const struct spec *spec, const struct operation *op)
{
    (void)spec;
    return op->call == SET_CONTAINS || (op->known && op->result == VALUE_FALSE);
}

static size_t map_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                       uint32_t nth, void *to, int64_t *result)
{
    (void)spec;
    bool there;
    if (nth)
        return SPEC_NONE;
    size_t at = find(state, size, ENTRY, op->argument[0], &there);
    int64_t value = there ? word_at((const char *)state + at, 1) : VALUE_NIL;
    *result = VALUE_NIL;
    if (op->call == MAP_GET) {
        *result = value;
    } else if (op->call == MAP_REMOVE) {
        *result = value_of_bool(there);
        if (there)
            return cut(state, size, at, ENTRY, to);
    } else if (op->call == MAP_PUT && !there) {
        return insert(state, size, at, op->argument, ENTRY, to);
    }
    memcpy(to, state, size);
    if (op->call == MAP_CAS)
        *result = value_of_bool(there && value == op->argument[1]);
    if (op->call == MAP_PUT)
        put_word((char *)to + at, 1, op->argument[1]);
    else if (op->call == MAP_CAS && *result == VALUE_TRUE)
        put_word((char *)to + at, 1, op->argument[2]);
    return size;
}

static bool map_reads(const struct spec *spec, const struct operation *op)
{
    (void)spec;
    return op->call == MAP_GET || (op->call != MAP_PUT && op->known && op->result == VALUE_FALSE);
}

static size_t list_step(const void *state, size_t size, const struct operation *op, uint32_t nth, size_t out, void *to,
                        int64_t *result)
{
    if (nth || (op->call == QUEUE_TAKE && !size))
        return SPEC_NONE;
    *result = VALUE_NIL;
    if (op->call == QUEUE_PUT)
        return insert(state, size, size, op->argument, WORD, to);
    if (!size)
        return 0;
    *result = word_at(state, out);
    return cut(state, size, out * WORD, WORD, to);
}

static size_t queue_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                         uint32_t nth, void *to, int64_t *result)
{
    (void)spec;
    return list_step(state, size, op, nth, 0, to, result);
}

static size_t stack_step(const struct spec *spec, const void *state, size_t size, const struct operation *op,
                         uint32_t nth, void *to, int64_t *result)
{
    (void)spec;
    return list_step(state, size, op, nth, size / WORD - 1, to, result);
}

static bool list_reads(const struct spec *spec, const struct operation *op)
{
    (void)spec;
    return op->call == QUEUE_GET && op->known && op->result == VALUE_NIL;
}

#define NO_FAILURE VALUE_TEXTS
#define CALLS(table) .calls = table, .call_count = sizeof table / sizeof *table

static const struct spec_call register_calls[] = {
    [REGISTER_READ] = {"read get load r", 0, SPEC_VALUE, NO_FAILURE},
    [REGISTER_WRITE] = {"write set store put w", 1, SPEC_VOID, NO_FAILURE},
    [REGISTER_CAS] = {"cas compare-and-set compare_and_swap", 2, SPEC_DONE, VALUE_FALSE},
};

static const struct spec_call set_calls[] = {
    [SET_ADD] = {"add insert", 1, SPEC_TRUTH, VALUE_FALSE},
    [SET_REMOVE] = {"remove delete", 1, SPEC_TRUTH, VALUE_FALSE},
    [SET_CONTAINS] = {"contains member lookup", 1, SPEC_TRUTH, NO_FAILURE},
};

static const struct spec_call queue_calls[] = {
    [QUEUE_PUT] = {"enqueue enq put", 1, SPEC_VOID, NO_FAILURE},
    [QUEUE_GET] = {"dequeue deq", 0, SPEC_VALUE, VALUE_NIL},
    [QUEUE_TAKE] = {"take", 0, SPEC_VALUE, NO_FAILURE},
};

static const struct spec_call stack_calls[] = {
    [QUEUE_PUT] = {"push put", 1, SPEC_VOID, NO_FAILURE},
    [QUEUE_GET] = {"pop", 0, SPEC_VALUE, VALUE_NIL},
    [QUEUE_TAKE] = {"take", 0, SPEC_VALUE, NO_FAILURE},
};

static const struct spec_call map_calls[] = {
    [MAP_PUT] = {"put write set", 2, SPEC_VOID, NO_FAILURE},
    [MAP_GET] = {"get read", 1, SPEC_VALUE, NO_FAILURE},
    [MAP_REMOVE] = {"remove delete", 1, SPEC_TRUTH, VALUE_FALSE},
    [MAP_CAS] = {"cas compare-and-set", 3, SPEC_DONE, VALUE_FALSE},
};

static const struct spec_call counter_calls[] = {
    [COUNTER_INC] = {"inc increment", 0, SPEC_VOID, NO_FAILURE},
    [COUNTER_ADD] = {"add", 1, SPEC_VOID, NO_FAILURE},
    [COUNTER_GET] = {"get read", 0, SPEC_VALUE, NO_FAILURE},
    [COUNTER_FETCH_ADD] = {"fetch-add fetch_add", 1, SPEC_VALUE, NO_FAILURE},
};

static const struct spec_call mutex_calls[] = {
    [MUTEX_ACQUIRE] = {"acquire lock", 0, SPEC_VOID, NO_FAILURE},
    [MUTEX_TRY] = {"try-acquire try_acquire trylock", 0, SPEC_DONE, VALUE_FALSE},
    [MUTEX_RELEASE] = {"release unlock", 0, SPEC_VOID, NO_FAILURE},
};

const struct spec spec_register = {
    .name = "register",
    CALLS(register_calls),
    .initial = VALUE_NIL,
    .by_value = true,
    .room = word_room,
    .init = word_init,
    .step = register_step,
    .reads = register_reads,
    .show = word_show,
};

const struct spec spec_counter = {
    .name = "counter",
    .integers = true,
    CALLS(counter_calls),
    .initial = 0,
    .room = word_room,
    .init = word_init,
    .step = counter_step,
    .reads = counter_reads,
    .show = word_show,
};

const struct spec spec_mutex = {
    .name = "mutex",
    CALLS(mutex_calls),
    .initial = 0,
    .room = word_room,
    .init = word_init,
    .step = mutex_step,
    .reads = mutex_reads,
    .show = mutex_show,
};

const struct spec spec_set = {
    .name = "set",
    CALLS(set_calls),
    .by_argument = true,
    .room = set_room,
    .init = empty_init,
    .step = set_step,
    .reads = set_reads,
    .show = list_show,
};

const struct spec spec_map = {
    .name = "map",
    CALLS(map_calls),
    .by_argument = true,
    .by_value = true,
    .room = map_room,
    .init = empty_init,
    .step = map_step,
    .reads = map_reads,
    .show = map_show,
};

const struct spec spec_queue = {
    .name = "queue",
    .order = SPEC_FIRST_OUT,
    CALLS(queue_calls),
    .by_value = true,
    .room = queue_room,
    .init = empty_init,
    .step = queue_step,
    .reads = list_reads,
    .show = list_show,
};

const struct spec spec_stack = {
    .name = "stack",
    .order = SPEC_LAST_OUT,
    CALLS(stack_calls),
    .by_value = true,
    .room = queue_room,
    .init = empty_init,
    .step = stack_step,
    .reads = list_reads,
    .show = list_show,
};
