// expect: verified
#include <atomic>
#include <cassert>
#include <thread>
static int data;
int main()
{
    std::atomic_flag ready = ATOMIC_FLAG_INIT;
    std::thread other([&] {
        data = 1;
        ready.test_and_set();
        ready.notify_all();
    });
    ready.wait(false);
    assert(data == 1);
    other.join();
}
