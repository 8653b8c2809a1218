// expect: verified
// A function of the C library is given a text of the function that calls it.
#include <string.h>

__attribute__((noinline)) static size_t make(void)
{
    char own[2000];
    memset(own, 'x', sizeof own);
    own[sizeof own - 1] = 0;
    return strlen(own);
}

int main(void)
{
    return make() == 7;
}
