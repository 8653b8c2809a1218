// expect: bug race
// A single region reads what a loop without a barrier still writes.

int main(void)
{
    int a[2] = {0}, s = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp for nowait
        for (int i = 0; i < 2; i++)
            a[i] = i;
#pragma omp single
        s = a[0] + a[1];
    }
    (void)s;
    return 0;
}
