// Which variables belong together: distances by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "predict/correlate.h"
#include "trace/recording_text.h"

// A run in which two threads do the same accesses, one letter each.
static struct recording *run_of(const char *letters)
{
    char text[1024] = "", *wrong = NULL;
    for (int thread = 0; thread < 2; thread++)
        for (const char *c = letters; *c; c++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "T%d read %c\n", thread, *c);
    FILE *file = fmemopen(text, strlen(text), "r");
    struct recording *r = recording_read_text(file, "run", &wrong);
    fclose(file);
    assert_non_null(r);
    return r;
}

static void correlate_runs(struct correlations *c, struct recording **runs, uint32_t count, uint64_t least)
{
    *c = (struct correlations){0};
    for (uint32_t i = 0; i < count; i++) {
        struct accesses accesses;
        accesses_make(&accesses, runs[i]);
        correlate_add(c, runs[i], &accesses, NULL);
        accesses_free(&accesses);
        recording_free(runs[i]);
    }
    correlate_rank(c, least);
}

static const struct correlation *pair_of(const struct correlations *c, const char *x, const char *y)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (!strcmp(correlate_name(c, c->list[i].x), x) && !strcmp(correlate_name(c, c->list[i].y), y))
            return &c->list[i];
    return NULL;
}

static void what_is_far_from_the_median_is_left_out(void **unused)
{
    (void)unused;
    struct correlations c;
    struct recording *run = run_of("xyxyxzy"); // 0 0 0 0 1
    correlate_runs(&c, &run, 1, 2);
    const struct correlation *p = pair_of(&c, "x", "y");
    assert_non_null(p);
    assert_true(p->distance == 0);
    assert_int_equal(p->forward, 6);
    assert_int_equal(p->backward, 4);
    assert_ptr_equal(p, &c.list[0]);
    correlate_free(&c);
}

static void without_deviation_the_median_counts(void **unused)
{
    (void)unused;
    struct correlations c;
    struct recording *run = run_of("xywxwy"); // 0 1 1
    correlate_runs(&c, &run, 1, 2);
    const struct correlation *p = pair_of(&c, "x", "y");
    assert_non_null(p);
    assert_true(p->distance == 1);
    assert_int_equal(p->forward, 4);
    assert_int_equal(p->backward, 2);
    correlate_free(&c);
}

static void with_deviation_the_mean_counts(void **unused)
{
    (void)unused;
    struct correlations c;
    struct recording *run = run_of("xyabxaybcx"); // 0 2 1 2: the median is 1.5, its deviation 0.5
    correlate_runs(&c, &run, 1, 2);
    const struct correlation *p = pair_of(&c, "x", "y");
    assert_non_null(p);
    assert_true(p->distance > 1.66 && p->distance < 1.67); // without the 0
    correlate_free(&c);
}

static void a_pair_needs_support_in_several_threads(void **unused)
{
    (void)unused;
    struct correlations c;
    struct recording *run = run_of("xy");
    correlate_runs(&c, &run, 1, 3);
    assert_int_equal(c.count, 0);
    assert_int_equal(c.weak, 1);
    correlate_free(&c);
}

static void runs_add_up_by_names(void **unused)
{
    (void)unused;
    struct correlations c;
    struct recording *runs[] = {run_of("xy"), run_of("yx")};
    correlate_runs(&c, runs, 2, 3);
    const struct correlation *p = pair_of(&c, "x", "y");
    assert_non_null(p);
    assert_int_equal(p->forward, 2);
    assert_int_equal(p->backward, 2);
    assert_true(p->share == 1);
    correlate_free(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_far_from_the_median_is_left_out),
        cmocka_unit_test(without_deviation_the_median_counts),
        cmocka_unit_test(with_deviation_the_mean_counts),
        cmocka_unit_test(a_pair_needs_support_in_several_threads),
        cmocka_unit_test(runs_add_up_by_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
