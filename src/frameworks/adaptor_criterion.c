// Criterion: each test would run in a process of its own, made anew from the program's file. Under heddle it runs in the process
// itself: the program's tests and suites stand in sections, and what a test calls of the framework is done here.
#include <setjmp.h>
#include <stdarg.h>

#include "frameworks/adaptor.h"

struct params { // criterion_test_params
    size_t size;
    void *params;
    size_t length;
    void (*cleanup)(struct params *);
};

enum kind { NORMAL, PARAMETERIZED };

struct extra { // criterion_test_extra_data, since 2.3
    int sentinel;
    unsigned compiler, language;
    enum kind kind;
    struct params (*params)(void);
    const char *identifier, *file;
    unsigned line;
    void (*init)(void), (*fini)(void);
    int signal, status;
    bool disabled;
};

struct test { // criterion_test
    const char *name, *category;
    void (*run)(void);
    const struct extra *extra;
};

struct suite { // criterion_suite
    const char *name;
    const struct extra *extra;
};

struct assertion { // criterion_assert_stats
    const char *message;
    bool passed;
    unsigned line;
    const char *file;
};

struct node { // the beginning of cri_assert_node
    char *repr, *message;
};

extern const struct test *const __start_cr_tst[] __attribute__((weak)), *const __stop_cr_tst[] __attribute__((weak));
extern const struct suite *const __start_cr_sts[] __attribute__((weak)), *const __stop_cr_sts[] __attribute__((weak));

int __wrap_main(int argc, char **argv, char **environment);
int __real_main(int argc, char **argv, char **environment);
void __wrap_criterion_internal_test_setup(void);
void __real_criterion_internal_test_setup(void);
void __wrap_criterion_internal_test_main(void (*test)(void));
void __real_criterion_internal_test_main(void (*test)(void));
void __wrap_criterion_internal_test_teardown(void);
void __real_criterion_internal_test_teardown(void);
void __wrap_criterion_send_assert(struct assertion *assertion);
void __real_criterion_send_assert(struct assertion *assertion);
void __wrap_cri_assert_node_send(const char *file, size_t line, struct node *node);
void __real_cri_assert_node_send(const char *file, size_t line, struct node *node);
void __wrap_cri_asserts_passed_incr(void);
void __real_cri_asserts_passed_incr(void);
_Noreturn void __wrap_criterion_abort_test(void);
_Noreturn void __real_criterion_abort_test(void);
_Noreturn void __wrap_criterion_skip_test(const char *format, ...);
_Noreturn void __real_criterion_skip_test(const char *format, ...);
void __wrap_criterion_continue_test(void);
void __real_criterion_continue_test(void);
void __wrap_criterion_test_die(const char *format, ...);
void __real_criterion_test_die(const char *format, ...);

static const struct test *current;
static void *parameter; // of a parameterized test
static jmp_buf skipped; // where a test goes on that is not to be run to its end

static const struct extra *suite_of(const struct test *test)
{
    for (const struct suite *const *at = __start_cr_sts; at < __stop_cr_sts; at++)
        if (*at && !strcmp((*at)->name, test->category))
            return (*at)->extra;
    return NULL;
}

static bool is_disabled(const struct test *test)
{
    const struct extra *suite = suite_of(test);
    return test->extra->disabled || (suite && suite->disabled);
}

static int run_test(const struct test *test)
{
    const struct extra *extra = test->extra;
    bool expects = extra->signal || extra->status;
    current = test;
    if (extra->kind == NORMAL) {
        test->run();
        if (expects)
            adaptor_fail_expected(extra->signal, extra->status, extra->file, (int)extra->line);
        return 0;
    }
    if (expects)
        adaptor_cannot_end();
    struct params params = test->extra->params();
    for (size_t i = 0; i < params.length; i++) {
        parameter = (char *)params.params + i * params.size;
        test->run();
    }
    if (params.cleanup)
        params.cleanup(&params);
    return 0;
}

int __wrap_main(int argc, char **argv, char **environment)
{
    if (!adaptor_lists() && !(adaptor_is_explored() && getenv("HEDDLE_TEST")))
        return __real_main(argc, argv, environment);
    for (const struct test *const *at = __start_cr_tst; at < __stop_cr_tst; at++) {
        if (!*at || is_disabled(*at))
            continue;
        if (adaptor_lists())
            adaptor_list((*at)->extra->identifier);
        else if (adaptor_wants((*at)->extra->identifier))
            return run_test(*at);
    }
    return 0;
}

void __wrap_criterion_internal_test_setup(void)
{
    if (!current) {
        __real_criterion_internal_test_setup();
        return;
    }
    const struct extra *suite = suite_of(current);
    if (suite && suite->init)
        suite->init();
    if (current->extra->init)
        current->extra->init();
    if (current->extra->signal || current->extra->status)
        adaptor_expect(current->extra->signal, current->extra->status);
}

void __wrap_criterion_internal_test_main(void (*test)(void))
{
    if (!current)
        __real_criterion_internal_test_main(test);
    else if (setjmp(skipped))
        return;
    else if (current->extra->kind == PARAMETERIZED)
        ((void (*)(void *))test)(parameter);
    else
        test();
}

void __wrap_criterion_skip_test(const char *format, ...)
{
    va_list arguments;
    char text[256];
    if (current)
        longjmp(skipped, 1);
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    __real_criterion_skip_test("%s", text);
}

static void fail_here(const char *text)
{
    adaptor_fail(text, current->extra->file, (int)current->extra->line);
}

void __wrap_criterion_abort_test(void)
{
    if (!current)
        __real_criterion_abort_test();
    fail_here("the test was aborted");
    abort();
}

void __wrap_criterion_continue_test(void)
{
    if (!current)
        __real_criterion_continue_test();
}

void __wrap_criterion_test_die(const char *format, ...)
{
    va_list arguments;
    char text[256];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!current)
        __real_criterion_test_die("%s", text);
    else
        fail_here(text);
}

void __wrap_criterion_internal_test_teardown(void)
{
    if (!current) {
        __real_criterion_internal_test_teardown();
        return;
    }
    const struct extra *suite = suite_of(current);
    if (current->extra->fini)
        current->extra->fini();
    if (suite && suite->fini)
        suite->fini();
}

void __wrap_criterion_send_assert(struct assertion *assertion)
{
    if (!current)
        __real_criterion_send_assert(assertion);
    else if (!assertion->passed)
        adaptor_fail(assertion->message, assertion->file, (int)assertion->line);
}

void __wrap_cri_assert_node_send(const char *file, size_t line, struct node *node)
{
    if (!current)
        __real_cri_assert_node_send(file, line, node);
    else
        adaptor_fail(node->message ? node->message
                     : node->repr  ? node->repr
                                   : "the condition is false",
                     file, (int)line);
}

void __wrap_cri_asserts_passed_incr(void)
{
    if (!current)
        __real_cri_asserts_passed_incr();
}
