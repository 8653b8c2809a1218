// expect: bug race names: most
// A maximum that is compared and stored without anything around it.
#include <stdio.h>

int main(void)
{
    static const int v[4] = {3, 1, 7, 5};
    int most = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++)
        if (v[i] > most)
            most = v[i];
    printf("%d\n", most);
    return 0;
}
