// States that were visited: in memory and on the disk the same answers as a plain list gives, and none lost where nothing can be
// written.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "cluster/visited.h"
#include "explore/draw.h"

enum { STATES = 5000, QUESTIONS = 60000, ACTORS = 5 };

static struct {
    bool known;
    struct actor_set sleep;
} plain[STATES];

static enum visit plain_visit(uint32_t state, const struct actor_set *sleep, struct actor_set *before)
{
    bool known = plain[state].known;
    *before = plain[state].sleep;
    plain[state].known = true;
    if (known && set_is_subset(before, sleep))
        return VISIT_COVERED;
    if (known)
        set_intersect(&plain[state].sleep, sleep);
    else
        plain[state].sleep = *sleep;
    return known ? VISIT_AGAIN : VISIT_NEW;
}

static uint64_t hash_of(uint32_t state)
{
    struct draw d;
    draw_begin(&d, state, 7);
    return state ? draw_word(&d) : 0;
}

static void ask(struct visited *v, struct draw *d)
{
    uint32_t state = draw_below(d, STATES);
    struct actor_set sleep = {{draw_word(d) & draw_word(d) & ((1u << ACTORS) - 1)}};
    bool has = plain[state].known && set_is_subset(&plain[state].sleep, &sleep);
    assert_int_equal(visited_has(v, hash_of(state), &sleep), has);
    struct actor_set before = {{0}}, plainly;
    enum visit visit = plain_visit(state, &sleep, &plainly);
    assert_int_equal(visited_visit(v, hash_of(state), &sleep, &before, &(uint16_t){0}), visit);
    assert_true(visit == VISIT_NEW || !memcmp(&before, &plainly, sizeof before));
}

static void compare(size_t most)
{
    struct visited v;
    struct draw d;
    uint64_t known = 0;
    memset(plain, 0, sizeof plain);
    draw_begin(&d, 1, most);
    visited_open(&v, most);
    for (int i = 0; i < QUESTIONS; i++)
        ask(&v, &d);
    for (uint32_t i = 0; i < STATES; i++)
        known += plain[i].known;
    assert_int_equal(v.count, known);
    assert_int_equal(most == 0, v.runs.count == 0 && visited_runs_disk(&v.runs) == 0);
    visited_close(&v);
}

static void in_memory(void **state)
{
    (void)state;
    compare(0);
}

static void on_disk(void **state)
{
    (void)state;
    compare(1);
    compare(20000);
}

// Every write fails: what would have gone to the disk stays in memory.
static void full_disk(void **state)
{
    (void)state;
    struct rlimit old, none;
    struct visited v;
    struct draw d;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    none = (struct rlimit){1000, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    memset(plain, 0, sizeof plain);
    draw_begin(&d, 1, 0);
    visited_open(&v, 1);
    for (int i = 0; i < QUESTIONS; i++)
        ask(&v, &d);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
    assert_string_not_equal(v.runs.wrong, "");
    visited_close(&v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_memory), cmocka_unit_test(on_disk),
                                       cmocka_unit_test(full_disk)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
