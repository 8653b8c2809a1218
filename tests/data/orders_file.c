// Adds a line to a file behind heddle's back: by system calls of its own, in code that heddle cc does not compile. Calls of
// the C library would be followed, and then executions could not be taken back in memory.
#include <fcntl.h>
#include <sys/syscall.h>

static long call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "0"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

int add_line(const char *path, const char *line, long size)
{
    long file = call(SYS_open, (long)path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    long written = call(SYS_write, file, (long)line, size);
    call(SYS_close, file, 0, 0);
    return written == size;
}
