// expect: verified
#include <cassert>
#include <future>
#include <thread>
int main()
{
    std::packaged_task<int(int)> twice([](int x) { return 2 * x; });
    auto result = twice.get_future();
    std::thread other(std::move(twice), 4);
    assert(result.get() == 8);
    other.join();
}
