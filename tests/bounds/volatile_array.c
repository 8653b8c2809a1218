// expect: verified options: --memory-errors
// volatile_array_wrong.c, used to its end.
__attribute__((noinline)) static void set(volatile int *numbers, int which)
{
    numbers[which] = 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    volatile int numbers[3] = {0};
    set(numbers, argc + 1);
    return numbers[0];
}
