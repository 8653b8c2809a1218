// expect: bug deadlock
#include <mutex>
#include <thread>
static std::mutex one, two;
int main()
{
    std::thread other([] {
        std::lock_guard first(one);
        std::lock_guard second(two);
    });
    {
        std::lock_guard first(two);
        std::lock_guard second(one);
    }
    other.join();
}
