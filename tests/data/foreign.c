// A library that was not compiled by heddle cc.
unsigned foreign(void)
{
    unsigned low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return low >> 4;
}
