// expect: verified
#include <cassert>
#include <mutex>
#include <thread>
static std::recursive_mutex lock;
static int value;
static void add(int times)
{
    std::lock_guard hold(lock);
    value++;
    if (times > 1)
        add(times - 1);
}
int main()
{
    std::thread other(add, 2);
    add(2);
    other.join();
    assert(value == 4);
}
