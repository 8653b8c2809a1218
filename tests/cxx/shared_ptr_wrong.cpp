// expect: bug race
// The counts of a shared_ptr are atomic, the pointer itself is not.
#include <cassert>
#include <memory>
#include <thread>
int main()
{
    auto current = std::make_shared<int>(1);
    std::thread other([&] { current = std::make_shared<int>(2); });
    auto seen = current;
    other.join();
    assert(seen);
}
