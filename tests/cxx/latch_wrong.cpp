// expect: bug race says: ^  ([a-z]+::)?parts
// One thread counts down before it writes.
#include <cassert>
#include <latch>
#include <thread>
static int parts[2];
int main(int count, char **)
{
    std::latch ready(2);
    std::thread one([&] { parts[0] = count; ready.count_down(); });
    std::thread other([&] { ready.count_down(); parts[1] = count + 1; });
    ready.wait();
    int sum = parts[0] + parts[1];
    one.join();
    other.join();
    assert(sum <= 2 * count + 1);
}
