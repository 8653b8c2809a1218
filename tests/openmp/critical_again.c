// expect: bug deadlock
// A function that enters the section in which it is called.
#include <stdio.h>

int n;

static void add(void)
{
#pragma omp critical
    n++;
}

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
        add();
    }
    printf("%d\n", n);
    return 0;
}
