// expect: bug race
// Collapsed loops, where an iteration reads what one further down in both directions writes.

int main(void)
{
    static int a[4][4];
#pragma omp parallel for collapse(2)
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a[i][j] = a[i + 1][j + 1] + 1;
    return 0;
}
