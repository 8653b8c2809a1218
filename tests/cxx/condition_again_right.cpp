// expect: verified
// A function makes a condition variable where the last call's was destroyed: its constructor only assigns.
#include <condition_variable>
#include <mutex>
#include <thread>

[[gnu::noinline]] static void meet()
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
        condition.wait(lock, [&] { return there; });
    }
    other.join();
}

int main()
{
    meet();
    meet();
}
