// expect: bug race
// Threads add to one container.
#include <cstdio>
#include <vector>

int main()
{
    std::vector<int> v;
    v.reserve(8);
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 2; i++)
        v.push_back(i);
    std::printf("%zu\n", v.size());
    return 0;
}
