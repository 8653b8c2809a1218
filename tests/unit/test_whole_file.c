// A file that is written as a whole is there whole, or as it was before.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void holds(const char *path, const char *text)
{
    char got[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = fread(got, 1, sizeof got - 1, file);
    got[n] = 0;
    fclose(file);
    assert_string_equal(got, text);
}

// How many files have names that begin with this.
static size_t count_files(const char *name)
{
    char pattern[64];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s*", name);
    size_t count = glob(pattern, 0, NULL, &found) ? 0 : found.gl_pathc;
    globfree(&found);
    return count;
}

static void a_new_file_is_written(void **state)
{
    (void)state;
    struct whole_file file;
    struct stat kept;
    umask(022);
    assert_non_null(whole_file_open(&file, "new"));
    fputs("all", file.out);
    assert_int_equal(whole_file_close(&file, true), 0);
    holds("new", "all");
    assert_int_equal(stat("new", &kept), 0);
    assert_int_equal(kept.st_mode & 07777, 0644);
    assert_int_equal(count_files("new"), 1);
    unlink("new");
}

static void an_older_file_is_there_until_the_end(void **state)
{
    (void)state;
    struct whole_file file;
    struct stat kept;
    put("old", "before");
    assert_int_equal(chmod("old", 0600), 0);
    assert_non_null(whole_file_open(&file, "old"));
    fputs("after", file.out);
    fflush(file.out);
    holds("old", "before");
    assert_int_equal(whole_file_close(&file, true), 0);
    holds("old", "after");
    assert_int_equal(stat("old", &kept), 0);
    assert_int_equal(kept.st_mode & 07777, 0600);
    unlink("old");
}

static void a_full_disk_leaves_the_older_file(void **state)
{
    (void)state;
    struct whole_file file;
    struct rlimit before, little;
    put("kept", "before");
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    little = before;
    little.rlim_cur = 4;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    assert_non_null(whole_file_open(&file, "kept"));
    fputs("more than that", file.out);
    int result = whole_file_close(&file, true), error = errno;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(result, -1);
    assert_int_equal(error, EFBIG);
    holds("kept", "before");
    assert_int_equal(count_files("kept"), 1);
    unlink("kept");
}

static void what_its_writer_gives_up_is_not_there(void **state)
{
    (void)state;
    struct whole_file file;
    assert_non_null(whole_file_open(&file, "part"));
    fputs("half", file.out);
    errno = EIO;
    assert_int_equal(whole_file_close(&file, false), -1);
    assert_int_equal(errno, EIO);
    assert_int_equal(count_files("part"), 0);
}

static void links_and_devices_stay_what_they_are(void **state)
{
    (void)state;
    struct whole_file file;
    struct stat kept;
    put("target", "before");
    assert_int_equal(symlink("target", "link"), 0);
    assert_non_null(whole_file_open(&file, "link"));
    fputs("after", file.out);
    assert_int_equal(whole_file_close(&file, true), 0);
    assert_int_equal(lstat("link", &kept), 0);
    assert_true(S_ISLNK(kept.st_mode));
    holds("target", "after");
    assert_non_null(whole_file_open(&file, "/dev/full"));
    fputs("lost", file.out);
    assert_int_equal(whole_file_close(&file, true), -1);
    assert_int_equal(errno, ENOSPC);
    unlink("link");
    unlink("target");
}

static void where_no_file_can_be_is_said(void **state)
{
    (void)state;
    struct whole_file file;
    assert_null(whole_file_open(&file, "nowhere/file"));
    assert_int_equal(errno, ENOENT);
    assert_null(whole_file_open(&file, "."));
    assert_int_equal(errno, EISDIR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_new_file_is_written),
        cmocka_unit_test(an_older_file_is_there_until_the_end),
        cmocka_unit_test(a_full_disk_leaves_the_older_file),
        cmocka_unit_test(what_its_writer_gives_up_is_not_there),
        cmocka_unit_test(links_and_devices_stay_what_they_are),
        cmocka_unit_test(where_no_file_can_be_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
