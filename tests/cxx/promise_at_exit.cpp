// expect: incomplete
// The library makes the result ready where nobody sees it. (That nothing orders it would be a false accusation.)
#include <cassert>
#include <future>
#include <thread>

int main()
{
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread([&promise] { promise.set_value_at_thread_exit(4); });
    assert(future.get() == 4);
    thread.join();
}
