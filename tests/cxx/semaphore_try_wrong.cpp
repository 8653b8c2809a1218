// expect: bug assertion
// Whether the semaphore can be had at once depends on the other thread.
#include <cassert>
#include <semaphore>
#include <thread>
int main()
{
    std::binary_semaphore free(1);
    std::thread other([&] {
        free.acquire();
        free.release();
    });
    bool got = free.try_acquire();
    assert(got);
    free.release();
    other.join();
}
