// expect: verified
// expect with libstdc++ 12: bug race
// An atomic variable of shared pointers. In libstdc++ 12 a load reads the pointer under a lock, and lets that go by a relaxed
// operation: nothing orders the read before the next store's write.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
static std::atomic<std::shared_ptr<int>> current;
int main()
{
    current = std::make_shared<int>(1);
    std::thread other([] { current.store(std::make_shared<int>(2)); });
    auto seen = current.load();
    assert(*seen == 1 || *seen == 2);
    other.join();
}
