// expect: verified
// A vector's elements by data(), all of them.
#include <vector>

int main(int argc, char **)
{
    std::vector<int> numbers(argc > 100 ? 9 : 5, 1);
    int sum = 0;
    const int *data = numbers.data();
    for (std::size_t i = 0; i < numbers.size(); i++)
        sum += data[i];
    return sum == 1000;
}
