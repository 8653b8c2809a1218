// expect: bug race
// Two threads append to a std::string.
#include <string>
#include <thread>

static std::string text = "abc";

int main()
{
    std::thread other([] { text += "d"; });
    text += "e";
    other.join();
}
