// expect: verified
#include <cassert>
#include <memory>
#include <thread>
static thread_local std::unique_ptr<int> own;
static int count_up()
{
    if (!own)
        own = std::make_unique<int>(0);
    return ++*own;
}
int main()
{
    std::thread other([] { assert(count_up() == 1); });
    assert(count_up() == 1);
    other.join();
}
