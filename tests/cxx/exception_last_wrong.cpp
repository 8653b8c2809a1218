// expect: bug assertion
// Who destroys an exception that two threads have depends on who lets go of it last.
#include <cassert>
#include <exception>
#include <thread>
static thread_local int number;
static int destroyed_by;
struct error {
    error() = default;
    error(const error &)
    {
    }
    ~error()
    {
        if (number)
            destroyed_by = number;
    }
};
int main()
{
    std::exception_ptr kept;
    try {
        throw error();
    } catch (...) {
        kept = std::current_exception();
    }
    std::thread first([own = kept]() mutable {
        number = 1;
        own = nullptr;
    });
    std::thread second([own = kept]() mutable {
        number = 2;
        own = nullptr;
    });
    kept = nullptr;
    first.join();
    second.join();
    assert(destroyed_by != 1);
}
