// expect: verified
#include <algorithm>
#include <cassert>
#include <execution>
#include <mutex>
#include <vector>

int main()
{
    std::vector<int> v(4, 1);
    std::mutex lock;
    int sum = 0;
    std::for_each(std::execution::par, v.begin(), v.end(), [&](int x) {
        std::lock_guard<std::mutex> held(lock);
        sum += x;
    });
    assert(sum == 4);
}
