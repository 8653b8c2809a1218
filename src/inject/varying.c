#include "inject/varying.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const known[] = {
    "time",
    "gettimeofday",
    "clock_gettime",
    "clock",
    "times",
    "getpid",
    "gettid",
    "getrandom",
    "getentropy",
    "rand_r",
    "arc4random",
    "sched_getcpu",
    "sched_yield",
    "sem_trywait",
    "sem_timedwait",
    "pthread_mutex_trylock",
    "pthread_mutex_timedlock",
    "pthread_cond_timedwait",
    "pthread_rwlock_trywrlock",
    "pthread_rwlock_tryrdlock",
    "pthread_tryjoin_np",
    "poll",
    "select",
    "epoll_wait",
    "getrusage",
};

static bool is_known(const char *name)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (!strcmp(name, known[i]))
            return true;
    return false;
}

static void look_into(Elf *elf, Elf_Scn *section, const GElf_Shdr *header, char *names, size_t room)
{
    Elf_Data *data = elf_getdata(section, NULL);
    size_t at = 0, count = header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
    for (size_t i = 0; data && i < count; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx != SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (name && is_known(name) && at + strlen(name) + 3 < room)
            at += (size_t)snprintf(names + at, room - at, "%s%s", at ? ", " : "", name);
    }
}

void varying_calls(const char *program, char *names, size_t room)
{
    *names = 0;
    elf_version(EV_CURRENT);
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    Elf_Scn *section = NULL;
    while (elf && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_DYNSYM)
            look_into(elf, section, &header, names, room);
    }
    if (elf)
        elf_end(elf);
    if (fd >= 0)
        close(fd);
}
