// A schedule that is written and read again is the same; anything else than a whole schedule is refused with a sentence.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "supervise/schedule.h"

static char *text; // of the schedule written last
static size_t text_size;

static int tear_down(void **state)
{
    (void)state;
    free(text);
    text = NULL;
    return 0;
}

static void write_text(const struct schedule *s)
{
    free(text);
    FILE *file = open_memstream(&text, &text_size);
    assert_non_null(file);
    assert_int_equal(schedule_write(file, s), 0);
    assert_int_equal(fclose(file), 0);
}

static const char *read_bytes(const char *bytes, size_t size, struct schedule *s)
{
    FILE *file = size ? fmemopen((void *)(uintptr_t)bytes, size, "r") : fopen("/dev/null", "r");
    assert_non_null(file);
    const char *wrong = schedule_read(file, s);
    fclose(file);
    return wrong;
}

static void assert_same_words(char *const *a, char *const *b)
{
    for (; *a && *b; a++, b++)
        assert_string_equal(*a, *b);
    assert_null(*a);
    assert_null(*b);
}

static void assert_same_text(const char *a, const char *b)
{
    assert_int_equal(!a, !b);
    if (a)
        assert_string_equal(a, b);
}

static void assert_same_outline(const struct outline *a, const struct outline *b)
{
    assert_int_equal(a->op_count, b->op_count);
    for (size_t i = 0; i < a->op_count; i++) {
        assert_string_equal(a->ops[i].operation, b->ops[i].operation);
        assert_string_equal(a->ops[i].object, b->ops[i].object);
        assert_string_equal(a->ops[i].place, b->ops[i].place);
    }
    assert_int_equal(a->count, b->count);
    if (a->count)
        assert_memory_equal(a->does, b->does, a->count * sizeof *a->does);
}

static void assert_same(const struct schedule *a, const struct schedule *b)
{
    assert_same_text(a->program, b->program);
    assert_same_words(a->sources, b->sources);
    assert_same_words(a->flags, b->flags);
    assert_same_words(a->arguments, b->arguments);
    assert_same_text(a->bug, b->bug);
    assert_int_equal(a->rules.reuse, b->rules.reuse);
    assert_int_equal(a->rules.spurious, b->rules.spurious);
    assert_int_equal(a->rules.leaks, b->rules.leaks);
    assert_int_equal(a->rules.races, b->rules.races);
    assert_int_equal(a->unlock_visible, b->unlock_visible);
    assert_same_text(a->failure, b->failure);
    assert_true(a->build == b->build);
    assert_same_words(a->merged, b->merged);
    assert_same_words(a->racy, b->racy);
    assert_same_outline(&a->outline, &b->outline);
    assert_int_equal(a->threads.count, b->threads.count);
    for (uint32_t i = 1; i < a->threads.count; i++) {
        assert_int_equal(a->threads.thread[i].parent, b->threads.thread[i].parent);
        assert_int_equal(a->threads.thread[i].number, b->threads.thread[i].number);
    }
    assert_int_equal(a->steps, b->steps);
    if (a->steps)
        assert_memory_equal(a->step, b->step, a->steps * sizeof *a->step);
}

static void assert_survives(const struct schedule *s)
{
    struct schedule again;
    write_text(s);
    assert_null(read_bytes(text, text_size, &again));
    assert_same(s, &again);
    schedule_free(&again);
}

static void assert_refused(const char *bytes, const char *why)
{
    struct schedule s;
    const char *wrong = read_bytes(bytes, strlen(bytes), &s);
    schedule_free(&s);
    if (!wrong)
        fail_msg("this was taken for a schedule:\n%s", bytes);
    if (!strstr(wrong, why))
        fail_msg("\"%s\" does not say \"%s\"", wrong, why);
}

static struct step steps_of_example[] = {{0, 0}, {1, 0}, {1, 0}, {2, 3}, {2, 3}, {0, 65535}, {255, 0}};

static struct outline_op ops_of_example[] = {
    {"lock", "mutex", "a.c:3 (f)"}, {"join", "", ""}, {"load", "x[3].y", "b\n\\.c:4"}};
static uint32_t events_of_example[] = {0, 0, 0, 1, 2, 1};

