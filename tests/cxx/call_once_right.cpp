// expect: verified
#include <cassert>
#include <mutex>
#include <thread>
static std::once_flag once;
static int value;
int main()
{
    auto prepare = [] { std::call_once(once, [] { value++; }); };
    std::thread other(prepare);
    prepare();
    assert(value == 1);
    other.join();
}
