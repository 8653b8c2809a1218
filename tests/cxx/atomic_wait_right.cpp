// expect: verified
// A thread waits until an atomic variable changes.
#include <atomic>
#include <cassert>
#include <thread>
static int data;
int main()
{
    std::atomic<int> ready{0};
    std::thread other([&] {
        data = 1;
        ready = 1;
        ready.notify_one();
    });
    ready.wait(0);
    assert(data == 1);
    other.join();
}
