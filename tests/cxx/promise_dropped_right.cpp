// expect: verified
// The thread may be the last that has the promise, and with it the exception that main has caught and read.
#include <cassert>
#include <future>
#include <thread>
#include <utility>
int main()
{
    std::future<int> result;
    std::thread other;
    {
        std::promise<int> promise;
        result = promise.get_future();
        other = std::thread([own = std::move(promise)]() mutable { auto dropped = std::move(own); });
    }
    bool broken = false;
    try {
        result.get();
    } catch (const std::future_error &error) {
        broken = error.code() == std::future_errc::broken_promise;
    }
    other.join();
    assert(broken);
}
