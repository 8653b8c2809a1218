// What people and programs read about a bug: names, places, values, who waits for whom.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

#include "model/trace.h"
#include "report/json.h"
#include "report/progress.h"
#include "report/report_text.h"

static const char source[] = "#include <pthread.h>\n"                                                         // 1
                             "#include <stdio.h>\n"                                                           // 2
                             "struct node { long value; struct node *next; };\n"                              // 3
                             "pthread_mutex_t a, b;\n"                                                        // 4
                             "int x;\n"                                                                       // 5
                             "_Atomic int flag;\n"                                                            // 6
                             "struct node *top;\n"                                                            // 7
                             "__attribute__((noinline)) void mark(const char *name)\n"                        // 8
                             "{ printf(\"%s %lx\\n\", name, (unsigned long)__builtin_return_address(0)); }\n" // 9
                             "void worker(void)\n"                                                            // 10
                             "{\n"                                                                            // 11
                             "    mark(\"w12\");\n"                                                           // 12
                             "    mark(\"w13\");\n"                                                           // 13
                             "}\n"                                                                            // 14
                             "#define SHOW(v) printf(#v \" %lx\\n\", (unsigned long)&v)\n"                    // 15
                             "int main(void)\n"                                                               // 16
                             "{\n"                                                                            // 17
                             "    worker();\n"                                                                // 18
                             "    mark(\"m19\");\n"                                                           // 19
                             "    mark(\"m20\");\n"                                                           // 20
                             "    SHOW(a); SHOW(b); SHOW(x); SHOW(flag); SHOW(top);\n"                        // 21
                             "    return 0;\n"
                             "}\n";

enum { BLOCK = 0x70000000 };

static char directory[] = "/tmp/heddle-text-XXXXXX";
static char binary[64], path[64];
static char shown[16][2][64];
static size_t shown_count;
static FILE *file;
static uint32_t next_event;
static struct job job;
static struct job_bug bug;
static struct report_bug report;
static struct report_summary summary;
static char *text;

static uint64_t at(const char *name)
{
    for (size_t i = 0; i < shown_count; i++)
        if (!strcmp(shown[i][0], name))
            return strtoull(shown[i][1], NULL, 16);
    fail_msg("%s was not shown", name);
    return 0;
}

static int set_up_group(void **state)
{
    (void)state;
    char name[64], command[256];
    if (!mkdtemp(directory))
        return -1;
    snprintf(name, sizeof name, "%s/prog.c", directory);
    snprintf(binary, sizeof binary, "%s/prog", directory);
    snprintf(path, sizeof path, "%s/trace", directory);
    FILE *out = fopen(name, "w");
    if (!out || fputs(source, out) < 0 || fclose(out))
        return -1;
    snprintf(command, sizeof command, "cd %s && gcc -g -no-pie -w prog.c -o prog", directory);
    if (system(command))
        return -1;
    FILE *run = popen(binary, "r");
    while (run && shown_count < 16 && fscanf(run, "%63s %63s", shown[shown_count][0], shown[shown_count][1]) == 2)
        shown_count++;
    return run && !pclose(run) ? 0 : -1;
}

