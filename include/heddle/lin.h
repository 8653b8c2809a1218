// An object for `heddle lin`: what can be called. Heddle invents clients that call it from several threads, runs each through
// every interleaving, and says whether the results can be explained by some order of whole calls.
//
//     static void *create(void) { … }
//     static int64_t push(void *stack, const int64_t *argument) { …; return HEDDLE_NIL; }
//     static int64_t pop(void *stack, const int64_t *argument) { …; return value; }
//
//     heddle_lin(.create = create, .destroy = destroy,
//                .operations = {{"push", push, {HEDDLE_FRESH}}, {"pop", pop}});
//
// stands once in a file without a main. What calls may give is said by the object itself, run one call at a time; or by a
// sequential model (<heddle/model.h>), which may allow several results for one call.
#ifndef HEDDLE_LIN_H
#define HEDDLE_LIN_H

#include <stdint.h>
#include <stdio.h>

#include <heddle/model.h>

#ifdef __cplusplus
extern "C" {
#endif

// The values an argument may have.
struct heddle_lin_values {
    int kind;
    int64_t least, most;
    int64_t (*make)(int64_t number);
};

// clang-format off
#define HEDDLE_FRESH {1, 0, 0, 0}       // each call has a value of its own: 1, 2, 3, …
#define HEDDLE_ANY_OF(n) {2, 1, (n), 0} // 1 to n; only which of them are equal matters, so some clients are left out
#define HEDDLE_RANGE(a, b) {3, (a), (b), 0}
#define HEDDLE_MADE_BY(function, n) {4, 0, (n) - 1, (function)} // function(0) to function(n - 1), at most 32 values
// clang-format on

// When an operation may give its `failure` although nothing in the state of the object says so (`may_fail`).
#define HEDDLE_ALWAYS 1
#define HEDDLE_OVERLAPPED 2 // only if another call was under way at the same time

// What an operation promises of its progress: that it ends, whatever other calls stand still in the middle …
#define HEDDLE_OBSTRUCTION_FREE 1 // … if from some moment on it runs alone
#define HEDDLE_LOCK_FREE 2        // … or another call does
#define HEDDLE_WAIT_FREE 3        // … after at most `steps` steps of its own, whatever the others do

struct heddle_lin_operation {
    const char *name;
    int64_t (*run)(void *object, const int64_t *argument);
    struct heddle_lin_values takes[3];
    int may_fail; // HEDDLE_ALWAYS or HEDDLE_OVERLAPPED: it may give `failure` then, and has done nothing
    int64_t failure;
    int by;    // not 0: all operations with this number are called by one and the same thread (a queue's only producer)
    int rough; // 1: it changes nothing, and gives a number between two that it might have given (a sum over several cells)
    int progress; // 0, or HEDDLE_OBSTRUCTION_FREE, HEDDLE_LOCK_FREE or HEDDLE_WAIT_FREE
    int steps;    // of HEDDLE_WAIT_FREE: the most visible operations that a call makes
};

#define HEDDLE_LINEARIZABLE 0
#define HEDDLE_SEQUENTIAL 1
#define HEDDLE_QUIESCENT 2

struct heddle_lin_object {
    void *(*create)(void);
    void (*destroy)(void *object);              // null: not needed
    int64_t (*observe)(void *object);           // null, or a number for the state at the end; compared like a result
    const struct heddle_model *model;           // null: the object itself
    struct heddle_lin_operation operations[24]; // up to one without a name
    int judge; // HEDDLE_LINEARIZABLE, HEDDLE_SEQUENTIAL or HEDDLE_QUIESCENT, unless --judge says otherwise
};

// Provided by the runtime; null in a program that was not built by heddle.
__attribute__((weak)) int heddle_lin_run(const struct heddle_lin_object *object);

extern const struct heddle_lin_object heddle_lin_object;

#define heddle_lin(...)                                                                                                \
    const struct heddle_lin_object heddle_lin_object = {__VA_ARGS__};                                                  \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        if (heddle_lin_run)                                                                                            \
            return heddle_lin_run(&heddle_lin_object);                                                                 \
        fputs("this object is checked by `heddle lin`\n", stderr);                                                     \
        return 2;                                                                                                      \
    }                                                                                                                  \
    extern const struct heddle_lin_object heddle_lin_object /* takes the semicolon */

#ifdef __cplusplus
}
#endif

#endif
