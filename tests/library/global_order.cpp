// expect: bug race
// A global object starts a thread that uses another one, which is constructed afterwards.
#include <string>
#include <thread>

extern std::string name;
static char first;

struct service {
    std::thread thread{[] { first = name.empty() ? ' ' : name[0]; }};
    ~service() { thread.join(); }
} service;

std::string name = "a name that does not fit into the string itself";

int main()
{
}
