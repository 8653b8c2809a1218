// What a report has to name are the lines of this file, not those of the C++ library's headers: locks, accesses, blocks, threads;
// and things by the names they have here.
//
#include <cassert>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

struct named {
    char name[16] = "none";
};

struct config : named {
    int version;
    explicit config(int v) : version(v) {}
};

static std::shared_ptr<config> current = std::make_shared<config>(1);
static std::mutex a, b;

static void reload()
{
    current = std::make_shared<config>(2); // line 24
}

static void forth()
{
    std::lock_guard<std::mutex> first(a); // line 29
    std::lock_guard<std::mutex> second(b);
}

static void back()
{
    std::lock_guard<std::mutex> first(b);
    std::lock_guard<std::mutex> second(a); // line 36
}

int main(int argc, char **)
{
#ifdef DEADLOCK
    std::thread one(forth), two(back);
    one.join();
    two.join();
#else
    std::thread one(reload);
    auto mine = current; // line 47
    one.join();
    (void)forth;
    (void)back;
#endif
    return argc > 5;
}
