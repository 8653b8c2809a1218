// expect: verified
// A buffer of the program's own, with a lock inside and no area: streams in several threads may share it.
#include <cassert>
#include <mutex>
#include <ostream>
#include <streambuf>
#include <string>
#include <thread>

struct log_buffer : std::streambuf {
    std::mutex lock;
    std::string text;

    int overflow(int c) override
    {
        std::lock_guard guard(lock);
        text += (char)c;
        return c;
    }

    std::streamsize xsputn(const char *from, std::streamsize length) override
    {
        std::lock_guard guard(lock);
        text.append(from, (size_t)length);
        return length;
    }
};

log_buffer buffer;

int main()
{
    std::thread one([] { std::ostream(&buffer) << "ab"; });
    std::thread other([] { std::ostream(&buffer) << 2; });
    one.join();
    other.join();
    assert(buffer.text == "ab2" || buffer.text == "2ab");
}
