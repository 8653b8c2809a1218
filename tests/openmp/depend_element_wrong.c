// expect: bug race
// The second task waits for another element than the one that it uses.

int main(void)
{
    int a[2] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(a) depend(out : a[0])
        a[0] = a[1] = 1;
#pragma omp task shared(a) depend(in : a[1])
        a[0] += a[1];
    }
    (void)a;
    return 0;
}
