// expect: bug race says: ^  ([a-z]+::)?caught
// It is looked at before the thread has ended.
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
    bool failed = caught != nullptr;
    other.join();
    return failed && !caught;
}
