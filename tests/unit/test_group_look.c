// A process that computes is told from one that waits.
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "inject/group_look.h"

static pid_t start(void (*run)(void))
{
    pid_t child = fork();
    if (!child) {
        setpgid(0, 0);
        for (;;)
            run();
    }
    setpgid(child, child);
    return child;
}

static void computes(void)
{
}

static void waits(void)
{
    pause();
}

// Looks until the group does that, at most for a minute.
static struct group_look look_until(pid_t group, bool runs, double seconds)
{
    struct group_look look = {0};
    for (int i = 0; i < 6000; i++) {
        look = group_look(group);
        if (look.runs == runs && look.seconds >= seconds)
            break;
        nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
    return look;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void test_computes(void **state)
{
    (void)state;
    pid_t child = start(computes);
    struct group_look look = look_until(child, true, 0.02);
    end(child);
    assert_true(look.runs);
    assert_true(look.seconds >= 0.02);
}

static void test_waits(void **state)
{
    (void)state;
    pid_t child = start(waits);
    struct group_look look = look_until(child, false, 0);
    end(child);
    assert_false(look.runs);
}

static void test_nobody(void **state)
{
    (void)state;
    pid_t child = start(waits);
    end(child);
    struct group_look look = group_look(child);
    assert_false(look.runs);
    assert_true(look.seconds == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_computes),
        cmocka_unit_test(test_waits),
        cmocka_unit_test(test_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
