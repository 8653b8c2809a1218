// expect: verified executions=6
// Two choices, of two and of three values; a choice of one value is none.
#include <heddle/heddle.h>

int main(void)
{
    int a = heddle_choose(2), b = heddle_choose(3), c = heddle_choose(1);
    heddle_assert(a >= 0 && a < 2 && b >= 0 && b < 3 && c == 0);
    return 0;
}
