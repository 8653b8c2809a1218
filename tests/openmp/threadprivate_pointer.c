// expect: bug race
// Each thread has a pointer of its own, all to one variable.
static int *t;
#pragma omp threadprivate(t)

int main(void)
{
    int x = 0;
    t = &x;
#pragma omp parallel copyin(t) num_threads(2)
    (*t)++;
    return 0;
}
