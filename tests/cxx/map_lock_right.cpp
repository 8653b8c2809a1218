// expect: verified
#include <cassert>
#include <map>
#include <mutex>
#include <string>
#include <thread>
static std::mutex lock;
static std::map<int, std::string> names;
int main()
{
    auto add = [](int key) {
        std::lock_guard hold(lock);
        names[key] = std::to_string(key);
    };
    std::thread other(add, 1);
    add(2);
    other.join();
    assert(names.size() == 2 && names[1] == "1");
}
