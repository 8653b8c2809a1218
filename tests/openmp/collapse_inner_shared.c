// expect: bug race
// The variable of the inner loop is declared outside, and so it is shared.

int main(void)
{
    int a[2][2], j;
#pragma omp parallel for
    for (int i = 0; i < 2; i++)
        for (j = 0; j < 2; j++)
            a[i][j] = j;
    (void)a;
    return 0;
}
