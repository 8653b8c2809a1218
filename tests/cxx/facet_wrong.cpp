// expect: bug race
// A facet of a locale writes to a text that two threads share.
#include <locale>
#include <thread>

char text[] = "abc";

int main()
{
    auto change = [] { std::use_facet<std::ctype<char>>(std::locale::classic()).toupper(text, text + 3); };
    std::thread one(change), other(change);
    one.join();
    other.join();
}
