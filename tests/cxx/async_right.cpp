// expect: verified
#include <cassert>
#include <future>
int main()
{
    auto half = std::async(std::launch::async, [] { return 3; });
    assert(half.get() + 4 == 7);
}
