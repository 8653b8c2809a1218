// proposal: reduction(max : most) at most.c:8
#include <stdio.h>

int main(void)
{
    static const int v[4] = {3, 1, 7, 5};
    int most = 0;
#pragma omp parallel for
    for (int i = 0; i < 4; i++) {
        if (most < v[i]) {
            most = v[i];
        }
    }
    printf("%d\n", most);
    return most != 7;
}
