// expect: bug race
// One thread prints to a stream, and another writes to its buffer.
#include <sstream>
#include <thread>

std::ostringstream out;

int main()
{
    std::thread one([] { out.rdbuf()->sputn("abc", 3); });
    std::thread other([] { out << "de"; });
    one.join();
    other.join();
}
