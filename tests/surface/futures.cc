// expect: verified reach=2
// Futures: promises, tasks and what they share count references, which C++ does otherwise while a process has one thread.
#include <atomic>
#include <future>
#include <memory>
#include <thread>

#include "reach.h"

static int from_promise(int order)
{
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::atomic<int> step{0};
    std::thread giver([&] {
        promise.set_value(7);
        step++;
    });
    int value = future.get();
    if (step.load() == order)
        REACHED(1 + order);
    giver.join();
    return value;
}

int main(int argc, char **argv)
{
    begin(argc, argv);
    auto shared = std::make_shared<int>(3);
    auto task = std::async(std::launch::async, [shared] { return *shared + 1; });
    assert(task.get() == 4);
    assert(shared.use_count() >= 1);
    assert(from_promise(0) == 7 && from_promise(1) == 7);
}
