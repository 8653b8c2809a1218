// expect: bug race
// Two untied tasks share a variable between their parts.
static int sum;

int main(void)
{
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 2; i++)
#pragma omp task untied
    {
#pragma omp taskyield
        sum += i;
    }
    return sum != 1;
}
