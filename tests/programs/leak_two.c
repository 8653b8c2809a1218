// expect: bug leak options: --leaks
// The first block is still pointed to, the second one is not.
#include <stdlib.h>

static void *volatile first;
static void *volatile second;

int main(void)
{
    first = malloc(16);
    second = malloc(32);
    second = NULL;
    return 0;
}
