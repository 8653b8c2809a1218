// expect: verified
// A program that is spawned prints into a pipe.
#define _GNU_SOURCE
#include <assert.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    int p[2];
    char t[16];
    assert(!pipe(p));
    posix_spawn_file_actions_t a;
    posix_spawn_file_actions_init(&a);
    posix_spawn_file_actions_adddup2(&a, p[1], 1);
    posix_spawn_file_actions_addclose(&a, p[0]);
    pid_t c;
    assert(!posix_spawnp(&c, "echo", &a, 0, (char *[]){"echo", "hi", 0}, environ));
    close(p[1]);
    assert(read(p[0], t, 16) == 3);
    int s;
    waitpid(c, &s, 0);
    assert(!s);
}
