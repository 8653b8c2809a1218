// expect: verified executions=20 options: --restart verify
// All that the library changes of the nodes of containers is announced: going back puts back all of it.
#include <cassert>
#include <list>
#include <map>
#include <mutex>
#include <thread>

static std::map<int, int> map;
static std::list<int> list;
static std::mutex mutex;

static void change(int seed, int round)
{
    std::lock_guard<std::mutex> hold(mutex);
    size_t seen = 0;
    for (int i = 0; i < 12; i++)
        map[(i * 7 + seed * 5 + round * 3) % 37] = i;
    map.erase((seed + round * 7) % 37);
    map.erase(map.begin());
    list.push_back(round);
    list.reverse();
    list.remove(1);
    for (auto &each : map)
        seen += each.first >= 0;
    assert(seen == map.size());
}

static void work(int seed)
{
    for (int round = 0; round < 3; round++)
        change(seed, round);
}

int main()
{
    for (int i = 0; i < 20; i++)
        map[i] = i;
    std::thread one(work, 1), other(work, 2);
    one.join();
    other.join();
}
