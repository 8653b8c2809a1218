// expect: verified
// A global object has a thread, which its destructor stops and joins.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

struct service {
    std::mutex mutex;
    std::condition_variable changed;
    bool stop = false;
    int rounds = 0;
    std::thread thread{[this] {
        std::unique_lock<std::mutex> lock(mutex);
        while (!stop)
            changed.wait(lock);
        rounds++;
    }};
    ~service()
    {
        {
            std::lock_guard<std::mutex> guard(mutex);
            stop = true;
        }
        changed.notify_one();
        thread.join();
        assert(rounds == 1);
    }
} service;

int main()
{
    std::lock_guard<std::mutex> guard(service.mutex);
    assert(service.rounds == 0);
}
