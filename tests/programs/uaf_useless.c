// expect: bug use-after-free
// Nobody reads what is written after the block was freed. A compiler that knows what malloc and free do leaves all of it out.
#include <stdlib.h>

static __attribute__((noinline)) void release(int *block) { free(block); }

static __attribute__((noinline)) void set(int *block) { block[0] = 42; }

int main(void)
{
    int *block = malloc(100);
    release(block);
    set(block);
}
