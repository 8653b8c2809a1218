// expect: bug abort
// The destructor of a thread-local variable of main runs when main has returned.
#include <cstdlib>

struct guard {
    int used = 0;
    ~guard() { abort(); }
};

static thread_local guard local;

int main()
{
    local.used = 1;
}
