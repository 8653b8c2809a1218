// Addresses of a compiled program get the names its source gives them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "report/symbols.h"

static const char source[] = "#include <pthread.h>\n"                                                         // 1
                             "#include <stdio.h>\n"                                                           // 2
                             "enum colour { RED, GREEN = 7 };\n"                                              // 3
                             "struct node { int value; struct node *next; };\n"                               // 4
                             "struct { pthread_mutex_t lock; struct node *head; struct node nodes[4];\n"      // 5
                             "         union { int whole; short half[2]; }; unsigned f1 : 3, f2 : 5;\n"       // 6
                             "         enum colour colour; int grid[2][3]; double ratio; char letter;\n"      // 7
                             "         _Bool flag; unsigned char pad; _Atomic long count; } q;\n"             // 8
                             "static int counter;\n"                                                          // 9
                             "__attribute__((noinline)) void mark(const char *name)\n"                        // 10
                             "{ printf(\"%s %lx\\n\", name, (unsigned long)__builtin_return_address(0)); }\n" // 11
                             "static inline __attribute__((always_inline)) void inner(void)\n"                // 12
                             "{\n"                                                                            // 13
                             "    mark(\"inlined\");\n"                                                       // 14
                             "}\n"                                                                            // 15
                             "#define SHOW(x) printf(\"%s %lx\\n\", #x, (unsigned long)&x)\n"                 // 16
                             "void worker(void)\n"                                                            // 17
                             "{\n"                                                                            // 18
                             "    static long calls;\n"                                                       // 19
                             "    mark(\"worker\");\n"                                                        // 20
                             "    inner();\n"                                                                 // 21
                             "    SHOW(calls);\n"                                                             // 22
                             "}\n"                                                                            // 23
                             "int main(void)\n"                                                               // 24
                             "{\n"                                                                            // 25
                             "    worker();\n"                                                                // 26
                             "    SHOW(q); SHOW(q.lock); SHOW(q.head); SHOW(q.nodes[2].next); SHOW(q.grid[1][2]);\n"
                             "    SHOW(q.whole); SHOW(q.half[1]); SHOW(q.colour); SHOW(q.ratio); SHOW(q.letter);\n"
                             "    SHOW(q.flag); SHOW(q.count); SHOW(counter); SHOW(q.nodes[0]);\n"
                             "    printf(\"mark %lx\\n\", (unsigned long)mark);\n"
                             "    return 0;\n"
                             "}\n";

static char directory[] = "/tmp/heddle-symbols-XXXXXX";
static char binary[64];
static char shown[64][2][64]; // name, address
static size_t shown_count;
static struct symbols *symbols;
static const char *compiler = "gcc";

static uint64_t address_of(const char *name)
{
    for (size_t i = 0; i < shown_count; i++)
        if (!strcmp(shown[i][0], name))
            return strtoull(shown[i][1], NULL, 16);
    fail_msg("%s was not shown", name);
    return 0;
}

static int build(const char *flags)
{
    char file[64], command[512];
    snprintf(file, sizeof file, "%s/prog.c", directory);
    snprintf(binary, sizeof binary, "%s/prog", directory);
    FILE *out = fopen(file, "w");
    if (!out || fputs(source, out) < 0 || fclose(out))
        return -1;
    snprintf(command, sizeof command, "cd %s && %s -g %s -w prog.c -o prog -lpthread", directory, compiler, flags);
    if (system(command))
        return -1;
    FILE *run = popen(binary, "r");
    shown_count = 0;
    while (run && shown_count < 64 && fscanf(run, "%63s %63s", shown[shown_count][0], shown[shown_count][1]) == 2)
        shown_count++;
    return run && !pclose(run) && shown_count ? 0 : -1;
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(directory) || build("-no-pie"))
        return -1;
    symbols = symbols_new();
    return symbols_add(symbols, binary, 0) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[128];
    symbols_free(symbols);
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static void check_place(struct symbols_place place, const char *function, int line)
{
    assert_string_equal(place.function, function);
    assert_string_equal(place.file, "prog.c");
    assert_int_equal(place.line, line);
}

