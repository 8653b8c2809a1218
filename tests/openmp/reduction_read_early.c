// expect: bug race
// The reduced value is read before the barrier after which it is whole.
#include <stdio.h>

int main(void)
{
    int sum = 0, seen[2];
#pragma omp parallel num_threads(2)
    {
        int at = 0;
#pragma omp for reduction(+ : sum) nowait
        for (int i = 0; i < 2; i++) {
            sum += 1;
            at = i;
        }
        seen[at] = sum;
    }
    printf("%d\n", seen[0] + seen[1]);
    return 0;
}
