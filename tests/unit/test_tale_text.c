// Stories of clusters as text: a message is drawn from where it was sent to where it arrives.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cluster/tale.h"

enum { MOST_ROWS = 40 };

static struct tale_row rows[MOST_ROWS];
static struct tale tale;

static void begin_tale(int nodes)
{
    memset(rows, 0, sizeof rows);
    tale = (struct tale){.rows = rows, .nodes = nodes};
}

static struct tale_row *add(const char *kind, int node, const char *text)
{
    struct tale_row *row = &rows[tale.count++];
    snprintf(row->kind, sizeof row->kind, "%s", kind);
    snprintf(row->text, sizeof row->text, "%s", text);
    row->node = node;
    row->from = row->sent = -1;
    return row;
}

// `sent`: the row, from 0; -1: at the start.
static void add_message(const char *kind, uint32_t message, int from, int node, int sent)
{
    char name[16];
    snprintf(name, sizeof name, "m%u", message);
    struct tale_row *row = add(kind, node, name);
    row->from = from;
    row->sent = sent;
    row->message = message;
}

static void prints(const char *expected)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    tale_text(&tale, out);
    fclose(out);
    if (strcmp(text, expected) != 0)
        print_error("expected:\n%s\ngot:\n%s\n", expected, text);
    assert_string_equal(text, expected);
    free(text);
}

static void a_message_of_the_last_event_is_a_straight_arrow(void **state)
{
    (void)state;
    begin_tale(3);
    add("timer", 0, "t");
    add("timer", 2, "t");
    add_message("deliver", 1, 0, 2, 0);
    add_message("deliver", 2, 0, 1, 0);
    add_message("deliver", 3, 2, 0, 2);
    prints("      0         1         2\n"
           "   1  ◷         │         │  t\n"
           "   2  │         │         ◷  t\n"
           "   3  ├─────────┼─────────▶  m1\n"
           "   4  ├─────────▶         │  m2\n"
           "   5  ◀─────────┼─────────┤  m3\n");
}

static void an_older_message_hangs_beside_its_sender(void **state)
{
    (void)state;
    begin_tale(3);
    add("timer", 1, "t");
    add("say", 1, "said");
    add("timer", 1, "t");
    add_message("deliver", 1, 1, 2, 0);
    add_message("deliver", 2, 1, 0, 0);
    add_message("deliver", 3, 1, 0, 2);
    prints("      0         1         2\n"
           "   1  │         ◷         │  t\n"
           "   2  │         ·         │  said\n"
           "      │       ╭─┼─╮       │\n"
           "   3  │       ╎ ◷ ╎       │  t\n"
           "   4  │       ╎ │ ╰───────▶  m1, sent at 1\n"
           "   5  ◀───────╯ │         │  m2, sent at 1\n"
           "   6  ◀─────────┤         │  m3\n");
}

static void what_was_sent_at_the_start_begins_below_the_heading(void **state)
{
    (void)state;
    begin_tale(2);
    add("timer", 0, "t");
    add_message("deliver", 1, 0, 1, -1);
    add_message("deliver", 2, 0, 1, -1);
    prints("      0         1\n"
           "      ├─┬─╮     │\n"
           "   1  ◷ ╎ ╎     │  t\n"
           "   2  │ ╰─┼─────▶  m1\n"
           "   3  │   ╰─────▶  m2\n");
}

static void a_node_that_is_down_has_no_line(void **state)
{
    (void)state;
    begin_tale(2);
    add_message("deliver", 1, 0, 1, -1);
    add("crash", 1, "crash");
    add_message("lost", 2, 0, 1, -1);
    add_message("drop", 3, 1, 0, 0);
    add("reboot", 1, "reboot");
    add_message("deliver", 4, 1, 0, 0);
    prints("      0         1\n"
           "   1  ├─────────▶  m1\n"
           "      │     ╭─┬─┤\n"
           "   2  │     ╎ ╎ ✗  crash\n"
           "   3  ├─────┼─┼─×  m2 (lost)\n"
           "   4  ×─────┼─╯    m3 (lost), sent at 1\n"
           "   5  │     ╎   ●  reboot\n"
           "   6  ◀─────╯   │  m4, sent at 1\n");
}

static void a_message_that_comes_twice_has_one_track(void **state)
{
    (void)state;
    begin_tale(2);
    add("timer", 0, "t");
    add("timer", 0, "t");
    add_message("duplicate", 1, 0, 1, 0);
    add_message("deliver", 1, 0, 1, 0);
    add("timer", 1, "t");
    add_message("deliver", 1, 0, 1, 0);
    prints("      0         1\n"
           "   1  ◷         │  t\n"
           "      ├─╮       │\n"
           "   2  ◷ ╎       │  t\n"
           "   3  │ ╎       │  m1 from node 0 to node 1 is doubled\n"
           "   4  │ ├───────▶  m1, sent at 1\n"
           "   5  │ ╎       ◷  t\n"
           "   6  │ ╰───────▶  m1 (again), sent at 1\n");
}

