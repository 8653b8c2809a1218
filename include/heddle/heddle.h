// What a test author includes. The program also compiles, links and runs without heddle, in C and in C++: what heddle's
// runtime provides is declared weak, and each operation says what it does where there is no runtime.
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

// Provided by the runtime; null in a program that runs on its own. Not to be called directly.
__attribute__((weak)) int heddle_choose_at(int n);
__attribute__((weak)) void heddle_assume_failed(void);
__attribute__((weak)) void heddle_assert_failed(const char *text, const char *file, int line, const char *function);
__attribute__((weak, format(printf, 1, 2))) void heddle_note_text(const char *format, ...);

// Pseudo-random, for programs that run on their own: each thread has a sequence of its own, begun from HEDDLE_SEED or,
// if that is not set, from the time and an address.
static inline uint64_t heddle_random_(void)
{
    static __thread uint64_t state;
    static uint64_t threads;
    if (!state) {
        const char *seed = getenv("HEDDLE_SEED");
        uint64_t start = seed ? strtoull(seed, NULL, 0) : (uint64_t)time(NULL) ^ (uint64_t)(uintptr_t)&state;
        uint64_t number = __atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED);
        state = (start + 1) * 0x9e3779b97f4a7c15u + number * 0xbf58476d1ce4e5b9u;
        state |= !state; // xorshift never leaves zero
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state * 0x2545f4914f6cdd1du >> 33;
}

// A value from 0 to n - 1; n must be at least 1. Heddle explores every one of them.
// Without heddle: a pseudo-random one (environment variable HEDDLE_SEED).
static inline int heddle_choose(int n)
{
    if (heddle_choose_at)
        return heddle_choose_at(n);
    return n > 1 ? (int)(heddle_random_() % (uint64_t)n) : 0;
}

static inline void heddle_assume_here_(void)
{
    if (heddle_assume_failed)
        heddle_assume_failed();
    exit(0);
}

static inline void heddle_assert_here_(const char *text, const char *file, int line, const char *function)
{
    if (heddle_assert_failed)
        heddle_assert_failed(text, file, line, function);
    fprintf(stderr, "%s:%d: %s: heddle_assert(%s) failed\n", file, line, function, text);
    abort();
}

// Leaves out of the search every execution in which the condition is false here.
// Without heddle: a false one ends the process with status 0.
#define heddle_assume(...) ((__VA_ARGS__) ? (void)0 : heddle_assume_here_())

// A condition that must hold here; heddle reports the execution in which it does not. Not switched off by NDEBUG.
// Without heddle: a false one is printed and the process aborts.
#define heddle_assert(...) \
    ((__VA_ARGS__) ? (void)0 : heddle_assert_here_(#__VA_ARGS__, __FILE__, __LINE__, __func__))

// A remark, in the manner of printf, that appears in heddle's report at this point of the thread.
// Without heddle: nothing, and its arguments are not evaluated.
#define heddle_note(...) (heddle_note_text ? heddle_note_text(__VA_ARGS__) : (void)0)

#ifdef __cplusplus
}
#endif

#endif
