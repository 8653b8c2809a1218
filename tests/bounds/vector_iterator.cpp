// expect: verified
// A reference into a vector that has room for what is added.
#include <vector>

int main(int argc, char **)
{
    std::vector<int> numbers(5, argc);
    numbers.reserve(10);
    int &first = numbers[0];
    numbers.push_back(2);
    return first == 1000;
}
