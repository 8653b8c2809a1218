// expect: bug deadlock
// C++: two accounts, each locked before the other.
#include <mutex>
#include <thread>

struct account {
    std::mutex lock;
    int money = 10;
};

static void transfer(account &from, account &to, int sum)
{
    std::lock_guard<std::mutex> first(from.lock);
    std::lock_guard<std::mutex> second(to.lock);
    from.money -= sum;
    to.money += sum;
}

int main()
{
    account one, two;
    std::thread thread([&] { transfer(one, two, 1); });
    transfer(two, one, 2);
    thread.join();
}
