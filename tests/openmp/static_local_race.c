// expect: bug race
// A function with a static variable, called by all threads.
static int next(void)
{
    static int n;
    return ++n;
}

int main(void)
{
#pragma omp parallel
    next();
    return 0;
}
