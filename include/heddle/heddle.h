// What a test author includes. The program also compiles, links and runs without heddle, in C and in C++: what heddle's
// runtime provides is declared weak, and each operation says what it does where there is no runtime.
#ifndef HEDDLE_HEDDLE_H
#define HEDDLE_HEDDLE_H

#ifdef __cplusplus
extern "C" {
#endif

// No header is included, so that none can clash with what the program declares. What is needed of the C library has names of its
// own here.
__attribute__((noreturn)) void heddle_exit_(int status) __asm__("exit");
__attribute__((noreturn)) void heddle_abort_(void) __asm__("abort");
char *heddle_getenv_(const char *name) __asm__("getenv");
long heddle_time_(long *to) __asm__("time");
int heddle_compare_(const char *one, const char *other) __asm__("strcmp");
__attribute__((format(printf, 1, 2))) int heddle_print_(const char *format, ...) __asm__("printf");
__attribute__((format(printf, 2, 3))) int heddle_print_to_(int fd, const char *format, ...) __asm__("dprintf");
int heddle_flush_(void *stream) __asm__("fflush");
int heddle_fork_(void) __asm__("fork");
int heddle_wait_(int child, int *status, int options) __asm__("waitpid");

// Provided by the runtime; null in a program that runs on its own. Not to be called directly.
__attribute__((weak)) int heddle_choose_at(int n);
__attribute__((weak)) void heddle_assume_failed(void);
__attribute__((weak)) void heddle_assert_failed(const char *text, const char *file, int line, const char *function);
__attribute__((weak, format(printf, 1, 2))) void heddle_note_text(const char *format, ...);
__attribute__((weak)) void heddle_ignore_memory(const void *start, unsigned long size);
__attribute__((weak)) void heddle_atomic_region(int ends);
__attribute__((weak)) int heddle_selects_test(const char *name);

// Pseudo-random, for programs that run on their own: one sequence for all threads, begun from HEDDLE_SEED or, if that is
// not set, from the time and an address.
static inline unsigned long long heddle_random_(void)
{
    static unsigned long long state;
    if (!__atomic_load_n(&state, __ATOMIC_RELAXED)) {
        const char *seed = heddle_getenv_("HEDDLE_SEED");
        unsigned long long start =
            seed ? 0 : (unsigned long long)heddle_time_(0) ^ (unsigned long long)(__UINTPTR_TYPE__)&seed;
        for (; seed && *seed >= '0' && *seed <= '9'; seed++)
            start = start * 10 + (unsigned long long)(*seed - '0');
        __atomic_store_n(&state, (start + 1) * 0xd1342543de82ef95u | 1, __ATOMIC_RELAXED);
    }
    unsigned long long z = __atomic_add_fetch(&state, 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z >> 33;
}

// A value from 0 to n - 1; n must be at least 1. Heddle explores every one of them.
// Without heddle: a pseudo-random one (environment variable HEDDLE_SEED).
#ifndef HEDDLE_CHOOSE_ // <heddle/node.h> has it as well
#define HEDDLE_CHOOSE_
static inline __attribute__((always_inline)) int heddle_choose(int n)
{
    if (heddle_choose_at)
        return heddle_choose_at(n);
    return n > 1 ? (int)(heddle_random_() % (unsigned long long)n) : 0;
}
#endif

static inline __attribute__((always_inline)) void heddle_assume_here_(void)
{
    if (heddle_assume_failed)
        heddle_assume_failed();
    heddle_exit_(0);
}

static inline __attribute__((always_inline)) void heddle_assert_here_(const char *text, const char *file, int line,
                                                                      const char *function)
{
    if (heddle_assert_failed)
        heddle_assert_failed(text, file, line, function);
    heddle_print_to_(2, "%s:%d: %s: heddle_assert(%s) failed\n", file, line, function, text);
    heddle_abort_();
}

// Leaves out of the search every execution in which the condition is false here.
// Without heddle: a false one ends the process with status 0.
#define heddle_assume(...) ((__VA_ARGS__) ? (void)0 : heddle_assume_here_())

// A condition that must hold here; heddle reports the execution in which it does not. Not switched off by NDEBUG.
// Without heddle: a false one is printed and the process aborts.
#define heddle_assert(...) ((__VA_ARGS__) ? (void)0 : heddle_assert_here_(#__VA_ARGS__, __FILE__, __LINE__, __func__))

// A remark, in the manner of printf, that appears in heddle's report at this point of the thread.
// Without heddle: nothing, and its arguments are not evaluated.
#define heddle_note(...) (heddle_note_text ? heddle_note_text(__VA_ARGS__) : (void)0)

// This memory does not matter to what the program does: it is a log, or statistics. Searches by states take two states that
// differ in nothing else for the same (`heddle check --audit-states` looks whether that is so). To be called before there are
// other threads. Without heddle: nothing.
static inline __attribute__((always_inline)) void heddle_ignore(const void *start, unsigned long size)
{
    if (heddle_ignore_memory)
        heddle_ignore_memory(start, size);
}
#define HEDDLE_IGNORE(variable) heddle_ignore(&(variable), sizeof(variable))

// What stands between these two is meant to be one act, whether or not a lock is around it: `heddle record` writes that down, and
// `heddle predict` says what other threads can do in between. They nest, within a thread. Nothing is kept from running in between,
// and `heddle check` does not look at them. Without heddle: nothing.
static inline __attribute__((always_inline)) void heddle_atomic_begin(void)
{
    if (heddle_atomic_region)
        heddle_atomic_region(0);
}

static inline __attribute__((always_inline)) void heddle_atomic_end(void)
{
    if (heddle_atomic_region)
        heddle_atomic_region(1);
}

// For a main that runs several tests one after the other: whether it is to run the one of this name.
//
//     #define RUN(test) do { if (heddle_selects(#test)) test(); } while (0)
//
// `heddle check ./program` runs the program once to see the names, with none selected, and then explores each test by itself, as
// a run of the program in which only this one is. Without heddle every test is selected.
#define heddle_selects(name) (!heddle_selects_test || heddle_selects_test(name))

// A test: heddle_test("name") { … } stands where a function could stand, and may stand many times in a file, in C and in
// C++. `heddle check FILE.c` explores each of them by itself, as a program that does only this.
// Without heddle: the program runs all of them in turn, each in a process of its own, and prints "ok" or "not ok" for each.
// A file with tests needs no main. One that has a main defines HEDDLE_OWN_MAIN before it includes this header, and calls
// heddle_run_tests; so does one that is compiled with -flto.
#define heddle_test(name) HEDDLE_TEST_(name, __COUNTER__)
#define HEDDLE_TEST_(name, number) HEDDLE_TEST_NUMBERED_(name, number)
#define HEDDLE_TEST_NUMBERED_(name, number)                                                                            \
    static void heddle_test_function_##number(void);                                                                   \
    static const struct heddle_test_ heddle_test_entry_##number = {"" name, __FILE__, __LINE__,                        \
                                                                   heddle_test_function_##number, heddle_run_tests};   \
    __attribute__((used, section("heddle_tests")))                                                                     \
    HEDDLE_IN_ORDER_ static const struct heddle_test_ *heddle_test_pointer_##number = &heddle_test_entry_##number;     \
    HEDDLE_DEFAULT_MAIN_                                                                                               \
    static void heddle_test_function_##number(void)

// Tests run in the order of the file; clang keeps it by itself.
#ifdef __clang__
#define HEDDLE_IN_ORDER_
#else
#define HEDDLE_IN_ORDER_ __attribute__((no_reorder))
#endif

// main, unless somebody else defines it. An alias by the assembler may be declared as often as there are tests.
#ifdef HEDDLE_OWN_MAIN
#define HEDDLE_DEFAULT_MAIN_
#else
#define HEDDLE_DEFAULT_MAIN_ __asm__(".weak main\n.set main, heddle_run_tests");
#endif

struct heddle_test_ {
    const char *name, *file;
    int line;
    void (*run)(void);
    int (*runner)(int, char **); // so that the compiler keeps it
};

// The linker makes these of the section.
extern const struct heddle_test_ *__start_heddle_tests[] __attribute__((weak, visibility("hidden")));
extern const struct heddle_test_ *__stop_heddle_tests[] __attribute__((weak, visibility("hidden")));

// One test in a process of its own, so that its failure ends nothing else. Returns whether it passed.
static inline int heddle_run_apart_(const struct heddle_test_ *test, int number)
{
    int status = 0;
    heddle_flush_(0);
    int child = heddle_fork_();
    if (child == 0) {
        test->run();
        heddle_exit_(0);
    }
    int passed = child > 0 && heddle_wait_(child, &status, 0) == child && status == 0;
    heddle_print_("%s %d - %s", passed ? "ok" : "not ok", number, test->name);
    if (child > 0 && (status & 127)) // as <sys/wait.h> has it
        heddle_print_(" (signal %d)", status & 127);
    else if (child > 0 && !passed)
        heddle_print_(" (status %d)", status >> 8 & 255);
    heddle_print_("\n");
    return passed;
}

// `--test NAME` runs one test in this very process, `--names` lists them; without arguments all are run. Returns the exit
// status: 1 if one failed, 2 for wrong use.
__attribute__((unused)) static int heddle_run_tests(int argc, char **argv) __asm__("heddle_run_tests");
static int heddle_run_tests(int argc, char **argv)
{
    int failed = 0, names = argc == 2 && !heddle_compare_(argv[1], "--names"),
        one = argc == 3 && !heddle_compare_(argv[1], "--test");
    const struct heddle_test_ **test = __start_heddle_tests;
    if (argc > 1 && !names && !one) {
        heddle_print_to_(2, "usage: %s [--names | --test NAME]\n", argv[0]);
        return 2;
    }
    for (; test != __stop_heddle_tests; test++) {
        if (names) {
            heddle_print_("%s\n", (*test)->name);
        } else if (!one) {
            failed |= !heddle_run_apart_(*test, (int)(test - __start_heddle_tests) + 1);
        } else if (!heddle_compare_((*test)->name, argv[2])) {
            (*test)->run();
            return 0;
        }
    }
    if (one)
        heddle_print_to_(2, "%s: there is no test called %s\n", argv[0], argv[2]);
    return one ? 2 : failed;
}

#ifdef __cplusplus
}
#endif

#endif
