// expect: verified
// A monotonic_buffer_resource with a lock.
#include <cassert>
#include <memory_resource>
#include <mutex>
#include <thread>

std::pmr::monotonic_buffer_resource pool(4096);
std::mutex lock;

int main()
{
    void *first, *second;
    auto take = [](void **to) {
        std::lock_guard guard(lock);
        *to = pool.allocate(8);
    };
    std::thread one(take, &first), other(take, &second);
    one.join();
    other.join();
    assert(first != second);
}