static int tear_down_group(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static void put(struct trace_record r, const char *words)
{
    uint64_t frame = at("m19");
    r.frames = r.pc ? 1 : 0;
    r.text = (uint32_t)strlen(words);
    fwrite(&r, sizeof r, 1, file);
    fwrite(&frame, sizeof frame, r.frames, file);
    fwrite(words, 1, r.text, file);
}

static int set_up(void **state)
{
    (void)state;
    static const char *const assumptions[] = {"sequential consistency"};
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("COLUMNS", "100", 1);
    file = fopen(path, "wb");
    next_event = 0;
    bug = (struct job_bug){.execution = 12, .bug = {.other = MAX_ACTORS}};
    job.task.strategy = STRATEGY_OPTIMAL;
    job.answer.counts.executions = 12;
    job.answer.counts.events = 80;
    job.answer.share = share_unknown;
    job.answer.restart_used = RESTART_UNDO;
    report = (struct report_bug){.bug = &bug, .trace_path = path, .schedule_path = "bug.hd", .preemptions = 1};
    report.minimal = true;
    summary = (struct report_summary){.program = "prog.c", .verdict = "bug", .job = &job, .bugs = &report};
    summary.bug_count = 1;
    summary.assumptions = assumptions;
    summary.assumption_count = 1;
    if (!file)
        return -1;
    put((struct trace_record){.type = TRACE_MODULE}, binary);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(text);
    text = NULL;
    return 0;
}

static void event(uint32_t actor, uint32_t kind, const char *object, const char *place, uint32_t effect, uint64_t value,
                  uint64_t result)
{
    put((struct trace_record){.type = TRACE_EVENT,
                              .kind = kind,
                              .actor = actor,
                              .event = next_event++,
                              .address = object ? at(object) : 0,
                              .effect = effect,
                              .pc = at(place),
                              .value = value,
                              .result = result,
                              .size = kind <= OP_PLAIN_WRITE ? 4 : 0},
        "");
}

static void silent(uint32_t actor, uint32_t kind, uint64_t address, uint64_t value, const char *place)
{
    put((struct trace_record){.type = TRACE_SILENT,
                              .kind = kind,
                              .actor = actor,
                              .event = next_event - 1,
                              .address = address,
                              .value = value,
                              .size = kind == SILENT_ALLOC ? 16 : 0,
                              .pc = place ? at(place) : 0},
        "");
}

static void plain(uint32_t actor, uint32_t type, uint64_t address, const char *place, uint64_t value, uint32_t size)
{
    uint64_t after = type == TRACE_WRITE ? UINT64_MAX >> (64 - 8 * size) : value;
    put((struct trace_record){.type = type,
                              .actor = actor,
                              .event = next_event - 1,
                              .address = address,
                              .pc = at(place),
                              .value = value,
                              .result = after,
                              .size = size},
        "");
}

// The failure, both in the trace and as the search reports it.
static void failure(uint32_t kind, uint32_t actor, uint32_t other, uint64_t address, uint32_t size, const char *place,
                    const char *words)
{
    put((struct trace_record){.type = TRACE_BUG,
                              .kind = kind,
                              .actor = actor,
                              .event = next_event - 1,
                              .pc = at(place),
                              .address = address,
                              .size = size,
                              .other = other},
        words);
    bug.bug = (struct bug){.kind = kind, .actor = actor, .other = other, .address = address, .size = size};
    bug.bug.pc = at(place);
    strcpy(bug.bug.text, words);
}

static void render(void)
{
    size_t length;
    if (file)
        fclose(file);
    file = NULL;
    FILE *out = open_memstream(&text, &length);
    report_text(out, &summary, false);
    fclose(out);
    if (getenv("SHOW"))
        fputs(text, stderr);
}

static void says(const char *words)
{
    if (!strstr(text, words))
        fail_msg("\"%s\" is not in:\n%s", words, text);
}

static void never_says(const char *words)
{
    if (strstr(text, words))
        fail_msg("\"%s\" is in:\n%s", words, text);
}

static cJSON *render_json(void)
{
    char *bytes;
    size_t length;
    if (file)
        fclose(file);
    file = NULL;
    FILE *out = open_memstream(&bytes, &length);
    assert_int_equal(report_json(out, &summary), 0);
    fclose(out);
    cJSON *json = cJSON_Parse(bytes);
    assert_non_null(json);
    free(bytes);
    return json;
}

static const char *string_at(cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItem(object, name));
}

static cJSON *first(cJSON *object, const char *list)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(object, list), 0);
}

static void blocked(uint32_t actor, uint32_t kind, const char *object, uint32_t other, const char *place)
{
    put((struct trace_record){.type = TRACE_SILENT,
                              .kind = SILENT_BLOCKED,
                              .actor = actor,
                              .event = next_event - 1,
                              .pc = at(place),
                              .address = object ? at(object) : 0,
                              .value = kind,
                              .other = other},
        "");
}

