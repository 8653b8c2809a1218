// Reductions of tasks are left to the compiler's runtime.
int main(void)
{
    int sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
    {
#pragma omp task in_reduction(+ : sum)
        sum++;
    }
    return sum;
}
