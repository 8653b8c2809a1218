// expect: bug out-of-bounds gcc: verified options: --memory-errors
// A list on the stack is taken from until it is more than empty.
__attribute__((noinline)) static int take_last(int *end)
{
    return *--end;
}

int main(int argc, char **argv)
{
    (void)argv;
    int item[6] = {argc, 2, 3, 4, 5, 6}, sum = 0;
    int *volatile first = item;
    for (int left = 6; left > -1; left--)
        sum += take_last(first + left);
    return sum == 1000;
}
