// expect: verified
#include <cassert>
#include <future>
#include <stdexcept>
int main()
{
    auto half = std::async(std::launch::async, []() -> int { throw std::out_of_range("3"); });
    bool caught = false;
    try {
        half.get();
    } catch (const std::out_of_range &) {
        caught = true;
    }
    assert(caught);
}
