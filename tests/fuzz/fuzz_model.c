// Checks the strategies against plain enumeration on random programs (check.c says what), and `optimal` on programs
// whose number of traces is known.
//
//     fuzz_model [count [first seed [language [most traces]]]]
//
// Without a language, or with `all`: so many programs of each. With a smaller number of traces than usual larger programs are left
// out, and the time is spent on more of the others. A program that fails is printed with its seed, made as small as it can be
// while it still fails.
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fail.h"
#include "fuzz/check.h"
#include "fuzz/check_rf.h"

static const struct {
    const char *name;
    uint32_t language;
    bool exact; // optimal meets every trace once
} languages[] = {
    {"atomics", 0, true},
    {"mutexes", WITH_MUTEX, true},
    {"trylock", WITH_MUTEX | WITH_TRYLOCK, true},
    {"choose", WITH_MUTEX | WITH_CHOOSE, true},
    {"faults", WITH_MUTEX | WITH_FAULTS, true},
    {"faultconds", WITH_MUTEX | WITH_TRYLOCK | WITH_COND | WITH_FAULTS | WITH_EXIT | WITH_STOP | WITH_THREADS, true},
    {"faultloops", WITH_LOOPS | WITH_MUTEX | WITH_FAULTS, true},
    {"stop", WITH_MUTEX | WITH_STOP, true},
    {"exit", WITH_MUTEX | WITH_EXIT, true},
    {"condvars", WITH_MUTEX | WITH_COND, true},
    {"tryconds", WITH_MUTEX | WITH_TRYLOCK | WITH_COND, true},
    {"threads", WITH_MUTEX | WITH_THREADS, true},
    {"once", WITH_MUTEX | WITH_ONCE, true},
    {"rwlocks", WITH_RWLOCK, true},
    {"semaphores", WITH_SEM, true},
    {"barriers", WITH_BARRIER, true},
    {"waiting", WITH_MUTEX | WITH_RWLOCK | WITH_SEM | WITH_BARRIER | WITH_THREADS, true},
    {"loops", WITH_LOOPS, true},
    {"lockloops", WITH_LOOPS | WITH_MUTEX | WITH_TRYLOCK, true},
    {"condloops", WITH_LOOPS | WITH_MUTEX | WITH_COND | WITH_THREADS | WITH_STOP, true},
    {"exitloops", WITH_LOOPS | WITH_MUTEX | WITH_COND | WITH_CHOOSE | WITH_EXIT | WITH_ONCE, true},
    {"waitloops", WITH_LOOPS | WITH_RWLOCK | WITH_SEM | WITH_BARRIER | WITH_THREADS, true},
    {"everything",
     WITH_THREADS | WITH_MUTEX | WITH_TRYLOCK | WITH_COND | WITH_CHOOSE | WITH_STOP | WITH_EXIT | WITH_ONCE, true},
};

enum { LANGUAGES = sizeof languages / sizeof *languages, MOST_FAILURES = 5 };

static uint32_t most_traces = MOST_TRACES;

// Whether the program fails, found out in a process of its own, since a broken invariant ends it.
static bool fails(const struct program *p, bool exact, bool aloud)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        if (!aloud)
            close(STDERR_FILENO);
        struct tally tally = {0};
        const char *wrong = check_program(p, exact, most_traces, &tally);
        if (aloud && wrong)
            printf("  %s; %llu traces, %llu executions\n", wrong, (unsigned long long)tally.traces,
                   (unsigned long long)tally.optimal);
        fflush(stdout);
        _exit(wrong != NULL);
    }
    int status;
    return waitpid(child, &status, 0) == child && status != 0;
}

static void shrink(struct program *p, bool exact)
{
    for (bool smaller = true; smaller;) {
        smaller = false;
        for (uint32_t t = p->threads; t-- > 0;) {
            struct program less = *p;
            program_delete_thread(&less, t);
            if (fails(&less, exact, false)) {
                *p = less;
                smaller = true;
                continue;
            }
            for (uint32_t i = p->length[t]; i-- > 0;) {
                less = *p;
                program_delete(&less, t, i);
                if (fails(&less, exact, false)) {
                    *p = less;
                    smaller = true;
                }
            }
        }
    }
}

static void report(struct program p, const char *language, uint64_t seed, bool exact)
{
    printf("FAILED: %s, seed %llu\n", language, (unsigned long long)seed);
    program_print(&p, stdout);
    fails(&p, exact, true);
    shrink(&p, exact);
    printf("the same, smaller:\n");
    program_print(&p, stdout);
    fails(&p, exact, true);
}

// What the process that does the checking tells the one that watches it.
struct progress {
    uint64_t seed;
    struct tally tally;
};

// Checks one program after the other from progress->seed on; returns at the first that fails.
static bool check_some(struct progress *progress, uint32_t which, uint64_t end)
{
    for (; progress->seed < end; progress->seed++) {
        struct program p;
        program_random(&p, languages[which].language, progress->seed);
        if (check_program(&p, languages[which].exact, most_traces, &progress->tally))
            return false;
    }
    return true;
}

