// expect: verified
// One thread has a file of its own; both write to another one under a lock.
#include <cassert>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

struct journal : std::ofstream {
    explicit journal(const std::string &name) : std::ofstream(name), lines(0)
    {
    }
    int lines;
};

static std::mutex lock;

static void add(journal &common, const char *word)
{
    std::lock_guard<std::mutex> guard(lock);
    common << word << '\n';
    common.lines++;
}

static void keep(const std::string &name, journal &common)
{
    std::ofstream out(name);
    std::ofstream moved(std::move(out));
    moved << "line " << 1 << '\n';
    moved.close();
    std::ifstream in;
    in.open(name);
    assert(in.is_open());
    std::string word;
    int number = 0;
    in >> word >> number;
    assert(word == "line" && number == 1);
    in.close();
    add(common, word.c_str());
}

int main()
{
    journal common("common.txt");
    std::thread other(keep, "other.txt", std::ref(common));
    add(common, "own");
    other.join();
    assert(common.lines == 2);
    common.close();
    std::fstream both("common.txt", std::ios::in | std::ios::out);
    std::string line;
    assert(std::getline(both, line) && !line.empty());
    both.close();
    std::remove("common.txt");
    std::remove("other.txt");
}
