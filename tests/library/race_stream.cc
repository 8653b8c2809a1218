// expect: bug race
// Two threads write to a stream of their own; std::cout they may share.
#include <iostream>
#include <sstream>
#include <thread>

static std::ostringstream stream;

int main()
{
    std::thread other([] {
        std::cout << "other" << 1;
        stream << 1;
    });
    std::cout << "this" << std::hex << 2;
    stream << 2;
    other.join();
}
