// Processes that search states together mean the same by what they say, or somebody notices; and their records keep their order.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "spread/state_agreement.h"

static bool hear(struct agreement *a, enum exchange_kind kind, uint64_t about, uint64_t value)
{
    uint64_t word;
    return agreement_hear(a, &(struct exchange_record){.kind = kind, .word = {about, value}}, &word);
}

static void a_word_of_one_actor_is_left_out(void **unused)
{
    (void)unused;
    struct agreement a = {0};
    assert_false(hear(&a, EXCHANGE_WORD, 0x1000, 2));
    assert_false(hear(&a, EXCHANGE_WORD, 0x1000, 2));
    assert_int_equal(a.digest, 0);
    agreement_free(&a);
}

static void a_word_of_several_belongs_to_states_once(void **unused)
{
    (void)unused;
    struct agreement a = {0};
    assert_false(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(2, true)));
    assert_true(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(3, false)));
    assert_int_equal(a.digest, fingerprint_scramble(0x1001));
    assert_false(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(4, true)));
    assert_false(hear(&a, EXCHANGE_GROWN, 0x1000, 0));
    assert_int_equal(a.digest, fingerprint_scramble(0x1001));
    agreement_free(&a);
}

// One process left it out, and another never did, since it met several at once.
static void a_word_that_one_left_out_belongs_to_states(void **unused)
{
    (void)unused;
    struct agreement a = {0};
    assert_false(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(0, true)));
    assert_false(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(0, true)));
    assert_true(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(1, false)));
    agreement_free(&a);
}

// Whoever has seen the readers has not seen the write, and the other way round.
static void a_word_that_is_only_read_is_left_out(void **unused)
{
    (void)unused;
    struct agreement a = {0};
    assert_false(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(2, false)));
    assert_false(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(3, false)));
    assert_false(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(0, false)));
    assert_int_equal(a.digest, 0);
    assert_true(hear(&a, EXCHANGE_WORD, 0x1000, exchange_use(2, true)));
    agreement_free(&a);
}

static void what_grew_means_the_same_in_any_order(void **unused)
{
    (void)unused;
    struct agreement a = {0}, b = {0};
    hear(&a, EXCHANGE_GROWN, 8, 0), hear(&a, EXCHANGE_GROWN, 16, 0);
    hear(&b, EXCHANGE_GROWN, 16, 0), hear(&b, EXCHANGE_GROWN, 8, 0), hear(&b, EXCHANGE_GROWN, 8, 0);
    assert_int_equal(a.digest, b.digest);
    agreement_free(&a);
    agreement_free(&b);
}

static void other_numbers_are_trouble(void **unused)
{
    (void)unused;
    static const struct {
        enum exchange_kind kind;
        uint64_t first[2], then[2];
    } wrong[] = {{EXCHANGE_PLACE, {3, 0x2000}, {3, 0x2008}}, // one number, two objects
                 {EXCHANGE_PLACE, {3, 0x2000}, {4, 0x2000}}, // one object, two numbers
                 {EXCHANGE_ACTOR, {5, 1}, {5, 2}},           // one number, two actors
                 {EXCHANGE_SIZE, {0x3000, 8}, {0x3004, 4}},  // sizes that overlap
                 {EXCHANGE_SIZE, {0x3000, 8}, {0x3000, 4}},
                 {EXCHANGE_BEGUN, {1, 1}, {1, 2}}}; // other states from the beginning
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct agreement a = {0};
        hear(&a, wrong[i].kind, wrong[i].first[0], wrong[i].first[1]);
        hear(&a, wrong[i].kind, wrong[i].first[0], wrong[i].first[1]);
        assert_null(a.trouble);
        hear(&a, wrong[i].kind, wrong[i].then[0], wrong[i].then[1]);
        assert_non_null(a.trouble);
        agreement_free(&a);
    }
}

static void neighbours_are_no_trouble(void **unused)
{
    (void)unused;
    struct agreement a = {0};
    hear(&a, EXCHANGE_SIZE, 0x3000, 4), hear(&a, EXCHANGE_SIZE, 0x3004, 4), hear(&a, EXCHANGE_SIZE, 0x3008, 8);
    hear(&a, EXCHANGE_PLACE, 1, 0x3000), hear(&a, EXCHANGE_PLACE, 2, 0x3004);
    assert_null(a.trouble);
    agreement_free(&a);
}

static void records_keep_their_order_and_wait_for_room(void **unused)
{
    (void)unused;
    struct state_exchange *x = calloc(1, sizeof *x);
    assert_non_null(x);
    for (uint64_t round = 0; round < 3; round++) {
        for (uint64_t i = 0; i < EXCHANGE_RECORDS; i++)
            assert_true(exchange_put(&x->out, &(struct exchange_record){.kind = EXCHANGE_ASK, .word = {round, i}}));
        assert_false(exchange_put(&x->out, &(struct exchange_record){.kind = EXCHANGE_ASK}));
        for (uint64_t i = 0; i < EXCHANGE_RECORDS; i++, exchange_pass(&x->out)) {
            const struct exchange_record *record = exchange_look(&x->out);
            assert_non_null(record);
            assert_true(record->word[0] == round && record->word[1] == i);
        }
        assert_null(exchange_look(&x->out));
    }
    free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_word_of_one_actor_is_left_out),
                                       cmocka_unit_test(a_word_of_several_belongs_to_states_once),
                                       cmocka_unit_test(a_word_that_one_left_out_belongs_to_states),
                                       cmocka_unit_test(a_word_that_is_only_read_is_left_out),
                                       cmocka_unit_test(what_grew_means_the_same_in_any_order),
                                       cmocka_unit_test(other_numbers_are_trouble),
                                       cmocka_unit_test(neighbours_are_no_trouble),
                                       cmocka_unit_test(records_keep_their_order_and_wait_for_room)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
