// expect: bug race says: ^  ([a-z]+::)?parts
// One thread leaves the barrier for good before the other has written.
#include <barrier>
#include <cassert>
#include <thread>
static int parts[2];
int main()
{
    std::barrier<> phase(2);
    std::thread other([&] {
        phase.arrive_and_drop();
        parts[0] = 1;
    });
    phase.arrive_and_wait();
    int seen = parts[0];
    other.join();
    assert(seen <= 1);
}
