// expect: verified options: --cflags -fopenmp
// A loop of OpenMP with the runtime that heddle has for it.
int main(void)
{
    int sum = 0;
#pragma omp parallel for reduction(+ : sum) num_threads(2)
    for (int i = 0; i < 4; i++)
        sum += i;
    return sum != 6;
}
