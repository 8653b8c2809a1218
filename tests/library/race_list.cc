// expect: bug race
// Two threads put something into a std::list.
#include <list>
#include <thread>

static std::list<int> list;

int main()
{
    std::thread other([] { list.push_back(1); });
    list.push_front(2);
    other.join();
}
