// A sequential specification for `heddle history --model FILE.c`: what each call may give in each state.
//
// The file defines one variable `heddle_model`. A state is `state_size` bytes, aligned to eight, and must not point to
// anything. `init` gets zeroes and `step` a copy, so that states are equal if their bytes are as long as only members are
// assigned. States that hold the same in different bytes (an unsorted list) need `equal` and `hash`.
#ifndef HEDDLE_MODEL_H
#define HEDDLE_MODEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Values are integers, or these, or texts, which can only be compared with each other.
#define HEDDLE_NIL INT64_MIN
#define HEDDLE_FALSE (INT64_MIN + 1)
#define HEDDLE_TRUE (INT64_MIN + 2)

static inline int heddle_is_integer(int64_t value)
{
    return value >= INT64_MIN + ((int64_t)1 << 32);
}

struct heddle_call {
    const char *name;
    int arguments;  // 0 to 3
    int has_result; // a completion without one is an error
    int can_fail;   // `failure` says that nothing was done; for --may-fail
    int64_t failure;
};

struct heddle_operation {
    int call; // index in `calls`
    int64_t argument[3];
    int64_t process; // as the history calls it, if the model says that it looks at it; else HEDDLE_NIL
};

struct heddle_model {
    const char *name;
    size_t state_size;
    const struct heddle_call *calls; // up to one without a name
    int uses_process;                // 1 if `step` looks at who calls
    void (*init)(void *state);       // may be null: zeroes

    // Changes the state as the nth (0, 1, …) of the possible outcomes of the call does, and gives its result (preset to
    // HEDDLE_NIL). 1; or 0 if there are not that many. If there is none at all, the call has to wait in this state, or
    // is not allowed in it.
    int (*step)(void *state, const struct heddle_operation *op, int nth, int64_t *result);

    int (*equal)(const void *a, const void *b); // null: by bytes
    uint64_t (*hash)(const void *state);        // the same for equal states; needed with `equal`

    // Null, or whether a call that gives this result leaves every state as it is. Right answers make the search faster,
    // wrong ones make it wrong.
    int (*only_reads)(const struct heddle_operation *op, int64_t result);

    // Null, or what a call is about, say a key: calls about different things have nothing to do with each other, so that each
    // thing can be judged on its own. Right answers make the search faster, wrong ones make it wrong.
    int64_t (*about)(const struct heddle_operation *op);

    // Null, or writes the state for people.
    void (*show)(const void *state, char *text, size_t room);
};

extern const struct heddle_model heddle_model;

#ifdef __cplusplus
}
#endif

#endif
