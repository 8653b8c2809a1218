// expect: verified
// Waiting for eight bytes goes by way of libstdc++'s own table of waiters.
#include <atomic>
#include <cassert>
#include <thread>
static int data;
int main()
{
    std::atomic<long> ready{0};
    std::thread other([&] {
        data = 1;
        ready = 1;
        ready.notify_one();
    });
    ready.wait(0);
    assert(data == 1);
    other.join();
}
