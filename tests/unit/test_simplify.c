// A schedule is made simpler without losing what makes it fail, in few attempts, and no attempt is made without time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "supervise/simplify.h"

enum { STEPS = 20000, THREADS = 4 };

// Fails if thread 0 has taken exactly `zero` steps when thread 1 takes its step number `one`.
struct failing {
    uint32_t zero, one;
    uint32_t attempts, most;
};

static bool fails(const struct failing *f, const struct step *steps, uint32_t count)
{
    uint32_t taken[THREADS] = {0};
    for (uint32_t i = 0; i < count; i++) {
        if (steps[i].actor == 1 && taken[1] == f->one && taken[0] == f->zero)
            return true;
        taken[steps[i].actor]++;
    }
    return false;
}

static uint32_t switches(const struct step *steps, uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t i = 1; i < count; i++)
        n += steps[i].actor != steps[i - 1].actor;
    return n;
}

static bool attempt(struct simplify *s, const struct step *steps, uint32_t count)
{
    struct failing *f = s->context;
    f->attempts++;
    assert_int_equal(count, s->count);
    if (!fails(f, steps, count) || switches(steps, count) >= switches(s->steps, s->count))
        return false;
    memcpy(s->steps, steps, count * sizeof *steps);
    return true;
}

static bool time_left(struct simplify *s)
{
    const struct failing *f = s->context;
    return f->attempts < f->most;
}

static void fill(struct step *steps, uint32_t *seed)
{
    for (uint32_t i = 0; i < STEPS; i++) {
        *seed = *seed * 1103515245u + 12345u;
        steps[i] = (struct step){(uint16_t)((*seed >> 16) % THREADS), 0};
    }
}

// The moment at which thread 1 takes some step in the middle.
static struct failing in_the_middle(const struct step *steps)
{
    struct failing f = {.most = UINT32_MAX};
    uint32_t i = 0;
    for (; i < STEPS / 2 || steps[i].actor != 1; i++) {
        f.zero += steps[i].actor == 0;
        f.one += steps[i].actor == 1;
    }
    return f;
}

static void a_few_switches_are_left_after_few_attempts(void **state)
{
    (void)state;
    struct step *steps = malloc(STEPS * sizeof *steps);
    uint32_t seed = 1;
    for (int round = 0; round < 20; round++) {
        fill(steps, &seed);
        struct failing f = in_the_middle(steps);
        struct simplify s = {.steps = steps, .count = STEPS, .attempt = attempt, .time_left = time_left, .context = &f};
        simplify_run(&s);
        assert_true(fails(&f, steps, STEPS));
        assert_true(switches(steps, STEPS) <= 10);
        assert_true(f.attempts < 400);
    }
    free(steps);
}

static void every_step_stays(void **state)
{
    (void)state;
    struct step *steps = malloc(STEPS * sizeof *steps);
    uint32_t seed = 7, before[THREADS] = {0}, after[THREADS] = {0};
    fill(steps, &seed);
    for (uint32_t i = 0; i < STEPS; i++)
        before[steps[i].actor]++;
    struct failing f = in_the_middle(steps);
    struct simplify s = {.steps = steps, .count = STEPS, .attempt = attempt, .time_left = time_left, .context = &f};
    simplify_run(&s);
    for (uint32_t i = 0; i < STEPS; i++)
        after[steps[i].actor]++;
    assert_memory_equal(before, after, sizeof before);
    free(steps);
}

static void it_stops_when_the_time_is_over(void **state)
{
    (void)state;
    struct step *steps = malloc(STEPS * sizeof *steps);
    uint32_t seed = 3;
    fill(steps, &seed);
    struct failing f = in_the_middle(steps);
    f.most = 5;
    struct simplify s = {.steps = steps, .count = STEPS, .attempt = attempt, .time_left = time_left, .context = &f};
    simplify_run(&s);
    assert_int_equal(f.attempts, 5);
    assert_true(fails(&f, steps, STEPS));
    free(steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_few_switches_are_left_after_few_attempts),
        cmocka_unit_test(every_step_stays),
        cmocka_unit_test(it_stops_when_the_time_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
