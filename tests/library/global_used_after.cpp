// expect: bug race
// A detached thread still reads a global string when main returns and its destructor runs.
#include <string>
#include <thread>

static std::string name = "a name that does not fit into the string itself";
static char seen;

int main()
{
    std::thread([] { seen = name[0]; }).detach();
}
