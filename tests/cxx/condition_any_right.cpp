// expect: verified
// A wait that a stop token interrupts.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>
int main()
{
    std::mutex lock;
    std::condition_variable_any changed;
    bool ready = false, seen = true;
    {
        std::jthread waiter([&](std::stop_token stop) {
            std::unique_lock hold(lock);
            seen = changed.wait(hold, stop, [&] { return ready; });
        });
        waiter.request_stop();
    }
    assert(!seen);
}
