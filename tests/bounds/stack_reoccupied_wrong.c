// expect: verified missed: a newer frame has the place of the variable, and a stack does not say whose a byte was
// A pointer to a variable of a function that has returned, used in a function that was called since.
long *kept;

__attribute__((noinline)) static void keep(long value)
{
    long local[2] = {value, value};
    kept = local;
    kept[1]++;
}

__attribute__((noinline)) static long deeper(long value)
{
    long own[40] = {value};
    long *volatile all = own;
    all[3] = value;
    return *kept + all[3];
}

int main(int argc, char **argv)
{
    (void)argv;
    keep(argc);
    return deeper(argc) == 1000;
}
