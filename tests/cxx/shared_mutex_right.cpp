// expect: verified
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>
static std::shared_mutex lock;
static int value;
int main()
{
    std::thread other([] {
        std::unique_lock hold(lock);
        value = 1;
    });
    {
        std::shared_lock hold(lock);
        assert(value == 0 || value == 1);
    }
    other.join();
}