static void record_deadlock(void)
{
    silent(0, SILENT_CREATE, 0, 1, "m19");
    event(0, OP_LOCK, "a", "m20", EFFECT_WRITE, 0, 1);
    event(1, OP_LOCK, "b", "w12", EFFECT_WRITE, 0, 1);
    blocked(0, OP_LOCK, "b", 1, "m20");
    blocked(1, OP_LOCK, "a", 0, "w13");
    failure(BUG_DEADLOCK, 0, MAX_ACTORS, 0, 0, "m20", "2 threads wait for ever");
    report.decisive = DECISIVE_PROVEN;
    report.decisive_event = 1;
}

static void a_deadlock_tells_who_waits_for_whom(void **state)
{
    (void)state;
    record_deadlock();
    render();
    says("bug: deadlock after 12 executions");
    says("main waits to lock b at prog.c:20, held by T1 since prog.c:12");
    says("T1 waits to lock a at prog.c:13, held by main since prog.c:20");
    says("create T1");
    says("lock b ◀ decisive");
    says("✗ blocked: lock a");
    says("decisive:    event 1: T1, lock b at prog.c:12; after it every continuation fails");
    says("preemptions: 1 (no run that fails like this has fewer)");
    says("heddle replay bug.hd");
    says("sequential consistency");
}

static void a_lost_signal_and_its_bystander_are_told(void **state)
{
    (void)state;
    silent(0, SILENT_CREATE, 0, 1, "m19");
    event(1, OP_LOCK, "a", "w12", EFFECT_WRITE, 0, 1);
    silent(1, SILENT_UNLOCK, at("a"), 0, "w13");
    event(1, OP_WAIT, "b", "w13", EFFECT_ADD, 0, 0);
    blocked(0, OP_JOIN, NULL, 1, "m20");
    blocked(1, OP_WAIT, "b", MAX_ACTORS, "w13");
    failure(BUG_DEADLOCK, 1, MAX_ACTORS, 0, 0, "w13", "2 threads wait for ever");
    render();
    says("main waits to join T1 at prog.c:20");
    says("T1 waits for a signal on b at prog.c:13");
}

static void record_race(void)
{
    silent(0, SILENT_CREATE, 0, 1, "m19");
    event(1, OP_LOCK, "a", "w12", EFFECT_WRITE, 0, 1);
    plain(1, TRACE_READ, at("x"), "w13", 0, 4);
    plain(1, TRACE_WRITE, at("x"), "w13", 0, 4);
    event(0, OP_LOAD, "flag", "m19", EFFECT_READ, 1, 1);
    event(1, OP_CAS, "flag", "w13", EFFECT_WRITE, 1, 2);
    plain(0, TRACE_READ, at("x"), "m20", 0xffffffff, 4);
    failure(BUG_RACE, 0, 1, at("x"), 4, "m20", "a data race");
}

static void a_race_shows_both_accesses_with_stacks_and_locks(void **state)
{
    (void)state;
    record_race();
    render();
    says("x: T1 wrote it at prog.c:13, main reads it at prog.c:20, and nothing orders the two");
    says("load flag → 1");
    says("cas flag 1→2 ok");
    says("first access, T1: write x ← -1\n");
    says("#0  worker at prog.c:13");
    says("holding a (since prog.c:12)");
    says("second access, main: read x → -1");
    says("holding no lock");
    says("✗ read x → -1 (race)");
}

static void without_utf8_only_ascii_is_printed(void **state)
{
    (void)state;
    setenv("LC_ALL", "C", 1);
    record_race();
    render();
    says("cas flag 1->2 ok");
    says("!! read x -> -1 (race)");
    for (const char *c = text; *c; c++)
        assert_true((unsigned char)*c < 128);
}

static void every_line_of_the_table_keeps_to_the_width(void **state)
{
    (void)state;
    setenv("COLUMNS", "60", 1);
    setenv("LC_ALL", "C", 1);
    record_race();
    render();
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        assert_true(strlen(line) <= 60 || strstr(line, "strategy"));
}

static void many_threads_share_one_column(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= 12; i++)
        silent(0, SILENT_CREATE, 0, i, "m19");
    silent(12, SILENT_CREATE, 0, 13, "w12");
    for (uint32_t i = 1; i <= 13; i++)
        event(i, OP_LOCK, "a", "w12", EFFECT_WRITE, 0, 1);
    failure(BUG_ASSERTION, 13, MAX_ACTORS, 0, 0, "w13", "assertion failed: x == 1");
    render();
    says("T12.1: lock a");
    says("assertion failed: x == 1, in T12.1 at prog.c:13");
}

