// expect: bug abort
// The destructor of a global variable aborts after main.
#include <cstdlib>
#include <thread>

struct guard {
    ~guard()
    {
        abort();
    }
} global;

int main()
{
    std::thread t([] {});
    t.join();
}
