// expect: verified
// Two mutexes, taken together in either order.
#include <cassert>
#include <mutex>
#include <thread>
static std::mutex one, two;
static int value;
int main()
{
    std::thread other([] {
        std::scoped_lock hold(one, two);
        value++;
    });
    {
        std::scoped_lock hold(two, one);
        value++;
    }
    other.join();
    assert(value == 2);
}
