// expect: bug use-after-free
// The same with a lock around every access: the destructor takes none.
#include <mutex>
#include <thread>
#include <vector>

static std::mutex mutex;
static std::vector<int> *numbers = new std::vector<int>(4);

struct owner {
    ~owner()
    {
        std::lock_guard<std::mutex> guard(mutex);
        delete numbers;
    }
} owner;

int main()
{
    std::thread([] {
        std::lock_guard<std::mutex> guard(mutex);
        numbers->at(0)++;
    }).detach();
}
