// expect: verified
// Variables whose names in the object file are longer than those that heddle reads.
#include <cassert>
#include <map>
#include <string>
#include <vector>

namespace {
template <class One, class Other> struct counted {
    static int next()
    {
        static int calls;
        static std::string name;
        name += "x";
        return ++calls + static_cast<int>(name.size());
    }
};
} // namespace

typedef std::map<std::string, std::vector<std::map<std::string, std::vector<std::string>>>> nested;
typedef std::map<nested, std::vector<nested>> deeply_nested;

int main()
{
    int sum = counted<deeply_nested, counted<deeply_nested, nested>>::next();
    sum += counted<counted<nested, deeply_nested>, deeply_nested>::next();
    assert(sum == 4);
    return 0;
}
