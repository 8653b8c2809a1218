// Check: tests are added to cases one by one; only the wanted one is. It runs in the process itself and not in a child, and what
// fails is reported at once, where otherwise Check would write it to a temporary file.
#include "frameworks/adaptor.h"

#include <signal.h>
#include <stdarg.h>
#include <time.h>

struct ttest { // TTest, since 0.13
    const char *name;
    void (*function)(int);
    const char *file;
    int line;
};

enum { NO_FORK = 2 }; // CK_NOFORK

void __wrap__tcase_add_test(void *tcase, const struct ttest *test, int signal, int status, int start, int end);
void __real__tcase_add_test(void *tcase, const struct ttest *test, int signal, int status, int start, int end);
void __wrap_srunner_run(void *runner, const char *suite, const char *tcase, int mode);
void __real_srunner_run(void *runner, const char *suite, const char *tcase, int mode);
void __wrap_srunner_run_all(void *runner, int mode);
void __real_srunner_run_all(void *runner, int mode);
void __wrap_srunner_run_tagged(void *runner, const char *suite, const char *tcase, const char *with,
                               const char *without, int mode);
void __real_srunner_run_tagged(void *runner, const char *suite, const char *tcase, const char *with,
                               const char *without, int mode);
__attribute__((noreturn)) void __wrap__ck_assert_failed(const char *file, int line, const char *expression,
                                                        const char *format, ...);
__attribute__((noreturn)) void __real__ck_assert_failed(const char *file, int line, const char *expression,
                                                        const char *format, ...);
clockid_t __wrap_check_get_clockid(void);
clockid_t __real_check_get_clockid(void);
void srunner_set_fork_status(void *runner, int status);

// The wanted test, if it is to end by a signal or with a status of its own.
static struct {
    const struct ttest *test;
    int signal, status;
} expected;

static void run_expected(int number)
{
    if (expected.signal == SIGALRM || expected.signal == SIGINT || expected.signal == SIGTERM)
        signal(expected.signal, SIG_DFL); // as Check has it in the process of a test
    adaptor_expect(expected.signal, expected.status);
    expected.test->function(number);
    adaptor_fail_expected(expected.signal, expected.status, expected.test->file, expected.test->line);
}

static const struct ttest *expect_end(const struct ttest *test, int signal, int status, int runs)
{
    static struct ttest instead;
    if (expected.test || runs > 1)
        adaptor_cannot_end();
    expected.test = test;
    expected.signal = signal;
    expected.status = status;
    instead = *test;
    instead.function = run_expected;
    return &instead;
}

void __wrap__tcase_add_test(void *tcase, const struct ttest *test, int signal, int status, int start, int end)
{
    if (adaptor_lists())
        adaptor_list(test->name);
    else if (!adaptor_is_explored() || adaptor_wants(test->name)) {
        if (adaptor_is_explored() && (signal || status))
            test = expect_end(test, signal, status, end - start);
        __real__tcase_add_test(tcase, test, signal, status, start, end);
    }
}

// Check finds out by making a timer, which heddle does not follow.
clockid_t __wrap_check_get_clockid(void)
{
    return adaptor_is_explored() ? CLOCK_MONOTONIC : __real_check_get_clockid();
}

static void prepare(void *runner)
{
    if (adaptor_is_explored())
        srunner_set_fork_status(runner, NO_FORK);
}

void __wrap_srunner_run(void *runner, const char *suite, const char *tcase, int mode)
{
    prepare(runner);
    __real_srunner_run(runner, suite, tcase, mode);
}

void __wrap_srunner_run_all(void *runner, int mode)
{
    prepare(runner);
    __real_srunner_run_all(runner, mode);
}

void __wrap_srunner_run_tagged(void *runner, const char *suite, const char *tcase, const char *with,
                               const char *without, int mode)
{
    prepare(runner);
    __real_srunner_run_tagged(runner, suite, tcase, with, without, mode);
}

void __wrap__ck_assert_failed(const char *file, int line, const char *expression, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    if (format)
        vsnprintf(text, sizeof text, format, arguments);
    else
        snprintf(text, sizeof text, "%s", expression);
    va_end(arguments);
    adaptor_fail(text, file, line);
    __real__ck_assert_failed(file, line, expression, format ? "%s" : NULL, text);
}
