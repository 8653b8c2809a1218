// expect: bug deadlock
// The twin of condition_again_right.cpp in which only the second call waits for a notification that may have been.
#include <condition_variable>
#include <mutex>
#include <thread>

[[gnu::noinline]] static void meet(bool lost)
{
    std::mutex mutex;
    std::condition_variable condition;
    bool there = false;
    std::thread other([&] {
        std::lock_guard<std::mutex> lock(mutex);
        there = true;
        condition.notify_one();
    });
    {
        std::unique_lock<std::mutex> lock(mutex);
        if (lost)
            condition.wait(lock);
        else
            condition.wait(lock, [&] { return there; });
    }
    other.join();
}

int main()
{
    meet(false);
    meet(true);
}
