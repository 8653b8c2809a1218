// The tests in a program: what heddle_test (heddle/heddle.h) left in its section `heddle_tests`, read without running it; or
// those of a test framework (framework_tests.h), as the program lists them.
#ifndef SUPERVISE_TESTS_H
#define SUPERVISE_TESTS_H

#include <stddef.h>

struct subject;

struct test_list {
    char **names; // in the order of the sources
    size_t count, room;
};

// Reads the tests of an executable that is linked at a fixed place; none is no trouble. With arguments a program of a test
// framework has none: it is to be run as the user says. Null, or a sentence about the file.
const char *tests_read(struct test_list *tests, const struct subject *subject);
void tests_free(struct test_list *tests);

#endif
