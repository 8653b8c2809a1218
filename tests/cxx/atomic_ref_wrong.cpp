// expect: bug race says: ^  ([a-z]+::)?value
#include <atomic>
#include <cassert>
#include <thread>
int main()
{
    int value = 0;
    std::thread other([&] { std::atomic_ref<int>(value).fetch_add(1); });
    value++;
    other.join();
    assert(value <= 2);
}
