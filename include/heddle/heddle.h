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

// Pseudo-random, for programs that run on their own: one sequence for all threads, begun from HEDDLE_SEED or, if that is
// not set, from the time and an address.
static inline uint64_t heddle_random_(void)
{
    static uint64_t state;
    if (!__atomic_load_n(&state, __ATOMIC_RELAXED)) {
        const char *seed = getenv("HEDDLE_SEED");
        uint64_t start = seed ? 0 : (uint64_t)time(NULL) ^ (uint64_t)(uintptr_t)&seed;
        for (; seed && *seed >= '0' && *seed <= '9'; seed++)
            start = start * 10 + (uint64_t)(*seed - '0');
        __atomic_store_n(&state, (start + 1) * 0xd1342543de82ef95u | 1, __ATOMIC_RELAXED);
    }
    uint64_t z = __atomic_add_fetch(&state, 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z >> 33;
}

// A value from 0 to n - 1; n must be at least 1. Heddle explores every one of them.
// Without heddle: a pseudo-random one (environment variable HEDDLE_SEED).
static inline __attribute__((always_inline)) int heddle_choose(int n)
{
    if (heddle_choose_at)
        return heddle_choose_at(n);
    return n > 1 ? (int)(heddle_random_() % (uint64_t)n) : 0;
}

static inline __attribute__((always_inline)) void heddle_assume_here_(void)
{
    if (heddle_assume_failed)
        heddle_assume_failed();
    exit(0);
}

static inline __attribute__((always_inline)) void heddle_assert_here_(const char *text, const char *file, int line, const char *function)
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
