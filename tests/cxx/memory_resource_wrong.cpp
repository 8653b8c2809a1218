// expect: bug race
// The same without a lock. The functions that allocate are virtual, and the library does not export them.
#include <memory_resource>
#include <thread>

std::pmr::monotonic_buffer_resource pool(4096);

int main()
{
    auto take = [] { (void)!pool.allocate(8); };
    std::thread one(take), other(take);
    one.join();
    other.join();
}
