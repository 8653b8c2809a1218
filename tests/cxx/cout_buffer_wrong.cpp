// expect: bug race
// std::cout with another buffer is no longer safe to use in several threads.
#include <iostream>
#include <sstream>
#include <thread>

std::stringbuf buffer;

int main()
{
    auto before = std::cout.rdbuf(&buffer);
    std::thread one([] { std::cout << 1; });
    std::thread other([] { std::cout << "de"; });
    one.join();
    other.join();
    std::cout.rdbuf(before);
}
