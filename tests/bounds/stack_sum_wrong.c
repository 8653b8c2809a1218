// expect: bug out-of-bounds options: --memory-errors
// A function is told a wrong number of elements of its caller's array.
__attribute__((noinline)) static long sum_of(const short *from, int count)
{
    long sum = 0;
    while (count--)
        sum += *from++;
    return sum;
}

int main(int argc, char **argv)
{
    (void)argv;
    short counts[7] = {1, 2, 3, 4, 5, 6, (short)argc};
    return sum_of(counts, argc > 100 ? 1 : 8) == 1000;
}
