// expect: verified
// A pointer to a variable of a function that is still running.
static int *volatile kept;

__attribute__((noinline)) static int use(void)
{
    return *kept;
}

__attribute__((noinline)) static int keep(int value)
{
    int local = value;
    kept = &local;
    return use();
}

int main(void)
{
    return keep(3) == 1000;
}
