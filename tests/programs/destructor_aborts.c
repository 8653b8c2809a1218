// expect: bug abort
// A function that the compiler marks as a destructor runs after main.
#include <stdlib.h>

__attribute__((destructor)) static void destroy(void)
{
    abort();
}

int main(void)
{
    return 0;
}