static const struct schedule example = {
    .program = "/tmp/a program",
    .sources = {"one.c", "two words.c"},
    .flags = {"-O1", "-DTEXT=\"a\\nb\""},
    .arguments = {"", " ", "two\nlines\n", "\\", "ends with \\\\", "\\n"},
    .bug = "use-after-free",
    .rules.reuse = 1,
    .rules.leaks = 1,
    .rules.races = 2,
    .unlock_visible = 1,
    .rules.spurious = 3,
    .failure = "assertion `a \\ b' failed\nin f",
    .build = UINT64_MAX,
    .merged = {"0x1000", "table#2+16"},
    .racy = {"404040"},
    .outline = {.ops = ops_of_example, .op_count = 3, .does = events_of_example, .count = 6},
    .threads.count = 4,
    .threads.thread = {{0, 0}, {0, 0}, {0, 1}, {2, 0}},
    .steps = 7,
    .step = steps_of_example,
};

static void what_is_written_is_read(void **state)
{
    (void)state;
    assert_survives(&example);
}

static void an_empty_schedule_is_one(void **state)
{
    (void)state;
    assert_survives(&(struct schedule){.threads.count = 1});
}

static void random_schedules_survive(void **state)
{
    (void)state;
    srand(1);
    for (int round = 0; round < 300; round++) {
        struct schedule s = example;
        char word[32];
        for (size_t i = 0; i < sizeof word; i++)
            word[i] = (char)(1 + rand() % 255);
        word[rand() % 32] = word[sizeof word - 1] = 0;
        s.arguments[1] = word;
        s.program = rand() % 2 ? NULL : "p";
        s.rules.races = (uint32_t)rand() % 3;
        s.rules.leaks = (uint32_t)rand() % 2;
        static char names[256][32];
        int merged = rand() % 65, racy = rand() % 257;
        for (int i = 0; i < 256; i++)
            snprintf(names[i], sizeof names[i], rand() % 2 ? "x%d+%d" : "%x%x", rand(), rand() % 1000);
        for (int i = 0; i < 64; i++)
            s.merged[i] = i < merged ? names[i] : NULL;
        for (int i = 0; i < 256; i++)
            s.racy[i] = i < racy ? names[i] : NULL;
        uint32_t does[200];
        s.outline.does = does;
        s.threads.count = 1 + (uint32_t)rand() % SCHEDULE_THREADS;
        for (uint32_t i = 1; i < s.threads.count; i++) {
            s.threads.thread[i].parent = (uint32_t)rand() % i;
            s.threads.thread[i].number = (uint32_t)rand() % 300;
        }
        struct step steps[200];
        s.steps = (uint32_t)rand() % 200;
        s.step = steps;
        s.outline.count = s.steps ? (uint32_t)rand() % s.steps : 0;
        for (uint32_t i = 0; i < s.outline.count; i++)
            does[i] = (uint32_t)rand() % 3;
        for (uint32_t i = 0; i < s.steps; i++)
            steps[i] = i && rand() % 2 ? steps[i - 1]
                                       : (struct step){(uint16_t)(rand() % 256), (uint16_t)(rand() % 4 ? 0 : rand())};
        assert_survives(&s);
    }
}

static void long_runs_of_one_thread_are_short_to_write(void **state)
{
    (void)state;
    struct schedule s = {.threads.count = 1, .steps = SCHEDULE_STEPS};
    s.step = calloc(s.steps, sizeof *s.step);
    assert_non_null(s.step);
    assert_survives(&s);
    assert_true(text_size < 200);
    free(s.step);
}

static void a_program_may_have_any_name(void **state)
{
    (void)state;
    struct schedule s = example;
    s.program = "back\\slash \\n and\nsteps 0";
    assert_survives(&s);
}

static void a_file_that_cannot_be_written_is_noticed(void **state)
{
    (void)state;
    FILE *full = fopen("/dev/full", "w");
    if (!full)
        skip();
    setvbuf(full, NULL, _IONBF, 0);
    assert_int_equal(schedule_write(full, &example), -1);
    fclose(full);
}

static void a_schedule_cut_anywhere_is_refused(void **state)
{
    (void)state;
    write_text(&example);
    assert_string_equal(text + text_size - 5, "\nend\n");
    for (size_t size = 0; size < text_size - 1; size++) {
        struct schedule s;
        const char *wrong = read_bytes(text, size, &s);
        schedule_free(&s);
        if (!wrong)
            fail_msg("%zu of %zu bytes were taken for the whole", size, text_size);
    }
}

