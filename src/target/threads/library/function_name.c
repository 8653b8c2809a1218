#include "target/threads/library/function_name.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct file {
    const uint8_t *bytes;
    size_t size;
};

static const void *function_name_part(const struct file *f, uint64_t offset, uint64_t size)
{
    return offset <= f->size && size <= f->size - offset ? f->bytes + offset : NULL;
}

// _Z6workerPv, _ZN4pool6workerEPv, _ZL6workerPv: lengths and names; the last of them counts.
static void put_plain(const char *symbol, char *name, size_t room)
{
    const char *at = symbol, *last = symbol;
    int length = (int)strlen(symbol);
    if (!strncmp(symbol, "_Z", 2)) {
        at += 2 + strspn(symbol + 2, "NL");
        while (*at >= '1' && *at <= '9') {
            char *end;
            long n = strtol(at, &end, 10);
            if (n > (long)strlen(end))
                break;
            last = end;
            length = (int)n;
            at = end + n;
        }
    }
    snprintf(name, room, "%.*s", length, last);
}

// The name of a function: of the one that begins at the address, in short; or of the one that holds it, as it is.
struct wanted {
    uint64_t address;
    bool holds;
    char *name;
    size_t room;
};

static bool is_it(const Elf64_Sym *symbol, const struct wanted *w)
{
    if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC)
        return false;
    return w->holds ? w->address - symbol->st_value < symbol->st_size : w->address == symbol->st_value;
}

static bool search_symbols(const struct file *f, const Elf64_Shdr *table, const Elf64_Shdr *strings,
                           const struct wanted *w)
{
    const Elf64_Sym *symbols = function_name_part(f, table->sh_offset, table->sh_size);
    const char *text = function_name_part(f, strings->sh_offset, strings->sh_size);
    if (!symbols || !text || !strings->sh_size || text[strings->sh_size - 1])
        return false;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        if (is_it(&symbols[i], w) && symbols[i].st_name < strings->sh_size) {
            if (w->holds)
                snprintf(w->name, w->room, "%s", text + symbols[i].st_name);
            else
                put_plain(text + symbols[i].st_name, w->name, w->room);
            return true;
        }
    }
    return false;
}

static bool search_file(const struct file *f, const struct wanted *w)
{
    const Elf64_Ehdr *header = function_name_part(f, 0, sizeof *header);
    const Elf64_Shdr *sections =
        header ? function_name_part(f, header->e_shoff, header->e_shnum * sizeof *sections) : NULL;
    for (size_t i = 0; sections && i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum)
            return search_symbols(f, &sections[i], &sections[sections[i].sh_link], w);
    return false;
}

static bool search_program(const struct wanted *w)
{
    int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    struct stat status;
    bool found = false;
    if (fd < 0)
        return false;
    if (!fstat(fd, &status)) {
        struct file f = {.size = (size_t)status.st_size};
        void *bytes = mmap(NULL, f.size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (bytes != MAP_FAILED) {
            f.bytes = bytes;
            found = search_file(&f, w);
            munmap(bytes, f.size);
        }
    }
    close(fd);
    return found;
}

bool function_name(uint64_t address, char *name, size_t room)
{
    return search_program(&(struct wanted){address, false, name, room});
}

bool function_symbol(uint64_t address, char *name, size_t room)
{
    return search_program(&(struct wanted){address, true, name, room});
}
