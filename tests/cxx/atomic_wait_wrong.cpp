// expect: bug deadlock
// Nobody is told of the change.
#include <atomic>
#include <thread>
int main()
{
    std::atomic<int> ready{0};
    std::thread other([&] { ready = 1; });
    ready.wait(0);
    other.join();
}
