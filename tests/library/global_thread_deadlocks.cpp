// expect: bug deadlock
// A thread that a global object starts before main takes two locks in the other order than main.
#include <mutex>
#include <thread>

std::mutex a, b;

struct pool {
    std::thread thread{[] {
        std::lock_guard<std::mutex> first(a);
        std::lock_guard<std::mutex> second(b);
    }};
    ~pool()
    {
        thread.join();
    }
} pool;

int main()
{
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a);
}
