// expect: incomplete options: --time 2
// The same without any synchronisation: the log of what was written is full before the time is over, or the other way round.
int main(void)
{
    static unsigned long many[1 << 16];
    for (unsigned long i = 0;; i++)
        many[i % (1 << 16)] = i;
}
