// expect: bug use-after-return
// A struct is copied out of a function that has returned.
#include <string.h>

struct numbers {
    int value[16];
};

struct numbers copy;
static struct numbers *kept;

__attribute__((noinline)) static void make(void)
{
    struct numbers own;
    memset(&own, 1, sizeof own);
    kept = &own;
    __asm__ volatile("" ::: "memory");
}

int main(int argc, char **words)
{
    (void)words;
    make();
    copy = *kept;
    return copy.value[argc] == 0;
}
