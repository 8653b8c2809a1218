// expect: bug race says: at .*vector_wrong.cpp:10
// One thread adds to a vector that another reads.
#include <cassert>
#include <thread>
#include <vector>
int main()
{
    std::vector<int> values{1};
    values.reserve(8);
    std::thread other([&] { values.push_back(2); });
    assert(values.size() <= 2);
    other.join();
}
