// expect: verified reach=7
// C++: local static variables, std::call_once with exceptions, shared and timed mutexes, thread-local destructors.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "reach.h"

using namespace std::chrono_literals;

static int attempts, made;

struct thing {
    int value;
    thing()
    {
        if (attempts++ == 0)
            throw 1; // the next to come tries again
        value = 7;
        made++;
    }
};

static thing &get()
{
    static thing one;
    return one;
}

static bool use()
{
    try {
        assert(get().value == 7);
        return true;
    } catch (int) {
        return false;
    }
}

static void statics()
{
    bool first = true, second = true;
    std::thread a([&] { first = use(); }), b([&] { second = use(); });
    a.join();
    b.join();
    assert(first != second && attempts == 2 && made == 1);
    if (first)
        REACHED(1);
    else
        REACHED(2);
}

static void once()
{
    std::once_flag flag;
    int calls = 0, failed = 0;
    auto run = [&] {
        try {
            std::call_once(flag, [&] {
                if (calls++ == 0)
                    throw 1;
            });
            assert(calls == 2);
        } catch (int) {
            failed++;
        }
    };
    std::thread a(run), b(run);
    a.join();
    b.join();
    assert(calls == 2 && failed == 1);
}

static void mutexes()
{
    std::shared_mutex shared;
    std::timed_mutex timed;
    int value = 0;
    std::thread reader([&] {
        std::shared_lock lock(shared, std::try_to_lock);
        if (lock) {
            REACHED(3);
            assert(value != 1);
        } else {
            REACHED(4);
        }
    });
    {
        std::unique_lock lock(shared);
        value = 1;
        value = 2;
    }
    reader.join();
    std::thread waits([&] {
        if (timed.try_lock_for(1ms)) {
            REACHED(5);
            timed.unlock();
        } else {
            REACHED(6);
        }
    });
    timed.lock();
    timed.unlock();
    waits.join();
    std::recursive_timed_mutex recursive;
    assert(recursive.try_lock() && recursive.try_lock_for(1ms));
    recursive.unlock();
    recursive.unlock();
}

struct counter {
    int *where = nullptr;
    ~counter() { ++*where; }
};
static thread_local counter local;

int main(int argc, char **argv)
{
    begin(argc, argv);
    statics();
    once();
    mutexes();
    int destroyed = 0;
    std::thread([&] { local.where = &destroyed; }).join();
    assert(destroyed == 1);
    std::mutex mutex;
    std::condition_variable condition;
    std::unique_lock lock(mutex);
    assert(condition.wait_for(lock, 1ms) == std::cv_status::timeout);
    REACHED(7);
    return 0;
}
