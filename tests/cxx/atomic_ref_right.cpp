// expect: verified
#include <atomic>
#include <cassert>
#include <thread>
int main()
{
    int value = 0;
    auto add = [&] { std::atomic_ref<int>(value).fetch_add(1); };
    std::thread other(add);
    add();
    other.join();
    assert(value == 2);
}
