// expect: verified
// Exceptions in flight in two threads at once, one thrown while another is handled.
#include <cassert>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <mutex>
static std::mutex lock;
static std::string last;
static void fail(const std::string &what)
{
    try {
        throw std::runtime_error(what);
    } catch (...) {
        std::lock_guard hold(lock);
        std::throw_with_nested(std::logic_error("in " + what));
    }
}
static void run(const char *what)
{
    try {
        fail(what);
    } catch (const std::logic_error &error) {
        std::lock_guard hold(lock);
        last = error.what();
        try {
            std::rethrow_if_nested(error);
        } catch (const std::runtime_error &inner) {
            assert(inner.what() == std::string(what));
        }
    }
}
int main()
{
    std::thread other(run, "one");
    run("two");
    other.join();
    assert(last == "in one" || last == "in two");
}
