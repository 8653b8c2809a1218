// expect: verified
// An exception is carried from a thread to the one that joins it.
#include <cassert>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>
int main()
{
    std::exception_ptr caught;
    std::thread other([&] {
        try {
            throw std::runtime_error("no room");
        } catch (...) {
            caught = std::current_exception();
        }
    });
    other.join();
    bool seen = false;
    try {
        std::rethrow_exception(caught);
    } catch (const std::runtime_error &error) {
        seen = !std::strcmp(error.what(), "no room");
    }
    assert(seen);
}
