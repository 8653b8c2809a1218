// expect: bug abort says: instance of 'std::runtime_error'; what\(\): no room
// An exception leaves the function of a thread.
#include <atomic>
#include <stdexcept>
#include <thread>
int main()
{
    std::atomic<int> full{0};
    std::thread other([&] {
        if (full)
            throw std::runtime_error("no room");
    });
    full = 1;
    other.join();
}
