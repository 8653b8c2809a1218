// Checks the strategies against plain enumeration on random programs (check.c says what), and `optimal` on programs
// whose number of traces is known.
//
//     fuzz_model [count [first seed [language]]]
//
// A program that fails is printed with its seed, made as small as it can be while it still fails.
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fuzz/check.h"

static const struct {
    const char *name;
    uint32_t language;
    bool exact; // optimal meets every trace once
} languages[] = {
    {"atomics", 0, true},
    {"mutexes", WITH_MUTEX, true},
    {"trylock", WITH_MUTEX | WITH_TRYLOCK, true},
    {"choose", WITH_MUTEX | WITH_CHOOSE, true},
    {"stop", WITH_MUTEX | WITH_STOP, true},
    {"exit", WITH_MUTEX | WITH_EXIT, true},
    {"condvars", WITH_MUTEX | WITH_COND, true},
    {"everything", WITH_MUTEX | WITH_TRYLOCK | WITH_COND | WITH_CHOOSE | WITH_STOP | WITH_EXIT, true},
};

enum { LANGUAGES = sizeof languages / sizeof *languages };

// Whether the program fails, found out in a process of its own, since failing may mean aborting.
static bool fails(const struct program *p, bool exact)
{
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        fclose(stderr);
        struct tally tally = {0};
        _exit(check_program(p, exact, &tally) != NULL);
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
            if (fails(&less, exact)) {
                *p = less;
                smaller = true;
                continue;
            }
            for (uint32_t i = p->length[t]; i-- > 0;) {
                less = *p;
                program_delete(&less, t, i);
                if (fails(&less, exact)) {
                    *p = less;
                    smaller = true;
                }
            }
        }
    }
}

static void report(struct program p, const char *language, uint64_t seed, bool exact, const char *wrong)
{
    printf("FAILED: %s, seed %llu: %s\n", language, (unsigned long long)seed, wrong);
    program_print(&p, stdout);
    shrink(&p, exact);
    struct tally tally = {0};
    printf("the same, smaller:\n");
    program_print(&p, stdout);
    fflush(stdout);
    wrong = check_program(&p, exact, &tally);
    printf("  %s; %llu traces, %llu executions\n", wrong ? wrong : "(passes)", (unsigned long long)tally.traces,
           (unsigned long long)tally.optimal);
}

// The program at hand, for when a broken invariant ends the test.
static struct program at_hand;
static uint64_t seed_at_hand;
static uint32_t language_at_hand;

static void on_abort(int signal_number)
{
    signal(signal_number, SIG_DFL);
    report(at_hand, languages[language_at_hand].name, seed_at_hand, languages[language_at_hand].exact,
           "broken invariant");
    fflush(stdout);
    _exit(1);
}

static uint32_t fuzz(uint32_t which, uint64_t count, uint64_t first)
{
    struct tally tally = {0};
    uint32_t failed = 0;
    bool exact = languages[which].exact;
    language_at_hand = which;
    for (uint64_t seed = first; seed < first + count && failed < 5; seed++) {
        program_random(&at_hand, languages[which].language, seed);
        seed_at_hand = seed;
        const char *wrong = check_program(&at_hand, exact, &tally);
        if (wrong) {
            failed++;
            report(at_hand, languages[which].name, seed, exact, wrong);
        }
    }
    printf("%-10s %7llu programs, %llu too large, %u failed; %llu traces, optimal %llu (%llu rejected), dpor %llu "
           "(%llu cut off)\n",
           languages[which].name, (unsigned long long)tally.programs, (unsigned long long)tally.skipped, failed,
           (unsigned long long)tally.traces, (unsigned long long)tally.optimal, (unsigned long long)tally.rejected,
           (unsigned long long)tally.dpor, (unsigned long long)tally.blocked);
    fflush(stdout);
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

static uint32_t known_counts(uint32_t *checks)
{
    uint32_t failed = 0;
    *checks = 9;
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

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 500;
    uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    signal(SIGABRT, on_abort);
    uint32_t checks, failed = known_counts(&checks);
    uint64_t all = checks;
    for (uint32_t i = 0; i < LANGUAGES; i++) {
        if (argc > 3 && strcmp(argv[3], languages[i].name))
            continue;
        failed += fuzz(i, count, first);
        all += count;
    }
    printf("%llu passed, %u failed\n", (unsigned long long)(all - failed), failed);
    return failed != 0;
}
