// expect: verified
// One thread puts another object in the place of one that is being read.
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>
int main()
{
    auto current = std::make_shared<int>(1);
    std::thread other([&] { std::atomic_store(&current, std::make_shared<int>(2)); });
    auto seen = std::atomic_load(&current);
    assert(*seen == 1 || *seen == 2);
    other.join();
}
