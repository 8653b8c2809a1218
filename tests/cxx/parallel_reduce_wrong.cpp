// expect: bug assertion
// Who subtracts depends on how the work is shared out.
#include <cassert>
#include <execution>
#include <functional>
#include <numeric>
#include <vector>

int main()
{
    std::vector<int> v{10, 1, 2, 3};
    assert(std::reduce(std::execution::par, v.begin() + 1, v.end(), v[0], std::minus<>()) == 4);
}
