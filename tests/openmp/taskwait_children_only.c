// expect: bug race
// taskwait waits for children, not for what they have started.

int main(void)
{
    int x = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task shared(x)
        {
#pragma omp task shared(x)
            x = 1;
        }
#pragma omp taskwait
        x = 2;
    }
    (void)x;
    return 0;
}
