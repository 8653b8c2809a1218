// expect: verified
#include <cassert>
#include <future>
#include <thread>
int main()
{
    std::promise<int> promise;
    auto result = promise.get_future();
    std::thread other([&] { promise.set_value(7); });
    assert(result.get() == 7);
    other.join();
}
