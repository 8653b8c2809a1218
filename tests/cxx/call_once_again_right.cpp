// expect: verified
// A flag of call_once that a function makes anew at the same address is a new flag: the routine runs once for each.
#include <cassert>
#include <mutex>
#include <thread>

static int runs;

[[gnu::noinline]] static void initialise()
{
    std::once_flag flag;
    std::thread other([&] { std::call_once(flag, [] { runs++; }); });
    std::call_once(flag, [] { runs++; });
    other.join();
}

int main()
{
    initialise();
    initialise();
    assert(runs == 2);
}
