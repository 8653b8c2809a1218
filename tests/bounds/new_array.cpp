// expect: verified
// new[] and delete[], every element.
#include <cstdlib>

int *numbers;

int main(int argc, char **argv)
{
    int n = argc > 100 ? std::atoi(argv[1]) : 7, sum = 0;
    numbers = new int[static_cast<std::size_t>(n)];
    for (int i = 0; i < n; i++)
        numbers[i] = i;
    for (int i = 0; i < n; i++)
        sum += numbers[i];
    delete[] numbers;
    return sum == 1000;
}
