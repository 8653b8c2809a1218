// Values of sixteen bytes, which the processor changes atomically by cmpxchg16b alone.
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <stdint.h>

typedef unsigned __int128 wide;

// What was there; `value` is there now if that was as expected.
static inline wide wide_swap(volatile wide *p, wide expected, wide value)
{
    uint64_t low = (uint64_t)expected, high = (uint64_t)(expected >> 64);
    __asm__ volatile("lock cmpxchg16b %2"
                     : "+a"(low), "+d"(high), "+m"(*p)
                     : "b"((uint64_t)value), "c"((uint64_t)(value >> 64))
                     : "cc", "memory");
    return (wide)high << 64 | low;
}

#endif
