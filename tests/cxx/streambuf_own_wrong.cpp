// expect: bug race
// A buffer of the program's own has an area, to which the library writes for two threads.
#include <ostream>
#include <streambuf>
#include <thread>

struct area_buffer : std::streambuf {
    char text[64];

    area_buffer()
    {
        setp(text, text + sizeof text);
    }
};

area_buffer buffer;

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
