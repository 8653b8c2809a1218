// An update that is lost, in C++, with a mutex that comes too late.
#include <atomic>
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

int main()
{
    auto counter = std::make_unique<std::atomic<int>>(0);
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (int i = 0; i < 2; i++)
        threads.emplace_back([&] {
            int seen = *counter;
            std::lock_guard<std::mutex> guard(mutex);
            *counter = seen + 1;
        });
    for (auto &thread : threads)
        thread.join();
    assert(*counter == 2);
}
