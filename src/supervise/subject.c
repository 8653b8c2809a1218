#include "supervise/subject.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static bool needs_runtime(Elf *elf)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNAMIC || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
            GElf_Dyn entry;
            if (!gelf_getdyn(data, (int)i, &entry) || entry.d_tag != DT_NEEDED)
                continue;
            const char *name = elf_strptr(elf, header.sh_link, entry.d_un.d_val);
            if (name && !strcmp(name, "libheddle.so"))
                return true;
        }
    }
    return false;
}

static const char *look(Elf *elf)
{
    GElf_Ehdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
        return "is neither a C source nor an executable";
    if (header.e_machine != EM_X86_64)
        return "is not an executable for x86-64";
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return "is not an executable; link it with `heddle cc`";
    if (!needs_runtime(elf))
        return "was not built by heddle; build it with `heddle cc`";
    if (header.e_type != ET_EXEC)
        return "is a position-independent executable or a library; link it with `heddle cc`";
    return NULL;
}

const char *subject_trouble(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return "cannot be read";
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    const char *trouble = look(elf);
    elf_end(elf);
    close(fd);
    return trouble;
}
