// expect: bug race
// One thread joins by an object that another moves another thread to.
#include <thread>

static std::thread first;

int main()
{
    first = std::thread([] {});
    std::thread other([] { first.join(); });
    bool joinable = first.joinable();
    other.join();
    return joinable && first.joinable();
}
