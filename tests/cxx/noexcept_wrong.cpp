// expect: bug abort says: #0  fill at .*noexcept_wrong.cpp:1[12]
// An exception meets a function that promises none, in one order of the threads only.
#include <atomic>
#include <stdexcept>
#include <thread>
static std::atomic<int> room{1};
__attribute__((noinline)) static void fill() noexcept
{
    int left = room.fetch_sub(1);
    if (left < 1)
        throw std::length_error("full");
}
int main()
{
    std::thread other([] {
        fill();
        room++;
    });
    fill();
    room++;
    other.join();
}
