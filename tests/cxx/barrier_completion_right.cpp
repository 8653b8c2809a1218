// expect: verified
// The completion of a phase runs once, while both wait.
#include <barrier>
#include <cassert>
#include <thread>
static int phases;
struct count {
    void operator()() noexcept { phases++; }
};
int main()
{
    std::barrier<count> phase(2, count{});
    std::thread other([&] {
        phase.arrive_and_wait();
        assert(phases == 1);
    });
    phase.arrive_and_wait();
    assert(phases == 1);
    other.join();
}
