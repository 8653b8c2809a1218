// System calls that bypass the C library. The runtime defines `write` and `syscall` for the program, so it must not
// call them itself.
#ifndef BASE_RAW_H
#define BASE_RAW_H

#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>

// What the kernel answers: a result, or the negated error number.
static inline long raw_call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

static inline long raw_futex(uint32_t *futex, int what, uint32_t value, const struct timespec *timeout)
{
    long result;
    register const struct timespec *until __asm__("r10") = timeout;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"((long)SYS_futex), "D"(futex), "S"((long)what), "d"((long)value), "r"(until)
                     : "rcx", "r11", "memory");
    return result;
}

#endif
