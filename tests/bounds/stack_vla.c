// expect: verified
// An array of variable length is used in its block.
int *numbers;

__attribute__((noinline)) static int fill(int n)
{
    int own[n];
    numbers = own;
    for (int i = 0; i < n; i++)
        numbers[i] = i;
    return numbers[n - 1];
}

int main(int argc, char **argv)
{
    int last = fill(argc > 100 ? argv[1][0] : 30);
    return last == 1000;
}
