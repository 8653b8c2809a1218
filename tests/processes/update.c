// wrong: assertion. Two children add to an atomic variable, and the parent waits for whichever ends first.
#include "share.h"

int main(void)
{
    atomic_int *sum = share(sizeof *sum);
    for (int i = 0; i < 2; i++) {
        if (fork())
            continue;
        if (WRONG)
            atomic_store(sum, atomic_load(sum) + 1);
        else
            atomic_fetch_add(sum, 1);
        exit(0);
    }
    while (wait(NULL) > 0)
        ;
    assert(errno == ECHILD && atomic_load(sum) == 2);
}
