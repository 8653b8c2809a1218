// expect: verified
// The compiler's own names of functions, in every way that they are used.
#include <assert.h>
#include <stddef.h>

#define copy __builtin_memcpy

static const int order = __builtin_strcmp("a", "b"); // constant

int main(void)
{
    char from[] = "abc", to[4];
    copy(to, from, sizeof to);
    assert(!__builtin_memcmp(to, from, sizeof to) && !__builtin_strncmp(to, "abx", 2) && order < 0);
    __builtin_bzero(to, sizeof to);
    assert(__builtin_strcpy(to, "x") == to && __builtin_strcmp(to, "x") == 0);
}