static bool check_some_apart(struct progress *progress, uint32_t which, uint64_t end)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(!check_some(progress, which, end));
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

// Adds the programs that were not too large to *checked.
static uint32_t fuzz(uint32_t which, uint64_t count, uint64_t first, uint64_t *checked)
{
    struct progress *progress = mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    require(progress != MAP_FAILED);
    progress->seed = first;
    uint32_t failed = 0;
    while (failed < MOST_FAILURES && !check_some_apart(progress, which, first + count)) {
        struct program p;
        program_random(&p, languages[which].language, progress->seed);
        report(p, languages[which].name, progress->seed, languages[which].exact);
        failed++;
        progress->seed++;
    }
    struct tally t = progress->tally;
    printf(
        "%-10s %7llu programs, %llu too large, %u failed; %llu traces, optimal %llu (%llu rejected; %llu parts), dpor "
        "%llu (%llu cut off)\n",
        languages[which].name, (unsigned long long)t.programs, (unsigned long long)t.skipped, failed,
        (unsigned long long)t.traces, (unsigned long long)t.optimal, (unsigned long long)t.rejected,
        (unsigned long long)t.parts, (unsigned long long)t.dpor, (unsigned long long)t.blocked);
    printf(
        "           of these small enough for dfs %llu, with at most 2 preemptions %llu, below a beginning %llu, for "
        "all bounds %llu, with blocks %llu\n",
        (unsigned long long)t.dfs, (unsigned long long)t.bounded, (unsigned long long)t.rooted,
        (unsigned long long)t.all_bounds, (unsigned long long)(t.with_blocks / 2));
    printf("           states: %llu, spor %llu, dlspor %llu, sdpor %llu, forgotten %llu; %llu go round, %llu of these "
           "may never end\n",
           (unsigned long long)t.states, (unsigned long long)t.spor, (unsigned long long)t.dlspor,
           (unsigned long long)t.sdpor, (unsigned long long)t.forgotten, (unsigned long long)t.circular,
           (unsigned long long)t.endless);
    printf("           rf: %llu classes, %llu executions (%llu of them given up), %llu programs by traces\n",
           (unsigned long long)t.classes, (unsigned long long)t.rf, (unsigned long long)t.rf_dropped,
           (unsigned long long)t.by_traces);
    *checked += t.programs;
    munmap(progress, sizeof *progress);
    return failed;
}

static struct instr load(uint8_t cell, uint8_t reg)
{
    return (struct instr){.code = DO_LOAD, .object = cell, .reg = reg};
}

static struct instr store(uint8_t cell, uint8_t value)
{
    return (struct instr){.code = DO_STORE, .object = cell, .value = value};
}

static struct program make_readers(uint32_t writers, uint32_t readers)
{
    struct program p = {.threads = writers + readers};
    for (uint32_t t = 0; t < p.threads; t++)
        program_add(&p, t, t < writers ? store(0, (uint8_t)(t + 1)) : load(0, 0));
    return p;
}

static struct program make_sections(uint32_t sections)
{
    struct program p = {.threads = 2};
    for (uint32_t t = 0; t < 2; t++) {
        for (uint32_t i = 0; i < sections; i++) {
            program_add(&p, t, (struct instr){.code = DO_LOCK});
            program_add(&p, t, (struct instr){.code = DO_UNLOCK});
        }
    }
    return p;
}

// Each thread adds one by compare-and-swap and gives up after some tries.
static struct program make_adders(uint32_t threads, uint32_t tries)
{
    struct program p = {.threads = threads};
    for (uint32_t t = 0; t < threads; t++) {
        for (uint32_t i = 0; i < tries; i++) {
            program_add(&p, t, load(0, 0));
            program_add(&p, t, (struct instr){.code = DO_CAS_REG, .reg = 0, .value = 1, .other = 1});
            program_add(&p, t, (struct instr){.code = DO_END, .reg = 1, .value = 1});
        }
    }
    return p;
}

// Writer j stores a[j-1] + 1 in a[j]; the reader looks for the last zero.
static struct program make_last_zero(uint32_t writers)
{
    struct program p = {.threads = writers + 1};
    for (uint32_t j = 1; j <= writers; j++) {
        program_add(&p, j, load((uint8_t)(j - 1), 0));
        program_add(&p, j, (struct instr){.code = DO_COPY, .object = (uint8_t)j, .reg = 0, .value = 1});
    }
    for (uint32_t j = writers + 1; j-- > 0;) {
        program_add(&p, 0, load((uint8_t)j, 0));
        program_add(&p, 0, (struct instr){.code = DO_END, .reg = 0, .value = 0});
    }
    return p;
}

static uint32_t expect(const char *what, struct program p, uint64_t traces)
{
    uint64_t found = count_optimal(&p);
    if (found == traces)
        return 0;
    printf("FAILED: %s has %llu traces, optimal took %llu executions\n", what, (unsigned long long)traces,
           (unsigned long long)found);
    return 1;
}

static uint32_t expect_classes(const char *what, struct program p, uint64_t classes)
{
    uint64_t found = count_rf(&p);
    if (found == classes)
        return 0;
    printf("FAILED: %s has %llu reads-from classes, rf took %llu executions\n", what, (unsigned long long)classes,
           (unsigned long long)found);
    return 1;
}

