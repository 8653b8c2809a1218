// expect: bug deadlock
// The same with a lock that nobody lets go.
#include <mutex>
#include <stdexcept>
#include <thread>
static std::mutex lock;
static int value;
static void add(int amount)
{
    lock.lock();
    if (amount < 0)
        throw std::invalid_argument("negative");
    value += amount;
    lock.unlock();
}
int main()
{
    std::thread other([] {
        try {
            add(-1);
        } catch (const std::invalid_argument &) {
        }
    });
    add(1);
    other.join();
}
