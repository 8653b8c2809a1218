// expect: verified
#include <cassert>
#include <memory>
#include <thread>
int main()
{
    auto owner = std::make_shared<int>(7);
    std::weak_ptr<int> watcher = owner;
    std::thread other([owner = std::move(owner)]() mutable { owner.reset(); });
    if (auto seen = watcher.lock())
        assert(*seen == 7);
    other.join();
    assert(watcher.expired());
}
