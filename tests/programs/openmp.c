// expect: incomplete options: --cflags -fopenmp
// Threads that sleep by system calls of their library: named, and not waited for.
int main(void)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 4; i++)
        sum += i;
    return sum != 6;
}
