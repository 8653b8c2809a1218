// expect: bug race says: at .*string_wrong.cpp:8
#include <string>
#include <thread>
int main()
{
    std::string name = "a name that does not fit into the object itself";
    auto size = name.size();
    std::thread other([&] { name += "!"; });
    size += name.size();
    other.join();
    return size == 0;
}
