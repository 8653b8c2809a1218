#include "model/framework.h"

const struct framework_traits framework_table[FRAMEWORKS] = {
    [FRAMEWORK_NONE] = {"none"},
    [FRAMEWORK_GTEST] = {.name = "googletest",
                         .sign = "_ZN7testing14InitGoogleTest",
                         .list = {"--gtest_list_tests"},
                         .select = {"--gtest_filter=%s", "--gtest_throw_on_failure"},
                         .trusted = "libgtest.so,libgtest_main.so,libgmock.so,libgmock_main.so",
                         .thrown = "N7testing8internal26GoogleTestFailureExceptionE",
                         .inside = "_ZN7testing _ZNK7testing"},
    [FRAMEWORK_CATCH] = {.name = "Catch2",
                         .sign = "_ZN5Catch7Session3run",
                         .list = {"--list-test-names-only"},
                         .list_else = {"--list-tests", "--verbosity", "quiet"},
                         .select = {"%s", "--abort", "--reporter", "compact"},
                         .trusted = "libCatch2.so,libCatch2Main.so",
                         .thrown = "N5Catch20TestFailureExceptionE",
                         .inside = "_ZN5Catch _ZNK5Catch _ZN12_GLOBAL__N_1"},
    [FRAMEWORK_CHECK] = {.name = "Check",
                         .sign = "__wrap_srunner_run",
                         .trusted = "libcheck.so,libsubunit.so",
                         .inside = "__wrap_"},
    [FRAMEWORK_CMOCKA] = {.name = "cmocka",
                          .sign = "__wrap__cmocka_run_group_tests",
                          .trusted = "libcmocka.so",
                          .inside = "__wrap_"},
    [FRAMEWORK_CRITERION] = {.name = "Criterion",
                             .sign = "__wrap_criterion_internal_test_main",
                             .trusted = "libcriterion.so",
                             .inside = "__wrap_"},
    [FRAMEWORK_GLIB] =
        {.name = "GLib",
         .sign = "g_test_run",
         .list = {"-l"},
         .select = {"-p", "%s"},
         .trusted = "g_test_init,g_test_run,g_test_run_suite,g_test_add_func,g_test_add_data_func,"
                    "g_test_add_data_func_full,g_test_add_vtable,g_test_create_suite,g_test_create_case,"
                    "g_test_get_root,g_test_suite_add,g_test_suite_add_suite,g_test_message,g_test_bug,g_test_bug_base,"
                    "g_test_summary,g_test_set_nonfatal_assertions,g_test_skip,g_test_incomplete,g_test_get_path",
         .inside = "__wrap_"},
    [FRAMEWORK_UNITY] = {.name = "Unity", .sign = "__wrap_UnityDefaultTestRun", .trusted = "", .inside = "__wrap_"},
    [FRAMEWORK_SELECTS] = {.name = "heddle_selects", .sign = "heddle_selects_test", .trusted = "", .inside = ""},
};
