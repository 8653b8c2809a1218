// expect: verified
#include <assert.h>
#include <stdio.h>

int main(void)
{
    int a[4], square = -1;
#pragma omp parallel for private(square)
    for (int i = 0; i < 4; i++) {
        square = i * i;
        a[i] = square;
    }
    assert(a[2] == 4 && a[3] == 9 && square == -1);
    printf("%d\n", a[3]);
    return 0;
}
