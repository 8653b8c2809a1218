// expect: incomplete
// C++, and right: memory of the library, thread-local variables and exceptions are as they were in every execution.
#include <cassert>
#include <condition_variable>
#include <iostream>
#include <map>
#include <mutex>
#include <queue>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::condition_variable changed;
static std::queue<std::string> waiting;
static std::map<std::string, int> done;
static bool closed;
static thread_local int handled;

static void handle(const std::string &what)
{
    handled++;
    if (handled > 2)
        throw std::runtime_error(what + " is one too many");
    done[what]++;
}

static void work()
{
    for (;;) {
        std::unique_lock<std::mutex> holding(lock);
        changed.wait(holding, [] { return closed || !waiting.empty(); });
        if (waiting.empty())
            return;
        try {
            handle(waiting.front());
        } catch (const std::runtime_error &) {
            done["too many"]++;
        }
        waiting.pop();
    }
}

int main()
{
    std::vector<std::thread> workers;
    for (int i = 0; i < 2; i++)
        workers.emplace_back(work);
    {
        std::lock_guard<std::mutex> holding(lock);
        for (const char *what : {"a name that is too long to be kept without memory of its own", "b", "c"})
            waiting.push(what);
        closed = true;
    }
    changed.notify_all();
    for (auto &worker : workers)
        worker.join();
    assert(done.size() == 3);
    std::cout << done.size() << std::endl;
}
