// A sequential specification: what each call may give in each state. A state is a run of bytes; equal states are equal
// bytes, unless the specification says otherwise.
#ifndef HISTORY_SPEC_H
#define HISTORY_SPEC_H

#include "history/operation.h"

#define SPEC_NONE SIZE_MAX

// What the completion of a call says where the history gives no result of its own.
enum spec_result {
    SPEC_VOID,  // the call has no result
    SPEC_VALUE, // it gives a value
    SPEC_TRUTH, // it gives true or false; left out: not known
    SPEC_DONE,  // it gives true or false; left out: true
};

struct spec_call {
    const char *names; // the name, then others that histories use, separated by blanks
    uint32_t arguments;
    enum spec_result result;
    int64_t failure; // the result that says nothing was done; VALUE_TEXTS if there is none
};

// In which order values come out again. Only a hint: the search tries what fits it first.
enum spec_order { SPEC_ANY_ORDER, SPEC_FIRST_OUT, SPEC_LAST_OUT };

struct spec {
    const char *name;
    const struct spec_call *calls;
    uint32_t call_count;
    int64_t initial;  // what a register or counter begins with
    bool integers;    // takes and gives nothing else
    bool own;         // not built in
    bool by_process;  // it matters who calls
    bool by_argument; // calls with different first arguments have nothing to do with each other
    bool by_value;    // leaving out all calls that mention a value (other than nil) leaves a history right that was
    enum spec_order order;
    const void *context; // the specification's own

    // The most bytes that a state can take in a history of these operations.
    size_t (*room)(const struct spec *spec, const struct operation *ops, uint32_t count);

    // Writes the first state; returns its size.
    size_t (*init)(const struct spec *spec, void *state);

    // Writes the state after the nth of the possible outcomes of the operation's call, and what it returns; gives the
    // state's size. SPEC_NONE if there are not that many; if there is not even one, the call blocks or is not allowed.
    // The operation's own result may not be looked at.
    size_t (*step)(const struct spec *spec, const void *state, size_t size, const struct operation *op, uint32_t nth,
                   void *to, int64_t *result);

    // Whether the call, giving the operation's result (any, if it is not known), leaves every state as it is. May be null.
    bool (*reads)(const struct spec *spec, const struct operation *op);

    // What the call is about: calls about different things have nothing to do with each other. Null: all are about one.
    int64_t (*about)(const struct spec *spec, const struct operation *op);

    // Null: by bytes.
    bool (*equal)(const struct spec *spec, const void *a, const void *b);
    uint64_t (*hash)(const struct spec *spec, const void *state);

    // Writes a state for people, cut if need be.
    void (*show)(const struct spec *spec, const struct values *values, const void *state, size_t size, char *out,
                 size_t room);
};

// The built-in specification of this name (register, cas-register, set, queue, stack, map, counter, mutex), or null.
const struct spec *spec_find(const char *name);

// The number of the call, by any of its names; -1 if there is none.
int spec_call_find(const struct spec *spec, const char *name);

// The first name of a call, copied to `out` and cut if need be. Returns `out`.
const char *spec_call_name(const struct spec *spec, uint32_t call, char *out, size_t room);

// Whether the operation leaves every state as it is.
bool spec_reads(const struct spec *spec, const struct operation *op);

#endif
