// expect: verified arguments: one
// The same with schedules that leave open who has which iteration. A search looks at one loop at a time.
#include <assert.h>
#include <limits.h>
#include <omp.h>
#include <stdio.h>

#include "heddle/heddle.h"

// Loops that count an unsigned int down are left out: gcc 12 hands over a step that is not negative.
static int hits[16], wanted = -1, number;

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

#define ONE(clause, head, body, count)                                                                                 \
    if (wanted < 0 || wanted == number) {                                                                              \
        _Pragma(clause) for (head) body;                                                                               \
        all_once(count);                                                                                               \
    }                                                                                                                  \
    number++;

#define EACH(clause)                                                                                                   \
    ONE(clause, int i = 3; i < 8; i += 2, hit((i - 3) / 2), 3)                                                         \
    ONE(clause, long i = 5; i >= 1; i -= 3, hit((int)(5 - i) / 3), 2)                                                  \
    ONE(clause, unsigned long long i = 7; i > 4; i--, hit((int)(7 - i)), 3)                                            \
    ONE(clause, unsigned long long i = UNSIGNED_MOST - 3; i < UNSIGNED_MOST; i++, hit((int)(i - (UNSIGNED_MOST - 3))), 3)\
    ONE(clause, int i = INT_MIN; i < INT_MIN + 2; i++, hit(i - INT_MIN), 2)                                            \
    ONE(clause, int i = 4; i < 4; i++, hit(0), 0)                                                                      \
    ONE(clause, unsigned long i = 3; i > 5; i--, hit(0), 0)

enum { LOOPS_OF_EACH = 7, SCHEDULES = 7 };

int main(int arguments, char **argument)
{
    (void)argument;
    if (arguments > 1)
        wanted = heddle_choose(LOOPS_OF_EACH * SCHEDULES);
    EACH("omp parallel for schedule(dynamic)")
    EACH("omp parallel for schedule(dynamic, 1000000000)")
    EACH("omp parallel for schedule(guided)")
    EACH("omp parallel for schedule(guided, 2)")
    EACH("omp parallel for schedule(nonmonotonic : dynamic, 2)")
    omp_set_schedule(omp_sched_guided, 2);
    EACH("omp parallel for schedule(runtime)")
    omp_set_schedule(omp_sched_static, 0);
    EACH("omp parallel for schedule(runtime)")
    assert(number == LOOPS_OF_EACH * SCHEDULES);
    puts("done");
    return 0;
}
