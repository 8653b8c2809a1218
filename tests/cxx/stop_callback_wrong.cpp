// expect: bug race says: ^  ([a-z]+::)?calls
// The thread that loses the race to stop does not wait for the callback.
#include <cassert>
#include <stop_token>
#include <thread>
int main()
{
    static int calls;
    std::stop_source source;
    std::stop_callback callback(source.get_token(), [] { calls++; });
    std::thread other([&] { source.request_stop(); });
    if (!source.request_stop())
        assert(calls <= 1);
    other.join();
}
