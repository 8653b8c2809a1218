// expect: verified
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>
int main()
{
    std::promise<int> promise;
    auto result = promise.get_future();
    std::thread other([&] { promise.set_exception(std::make_exception_ptr(std::runtime_error("none"))); });
    bool caught = false;
    try {
        result.get();
    } catch (const std::runtime_error &) {
        caught = true;
    }
    assert(caught);
    other.join();
}
