#include "supervise/fault_subject.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

static bool has_openmp(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; data && i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name && (!strncmp(name, "GOMP_", 5) || !strncmp(name, "__kmpc_", 7)))
            return true;
    }
    return false;
}

const char *fault_subject_trouble(const char *program)
{
    bool found = false;
    elf_version(EV_CURRENT);
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    Elf_Scn *section = NULL;
    while (elf && !found && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        found = gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && has_openmp(elf, section, &header);
    }
    if (elf)
        elf_end(elf);
    if (fd >= 0)
        close(fd);
    return found ? "programs with OpenMP cannot be given faults (--fault): what its runtime does without memory is not "
                   "their doing"
                 : NULL;
}
