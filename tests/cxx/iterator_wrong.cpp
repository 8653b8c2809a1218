// expect: bug race
// A vector grows while another thread goes through it.
#include <mutex>
#include <numeric>
#include <thread>
#include <vector>
int main()
{
    std::vector<int> values{1, 2};
    std::mutex lock;
    std::thread other([&] {
        std::lock_guard hold(lock);
        values.push_back(3);
    });
    int sum = std::accumulate(values.begin(), values.end(), 0);
    other.join();
    return sum > 6;
}
