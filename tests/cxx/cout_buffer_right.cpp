// expect: verified
// The buffer that std::cout has at first may be used by several threads, as std::cout itself.
#include <iostream>
#include <thread>

int main()
{
    std::thread one([] { std::cout.rdbuf()->sputn("abc\n", 4); });
    std::thread other([] { std::cout << "de" << std::endl; });
    one.join();
    other.join();
}
