// A recorded run is read whole or refused, and answers who held what, who touched what, and where memory came from.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/story.h"
#include "report/trace_read.h"

enum { X = 0x1000, Y = 0x1010, M = 0x2000, N = 0x2040, C = 0x2080, BLOCK = 0x9000 };

static char path[] = "/tmp/heddle-trace-XXXXXX";
static FILE *file;
static uint32_t next_event;

static void begin(void)
{
    file = fopen(path, "wb");
    assert_non_null(file);
    next_event = 0;
}

static void put(struct trace_record r, const char *text)
{
    r.text = (uint32_t)strlen(text);
    assert_int_equal(fwrite(&r, sizeof r, 1, file), 1);
    uint64_t frame = 0x1234;
    for (uint32_t i = 0; i < r.frames; i++)
        assert_int_equal(fwrite(&frame, sizeof frame, 1, file), 1);
    assert_int_equal(fwrite(text, 1, r.text, file), r.text);
}

static void event(uint32_t actor, uint32_t kind, uint64_t address, uint32_t effect)
{
    put((struct trace_record){.type = TRACE_EVENT,
                              .kind = kind,
                              .actor = actor,
                              .event = next_event++,
                              .address = address,
                              .effect = effect,
                              .size = kind <= OP_PLAIN_WRITE ? 4 : 0,
                              .frames = 1},
        "");
}

static void silent(uint32_t actor, uint32_t kind, uint64_t address, uint64_t value, uint32_t size)
{
    put((struct trace_record){.type = TRACE_SILENT,
                              .kind = kind,
                              .actor = actor,
                              .event = next_event - 1,
                              .address = address,
                              .value = value,
                              .size = size},
        "");
}

static void plain(uint32_t actor, uint32_t type, uint64_t address, uint64_t value)
{
    put((struct trace_record){.type = type,
                              .actor = actor,
                              .event = next_event - 1,
                              .address = address,
                              .value = value,
                              .size = 4,
                              .pc = 0x400000 + actor},
        "");
}

static struct trace *finish(void)
{
    char error[256] = "";
    assert_int_equal(fclose(file), 0);
    struct trace *t = trace_load(path, error, sizeof error);
    assert_string_equal(error, "");
    assert_non_null(t);
    return t;
}

static void assert_refused(const char *why)
{
    char error[256] = "";
    assert_null(trace_load(path, error, sizeof error));
    if (!strstr(error, why))
        fail_msg("\"%s\" does not say \"%s\"", error, why);
}

static int set_up(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd < 0 ? -1 : close(fd);
}

static int tear_down(void **state)
{
    (void)state;
    return unlink(path);
}

static void texts_and_stacks_are_kept(void **state)
{
    (void)state;
    begin();
    put((struct trace_record){.type = TRACE_MODULE}, "/bin/odd");
    event(0, OP_LOAD, X, EFFECT_READ);
    put((struct trace_record){.type = TRACE_NOTE, .frames = 2}, "hello");
    struct trace *t = finish();
    assert_int_equal(t->count, 3);
    assert_string_equal(t->entries[0].text, "/bin/odd");
    assert_string_equal(t->entries[1].text, "");
    assert_int_equal(t->entries[1].frames[0], 0x1234);
    assert_string_equal(t->entries[2].text, "hello");
    assert_int_equal(t->entries[2].frames[1], 0x1234);
    trace_free(t);
}

static void a_file_cut_anywhere_is_refused_or_shorter(void **state)
{
    (void)state;
    begin();
    put((struct trace_record){.type = TRACE_MODULE}, "/bin/odd");
    put((struct trace_record){.type = TRACE_NOTE, .frames = 3}, "hello");
    long length = ftell(file);
    trace_free(finish());
    long first = (long)sizeof(struct trace_record) + 8;
    for (long cut = length - 1; cut >= 0; cut--) {
        assert_int_equal(truncate(path, cut), 0);
        char error[256] = "";
        struct trace *t = trace_load(path, error, sizeof error);
        assert_int_equal(t != NULL, cut == first);
        assert_int_equal(error[0] != 0, cut != first);
        trace_free(t);
    }
}

static void foreign_files_are_refused(void **state)
{
    (void)state;
    begin();
    for (int i = 0; i < 100; i++)
        fprintf(file, "this is not a trace\n");
    fclose(file);
    assert_refused("not a recorded run");
    begin();
    fclose(file);
    assert_refused("empty");
    begin();
    put((struct trace_record){.type = TRACE_NOTE}, "good");
    put((struct trace_record){.type = TRACE_EVENT, .kind = 999}, "");
    fclose(file);
    assert_refused("damaged at record 1");
    begin();
    put((struct trace_record){.type = TRACE_SILENT, .kind = SILENT_CREATE, .value = MAX_ACTORS}, "");
    fclose(file);
    assert_refused("not a recorded run");
    char error[64];
    assert_null(trace_load("/nonexistent/file", error, sizeof error));
}

