// expect: bug race
// Iterations wait for a neighbour that is not the one they read.

int main(void)
{
    static int a[3][4];
#pragma omp parallel for ordered(2) schedule(static, 1)
    for (int i = 1; i < 3; i++)
        for (int j = 1; j < 3; j++) {
#pragma omp ordered depend(sink : i - 1, j - 1)
            a[i][j] = a[i - 1][j] + a[i - 1][j + 1];
#pragma omp ordered depend(source)
        }
    return 0;
}
