// expect: bug use-after-return options: --cflags -Wno-return-local-addr --cflags -Wno-dangling-pointer --cflags -Wno-unknown-warning-option
// A volatile access to a variable of a function that has returned.
static volatile int *kept;

__attribute__((noinline)) static void keep(int value)
{
    volatile int local = value;
    kept = &local;
}

int main(void)
{
    keep(3);
    return *kept == 1000;
}
