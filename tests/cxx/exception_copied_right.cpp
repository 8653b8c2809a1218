// expect: verified
// Copies of an exception share their message. Whoever is destroyed last frees it, after the other has read.
#include <cassert>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <thread>
int main()
{
    auto error = std::make_unique<std::runtime_error>("no room");
    std::thread first([own = *error] { assert(!strcmp(own.what(), "no room")); });
    std::thread second([own = *error] { assert(own.what()[0] == 'n'); });
    error.reset();
    first.join();
    second.join();
}
