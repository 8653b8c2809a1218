#include "supervise/subject.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Whether the program needs a library whose name begins like this.
static bool subject_needs(Elf *elf, const char *library)
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
            if (name && !strncmp(name, library, strlen(library)))
                return true;
        }
    }
    return false;
}

// Whether all that is to be loaded is in the file.
static bool is_whole(Elf *elf)
{
    size_t count = 0, size = 0;
    if (elf_getphdrnum(elf, &count) || !elf_rawfile(elf, &size))
        return false;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header) || header.p_offset > size || header.p_filesz > size - header.p_offset)
            return false;
    }
    return true;
}

// The dynamic loader that a whole program asks for; null if it asks for none.
static const char *subject_loader(Elf *elf)
{
    size_t count = 0, size = 0;
    const char *file = elf_rawfile(elf, &size);
    elf_getphdrnum(elf, &count);
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_INTERP && header.p_filesz &&
            !file[header.p_offset + header.p_filesz - 1])
            return file + header.p_offset;
    }
    return NULL;
}

// Whether the loader ignores what is to stand in front, since the program runs with the rights of another.
static bool changes_rights(int fd)
{
    struct stat st;
    return !fstat(fd, &st) &&
           (((st.st_mode & S_ISUID) && st.st_uid != getuid()) || ((st.st_mode & S_ISGID) && st.st_gid != getgid()));
}

// What stands in the way of a program that was not built by heddle.
static const char *look_at_plain(Elf *elf, int fd, bool library)
{
    static const char *const rivals[] = {"libtsan.so", "libasan.so", "libhwasan.so", "libubsan.so", "liblsan.so"};
    const char *wanted = subject_loader(elf);
    if (!wanted && library && subject_needs(elf, "lib"))
        return "is a library, not a program";
    if (!wanted)
        return "is statically linked, so heddle cannot stand in front of its C library; link it dynamically, or build "
               "it with "
               "`heddle cc`";
    if (!strstr(wanted, "/ld-linux-x86-64"))
        return "uses another C library than glibc; build it with `heddle cc`";
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++)
        if (subject_needs(elf, rivals[i]))
            return "was built with a sanitizer, which takes the same calls as heddle; build it without";
    if (changes_rights(fd))
        return "runs with the rights of another user, and then the loader lets nothing stand in front of the C library";
    return NULL;
}

static const char *subject_look(Elf *elf, int fd, bool *plain)
{
    GElf_Ehdr header;
    if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
        return "is neither a C source nor an executable";
    if (header.e_machine != EM_X86_64 || header.e_ident[EI_CLASS] != ELFCLASS64)
        return "is not an executable for x86-64";
    if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
        return "is not an executable; link it with `heddle cc`";
    if (!is_whole(elf))
        return "is damaged: the file is shorter than it says";
    *plain = !subject_needs(elf, "libheddle.so");
    if (*plain)
        return look_at_plain(elf, fd, header.e_type == ET_DYN);
    if (header.e_type != ET_EXEC)
        return "is a position-independent executable or a library; link it with `heddle cc`";
    return NULL;
}

const char *subject_trouble(const char *path, bool *plain)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return "cannot be read";
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    const char *trouble = subject_look(elf, fd, plain);
    elf_end(elf);
    close(fd);
    return trouble;
}
