// expect: verified
// Two threads count a latch down; who waits for it sees what they wrote.
#include <cassert>
#include <latch>
#include <thread>
static int parts[2];
int main()
{
    std::latch ready(2);
    std::thread one([&] { parts[0] = 1; ready.count_down(); });
    std::thread other([&] { parts[1] = 2; ready.count_down(); });
    ready.wait();
    assert(parts[0] + parts[1] == 3);
    one.join();
    other.join();
}
