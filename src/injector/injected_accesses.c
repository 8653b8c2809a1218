// Reads of memory, at the hooks that heddle cc leaves in front of them: a bit of what is about to be read flips, and stays so.
#define _GNU_SOURCE
#include "injector/injector.h"

#include <sys/uio.h>
#include <unistd.h>

// Memory that cannot be written stays as it is.
static RARE void flip(uint8_t *p, uint32_t size)
{
    uint32_t bit = injector_bit() % (size * 8);
    uint8_t byte = p[bit / 8] ^ (uint8_t)(1u << bit % 8);
    struct iovec from = {&byte, 1}, to = {p + bit / 8, 1};
    if (process_vm_writev(getpid(), &from, 1, &to, 1, 0) == 1)
        injector_done();
}

static IN_PLACE void reads(void *p, uint32_t size, const void *pc)
{
    if (unlikely(injector_asks(CALL_LOAD, pc) == INJECT_FLIP))
        flip(p, size);
}

#define READ_HOOKS(size)                                                                                               \
    PUBLIC void __tsan_read##size(void *p)                                                                             \
    {                                                                                                                  \
        reads(p, size, HERE);                                                                                          \
    }                                                                                                                  \
    PUBLIC void __tsan_unaligned_read##size(void *p)                                                                   \
    {                                                                                                                  \
        reads(p, size, HERE);                                                                                          \
    }                                                                                                                  \
    PUBLIC void __tsan_volatile_read##size(void *p)                                                                    \
    {                                                                                                                  \
        reads(p, size, HERE);                                                                                          \
    }                                                                                                                  \
    PUBLIC void __tsan_read_write##size(void *p)                                                                       \
    {                                                                                                                  \
        reads(p, size, HERE);                                                                                          \
    }

READ_HOOKS(1)
READ_HOOKS(2)
READ_HOOKS(4)
READ_HOOKS(8)
READ_HOOKS(16)