static void a_message_to_oneself_comes_back(void **state)
{
    (void)state;
    begin_tale(2);
    add("timer", 0, "t");
    add_message("deliver", 1, 0, 0, 0);
    add("timer", 1, "t");
    add_message("deliver", 2, 0, 0, 0);
    add("timer", 1, "t");
    add_message("deliver", 3, 1, 1, 2);
    prints("      0         1\n"
           "   1  ◷         │  t\n"
           "      ├─╮       │\n"
           "   2  ○ ╎       │  m1\n"
           "   3  │ ╎       ◷  t\n"
           "      │ ╎     ╭─┤\n"
           "   4  ◀─╯     ╎ │  m2, sent at 1\n"
           "   5  │       ╎ ◷  t\n"
           "   6  │       ╰─▶  m3, sent at 3\n");
}

// Four have room between two nodes. One node alone has nobody beside it.
static void without_a_track_words_say_where_it_was_sent(void **state)
{
    (void)state;
    begin_tale(2);
    add("timer", 0, "t");
    add("timer", 0, "t");
    for (uint32_t i = 1; i <= 5; i++)
        add_message("deliver", i, 0, 1, 0);
    prints("      0         1\n"
           "   1  ◷         │  t\n"
           "      ├─┬─┬─┬─╮ │\n"
           "   2  ◷ ╎ ╎ ╎ ╎ │  t\n"
           "   3  │ ╰─┼─┼─┼─▶  m1, sent at 1\n"
           "   4  │   ╰─┼─┼─▶  m2, sent at 1\n"
           "   5  │     ╰─┼─▶  m3, sent at 1\n"
           "   6  │       ╰─▶  m4, sent at 1\n"
           "   7  ├─────────▶  m5, sent at 1\n");
    begin_tale(1);
    add("timer", 0, "t");
    add("timer", 0, "t");
    add_message("deliver", 1, 0, 0, 0);
    prints("      0\n"
           "   1  ◷  t\n"
           "   2  ◷  t\n"
           "   3  ○  m1, sent at 1\n");
}

static void nine_nodes_fit(void **state)
{
    (void)state;
    begin_tale(9);
    add("timer", 8, "t");
    add("timer", 8, "t");
    add_message("deliver", 1, 8, 0, 0);
    prints("      0       1       2       3       4       5       6       7       8\n"
           "   1  │       │       │       │       │       │       │       │       ◷  t\n"
           "      │       │       │       │       │       │       │       │     ╭─┤\n"
           "   2  │       │       │       │       │       │       │       │     ╎ ◷  t\n"
           "   3  ◀───────┼───────┼───────┼───────┼───────┼───────┼───────┼─────╯ │  m1, sent at 1\n");
}

static void a_state_without_room_has_its_own_line(void **state)
{
    (void)state;
    setenv("COLUMNS", "40", 1);
    begin_tale(2);
    strcpy(add("timer", 0, "t")->after, "in a state");
    strcpy(add("timer", 0, "a timer of some")->after, "in a state");
    prints("      0         1\n"
           "   1  ◷         │  t  [0: in a state]\n"
           "   2  ◷         │  a timer of some\n"
           "      │         │  [0: in a state]\n");
    unsetenv("COLUMNS");
}

static void without_utf8_it_is_ascii(void **state)
{
    (void)state;
    setenv("LC_ALL", "C", 1);
    begin_tale(2);
    add("timer", 0, "t");
    add("request", 0, "r");
    add_message("deliver", 1, 0, 1, 0);
    add("crash", 1, "crash");
    add_message("lost", 2, 0, 1, 1);
    for (int i = 0; i < 21; i++)
        add("timer", 0, "t")->later = true;
    tale.count = 6;
    prints("      0         1\n"
           "   1  @         |  t\n"
           "      |-.       |\n"
           "   2  # :       |  r\n"
           "   3  | '------->  m1, sent at 1\n"
           "   4  |         X  crash\n"
           "   5  |---------x  m2 (lost)\n"
           "      -- from here on everything is delivered and every timer runs out --\n"
           "   6  @            t\n");
    setenv("LC_ALL", "C.UTF-8", 1);
}

// Of the fair events at the end twenty are shown, and no track of what arrives after them.
static void a_long_end_is_cut(void **state)
{
    (void)state;
    begin_tale(2);
    add("timer", 0, "t");
    for (int i = 0; i < 22; i++)
        add("timer", 1, "t")->later = true;
    add_message("deliver", 1, 1, 0, 2);
    rows[tale.count - 1].later = true;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    tale_text(&tale, out);
    fclose(out);
    assert_non_null(strstr(text, "  21  │         ◷  t\n      … and so on, 3 events more\n"));
    assert_null(strstr(text, "╎"));
    free(text);
}

int main(void)
{
    setenv("LC_ALL", "C.UTF-8", 1);
    unsetenv("COLUMNS");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_of_the_last_event_is_a_straight_arrow),
        cmocka_unit_test(an_older_message_hangs_beside_its_sender),
        cmocka_unit_test(what_was_sent_at_the_start_begins_below_the_heading),
        cmocka_unit_test(a_node_that_is_down_has_no_line),
        cmocka_unit_test(a_message_that_comes_twice_has_one_track),
        cmocka_unit_test(a_message_to_oneself_comes_back),
        cmocka_unit_test(without_a_track_words_say_where_it_was_sent),
        cmocka_unit_test(nine_nodes_fit),
        cmocka_unit_test(a_state_without_room_has_its_own_line),
        cmocka_unit_test(without_utf8_it_is_ascii),
        cmocka_unit_test(a_long_end_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
