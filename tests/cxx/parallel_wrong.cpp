// expect: bug race says: parallel_wrong.cpp:11
// What is done for two elements is done at the same time.
#include <algorithm>
#include <execution>
#include <vector>

int main()
{
    std::vector<int> v(4, 1);
    int sum = 0;
    std::for_each(std::execution::par, v.begin(), v.end(), [&](int x) { sum += x; });
    return sum != 4;
}
