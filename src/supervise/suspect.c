#include "supervise/suspect.h"

#include <fcntl.h>
#include <gelf.h>
#include <string.h>
#include <unistd.h>

// Instructions whose result the hooks do not see. Bytes are compared, not disassembled: they may also be part of others,
// so this is a hint and nothing else.
static const struct instruction {
    uint8_t bytes[3], mask[3];
    const char *what;
} instructions[] = {
    {{0x0f, 0x31, 0}, {0xff, 0xff, 0}, "the processor's time (rdtsc)"},
    {{0x0f, 0x01, 0xf9}, {0xff, 0xff, 0xff}, "the processor's time (rdtscp)"},
    {{0x0f, 0xc7, 0xf0}, {0xff, 0xff, 0xf0}, "random numbers of the processor (rdrand)"},
    {{0x0f, 0x05, 0}, {0xff, 0xff, 0}, "the kernel, asked by inline assembly (syscall)"},
};

static bool suspect_matches(const struct instruction *i, const uint8_t *bytes)
{
    for (int k = 0; k < 3; k++)
        if ((bytes[k] & i->mask[k]) != i->bytes[k])
            return false;
    return true;
}

static const char *look_through(const uint8_t *bytes, size_t size)
{
    for (size_t which = 0; which < sizeof instructions / sizeof *instructions; which++)
        for (size_t at = 0; at + 3 <= size; at++)
            if (suspect_matches(&instructions[which], bytes + at))
                return instructions[which].what;
    return NULL;
}

static const char *suspect_look_into(Elf *elf)
{
    Elf_Scn *section = NULL;
    while (elf && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_EXECINSTR))
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        const char *what = data && data->d_buf ? look_through(data->d_buf, data->d_size) : NULL;
        if (what)
            return what;
    }
    return NULL;
}

static const char *unseen_instruction(const char *program)
{
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    elf_version(EV_CURRENT);
    Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
    const char *what = suspect_look_into(elf);
    elf_end(elf);
    close(fd);
    return what;
}

void suspect_add(const char *program, const struct job *job, struct buffer *out)
{
    const char *what = unseen_instruction(program);
    if (what)
        buffer_add(out, "its own code reads %s, which heddle does not control", what);
    else if (job->answer.unseen_calls)
        buffer_add(out, "it calls `%s' of %s, which heddle does not control", job->answer.unseen_call[0].name,
                   job->answer.unseen_call[0].library);
    else if (job->answer.unlogged_by[0])
        buffer_add(out, "it calls `%s', which heddle does not control", job->answer.unlogged_by);
    else
        buffer_add(out, "it may use memory that it never set, an address as a number, or inline assembly");
}
