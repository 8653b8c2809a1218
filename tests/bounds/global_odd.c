// expect: verified
// All five bytes of a global array, and a number beside it.
static char code[5];
static int count;
char *volatile given = code;

int main(void)
{
    for (int i = 0; i < 5; i++)
        given[i] = 1;
    count += given[4];
    return count - 1;
}
