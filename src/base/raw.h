// System calls that bypass the C library. The runtime defines `write` and `syscall` for the program, so it must not
// call them itself.
#ifndef BASE_RAW_H
#define BASE_RAW_H

// What the kernel answers: a result, or the negated error number.
static inline long raw_call(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

#endif
