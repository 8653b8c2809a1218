// expect: bug assertion
// The twin of call_once_again_right.cpp that expects one run for all flags.
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
    assert(runs == 1);
}