static void record_use_after_free(void)
{
    silent(0, SILENT_ALLOC, BLOCK, 0, "m19");
    silent(0, SILENT_CREATE, 0, 1, "m19");
    plain(0, TRACE_READ, at("top"), "m20", BLOCK, 8); // tells the block's type
    silent(1, SILENT_FREE, BLOCK, 0, "w12");
    plain(0, TRACE_READ, BLOCK + 8, "m20", 0, 8);
    failure(BUG_USE_AFTER_FREE, 0, MAX_ACTORS, BLOCK + 8, 8, "m20", "a read of memory that was freed");
}

static void use_after_free_shows_where_memory_came_from_and_went(void **state)
{
    (void)state;
    record_use_after_free();
    render();
    says("a read of memory that was freed, in main at prog.c:20: heap1.next (+8 in 16 bytes (struct node)");
    says("malloc 16 → heap1");
    says("free heap1\n");
    says("✗ read heap1.next → NULL (use-after-free)");
    says("allocated by main");
    says("released by T1");
    says("heap1: 16 bytes (struct node) from malloc at prog.c:19 by main");
}

static void what_the_program_printed_is_quoted(void **state)
{
    (void)state;
    report.output = "one\n\033[31mtwo\n";
    report.trace_path = NULL;
    bug.bug.kind = BUG_ABORT;
    render();
    says("    | one\n    |  [31mtwo\n");
    never_says("\033");
}

static void a_broken_trace_still_gives_a_report(void **state)
{
    (void)state;
    fputs("garbage", file);
    bug.bug.kind = BUG_ASSERTION;
    strcpy(bug.bug.text, "assertion failed: y");
    render();
    says("bug: assertion after 12 executions");
    says("assertion failed: y, in main");
    says("no table: ");
}

static void damage(unsigned char *bytes, size_t length)
{
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    for (int i = 0; i < 3; i++)
        bytes[(size_t)rand() % length] = (unsigned char)(rand() % 3 ? rand() % 8 : rand());
    fwrite(bytes, 1, length, out);
    fclose(out);
}

static void a_damaged_trace_never_crashes_a_report(void **state)
{
    (void)state;
    unsigned char whole[1 << 13], bytes[1 << 13];
    void (*const kinds[])(void) = {record_race, record_use_after_free};
    srand(2);
    for (int round = 0; round < 200; round++) {
        if (round % 100 == 0) {
            set_up(NULL);
            kinds[round / 100]();
            fclose(file);
        }
        file = NULL;
        FILE *in = fopen(path, "rb");
        size_t length = fread(whole, 1, sizeof whole, in);
        fclose(in);
        memcpy(bytes, whole, length);
        damage(bytes, length);
        render();
        free(text);
        text = NULL;
        cJSON_Delete(render_json());
        in = fopen(path, "wb");
        fwrite(whole, 1, length, in);
        fclose(in);
    }
}

static void verdicts_without_bugs_are_short(void **state)
{
    (void)state;
    summary.bug_count = 0;
    summary.verdict = "verified";
    render();
    says("verified: no interleaving of prog.c fails");
    says("12 executions, 80 events");
    free(text);
    summary.verdict = "incomplete";
    summary.reason = "stopped after 60 s";
    render();
    says("incomplete: stopped after 60 s");
}

