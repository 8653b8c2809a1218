// expect: bug use-after-free
// A reference into a vector that grows.
#include <vector>

int main(int argc, char **)
{
    std::vector<int> numbers(5, argc);
    int &first = numbers[0];
    numbers.push_back(2);
    return first == 1000;
}
