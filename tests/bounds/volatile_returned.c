// expect: verified
// volatile_returned_wrong.c with a variable that stays.
static volatile int *kept;

__attribute__((noinline)) static void keep(int value)
{
    static volatile int stays;
    stays = value;
    kept = &stays;
}

int main(void)
{
    keep(3);
    return *kept == 1000;
}