static void a_return_address_is_the_line_of_its_call(void **state)
{
    (void)state;
    struct symbols_place places[4];
    assert_int_equal(symbols_places(symbols, address_of("worker"), places, 4), 1);
    check_place(places[0], "worker", 20);
}

static void inlined_calls_show_both_functions(void **state)
{
    (void)state;
    struct symbols_place places[4];
    assert_int_equal(symbols_places(symbols, address_of("inlined"), places, 4), 2);
    check_place(places[0], "inner", 14);
    check_place(places[1], "worker", 21);
}

static void unknown_addresses_have_no_place(void **state)
{
    (void)state;
    struct symbols_place place;
    assert_int_equal(symbols_places(symbols, 0, &place, 1), 0);
    assert_int_equal(symbols_places(symbols, 0x7fffffff0000, &place, 1), 0);
}

static void check_name(uint64_t address, uint64_t size, const char *expected)
{
    struct buffer name = {0};
    Dwarf_Die type;
    bool typed;
    assert_true(symbols_data(symbols, address, size, &name, &type, &typed));
    assert_string_equal(name.text, expected);
    buffer_free(&name);
}

static void data_is_named_down_to_the_member(void **state)
{
    (void)state;
    check_name(address_of("counter"), 4, "counter");
    check_name(address_of("q.head"), 8, "q.head");
    check_name(address_of("q.nodes[2].next"), 8, "q.nodes[2].next");
    check_name(address_of("q.grid[1][2]"), 4, "q.grid[1][2]");
    check_name(address_of("q.count"), 8, "q.count");
    check_name(address_of("calls"), 8, "worker::calls");
}

static void a_lock_is_not_taken_apart(void **state)
{
    (void)state;
    check_name(address_of("q.lock"), 0, "q.lock");
    check_name(address_of("q.lock") + 4, 4, "q.lock+4");
}

static void an_access_to_more_than_a_member_names_what_holds_it(void **state)
{
    (void)state;
    check_name(address_of("q.nodes[0]"), 16, "q.nodes[0]");
    check_name(address_of("q.nodes[0]"), 32, "q.nodes");
}

static void members_of_unions_are_chosen_by_size(void **state)
{
    (void)state;
    check_name(address_of("q.whole"), 4, "q.whole");
    check_name(address_of("q.half[1]"), 2, "q.half[1]");
}

static void bit_fields_that_share_bytes_are_all_named(void **state)
{
    (void)state;
    check_name(address_of("q.whole") + 4, 1, "q.f1|f2");
}

static void what_is_no_variable_has_no_name(void **state)
{
    (void)state;
    struct buffer name = {0};
    Dwarf_Die type;
    bool typed;
    assert_false(symbols_data(symbols, 0x7fffffff0000, 4, &name, &type, &typed));
    assert_false(typed);
    assert_null(name.text);
}

static void check_value(const char *name, uint32_t size, uint64_t value, const char *expected)
{
    struct buffer ignored = {0}, text = {0};
    Dwarf_Die type;
    bool typed;
    assert_true(symbols_data(symbols, address_of(name), size, &ignored, &type, &typed) && typed);
    assert_true(types_value(&type, value, size, &text));
    assert_string_equal(text.text, expected);
    buffer_free(&ignored);
    buffer_free(&text);
}

static void values_are_written_as_their_type_wants(void **state)
{
    (void)state;
    uint64_t half;
    memcpy(&half, &(double){0.5}, sizeof half);
    check_value("counter", 4, 0xffffffff, "-1");
    check_value("q.count", 8, (uint64_t)-3, "-3");
    check_value("q.colour", 4, 7, "GREEN");
    check_value("q.colour", 4, 3, "3");
    check_value("q.ratio", 8, half, "0.5");
    check_value("q.letter", 1, 'x', "'x'");
    check_value("q.flag", 1, 1, "true");
}

