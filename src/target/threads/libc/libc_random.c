// Random numbers that nobody can foresee, in front of libc's own: under control they come from one generator per thread, so
// that they are the same in every execution and depend only on what the thread itself did. (rand and the like: libc_sequence.c.)

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/types.h>
#include <unistd.h>

#include "target/threads/libc/public.h"
#include "target/threads/engine/engine_room.h"

// Not in the headers of every glibc; libc's may be missing, but then nobody calls them outside control either.
uint32_t arc4random(void);
uint32_t arc4random_uniform(uint32_t bound);
void arc4random_buf(void *to, size_t size);

#define TO_LIBC(X)                                                                                                     \
    X(arc4random)                                                                                                      \
    X(arc4random_uniform)                                                                                              \
    X(arc4random_buf)                                                                                                  \
    X(getrandom)                                                                                                       \
    X(getentropy)

TO_LIBC(NEXT_POINTER)

static __attribute__((constructor)) void find_libc(void)
{
    if (!libc_getentropy) {
        TO_LIBC(NEXT_RESOLVE)
    }
}

#define LIBC(name) (find_libc(), libc_##name)

// SplitMix64 (Steele, Lea, Flood 2014): any state is a good one, neighbouring seeds give unrelated numbers.
static uint64_t next_random(void)
{
    uint64_t *state = thread_random_state();
    uint64_t mixed = *state += 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9u;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebu;
    return mixed ^ mixed >> 31;
}

static void fill_random(void *start, size_t size)
{
    byte *to = start;
    while (size) {
        uint64_t word = next_random();
        size_t part = size < sizeof word ? size : sizeof word;
        plain_move(to, &word, part);
        to += part;
        size -= part;
    }
}

static unsigned step_seed(unsigned *seed, unsigned values)
{
    *seed = *seed * 1103515245u + 12345u;
    return *seed / 65536u % values;
}

// All of its state is the caller's: glibc's own algorithm in both cases.
PUBLIC int rand_r(unsigned *seed)
{
    const void *pc = CALLER();
    if (pc)
        access_read(seed, sizeof *seed, pc);
    unsigned state = *seed, result = step_seed(&state, 2048);
    result = result << 10 ^ step_seed(&state, 1024);
    result = result << 10 ^ step_seed(&state, 1024);
    if (pc)
        access_write(seed, sizeof *seed, pc);
    *seed = state;
    return (int)result;
}

PUBLIC uint32_t arc4random(void)
{
    return under_control() ? (uint32_t)(next_random() >> 32) : LIBC(arc4random)();
}

PUBLIC uint32_t arc4random_uniform(uint32_t bound)
{
    return under_control() ? (uint32_t)((next_random() >> 32) * bound >> 32) : LIBC(arc4random_uniform)(bound);
}

PUBLIC void arc4random_buf(void *to, size_t size)
{
    const void *pc = CALLER();
    if (!pc) {
        LIBC(arc4random_buf)(to, size);
        return;
    }
    if (size)
        access_write(to, size, pc);
    fill_random(to, size);
}

PUBLIC ssize_t getrandom(void *to, size_t size, unsigned flags)
{
    enum { MOST = 0x1ffffff }; // what the kernel gives in one call
    const void *pc = CALLER();
    if (!pc)
        return LIBC(getrandom)(to, size, flags);
    unsigned both = GRND_RANDOM | GRND_INSECURE;
    if ((flags & ~(both | GRND_NONBLOCK)) || (flags & both) == both) {
        errno = EINVAL;
        return -1;
    }
    if (size > MOST)
        size = MOST;
    if (size)
        access_write(to, size, pc);
    fill_random(to, size);
    return (ssize_t)size;
}

PUBLIC int getentropy(void *to, size_t size)
{
    const void *pc = CALLER();
    if (!pc)
        return LIBC(getentropy)(to, size);
    if (size > 256) {
        errno = EIO;
        return -1;
    }
    if (size)
        access_write(to, size, pc);
    fill_random(to, size);
    return 0;
}
