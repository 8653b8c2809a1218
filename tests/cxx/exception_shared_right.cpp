// expect: verified
// Two threads throw one exception again and read it. Whoever lets go last destroys it, after the other has read.
#include <cassert>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <thread>
#include <utility>
static void look(std::exception_ptr kept)
{
    try {
        std::rethrow_exception(kept);
    } catch (const std::runtime_error &error) {
        assert(!strcmp(error.what(), "no room"));
    }
}
int main()
{
    std::exception_ptr kept;
    try {
        throw std::runtime_error("no room");
    } catch (...) {
        kept = std::current_exception();
    }
    std::thread first(look, kept), second(look, std::move(kept));
    first.join();
    second.join();
}
