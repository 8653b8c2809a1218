// expect: verified
// Every schedule gives out each iteration once: upwards, downwards, unsigned, at the ends of the types, and of no iterations.
#include <assert.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>

// Loops that count an unsigned int down are left out: gcc 12 hands over a step that is not negative.
static int hits[16];

static void hit(int at)
{
#pragma omp atomic
    hits[at]++;
}

static void all_once(int count)
{
    for (int i = 0; i < 16; i++) {
        assert(hits[i] == (i < count));
        hits[i] = 0;
    }
}

#define UNSIGNED_MOST 18446744073709551615ull

#define EACH(clause)                                                                                                   \
    _Pragma(clause) for (int i = 3; i < 8; i += 2) hit((i - 3) / 2);                                                   \
    all_once(3);                                                                                                       \
    _Pragma(clause) for (long i = 5; i >= 1; i -= 3) hit((int)(5 - i) / 3);                                            \
    all_once(2);                                                                                                       \
    _Pragma(clause) for (unsigned long long i = 7; i > 4; i--) hit((int)(7 - i));                                      \
    all_once(3);                                                                                                       \
    _Pragma(clause) for (unsigned long long i = UNSIGNED_MOST - 3; i < UNSIGNED_MOST; i++)                             \
        hit((int)(i - (UNSIGNED_MOST - 3)));                                                                           \
    all_once(3);                                                                                                       \
    _Pragma(clause) for (int i = INT_MIN; i < INT_MIN + 2; i++) hit(i - INT_MIN);                                      \
    all_once(2);                                                                                                       \
    _Pragma(clause) for (int i = 4; i < 4; i++) hit(0);                                                                \
    _Pragma(clause) for (unsigned long i = 3; i > 5; i--) hit(0);                                                      \
    all_once(0)

int main(void)
{
    EACH("omp parallel for schedule(static)");
    EACH("omp parallel for schedule(static, 2)");
    EACH("omp parallel for schedule(static, 1000000000)");
    EACH("omp parallel for schedule(auto)");
    puts("done");
    return 0;
}
