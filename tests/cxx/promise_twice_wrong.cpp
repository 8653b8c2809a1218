// expect: bug abort says: #0  (main|operator\(\)) at .*promise_twice_wrong.cpp
// Two threads keep one promise; the second one must not.
#include <future>
#include <thread>
int main()
{
    std::promise<int> promise;
    auto result = promise.get_future();
    std::thread other([&] { promise.set_value(1); });
    promise.set_value(2);
    other.join();
    return result.get() < 0;
}
