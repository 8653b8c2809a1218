// expect: bug out-of-bounds options: --memory-errors
// A volatile array on the stack, used one element too far by way of a pointer.
__attribute__((noinline)) static void set(volatile int *numbers, int which)
{
    numbers[which] = 1;
}

int main(int argc, char **argv)
{
    (void)argv;
    volatile int numbers[3] = {0};
    set(numbers, argc + 2);
    return numbers[0];
}
