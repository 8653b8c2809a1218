// expect: incomplete
// A process that the program waits for does nothing for longer than heddle waits.
#include <sys/wait.h>
#include <unistd.h>

int main(void)
{
    pid_t child = fork();
    if (!child) {
        sleep(20);
        _exit(0);
    }
    return waitpid(child, NULL, 0) != child;
}
