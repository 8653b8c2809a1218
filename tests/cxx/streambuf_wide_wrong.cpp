// expect: incomplete
// Of buffers for wchar_t heddle does not know what they do.
#include <sstream>
#include <thread>

std::wstringbuf buffer;

int main()
{
    std::thread one([] { buffer.sputn(L"abc", 3); });
    std::thread other([] { buffer.sputn(L"de", 2); });
    one.join();
    other.join();
}
