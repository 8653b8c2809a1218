// expect: verified
// Exceptions that stay in their region; a loop over iterators.
#include <cassert>
#include <cstdio>
#include <stdexcept>
#include <vector>

int main()
{
    int caught = 0;
    std::vector<int> v(4);
#pragma omp parallel for reduction(+ : caught)
    for (auto it = v.begin(); it < v.end(); ++it) {
        try {
            *it = 1;
            if (it == v.begin() + 2)
                throw std::runtime_error("two");
        } catch (const std::exception &) {
            caught++;
        }
    }
    assert(caught == 1 && v[3] == 1);
    std::printf("%d\n", caught);
    return 0;
}
