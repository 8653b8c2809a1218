// expect: bug use-after-return
// A function of the C library is given a text of a function that has returned.
#include <string.h>

static char *kept;

__attribute__((noinline)) static void make(void)
{
    char own[2000];
    memset(own, 'x', sizeof own);
    own[sizeof own - 1] = 0;
    kept = own;
    __asm__ volatile("" ::: "memory");
}

int main(void)
{
    make();
    return strlen(kept) == 7;
}