static void json_has_the_documented_fields(void **state)
{
    (void)state;
    static const char *const fields[] = {"version", "verdict", "executions", "blocked",   "events",      "seconds",
                                         "bugs",    "restart", "strategy",   "redundant", "assumptions", "program"};
    record_deadlock();
    cJSON *json = render_json();
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!cJSON_HasObjectItem(json, fields[i]))
            fail_msg("no %s", fields[i]);
    assert_string_equal(string_at(json, "verdict"), "bug");
    assert_string_equal(string_at(json, "restart"), "undo");
    cJSON *one = first(json, "bugs");
    assert_string_equal(string_at(one, "kind"), "deadlock");
    assert_string_equal(string_at(one, "thread"), "main");
    assert_string_equal(string_at(one, "schedule"), "bug.hd");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(one, "minimal")));
    cJSON *decisive = cJSON_GetObjectItem(one, "decisive");
    assert_string_equal(string_at(decisive, "status"), "proven");
    assert_int_equal(cJSON_GetObjectItem(decisive, "event")->valueint, 1);
    cJSON *wait = first(one, "waits");
    assert_string_equal(string_at(wait, "operation"), "lock");
    assert_string_equal(string_at(wait, "object"), "b");
    assert_string_equal(string_at(wait, "held_by"), "T1");
    assert_string_equal(string_at(first(wait, "locks"), "name"), "a");
    cJSON_Delete(json);
}

static void json_of_a_race_has_both_accesses_and_the_rows(void **state)
{
    (void)state;
    record_race();
    report.output = "bad \xff byte";
    cJSON *json = render_json(), *one = first(json, "bugs"), *access = first(one, "accesses");
    assert_string_equal(string_at(one, "object"), "x");
    assert_string_equal(string_at(one, "output"), "bad ? byte");
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(one, "accesses")), 2);
    assert_string_equal(string_at(access, "access"), "write");
    assert_string_equal(string_at(access, "thread"), "T1");
    assert_string_equal(string_at(first(access, "stack"), "function"), "worker");
    assert_int_equal(cJSON_GetObjectItem(first(access, "stack"), "line")->valueint, 13);
    cJSON *rows = cJSON_GetObjectItem(one, "events"), *last = cJSON_GetArrayItem(rows, cJSON_GetArraySize(rows) - 1);
    assert_string_equal(string_at(last, "operation"), "read");
    assert_string_equal(string_at(last, "read"), "-1");
    assert_true(cJSON_IsTrue(cJSON_GetObjectItem(last, "failure")));
    cJSON_Delete(json);
}

static void json_without_a_trace_is_still_whole(void **state)
{
    (void)state;
    report.trace_path = NULL;
    bug.bug.kind = BUG_SIGNAL;
    cJSON *json = render_json(), *one = first(json, "bugs");
    assert_string_equal(string_at(one, "kind"), "signal");
    assert_true(cJSON_IsNull(cJSON_GetObjectItem(one, "location")));
    assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(one, "events")), 0);
    cJSON_Delete(json);
}

static void progress_names_what_is_known(void **state)
{
    (void)state;
    char line[200];
    struct progress p = {.rate = 550000};
    job.answer.deepest = 37;
    progress_line(&p, &job, 12, 75, line, sizeof line);
    assert_string_equal(line, "12 executions  550k/s  depth 37  1:15");
    job.answer.share = (struct share){.likely = 0.25, .least = 0.1, .most = 0.4};
    progress_line(&p, &job, 12, 5, line, sizeof line);
    assert_string_equal(line, "12 executions  550k/s  about 25% explored  depth 37  0:05");
    job.task.executions_before = 3;
    job.task.strategy = STRATEGY_PCT;
    progress_line(&p, &job, 12, 5, line, sizeof line);
    assert_string_equal(line, "12 executions  550k/s  about 25% explored  depth 37  pct  0:05");
    fclose(file);
    file = NULL;
}

#define test(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        test(a_deadlock_tells_who_waits_for_whom),
        test(a_lost_signal_and_its_bystander_are_told),
        test(a_race_shows_both_accesses_with_stacks_and_locks),
        test(without_utf8_only_ascii_is_printed),
        test(every_line_of_the_table_keeps_to_the_width),
        test(many_threads_share_one_column),
        test(use_after_free_shows_where_memory_came_from_and_went),
        test(what_the_program_printed_is_quoted),
        test(a_broken_trace_still_gives_a_report),
        test(a_damaged_trace_never_crashes_a_report),
        test(verdicts_without_bugs_are_short),
        test(json_has_the_documented_fields),
        test(json_of_a_race_has_both_accesses_and_the_rows),
        test(json_without_a_trace_is_still_whole),
        test(progress_names_what_is_known),
    };
    return cmocka_run_group_tests(tests, set_up_group, tear_down_group);
}
