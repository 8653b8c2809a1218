// expect: bug deadlock
// Nobody counts the latch down for the third time.
#include <latch>
#include <thread>
int main()
{
    std::latch ready(3);
    std::thread one([&] { ready.count_down(); });
    std::thread other([&] { ready.arrive_and_wait(); });
    one.join();
    other.join();
}
