// expect: bug deadlock
// The wake-up comes before the wait, and nothing is looked at.
#include <condition_variable>
#include <mutex>
#include <thread>
int main()
{
    std::mutex lock;
    std::condition_variable changed;
    std::thread waiter([&] {
        std::unique_lock hold(lock);
        changed.wait(hold);
    });
    changed.notify_one();
    waiter.join();
}