static void a_missing_line_of_steps_is_noticed(void **state)
{
    (void)state;
    assert_refused("heddle schedule 1\nsteps 3\n0 0\nend\n", "fewer steps than it says");
    assert_refused("heddle schedule 1\nsteps 3\n0 0 0 0\nend\n", "step makes no sense");
    assert_refused("heddle schedule 1\nsteps 3\n0 0 0\n", "breaks off before its end");
    assert_refused("heddle schedule 1\nbug race\n", "breaks off before its steps");
}

static void foreign_files_are_refused(void **state)
{
    (void)state;
    assert_refused("", "not a schedule");
    assert_refused("\n", "not a schedule");
    assert_refused("#!/bin/sh\n", "not a schedule");
    assert_refused("\x7f\x45LF", "not a schedule");
    assert_refused("heddle schedule 2\nsteps 0\nend\n", "another version");
    assert_refused("heddle schedule 10\nsteps 0\nend\n", "another version");
    assert_refused("heddle schedule 1\r\nsteps 0\r\nend\r\n", "another version");
}

#define AFTER_FIRST_LINE(lines) "heddle schedule 1\n" lines "\nsteps 0\nend\n"

static void lines_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    assert_refused(AFTER_FIRST_LINE("nonsense"), "line heddle does not know");
    assert_refused(AFTER_FIRST_LINE(""), "line heddle does not know");
    assert_refused(AFTER_FIRST_LINE("programme x"), "line heddle does not know");
    assert_refused(AFTER_FIRST_LINE("steps many"), "line heddle does not know");
    assert_refused(AFTER_FIRST_LINE("bug beetle"), "kind of bug");
    assert_refused(AFTER_FIRST_LINE("bug none"), "kind of bug");
    assert_refused(AFTER_FIRST_LINE("bug"), "kind of bug");
    assert_refused(AFTER_FIRST_LINE("options reuse=1"), "options");
    assert_refused(AFTER_FIRST_LINE("spurious 0"), "spurious");
    assert_refused(AFTER_FIRST_LINE("spurious 1x"), "spurious");
    assert_refused(AFTER_FIRST_LINE("options reuse=2 leaks=0 races=0 unlock=0"), "options");
    assert_refused(AFTER_FIRST_LINE("options reuse=0 leaks=2 races=0 unlock=0"), "options");
    assert_refused(AFTER_FIRST_LINE("options reuse=0 leaks=0 races=3 unlock=0"), "options");
    assert_refused(AFTER_FIRST_LINE("options reuse=0 leaks=0 races=0 unlock=4"), "options");
    assert_refused(AFTER_FIRST_LINE("options reuse=0 leaks=0 races=0 unlock=0 more=1"), "options");
    assert_refused(AFTER_FIRST_LINE("thread"), "thread makes no sense");
    assert_refused(AFTER_FIRST_LINE("thread 0 is child 0 of 0"), "thread makes no sense");
    assert_refused(AFTER_FIRST_LINE("thread 1 is child 0 of 1"), "thread makes no sense");
    assert_refused(AFTER_FIRST_LINE("thread 256 is child 0 of 0"), "thread makes no sense");
    assert_refused(AFTER_FIRST_LINE("thread 1 is child of 0"), "thread makes no sense");
}

static void steps_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    static const char *const steps[] = {"x",  "256",  "-1", "0:65536", "0:-1", "0*0", "0*",           "0*2:1", "0*3",
                                        "0;", "0:1*", "*2", ":1",      "0*-1", "0x0", "0*9999999999", "endd"};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        char bytes[128];
        snprintf(bytes, sizeof bytes, "heddle schedule 1\nsteps 2\n%s 0\nend\n", steps[i]);
        assert_refused(bytes, "step makes no sense");
    }
    assert_refused("heddle schedule 1\nsteps 1048577\n0*1048577\nend\n", "longer than heddle can follow");
    assert_refused("heddle schedule 1\nsteps 4294967295\nend\n", "longer than heddle can follow");
}

static void too_many_lines_are_refused(void **state)
{
    (void)state;
    static const char *const lines[] = {"source x", "flag x", "argument x", "merged 1", "racy 1"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char *bytes;
        size_t size;
        FILE *file = open_memstream(&bytes, &size);
        fputs("heddle schedule 1\n", file);
        for (int n = 0; n <= SCHEDULE_RACY; n++)
            fprintf(file, "%s\n", lines[i]);
        fputs("steps 0\nend\n", file);
        fclose(file);
        assert_refused(bytes, "the schedule has");
        free(bytes);
    }
}

