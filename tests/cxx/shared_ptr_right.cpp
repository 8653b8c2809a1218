// expect: verified
// Each thread has a copy of its own; the last one frees the object.
#include <cassert>
#include <memory>
#include <thread>
int main()
{
    auto first = std::make_shared<int>(1);
    std::thread other([copy = first]() mutable {
        assert(*copy == 1);
        copy.reset();
    });
    assert(*first == 1);
    first.reset();
    other.join();
}
