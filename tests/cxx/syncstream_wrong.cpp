// expect: bug race
// One thread prints by std::osyncstream, and another to the stream itself.
#include <sstream>
#include <syncstream>
#include <thread>

std::ostringstream out;

int main()
{
    std::thread one([] { std::osyncstream(out) << "a" << 1; });
    std::thread other([] { out << 2; });
    one.join();
    other.join();
}