static void numbers_that_are_none_are_refused(void **state)
{
    (void)state;
    assert_refused(AFTER_FIRST_LINE("merged nothing"), "");
    assert_refused(AFTER_FIRST_LINE("merged"), "");
    assert_refused(AFTER_FIRST_LINE("racy 12 or so"), "");
    assert_refused(AFTER_FIRST_LINE("racy +8"), "");
    assert_refused(AFTER_FIRST_LINE("racy x+"), "");
    assert_refused(AFTER_FIRST_LINE("build"), "");
    assert_refused(AFTER_FIRST_LINE("build here"), "");
    assert_refused(AFTER_FIRST_LINE("op lock mutex"), "");
    assert_refused(AFTER_FIRST_LINE("op lock\tmutex\ta.c:3\tmore"), "");
    assert_refused(AFTER_FIRST_LINE("does 0"), "");
    assert_refused(AFTER_FIRST_LINE("op lock\t\t\ndoes 1"), "");
    assert_refused(AFTER_FIRST_LINE("op lock\t\t\ndoes 0*0"), "");
    assert_refused(AFTER_FIRST_LINE("op lock\t\t\ndoes 0"), "describes more steps");
    assert_refused("heddle schedule 1\nsteps 1 or two\n0\nend\n", "");
}

static void steps_beyond_any_number_are_refused(void **state)
{
    (void)state;
    assert_refused("heddle schedule 1\nsteps 1\n4294967296\nend\n", "step makes no sense");
    assert_refused("heddle schedule 1\nsteps 1\n0:4294967296\nend\n", "step makes no sense");
    assert_refused("heddle schedule 1\nsteps 1\n0*4294967297\nend\n", "step makes no sense");
    assert_refused("heddle schedule 1\nsteps 1\n0:\nend\n", "step makes no sense");
}

static void saying_a_thing_twice_is_refused(void **state)
{
    (void)state;
    assert_refused(AFTER_FIRST_LINE("program a\nprogram b"), "");
    assert_refused(AFTER_FIRST_LINE("bug race\nbug abort"), "");
    assert_refused(AFTER_FIRST_LINE("failure a\nfailure b"), "");
    assert_refused(AFTER_FIRST_LINE("build 1\nbuild 2"), "");
}

static void damaged_bytes_never_crash(void **state)
{
    (void)state;
    srand(1);
    write_text(&example);
    char *bytes = malloc(text_size);
    assert_non_null(bytes);
    for (int round = 0; round < 5000; round++) {
        memcpy(bytes, text, text_size);
        for (int changes = 1 + rand() % 3; changes > 0; changes--)
            bytes[(size_t)rand() % text_size] = rand() % 2 ? (char)rand() : "\n :*09aend"[rand() % 11];
        struct schedule s;
        const char *wrong = read_bytes(bytes, text_size, &s);
        if (!wrong) {
            assert_in_range(s.threads.count, 1, SCHEDULE_THREADS);
            for (uint32_t i = 0; i < s.steps; i++)
                assert_in_range(s.step[i].actor, 0, SCHEDULE_THREADS - 1);
        } else {
            assert_true(strlen(wrong) > 10);
        }
        schedule_free(&s);
    }
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(an_empty_schedule_is_one),
        cmocka_unit_test(random_schedules_survive),
        cmocka_unit_test(long_runs_of_one_thread_are_short_to_write),
        cmocka_unit_test(a_program_may_have_any_name),
        cmocka_unit_test(a_file_that_cannot_be_written_is_noticed),
        cmocka_unit_test(a_schedule_cut_anywhere_is_refused),
        cmocka_unit_test(a_missing_line_of_steps_is_noticed),
        cmocka_unit_test(foreign_files_are_refused),
        cmocka_unit_test(lines_that_make_no_sense_are_refused),
        cmocka_unit_test(steps_that_make_no_sense_are_refused),
        cmocka_unit_test(too_many_lines_are_refused),
        cmocka_unit_test(numbers_that_are_none_are_refused),
        cmocka_unit_test(steps_beyond_any_number_are_refused),
        cmocka_unit_test(saying_a_thing_twice_is_refused),
        cmocka_unit_test(damaged_bytes_never_crash),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
