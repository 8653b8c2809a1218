// expect: verified
// A semaphore passes on what another thread has written.
#include <cassert>
#include <semaphore>
#include <thread>
static int value;
int main()
{
    std::binary_semaphore ready(0);
    std::thread other([&] {
        value = 1;
        ready.release();
    });
    ready.acquire();
    assert(value == 1);
    other.join();
}
