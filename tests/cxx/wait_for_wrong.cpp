// expect: bug assertion
// Whether a time-out comes first.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>
int main()
{
    std::promise<int> promise;
    auto result = promise.get_future();
    std::thread other([&] { promise.set_value(1); });
    auto status = result.wait_for(std::chrono::milliseconds(100));
    assert(status == std::future_status::ready);
    other.join();
}
