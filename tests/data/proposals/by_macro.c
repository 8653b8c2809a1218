// proposal: none
// The directive stands in no line of its own.
#include <stdio.h>

#define EACH(i, n) _Pragma("omp parallel for") for (int i = 0; i < (n); i++)

int main(void)
{
    int sum = 0;
    EACH(i, 4) sum += i;
    printf("%d\n", sum);
    return 0;
}
