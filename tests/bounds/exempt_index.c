// expect: verified
// Functions whose indices the program does not want to be compared.
#include <assert.h>

struct {
    int first[2], others[6];
} numbers = {{1, 2}, {3, 4, 5, 6, 7, 8}};

__attribute__((no_sanitize("bounds"))) static int sum_all(int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += numbers.first[i];
    return sum;
}

__attribute__((__no_sanitize__("undefined"), always_inline)) static inline int last(int count)
{
    return numbers.first[count - 1];
}

int main(int count, char **words)
{
    (void)words;
    assert(sum_all(count + 7) == 36);
    assert(last(count + 7) == 8);
    return 0;
}
