// expect: bug race says: ^  ([a-z]+::)?value
// There is room for two.
#include <cassert>
#include <semaphore>
#include <thread>
static int value;
int main()
{
    std::counting_semaphore<2> free(2);
    auto add = [&] {
        free.acquire();
        value++;
        free.release();
    };
    std::thread other(add);
    add();
    other.join();
    assert(value <= 2);
}
