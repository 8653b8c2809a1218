// expect: verified
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
template <class T> class queue {
public:
    void push(T value)
    {
        std::lock_guard hold(lock);
        values.push_back(std::move(value));
        changed.notify_one();
    }
    T pop()
    {
        std::unique_lock hold(lock);
        changed.wait(hold, [this] { return !values.empty(); });
        T value = std::move(values.front());
        values.pop_front();
        return value;
    }
private:
    std::mutex lock;
    std::condition_variable changed;
    std::deque<T> values;
};
int main()
{
    queue<int> q;
    std::thread other([&] { q.push(1); q.push(2); });
    int first = q.pop(), second = q.pop();
    assert(first == 1 && second == 2);
    other.join();
}
