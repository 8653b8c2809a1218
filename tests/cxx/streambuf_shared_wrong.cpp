// expect: bug race
// Two threads with a stream each, and one buffer.
#include <sstream>
#include <thread>

std::stringbuf buffer;

int main()
{
    auto print = [] {
        std::ostream out(&buffer);
        out << 1;
    };
    std::thread one(print), other(print);
    one.join();
    other.join();
}
