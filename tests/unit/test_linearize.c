// Histories built call by call, as a search does: judged without allocating, taken back event by event, and compared with
// the outcomes of sequential orders.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/time.h"
#include "history/form.h"
#include "history/input.h"
#include "history/models.h"
#include "history/outcomes.h"

enum { OPS = 16 };

static struct linearizer z;
static struct operation ops[OPS];
static struct history h;

static uint32_t call(uint32_t process, uint16_t what, int64_t argument)
{
    return history_invoke(&h, process, what, &argument, 1);
}

static void call_and_return(uint32_t process, uint16_t what, int64_t argument, int64_t result)
{
    history_return(&h, call(process, what, argument), result);
}

static enum verdict judge(const struct spec *spec, enum judgement judgement)
{
    struct lin_options options = {.judgement = judgement};
    return linearize(&z, spec, h.ops, h.count, &options);
}

static int begin(void **state)
{
    (void)state;
    linearizer_init(&z, 1 << 23);
    history_begin(&h, ops, OPS);
    return 0;
}

static int end(void **state)
{
    (void)state;
    linearizer_free(&z);
    return 0;
}

static void an_empty_history_is_right(void **state)
{
    (void)state;
    assert_int_equal(judge(&spec_register, JUDGE_LINEARIZABLE), VERDICT_YES);
    assert_int_equal(z.order_count, 0);
}

static void a_stale_read_is_only_sequentially_consistent(void **state)
{
    (void)state;
    call_and_return(0, REGISTER_WRITE, 1, VALUE_NIL);
    call_and_return(1, REGISTER_WRITE, 2, VALUE_NIL);
    call_and_return(2, REGISTER_READ, 0, 1);
    assert_int_equal(judge(&spec_register, JUDGE_LINEARIZABLE), VERDICT_NO);
    assert_int_equal(judge(&spec_register, JUDGE_SEQUENTIAL), VERDICT_YES);
    assert_int_equal(judge(&spec_register, JUDGE_QUIESCENT), VERDICT_NO);
}

static void events_can_be_taken_back(void **state)
{
    (void)state;
    call_and_return(0, REGISTER_WRITE, 1, VALUE_NIL);
    uint32_t read = call(1, REGISTER_READ, 0);
    history_return(&h, read, 7);
    assert_int_equal(judge(&spec_register, JUDGE_LINEARIZABLE), VERDICT_NO);
    history_undo(&h, read);
    assert_true(operation_pending(&ops[read]));
    assert_int_equal(judge(&spec_register, JUDGE_LINEARIZABLE), VERDICT_YES);
    history_return(&h, read, 1);
    assert_int_equal(judge(&spec_register, JUDGE_LINEARIZABLE), VERDICT_YES);
    history_undo(&h, read);
    history_undo(&h, read);
    assert_int_equal(h.count, 1);
    assert_int_equal(h.now, 2);
}

static void an_order_says_what_a_pending_call_gave(void **state)
{
    (void)state;
    call_and_return(0, QUEUE_PUT, 1, VALUE_NIL);
    call_and_return(0, QUEUE_PUT, 2, VALUE_NIL);
    call(1, QUEUE_GET, 0);
    call_and_return(2, QUEUE_GET, 0, 2);
    assert_int_equal(judge(&spec_queue, JUDGE_LINEARIZABLE), VERDICT_YES);
    assert_int_equal(z.order_count, 4);
    assert_int_equal(z.order[2].op, 2);
    assert_int_equal(z.order[2].result, 1);
}

static void limits_end_the_search(void **state)
{
    (void)state;
    struct lin_options options = {.max_visited = 3};
    struct linearizer small;
    for (uint32_t i = 0; i < 7; i++)
        call(i, QUEUE_PUT, i);
    for (uint32_t i = 0; i < 7; i++)
        history_return(&h, i, VALUE_NIL);
    call_and_return(7, QUEUE_GET, 0, VALUE_NIL);
    assert_int_equal(linearize(&z, &spec_queue, h.ops, h.count, &options), VERDICT_UNKNOWN);
    assert_string_equal(z.reason, "places");
    options.max_visited = 0;
    options.deadline = time_now() - 1;
    assert_int_equal(linearize(&z, &spec_queue, h.ops, h.count, &options), VERDICT_UNKNOWN);
    assert_string_equal(z.reason, "time");
    options.deadline = 0;
    linearizer_init(&small, 1 << 14);
    assert_int_equal(linearize(&small, &spec_queue, h.ops, h.count, &options), VERDICT_UNKNOWN);
    assert_string_equal(small.reason, "memory");
    assert_true(small.space.most <= 1 << 14);
    linearizer_free(&small);
    assert_int_equal(linearize(&z, &spec_queue, h.ops, h.count, &options), VERDICT_NO);
}

