#include "build/cc_foreign.h"

#include <fcntl.h>
#include <gelf.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Code, or what link-time optimisation will make code of.
static bool section_is_code(Elf *elf, const GElf_Shdr *header, size_t names)
{
    const char *name = elf_strptr(elf, names, header->sh_name);
    bool lto = name && !strncmp(name, ".gnu.lto_", 9);
    return lto || (header->sh_type == SHT_PROGBITS && (header->sh_flags & SHF_EXECINSTR) && header->sh_size);
}

static bool refers_to_hooks(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    if (!data || !header->sh_entsize)
        return false;
    int count = (int)(header->sh_size / header->sh_entsize);
    for (int i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, i, &symbol) || symbol.st_shndx != SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name && !strcmp(name, "__tsan_init"))
            return true;
    }
    return false;
}

static bool object_is_foreign(Elf *elf)
{
    GElf_Ehdr file;
    size_t names;
    if (!gelf_getehdr(elf, &file) || file.e_type != ET_REL || elf_getshdrstrndx(elf, &names))
        return false;
    bool code = false;
    for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header))
            continue;
        if (header.sh_type == SHT_SYMTAB && refers_to_hooks(elf, section, &header))
            return false;
        code |= section_is_code(elf, &header, names);
    }
    return code;
}

static unsigned count_members(int fd, Elf *archive)
{
    unsigned foreign = 0;
    Elf_Cmd command = ELF_C_READ;
    Elf *member;
    while (command != ELF_C_NULL && (member = elf_begin(fd, command, archive))) {
        if (elf_kind(member) == ELF_K_ELF)
            foreign += object_is_foreign(member);
        command = elf_next(member);
        elf_end(member);
    }
    return foreign;
}

unsigned foreign_in_file(const char *path)
{
    if (elf_version(EV_CURRENT) == EV_NONE)
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    unsigned foreign = 0;
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    if (elf && elf_kind(elf) == ELF_K_AR)
        foreign = count_members(fd, elf);
    else if (elf && elf_kind(elf) == ELF_K_ELF)
        foreign = object_is_foreign(elf);
    if (elf)
        elf_end(elf);
    close(fd);
    return foreign;
}

unsigned foreign_in_library(const struct line *line, const char *name)
{
    for (size_t i = 0; i < line->parts; i++) {
        const struct line_part *part = &line->part[i];
        if (strncmp(part->text, "-L", 2))
            continue;
        const char *directory = part->argument ? part->argument : part->text + 2;
        char path[2 * PATH_MAX];
        snprintf(path, sizeof path, "%s/lib%s.so", directory, name);
        if (!access(path, R_OK))
            return 0;
        snprintf(path, sizeof path, "%s/lib%s.a", directory, name);
        if (!access(path, R_OK))
            return foreign_in_file(path);
    }
    return 0;
}
