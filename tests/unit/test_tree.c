// A copied directory is put back to what it was, whatever was done to it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/tree.h"

enum { MOST = 1 << 20 };

static char root[64];
static struct tree tree;

static void run(const char *command)
{
    assert_int_equal(system(command), 0);
}

static int set_up(void **state)
{
    (void)state;
    strcpy(root, "/tmp/heddle-tree-XXXXXX");
    assert_non_null(mkdtemp(root));
    assert_int_equal(chdir(root), 0);
    run("mkdir -p from/a/b to && echo one >from/one && echo two >from/a/b/two && ln -s a/b/two from/link && chmod 640 "
        "from/one");
    assert_null(tree_copy("from", "to", root, MOST));
    assert_null(tree_look(&tree, "from", "to"));
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    tree_empty(root);
    return chdir("/") || rmdir(root);
}

static void assert_put_back(void)
{
    const char *why = tree_restore(&tree);
    if (why)
        print_error("%s\n", why);
    assert_null(why);
    run("diff -r --no-dereference from to && test \"$(stat -c '%a %Y' from/one from/a)\" = \"$(stat -c '%a %Y' to/one "
        "to/a)\"");
}

static void a_copy_is_the_same(void **state)
{
    (void)state;
    assert_put_back();
}

static void what_is_changed_is_put_back(void **state)
{
    (void)state;
    run("echo more >>to/one && chmod 600 to/a/b/two");
    assert_put_back();
    run("printf 'eno\\n' >to/one && touch -d '2001-01-01' to/one to/a"); // the same size, and a time that lies
    assert_put_back();
}

static void what_is_missing_is_put_back(void **state)
{
    (void)state;
    run("rm -r to/a to/link to/one");
    assert_put_back();
    run("rm -r to/a && echo file >to/a && rm to/one && mkdir to/one && echo x >to/one/x");
    assert_put_back();
}

static void what_is_new_is_removed(void **state)
{
    (void)state;
    run("mkdir -p to/new/deep to/a/b/new && echo x >to/new/deep/x && echo y >to/a/b/y && ln -s / to/slash && chmod 0 "
        "to/new/deep");
    assert_put_back();
}

static void what_is_too_large_is_not_copied(void **state)
{
    (void)state;
    run("mkdir other");
    assert_string_equal(tree_copy("from", "other", root, 3), "it holds too much to be copied");
}

static void a_copy_does_not_hold_itself(void **state)
{
    (void)state;
    run("mkdir from/copy");
    assert_null(tree_copy("from", "from/copy", "from/copy", MOST));
    assert_int_not_equal(access("from/copy/copy", F_OK), 0);
}

static void a_changed_original_is_noticed(void **state)
{
    (void)state;
    run("echo other >from/one && rm to/one");
    assert_non_null(tree_restore(&tree));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_copy_is_the_same),
        TEST(what_is_changed_is_put_back),
        TEST(what_is_missing_is_put_back),
        TEST(what_is_new_is_removed),
        TEST(what_is_too_large_is_not_copied),
        TEST(a_copy_does_not_hold_itself),
        TEST(a_changed_original_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
