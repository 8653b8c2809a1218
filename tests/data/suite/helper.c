// Neither a test nor a program: a folder may have such files.
int helper(void)
{
    return 1;
}
