// expect: verified
// What another program prints comes through a pipe.
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int p[2];
    char t[16] = "";
    assert(!pipe(p));
    if (!fork()) {
        dup2(p[1], 1);
        close(p[0]);
        close(p[1]);
        execlp("echo", "echo", "hello", (char *)0);
        _exit(9);
    }
    close(p[1]);
    FILE *f = fdopen(p[0], "r");
    assert(f && fgets(t, 16, f) && !strcmp(t, "hello\n"));
    fclose(f);
    int s;
    wait(&s);
    assert(!s);
}