static void random_bytes_never_crash(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 300; round++) {
        begin();
        for (int i = 0; i < 4; i++) {
            struct trace_record r;
            for (size_t b = 0; b < sizeof r; b++)
                ((unsigned char *)&r)[b] = (unsigned char)(rand() % 4 ? 0 : rand());
            r.type = 1 + (uint32_t)rand() % 7;
            r.kind = (uint32_t)rand() % 10;
            r.frames = (uint32_t)rand() % 3;
            fwrite(&r, sizeof r, 1, file);
        }
        fclose(file);
        char error[256] = "";
        struct trace *t = trace_load(path, error, sizeof error);
        assert_true(t || error[0]);
        trace_free(t);
    }
}

static void locks_are_held_from_taking_to_letting_go(void **state)
{
    (void)state;
    struct trace_lock held[4];
    size_t taken;
    begin();
    event(1, OP_LOCK, M, EFFECT_WRITE);    // 0
    event(1, OP_TRYLOCK, N, EFFECT_WRITE); // 1
    event(2, OP_TRYLOCK, M, EFFECT_READ);  // 2: busy
    silent(1, SILENT_UNLOCK, M, 0, 0);     // 3: the wait lets go of its mutex
    event(1, OP_WAIT, C, EFFECT_ADD);      // 4
    event(1, OP_UNLOCK, N, EFFECT_WRITE);  // 5
    struct trace *t = finish();
    t->actors[1].known = t->actors[2].known = true;
    assert_int_equal(trace_locks(t, 1, 0, held, 4), 0);
    assert_int_equal(trace_locks(t, 1, 2, held, 4), 2);
    assert_int_equal(held[0].address, M);
    assert_int_equal(held[1].taken, 1);
    assert_int_equal(trace_locks(t, 2, 3, held, 4), 0);
    assert_int_equal(trace_locks(t, 1, 5, held, 4), 1);
    assert_int_equal(held[0].address, N);
    assert_int_equal(trace_locks(t, 1, 6, held, 4), 0);
    assert_int_equal(trace_holder(t, M, 3, &taken), 1);
    assert_int_equal(taken, 0);
    assert_int_equal(trace_holder(t, M, 4, &taken), MAX_ACTORS);
    trace_free(t);
}

static void the_first_access_of_a_race_is_the_newest_that_conflicts(void **state)
{
    (void)state;
    begin();
    plain(1, TRACE_WRITE, X, 0);    // 0
    plain(1, TRACE_READ, X, 1);     // 1
    plain(1, TRACE_WRITE, Y, 0);    // 2
    plain(2, TRACE_READ, X + 2, 0); // 3
    struct trace *t = finish();
    assert_int_equal(trace_first_access(t, 3, 1, X + 2, 4, false), 0);
    assert_int_equal(trace_first_access(t, 3, 1, X + 2, 4, true), 1);
    assert_int_equal(trace_first_access(t, 3, 2, X, 4, true), NO_ENTRY);
    trace_free(t);
}

static void the_failing_access_may_follow_its_report(void **state)
{
    (void)state;
    begin();
    plain(1, TRACE_WRITE, X, 0);
    put((struct trace_record){.type = TRACE_BUG, .kind = BUG_RACE, .actor = 1, .address = X, .size = 4, .pc = 0x400001},
        "");
    plain(2, TRACE_WRITE, X, 0);
    plain(1, TRACE_WRITE, X, 0);
    struct trace *t = finish();
    assert_int_equal(trace_failing_access(t, 1), 3);
    t->count = 3;
    assert_int_equal(trace_failing_access(t, 1), 0);
    trace_free(t);
}

static void a_write_shows_its_value_or_the_next_access_does(void **state)
{
    (void)state;
    uint64_t value;
    begin();
    event(1, OP_VOLATILE_WRITE, X, EFFECT_WRITE); // 0
    plain(2, TRACE_READ, X, 6);                   // 1
    event(1, OP_VOLATILE_WRITE, X, EFFECT_WRITE); // 2
    plain(1, TRACE_WRITE, Y, 0);                  // 3: the report comes before the write
    put((struct trace_record){.type = TRACE_BUG, .kind = BUG_RACE, .actor = 1}, "");
    put((struct trace_record){.type = TRACE_WRITE, .address = M, .size = 4, .value = 1, .result = 2}, "");
    struct trace *t = finish();
    assert_true(trace_written(t, 0, &value));
    assert_int_equal(value, 6);
    assert_false(trace_written(t, 1, &value));
    assert_false(trace_written(t, 2, &value));
    assert_false(trace_written(t, 3, &value));
    assert_true(trace_written(t, 5, &value));
    assert_int_equal(value, 2);
    trace_free(t);
}

