// Where a function's frame is, by the compiler's directives for unwinding (.cfi_…), which it keeps right at every
// instruction.
#ifndef BUILD_ASSEMBLY_CFI_H
#define BUILD_ASSEMBLY_CFI_H

#include <stdbool.h>
#include <stdint.h>

// The frame's canonical address: what the register holds, and the offset.
struct cfi_rule {
    bool known;
    uint32_t reg; // rsp or rbp
    int64_t offset;
};

// Zero-initialised at a function's beginning.
struct cfi {
    struct cfi_rule rule, kept[8];
    uint32_t kept_count;
};

// Whether the directive says something of the frame's place.
bool cfi_read(struct cfi *cfi, const char *directive);

#endif
