// expect: bug out-of-bounds
// A vector's elements by data(), and the one behind its capacity.
#include <vector>

int main(int argc, char **)
{
    std::vector<int> numbers(argc > 100 ? 9 : 5, 1);
    int sum = 0;
    const int *data = numbers.data();
    for (std::size_t i = 0; i <= numbers.size(); i++)
        sum += data[i];
    return sum == 1000;
}