static void heap_addresses_lead_to_their_allocation(void **state)
{
    (void)state;
    begin();
    silent(0, SILENT_ALLOC, BLOCK, 0, 32);      // 0
    silent(0, SILENT_ALLOC, BLOCK + 64, 0, 32); // 1
    silent(0, SILENT_FREE, BLOCK, 0, 0);        // 2
    silent(0, SILENT_ALLOC, BLOCK, 0, 16);      // 3: given out again
    struct trace *t = finish();
    assert_int_equal(trace_block_at(t, BLOCK + 8, 1)->allocated, 0);
    assert_int_equal(trace_block_at(t, BLOCK + 8, 1)->freed, 2);
    assert_int_equal(trace_block_at(t, BLOCK + 8, 9)->allocated, 3);
    assert_int_equal(trace_block_at(t, BLOCK + 20, 9)->allocated, 0);
    assert_int_equal(trace_block_at(t, BLOCK + 64, 9)->allocated, 1);
    assert_int_equal(trace_block_at(t, BLOCK + 40, 9)->allocated, 0); // just behind it
    assert_null(trace_block_at(t, BLOCK + 56, 9));
    assert_null(trace_block_at(t, 8, 9));
    trace_free(t);
}

static void an_operation_without_scheduling_has_no_number(void **state)
{
    (void)state;
    begin();
    event(0, OP_LOAD, X, EFFECT_READ); // 0
    plain(0, TRACE_READ, Y, 0);        // 1
    next_event--;
    event(0, OP_LOAD, X, EFFECT_READ); // 2: the same number
    event(0, OP_LOAD, X, EFFECT_READ); // 3
    struct trace *t = finish();
    assert_true(trace_is_scheduled(t, 0));
    assert_false(trace_is_scheduled(t, 1));
    assert_false(trace_is_scheduled(t, 2));
    assert_true(trace_is_scheduled(t, 3));
    trace_free(t);
}

static const struct story_focus no_focus = {NO_ENTRY, NO_ENTRY, NO_ENTRY, NULL, NO_EVENT, NO_EVENT, NULL};

static void only_shared_memory_makes_the_story(void **state)
{
    (void)state;
    begin();
    silent(0, SILENT_CREATE, 0, 1, 0); // 0
    plain(0, TRACE_WRITE, Y, 0);       // 1: its own
    plain(0, TRACE_WRITE, Y + 4, 0);   // 2: its own
    plain(0, TRACE_WRITE, X, 0);       // 3
    plain(1, TRACE_READ, X, 0);        // 4
    struct trace *t = finish();
    struct story s;
    story_tell(&s, t, &no_focus);
    assert_int_equal(s.count, 4);
    assert_int_equal(s.rows[1].steps, 2);
    assert_int_equal(s.rows[2].entry, 3);
    assert_false(s.rows[2].switched);
    assert_true(s.rows[3].switched);
    story_free(&s);
    trace_free(t);
}

static void a_long_story_keeps_its_end_and_what_decides(void **state)
{
    (void)state;
    begin();
    silent(0, SILENT_CREATE, 0, 1, 0);
    for (uint32_t i = 0; i < 1000; i++)
        event(i % 2, OP_RMW, X, EFFECT_WRITE);
    struct trace *t = finish();
    struct story_focus focus = no_focus;
    focus.decisive_event = 10;
    struct story s;
    story_tell(&s, t, &focus);
    assert_in_range(s.count, 100, 110);
    uint32_t steps = 0, decisive = 0;
    for (size_t i = 0; i < s.count; i++) {
        steps += s.rows[i].steps ? s.rows[i].steps : 1;
        decisive += s.rows[i].decisive;
    }
    assert_int_equal(steps, t->count);
    assert_int_equal(decisive, 1);
    assert_int_equal(s.rows[s.count - 1].entry, t->count - 1);
    story_free(&s);
    trace_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_and_stacks_are_kept),
        cmocka_unit_test(a_file_cut_anywhere_is_refused_or_shorter),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(random_bytes_never_crash),
        cmocka_unit_test(locks_are_held_from_taking_to_letting_go),
        cmocka_unit_test(the_first_access_of_a_race_is_the_newest_that_conflicts),
        cmocka_unit_test(the_failing_access_may_follow_its_report),
        cmocka_unit_test(a_write_shows_its_value_or_the_next_access_does),
        cmocka_unit_test(heap_addresses_lead_to_their_allocation),
        cmocka_unit_test(an_operation_without_scheduling_has_no_number),
        cmocka_unit_test(only_shared_memory_makes_the_story),
        cmocka_unit_test(a_long_story_keeps_its_end_and_what_decides),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
