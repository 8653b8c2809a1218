// expect: bug out-of-bounds
// One byte too much behind a global array of five, within the word that it ends in.
static char code[5];
char *volatile given = code;

int main(void)
{
    given[5] = 1;
    return code[0];
}
