// expect: bug race names: n
// A reference that is firstprivate would be a copy; this one is shared.
#include <cstdio>

static void count(int &n)
{
#pragma omp parallel num_threads(2)
    n++;
}

int main()
{
    int n = 0;
    count(n);
    std::printf("%d\n", n);
    return 0;
}
