// expect: verified
// What C++ programs are made of: nothing of it stands in the way.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <functional>
#include <future>
#include <iostream>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

static std::mutex mutex;
static std::condition_variable changed;
static std::map<int, std::string> names;
static std::unordered_map<std::string, int> numbers;
static std::list<int> order;
static bool ready;

static void produce()
{
    std::lock_guard<std::mutex> hold(mutex);
    names[1] = "a name that is too long to be kept in place";
    numbers["one"] = 1;
    order.push_back(1);
    ready = true;
    changed.notify_one();
}

static void consume()
{
    std::unique_lock<std::mutex> hold(mutex);
    changed.wait(hold, [] { return ready; });
    names[2] = "two";
    for (auto &each : names)
        std::cout << each.first << ' ' << each.second << std::endl;
    names.erase(1);
    order.remove(1);
    std::ostringstream text;
    text << numbers.at("one") << "x" << 2.5;
    assert(text.str() == "1x2.5");
}

int main()
{
    std::vector<std::thread> threads;
    threads.emplace_back(produce);
    threads.emplace_back(consume);
    for (auto &thread : threads)
        thread.join();
    auto answer = std::async(std::launch::async, [] { return std::make_shared<int>(5); });
    std::function<int()> get = [&] { return *answer.get(); };
    assert(get() == 5);
    try {
        throw std::runtime_error("caught");
    } catch (const std::exception &e) {
        assert(std::string(e.what()) == "caught");
    }
    assert(names.size() == 1 && order.empty());
}
