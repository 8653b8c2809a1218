// expect: verified
// Each thread reads in the second phase what the other wrote in the first.
#include <barrier>
#include <cassert>
#include <thread>
static int parts[2];
int main()
{
    std::barrier<> phase(2);
    std::thread other([&] {
        parts[0] = 1;
        phase.arrive_and_wait();
        assert(parts[1] == 2);
    });
    parts[1] = 2;
    phase.arrive_and_wait();
    assert(parts[0] == 1);
    other.join();
}
