// Test frameworks whose tests heddle explores one by one. What the command and the runtime have to know of one stands in its row.
//
// A framework is recognised by a function that every program with its tests has or calls. Its tests are listed by running the
// program on its own, and one of them is selected by arguments, or by heddle's adaptor (src/frameworks) through the environment.
// What such a program ends with matters: a status other than 0 is a bug. A failed assertion shows at once where the framework
// throws an exception, or aborts after it has printed what failed; or where the adaptor is told.
#ifndef MODEL_FRAMEWORK_H
#define MODEL_FRAMEWORK_H

#include <stdint.h>

enum framework {
    FRAMEWORK_NONE,
    FRAMEWORK_GTEST,
    FRAMEWORK_CATCH,
    FRAMEWORK_CHECK,
    FRAMEWORK_CMOCKA,
    FRAMEWORK_CRITERION,
    FRAMEWORK_GLIB,
    FRAMEWORK_UNITY,
    FRAMEWORK_SELECTS, // none: a main that asks for each of its tests whether to run it (heddle_selects)
    FRAMEWORKS
};

enum { FRAMEWORK_WORDS = 4 };

struct framework_traits {
    const char *name;                       // as reports and schedules spell it
    const char *sign;                       // symbols that begin like this show it
    const char *list[FRAMEWORK_WORDS];      // arguments that make the program list its tests; none: the adaptor does
    const char *list_else[FRAMEWORK_WORDS]; // the same in versions that do not know those
    const char *select[FRAMEWORK_WORDS]; // arguments for one test, whose name takes the place of %s; none: the adaptor
    const char *lenient; // selects the tests that may or should fail: for these the status counts alone; or null
    const char *trusted; // its libraries and functions, which do nothing to memory that threads share
    const char *thrown;  // the type of exception, as compilers write it, by which assertions fail; or null
    const char *inside;  // symbols that begin like this are its own; several are separated by blanks
};

// The name of the environment that adaptors look for: the test that is wanted, and the file that lists are written to.
#define FRAMEWORK_VARIABLE "HEDDLE_FRAMEWORK"
#define FRAMEWORK_TEST_VARIABLE "HEDDLE_TEST"
#define FRAMEWORK_LIST_VARIABLE "HEDDLE_LIST_TESTS"

extern const struct framework_traits framework_table[FRAMEWORKS];

static inline const struct framework_traits *framework_traits(uint32_t framework)
{
    return &framework_table[framework < FRAMEWORKS ? framework : FRAMEWORK_NONE];
}

#endif
