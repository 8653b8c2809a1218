// expect: verified
// Each thread has its own std::osyncstream, and what it prints stays together.
#include <cassert>
#include <iostream>
#include <sstream>
#include <syncstream>
#include <thread>

std::ostringstream out;

int main()
{
    auto print = [](int number) {
        std::osyncstream(out) << "a" << number << "\n";
        std::osyncstream(std::cout) << number << std::endl;
    };
    std::thread one(print, 1), other(print, 2);
    one.join();
    other.join();
    assert(out.str() == "a1\na2\n" || out.str() == "a2\na1\n");
}
