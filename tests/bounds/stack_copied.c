// expect: verified
// A struct is copied before its function returns.
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
    copy = *kept;
    __asm__ volatile("" ::: "memory");
}

int main(int argc, char **words)
{
    (void)words;
    make();
    return copy.value[argc] == 0;
}
