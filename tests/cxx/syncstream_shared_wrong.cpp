// expect: bug race
// A std::osyncstream itself is no more safe to share than any other stream.
#include <sstream>
#include <syncstream>
#include <thread>

std::ostringstream out;
std::osyncstream shared(out);

int main()
{
    auto print = [](int number) { shared << number; };
    std::thread one(print, 1), other(print, 2);
    one.join();
    other.join();
}
