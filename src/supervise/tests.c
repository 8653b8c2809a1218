#include "supervise/tests.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "model/framework.h"
#include "supervise/framework_tests.h"

static const char damaged[] = "has a list of tests that makes no sense";

// The bytes that the program will have at an address, and how many follow; null if they are not in the file.
static const char *bytes_at(Elf *elf, uint64_t address, size_t *left)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_ALLOC) || header.sh_type == SHT_NOBITS ||
            address < header.sh_addr || address - header.sh_addr >= header.sh_size)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        size_t offset = (size_t)(address - header.sh_addr);
        if (!data || !data->d_buf || offset >= data->d_size)
            return NULL;
        *left = data->d_size - offset;
        return (const char *)data->d_buf + offset;
    }
    return NULL;
}

// A pointer that stands in the program; 0 if there is none.
static uint64_t pointer_at(Elf *elf, uint64_t address)
{
    size_t left;
    uint64_t pointer = 0;
    const char *bytes = bytes_at(elf, address, &left);
    if (bytes && left >= sizeof pointer)
        memcpy(&pointer, bytes, sizeof pointer);
    return pointer;
}

static bool tests_add(struct test_list *tests, const char *name)
{
    for (size_t i = 0; i < tests->count; i++)
        if (!strcmp(tests->names[i], name))
            return false;
    tests->names = alloc_grow(tests->names, tests->count, &tests->room, sizeof *tests->names);
    tests->names[tests->count++] = alloc_copy(name);
    return true;
}

// The section holds pointers to entries, and an entry begins with a pointer to its name.
static const char *read_entries(struct test_list *tests, Elf *elf, const GElf_Shdr *header)
{
    for (uint64_t at = 0; at + sizeof(uint64_t) <= header->sh_size; at += sizeof(uint64_t)) {
        size_t left = 0;
        const char *name = bytes_at(elf, pointer_at(elf, pointer_at(elf, header->sh_addr + at)), &left);
        if (!name || !memchr(name, 0, left))
            return damaged;
        if (!*name)
            return "has a test without a name";
        if (!tests_add(tests, name))
            return "has two tests of the same name";
    }
    return NULL;
}

static const char *read_elf(struct test_list *tests, Elf *elf)
{
    size_t strings;
    Elf_Scn *section = NULL;
    if (!elf || elf_getshdrstrndx(elf, &strings))
        return damaged;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, strings, header.sh_name) : NULL;
        if (name && !strcmp(name, "heddle_tests"))
            return read_entries(tests, elf, &header);
    }
    return NULL;
}

static void read_framework_tests(struct test_list *tests, const struct subject *subject)
{
    struct strings names = {0};
    enum framework framework = framework_of(subject->program);
    if (framework && !(subject->arguments && subject->arguments[0]))
        framework_list(framework, subject, &names);
    for (size_t i = 0; i < names.count; i++)
        tests_add(tests, names.item[i]);
    strings_free(&names);
}

const char *tests_read(struct test_list *tests, const struct subject *subject)
{
    *tests = (struct test_list){0};
    int fd = open(subject->program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return "cannot be read";
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    const char *trouble = read_elf(tests, elf);
    elf_end(elf);
    close(fd);
    if (!trouble && !tests->count)
        read_framework_tests(tests, subject);
    return trouble;
}

void tests_free(struct test_list *tests)
{
    for (size_t i = 0; i < tests->count; i++)
        free(tests->names[i]);
    free(tests->names);
    *tests = (struct test_list){0};
}
