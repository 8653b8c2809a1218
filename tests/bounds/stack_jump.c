// expect: verified options: --memory-errors
// What a function that was left by longjmp leaves behind is in its caller's variables.
#include <setjmp.h>

static jmp_buf home;
long *kept;

__attribute__((noinline)) static void leave(long *outer, int depth)
{
    long local[4] = {depth, 2, 3, 4};
    kept = outer;
    if (depth)
        leave(outer, depth - 1);
    *outer += kept[0];
    longjmp(home, 1);
}

int main(void)
{
    long outer = 0;
    long *volatile at = &outer;
    if (!setjmp(home))
        leave(at, 3);
    return *kept == 1000;
}
