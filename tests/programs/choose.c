// expect: bug assertion
// Every value of a choice is tried.
#include <heddle/heddle.h>

int main(void)
{
    int value = heddle_choose(3);
    heddle_note("chose %d", value);
    heddle_assert(value != 2);
    return 0;
}
