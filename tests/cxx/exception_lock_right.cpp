// expect: verified
// An exception leaves a critical section, and the lock is let go.
#include <cassert>
#include <mutex>
#include <stdexcept>
#include <thread>
static std::mutex lock;
static int value;
static void add(int amount)
{
    std::lock_guard hold(lock);
    if (amount < 0)
        throw std::invalid_argument("negative");
    value += amount;
}
int main()
{
    std::thread other([] {
        try {
            add(-1);
        } catch (const std::invalid_argument &) {
            add(2);
        }
    });
    add(1);
    other.join();
    assert(value == 3);
}