static void functions_are_known_by_their_start(void **state)
{
    (void)state;
    struct buffer name = {0};
    assert_true(symbols_function(symbols, address_of("mark"), &name));
    assert_string_equal(name.text, "mark");
    assert_false(symbols_function(symbols, address_of("mark") + 1, &name));
    assert_false(symbols_function(symbols, address_of("counter"), &name));
    buffer_free(&name);
}

// A position-independent program is loaded anywhere: its base is taken off.
static void a_module_may_be_loaded_anywhere(void **state)
{
    (void)state;
    enum { BASE = 0x10000000 };
    assert_int_equal(build("-pie -fPIE"), 0);
    struct symbols *other = symbols_new();
    assert_true(symbols_add(other, binary, BASE));
    uint64_t loaded = address_of("mark");
    FILE *nm = popen("nm /tmp/heddle-symbols-*/prog | grep ' mark$'", "r");
    unsigned long linked = 0;
    assert_int_equal(fscanf(nm, "%lx", &linked), 1);
    pclose(nm);
    struct symbols_place place;
    assert_int_equal(symbols_places(other, address_of("worker") - loaded + linked + BASE, &place, 1), 1);
    check_place(place, "worker", 20);
    struct buffer name = {0};
    Dwarf_Die type;
    bool typed;
    assert_true(symbols_data(other, address_of("q.head") - loaded + linked + BASE, 8, &name, &type, &typed));
    assert_string_equal(name.text, "q.head");
    buffer_free(&name);
    symbols_free(other);
}

static void without_debug_information_the_symbol_table_names(void **state)
{
    (void)state;
    assert_int_equal(build("-no-pie -g0"), 0);
    struct symbols *other = symbols_new();
    assert_true(symbols_add(other, binary, 0));
    struct buffer name = {0};
    Dwarf_Die type;
    bool typed;
    assert_true(symbols_data(other, address_of("q.head"), 8, &name, &type, &typed));
    assert_string_equal(name.text, "q+40");
    assert_false(typed);
    struct symbols_place place;
    assert_int_equal(symbols_places(other, address_of("worker"), &place, 1), 1);
    assert_string_equal(place.function, "worker");
    assert_null(place.file);
    buffer_free(&name);
    symbols_free(other);
}

// clang describes addresses and units in other ways.
static void programs_of_clang_are_named_too(void **state)
{
    (void)state;
    if (system("command -v clang >/dev/null"))
        skip();
    compiler = "clang";
    assert_int_equal(build("-no-pie"), 0);
    compiler = "gcc";
    struct symbols *gcc = symbols;
    symbols = symbols_new();
    assert_true(symbols_add(symbols, binary, 0));
    a_return_address_is_the_line_of_its_call(NULL);
    inlined_calls_show_both_functions(NULL);
    data_is_named_down_to_the_member(NULL);
    symbols_free(symbols);
    symbols = gcc;
}

static void files_that_are_no_programs_are_refused(void **state)
{
    (void)state;
    struct symbols *other = symbols_new();
    assert_false(symbols_add(other, "/nonexistent", 0));
    assert_false(symbols_add(other, "/etc/passwd", 0));
    symbols_free(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_return_address_is_the_line_of_its_call),
        cmocka_unit_test(inlined_calls_show_both_functions),
        cmocka_unit_test(unknown_addresses_have_no_place),
        cmocka_unit_test(data_is_named_down_to_the_member),
        cmocka_unit_test(a_lock_is_not_taken_apart),
        cmocka_unit_test(an_access_to_more_than_a_member_names_what_holds_it),
        cmocka_unit_test(members_of_unions_are_chosen_by_size),
        cmocka_unit_test(bit_fields_that_share_bytes_are_all_named),
        cmocka_unit_test(what_is_no_variable_has_no_name),
        cmocka_unit_test(values_are_written_as_their_type_wants),
        cmocka_unit_test(functions_are_known_by_their_start),
        cmocka_unit_test(a_module_may_be_loaded_anywhere),
        cmocka_unit_test(without_debug_information_the_symbol_table_names),
        cmocka_unit_test(programs_of_clang_are_named_too),
        cmocka_unit_test(files_that_are_no_programs_are_refused),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
