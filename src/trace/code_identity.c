#include "trace/code_identity.h"

#define XXH_INLINE_ALL
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>
#include <xxhash.h>

static uint64_t hash_segments(Elf *elf)
{
    size_t count = 0, size = 0;
    const char *bytes = elf_rawfile(elf, &size);
    uint64_t hash = 1;
    if (!bytes || elf_getphdrnum(elf, &count))
        return 0;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr p;
        if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD || !(p.p_flags & PF_X))
            continue;
        if (p.p_offset > size || p.p_filesz > size - p.p_offset)
            return 0;
        hash = XXH3_64bits_withSeed(bytes + p.p_offset, p.p_filesz, hash + p.p_vaddr);
    }
    return hash;
}

uint64_t code_identity(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    uint64_t identity = elf ? hash_segments(elf) : 0;
    elf_end(elf);
    if (fd >= 0)
        close(fd);
    return identity;
}