static uint32_t known_counts(uint32_t *checks)
{
    uint32_t failed = 0;
    *checks = 13;
    failed += expect_classes("7 writers and a reader", make_readers(7, 1), 8);
    failed += expect_classes("18 writers and a reader", make_readers(18, 1), 19);
    failed += expect_classes("3 writers and 4 readers", make_readers(3, 4), 256);
    failed += expect_classes("two threads of 5 critical sections", make_sections(5), 252);
    failed += expect("one writer and 10 readers", make_readers(1, 10), 1024);
    failed += expect("one writer and 15 readers", make_readers(1, 15), 32768);
    failed += expect("5 writers and a reader", make_readers(5, 1), 720);
    failed += expect("7 writers and a reader", make_readers(7, 1), 40320);
    failed += expect("two threads of 5 critical sections", make_sections(5), 252);
    failed += expect("two threads of 8 critical sections", make_sections(8), 12870);
    failed += expect("four threads adding by compare-and-swap", make_adders(4, 3), 3120);
    failed += expect("last zero of 5", make_last_zero(5), 8 * 8);
    failed += expect("last zero of 10", make_last_zero(10), 256 * 13);
    return failed;
}

static struct program program_of(uint32_t threads, const struct instr code[][3])
{
    struct program p = {.threads = threads};
    for (uint32_t t = 0; t < threads; t++)
        for (uint32_t i = 0; i < 3 && code[t][i].code != DO_KINDS; i++)
            program_add(&p, t, code[t][i]);
    return p;
}

static uint32_t expect_passes(const char *what, struct program p)
{
    if (!fails(&p, true, true))
        return 0;
    printf("FAILED: %s\n", what);
    program_print(&p, stdout);
    return 1;
}

// The smallest programs that something once went wrong with.
static uint32_t old_bugs(uint32_t *checks)
{
    const struct instr none = {.code = DO_KINDS}, lock = {.code = DO_LOCK}, unlock = {.code = DO_UNLOCK};
    const struct instr trylock = {.code = DO_TRYLOCK}, wait = {.code = DO_WAIT}, signal = {.code = DO_SIGNAL},
                       leave = {.code = DO_EXIT};
    const struct instr add = {.code = DO_ADD, .value = 2}, cas = {.code = DO_CAS, .other = 1, .value = 0};
    const struct instr join_first = {.code = DO_JOIN, .object = 0}, join_last = {.code = DO_JOIN, .object = 2};
    uint32_t failed = 0;
    *checks = 9;
    failed += expect_passes(
        "optimal: what c needs must leave out what it knows through d only",
        program_of(3, (const struct instr[][3]){{store(0, 1), none}, {load(0, 0), none}, {load(0, 0), none}}));
    failed += expect_passes("optimal: a compare-and-swap changes its effect in front of d",
                            program_of(3, (const struct instr[][3]){{add, none}, {cas, none}, {load(0, 0), none}}));
    failed += expect_passes("optimal: a release that is no event belongs to the past of the next acquire",
                            program_of(3, (const struct instr[][3]){{lock, none}, {lock, none}, {lock, unlock, none}}));
    failed += expect_passes("optimal: a blocked acquire cannot be put right before the end of the process",
                            program_of(2, (const struct instr[][3]){{lock, leave, none}, {lock, unlock, none}}));
    failed +=
        expect_passes("model: a join happens after the other's last event",
                      program_of(3, (const struct instr[][3]){{store(0, 1), none}, {leave, none}, {join_first, none}}));
    failed +=
        expect_passes("optimal: a join that was not run does not know yet whom it follows",
                      program_of(3, (const struct instr[][3]){{join_last, none}, {leave, none}, {store(0, 1), none}}));
    failed += expect_passes("target: a wait lets go of its mutex where a trylock can see it",
                            program_of(2, (const struct instr[][3]){{trylock, none}, {lock, wait, none}}));
    failed += expect_passes(
        "bounded: a signal between beginning to wait and letting go of the mutex",
        program_of(3, (const struct instr[][3]){{lock, wait, none}, {leave, none}, {signal, trylock, none}}));
    failed += expect_passes(
        "dpor: a race asks for an actor that sleeps",
        program_of(3,
                   (const struct instr[][3]){{store(0, 1), none}, {load(1, 0), load(0, 0), none}, {load(0, 0), none}}));
    return failed;
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 500;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    bool every = argc <= 3 || !strcmp(argv[3], "all");
    if (argc > 4)
        most_traces = (uint32_t)strtoul(argv[4], NULL, 10);
    uint32_t counts, bugs;
    uint32_t failed = known_counts(&counts) + old_bugs(&bugs);
    uint64_t all = counts + bugs;
    for (uint32_t i = 0; i < LANGUAGES; i++) {
        if (!every && strcmp(argv[3], languages[i].name))
            continue;
        failed += fuzz(i, count, first, &all);
    }
    printf("%llu passed, %u failed\n", (unsigned long long)(all - failed), failed);
    return failed != 0;
}
