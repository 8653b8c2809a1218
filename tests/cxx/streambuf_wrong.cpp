// expect: bug race
// std::stringbuf in two threads without a lock. sputn is a virtual call, for which the program imports nothing.
#include <sstream>
#include <thread>

std::stringbuf buffer;

int main()
{
    std::thread one([] { buffer.sputn("abc", 3); });
    std::thread other([] { buffer.sputn("de", 2); });
    one.join();
    other.join();
}
