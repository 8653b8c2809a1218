// expect: bug race
// A node is linked into a std::map by the library while another thread looks for something.
#include <map>
#include <thread>

static std::map<int, int> map{{1, 1}, {9, 9}};

int main()
{
    std::thread other([] { map.emplace(5, 5); });
    if (map.begin()->second != 1)
        return 1;
    auto next = map.begin();
    ++next;
    other.join();
}
