// expect: bug abort says: #0  main at .*promise_broken_wrong.cpp:20
// Nobody keeps the promise, and nobody expects that.
#include <atomic>
#include <future>
#include <thread>
int main()
{
    std::atomic<int> done{0};
    std::future<int> result;
    std::thread other;
    {
        auto promise = std::make_shared<std::promise<int>>();
        result = promise->get_future();
        other = std::thread([&done, promise] {
            if (!done)
                promise->set_value(1);
        });
    }
    done = 1;
    int value = result.get();
    other.join();
    return value - 1;
}
