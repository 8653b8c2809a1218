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
};

#define HEDDLE_FRESH {1, 0, 0}        // each call has a value of its own: 1, 2, 3, …
#define HEDDLE_ANY_OF(n) {2, 1, (n)}  // 1 to n; only which of them are equal matters, so some clients are left out
#define HEDDLE_RANGE(a, b) {3, (a), (b)}

struct heddle_lin_operation {
    const char *name;
    int64_t (*run)(void *object, const int64_t *argument);
    struct heddle_lin_values takes[3];
    int may_fail;    // 1: it may give `failure` for no reason, and then has done nothing
    int64_t failure;
    int by; // not 0: all operations with this number are called by one and the same thread (a queue's only producer)
};

struct heddle_lin_object {
    void *(*create)(void);
    void (*destroy)(void *object);                // null: not needed
    int64_t (*observe)(void *object);             // null, or a number for the state at the end; compared like a result
    const struct heddle_model *model;             // null: the object itself
    struct heddle_lin_operation operations[24];   // up to one without a name
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
