// expect: bug
// An exception leaves a region, which ends the program.
#include <cstdio>
#include <stdexcept>

int main()
{
    try {
#pragma omp parallel num_threads(2)
        throw std::runtime_error("out");
    } catch (const std::exception &) {
    }
    std::puts("done");
    return 0;
}
