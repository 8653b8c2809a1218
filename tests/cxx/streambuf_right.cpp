// expect: verified
// The same with a lock, through streams of their own and through the buffer.
#include <cassert>
#include <mutex>
#include <sstream>
#include <thread>

std::stringbuf buffer;
std::mutex lock;

int main()
{
    std::thread one([] {
        std::lock_guard guard(lock);
        buffer.sputn("abc", 3);
        buffer.sputc('x');
    });
    std::thread other([] {
        std::ostream out(&buffer);
        std::lock_guard guard(lock);
        out << 1 << "de";
    });
    one.join();
    other.join();
    assert(buffer.str() == "abcx1de" || buffer.str() == "1deabcx");
}
