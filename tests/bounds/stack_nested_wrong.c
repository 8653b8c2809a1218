// expect: bug use-after-return
// The address of a variable of the innermost function comes up through two returns.
long *found;

__attribute__((noinline)) static void inner(long *outer, long value)
{
    long local[2] = {value, value};
    found = local;
    found[0] += local[1];
}

__attribute__((noinline)) static long middle(long *outer, long value)
{
    long own[3] = {value, 1, 2};
    inner(outer, own[0]);
    return own[1] + own[2];
}

int main(int argc, char **argv)
{
    (void)argv;
    long outer[2] = {1, 2};
    long sum = middle(outer, argc);
    return sum + found[0] == 1000;
}
