// The hooks that compilers put in front of plain accesses (-fsanitize=thread), for a library that treats them all alike. It defines
// READS(p, size, pc), WRITES(p, size, pc) and READS_AND_WRITES(p, size, pc) before it includes this, once.
#ifndef BASE_ACCESS_HOOKS_H
#define BASE_ACCESS_HOOKS_H

#define ACCESS_HOOK(size, name, does)                                                                                  \
    __attribute__((visibility("default"))) void __tsan_##name##size(void *p)                                           \
    {                                                                                                                  \
        does(p, size, __builtin_return_address(0));                                                                    \
    }

#define ACCESS_HOOKS(size)                                                                                             \
    ACCESS_HOOK(size, read, READS)                                                                                     \
    ACCESS_HOOK(size, write, WRITES)                                                                                   \
    ACCESS_HOOK(size, unaligned_read, READS)                                                                           \
    ACCESS_HOOK(size, unaligned_write, WRITES)                                                                         \
    ACCESS_HOOK(size, volatile_read, READS)                                                                            \
    ACCESS_HOOK(size, volatile_write, WRITES)                                                                          \
    ACCESS_HOOK(size, unaligned_volatile_read, READS)                                                                  \
    ACCESS_HOOK(size, unaligned_volatile_write, WRITES)                                                                \
    ACCESS_HOOK(size, read_write, READS_AND_WRITES)                                                                    \
    ACCESS_HOOK(size, unaligned_read_write, READS_AND_WRITES)

ACCESS_HOOKS(1)
ACCESS_HOOKS(2)
ACCESS_HOOKS(4)
ACCESS_HOOKS(8)
ACCESS_HOOKS(16)

#endif
