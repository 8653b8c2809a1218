// expect: bug race says: ^  ([a-z]+::)?value
#include <shared_mutex>
#include <thread>
static std::shared_mutex lock;
static int value;
int main()
{
    auto add = [] {
        std::shared_lock hold(lock);
        value++;
    };
    std::thread other(add);
    add();
    other.join();
}