static void outcomes_are_those_of_sequential_orders(void **state)
{
    (void)state;
    struct outcomes outcomes;
    call(0, COUNTER_FETCH_ADD, 1);
    call(1, COUNTER_FETCH_ADD, 1);
    call(1, COUNTER_GET, 0);
    assert_true(outcomes_find(&z, &spec_counter, h.ops, h.count, &outcomes));
    assert_int_equal(outcomes.results.count, 3); // (0, 1, 2), (1, 0, 1), (1, 0, 2)
    assert_int_equal(outcomes.stuck, 0);
    ops[0].result = 1, ops[1].result = 0, ops[2].result = 1;
    assert_true(outcomes_has(&z, &outcomes, ops, 3));
    ops[0].result = 0, ops[1].result = 0;
    assert_false(outcomes_has(&z, &outcomes, ops, 3));
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(outcomes_get(&z, &outcomes, i)[0] + outcomes_get(&z, &outcomes, i)[1], 1);
}

static void outcomes_tell_where_everybody_waits(void **state)
{
    (void)state;
    struct outcomes outcomes;
    call(0, MUTEX_ACQUIRE, 0);
    call(1, MUTEX_ACQUIRE, 0);
    assert_true(outcomes_find(&z, &spec_mutex, h.ops, h.count, &outcomes));
    assert_int_equal(outcomes.results.count, 0);
    assert_int_equal(outcomes.stuck, 2);
}

static void texts_are_the_same_words(void **state)
{
    (void)state;
    struct values values = {0};
    char out[32], text[16];
    int64_t first = value_of_text(&values, "0", 1);
    for (int i = 1; i < 1000; i++)
        value_of_text(&values, text, (size_t)snprintf(text, sizeof text, "%d", i));
    assert_int_equal(value_of_text(&values, "0", 1), first);
    assert_int_equal(values.texts.count, 1000);
    assert_false(value_is_integer(first));
    assert_string_equal(value_show(&values, first, out, sizeof out), "0");
    assert_string_equal(value_show(&values, VALUE_TRUE, out, sizeof out), "true");
    assert_string_equal(value_show(&values, -5, out, sizeof out), "-5");
    values_free(&values);
}

static void forms_are_read_with_their_lines(void **state)
{
    (void)state;
    char text[] = "; a comment\n[#_ skipped {:a [1 \"x\\n\\u00e9\"], :b #inst \"2020\"}\n -3 12345678901234567890 nil]";
    struct forms forms;
    struct values values = {0};
    char out[64];
    forms_open(&forms, text, sizeof text - 1, false);
    const struct form *form = forms_next(&forms);
    assert_non_null(form);
    assert_int_equal(form->line, 2);
    assert_string_equal(value_show(&values, form_value(form_get(form, "a"), &values), out, sizeof out),
                        "[1 x\n\u00e9]");
    assert_true(form_is(form_get(form, "b"), "2020"));
    form = forms_next(&forms);
    assert_int_equal(form->integer, -3);
    assert_int_equal(form->line, 3);
    assert_int_equal(forms_next(&forms)->kind, FORM_TEXT); // too large for an integer
    assert_int_equal(forms_next(&forms)->kind, FORM_NIL);
    assert_null(forms_next(&forms));
    assert_null(forms.error);
    forms_close(&forms);
    values_free(&values);
}

static void damaged_input_is_refused(void **state)
{
    (void)state;
    char whole[] = "{\"process\":0,\"type\":\"invoke\",\"f\":\"write\",\"value\":[\"a\\u0041\",{\"k\":[1,2.5,null]}]}\n"
                   "{\"process\":0,\"type\":\"ok\",\"f\":\"write\",\"value\":7}\n";
    for (size_t length = 0; length < sizeof whole; length++) {
        for (int change = 0; change < 4; change++) {
            char *copy = strndup(whole, length);
            if (length && change)
                copy[(length * (size_t)change * 7) % length] = "}\"\\["[change];
            struct input input;
            if (!input_read(&input, &spec_register, copy, length, change % 2 ? INPUT_EDN : INPUT_JSON, KEYS_NO)) {
                assert_true(input.error[0] != 0);
                assert_in_range(input.line, 1, 3);
            }
            input_free(&input);
            free(copy);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_empty_history_is_right, begin, end),
        cmocka_unit_test_setup_teardown(a_stale_read_is_only_sequentially_consistent, begin, end),
        cmocka_unit_test_setup_teardown(events_can_be_taken_back, begin, end),
        cmocka_unit_test_setup_teardown(an_order_says_what_a_pending_call_gave, begin, end),
        cmocka_unit_test_setup_teardown(limits_end_the_search, begin, end),
        cmocka_unit_test_setup_teardown(outcomes_are_those_of_sequential_orders, begin, end),
        cmocka_unit_test_setup_teardown(outcomes_tell_where_everybody_waits, begin, end),
        cmocka_unit_test(texts_are_the_same_words),
        cmocka_unit_test(forms_are_read_with_their_lines),
        cmocka_unit_test(damaged_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
