// expect: bug abort says: terminate called without an active exception, in main
// A std::thread is destroyed that was not joined.
#include <atomic>
#include <thread>
int main()
{
    std::atomic<int> done{0};
    std::thread other([&] { done = 1; });
    if (done)
        other.join();
}
