#include "supervise/globals.h"

#include <ctype.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct file {
    int fd;
    Elf *elf;
};

static struct file open_file(const char *program)
{
    elf_version(EV_CURRENT);
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    return (struct file){fd, fd >= 0 ? elf_begin(fd, ELF_C_READ, NULL) : NULL};
}

static void close_file(struct file *f)
{
    if (f->elf)
        elf_end(f->elf);
    if (f->fd >= 0)
        close(f->fd);
}

// Calls `look` for every variable in the order of the file, until it says true.
static bool each_variable(const char *program, bool (*look)(void *, const char *, const GElf_Sym *), void *context)
{
    struct file f = open_file(program);
    Elf_Scn *section = NULL;
    bool done = false;
    while (f.elf && !done && (section = elf_nextscn(f.elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_SYMTAB || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && !done && i < header.sh_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            const char *name =
                gelf_getsym(data, (int)i, &symbol) ? elf_strptr(f.elf, header.sh_link, symbol.st_name) : NULL;
            if (name && *name && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT && symbol.st_size)
                done = look(context, name, &symbol);
        }
    }
    close_file(&f);
    return done;
}

struct question {
    uint64_t address; // looked for, or found
    const char *name;
    size_t length;   // of the name
    uint32_t same;   // symbols of this name so far
    uint32_t number; // which of them is looked for
    char found[256];
    uint64_t offset;
};

static bool globals_holds(void *context, const char *name, const GElf_Sym *symbol)
{
    struct question *q = context;
    if (q->address < symbol->st_value || q->address >= symbol->st_value + symbol->st_size ||
        strlen(name) >= sizeof q->found)
        return false;
    strcpy(q->found, name);
    q->offset = q->address - symbol->st_value;
    return true;
}

static bool is_called(void *context, const char *name, const GElf_Sym *symbol)
{
    struct question *q = context;
    if (strlen(name) != q->length || strncmp(name, q->name, q->length))
        return false;
    if (++q->same < q->number)
        return false;
    q->offset = symbol->st_value;
    return true;
}

static bool globals_counts(void *context, const char *name, const GElf_Sym *symbol)
{
    struct question *q = context;
    if (!strcmp(name, q->found))
        q->same++;
    return q->address >= symbol->st_value && q->address < symbol->st_value + symbol->st_size;
}

bool globals_name(const char *program, uint64_t address, struct buffer *out)
{
    struct question q = {.address = address};
    if (!each_variable(program, globals_holds, &q)) {
        buffer_add(out, "0x%llx", (unsigned long long)address);
        return false;
    }
    each_variable(program, globals_counts, &q);
    buffer_add(out, "%s", q.found);
    if (q.same > 1)
        buffer_add(out, "#%u", q.same);
    buffer_add(out, "+%llu", (unsigned long long)q.offset);
    return true;
}

static bool read_address(const char *text, uint64_t *address)
{
    char *end;
    *address = strtoull(text, &end, 16);
    return isxdigit((unsigned char)*text) && !*end;
}

bool globals_is_name(const char *text)
{
    uint64_t ignored;
    const char *plus = strrchr(text, '+');
    return plus ? plus > text && isdigit((unsigned char)plus[1]) && !strchr(text, ' ') : read_address(text, &ignored);
}

bool globals_find(const char *program, const char *name, uint64_t *address)
{
    const char *plus = strrchr(name, '+'), *hash = strrchr(name, '#');
    if (!plus)
        return read_address(name, address);
    struct question q = {.name = name,
                         .length = (size_t)((hash ? hash : plus) - name),
                         .number = hash ? (uint32_t)strtoul(hash + 1, NULL, 10) : 1};
    if (!each_variable(program, is_called, &q))
        return false;
    *address = q.offset + strtoull(plus + 1, NULL, 10);
    return true;
}

uint64_t globals_code_hash(const char *program)
{
    struct file f = open_file(program);
    Elf_Scn *section = NULL;
    uint64_t hash = 0xcbf29ce484222325u;
    while (f.elf && (section = elf_nextscn(f.elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR))
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && data->d_buf && i < data->d_size; i++)
            hash = (hash ^ ((const uint8_t *)data->d_buf)[i]) * 0x100000001b3u;
    }
    close_file(&f);
    return hash;
}
