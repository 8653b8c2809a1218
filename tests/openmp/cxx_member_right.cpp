// expect: verified
// Members and a lambda in a region.
#include <cassert>
#include <cstdio>

class Sums {
  public:
    int total = 0;
    template <typename F> void add(int n, F f)
    {
#pragma omp parallel for schedule(dynamic)
        for (int i = 0; i < n; i++) {
            int value = f(i);
#pragma omp critical(sums)
            total += value;
        }
    }
};

int main()
{
    Sums s;
    int factor = 3;
    s.add(3, [&](int i) { return factor * i; });
    assert(s.total == 9);
    std::printf("%d\n", s.total);
    return 0;
}
