// expect: verified
// A static variable of a function is made once, whichever thread comes first.
#include <cassert>
#include <string>
#include <thread>
static const std::string &name()
{
    static const std::string made = std::string("made ") + "once, and long enough for the heap";
    return made;
}
int main()
{
    std::thread other([] { assert(name().size() > 5); });
    assert(name()[0] == 'm');
    other.join();
}
