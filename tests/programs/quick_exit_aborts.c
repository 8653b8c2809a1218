// expect: bug abort
// quick_exit runs what was registered for it.
#include <stdlib.h>

static void finish(void)
{
    abort();
}

int main(void)
{
    at_quick_exit(finish);
    quick_exit(0);
}
