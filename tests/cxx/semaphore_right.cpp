// expect: verified
// expect with libstdc++ 12: bug deadlock
// A binary semaphore keeps two threads apart. In libstdc++ 12, acquire keeps what the counter is before it tries, and sleeps while
// the counter is that: if it was 1, and the other thread takes it and gives it back meanwhile, nobody wakes the sleeper.
#include <cassert>
#include <semaphore>
#include <thread>
static int value;
int main()
{
    std::binary_semaphore free(1);
    auto add = [&] {
        free.acquire();
        value++;
        free.release();
    };
    std::thread other(add);
    add();
    other.join();
    assert(value == 2);
}
