// compare TRACE HOOKS SYMBOLS SECTIONS MAIN END: whether each access of a program's own code was told of by a hook.
//
// TRACE is what valgrind's lackey says of every instruction and access, HOOKS what stub.c left, SYMBOLS the output of nm,
// SECTIONS that of readelf -SW. A hook counts from its call to the next call of another function: of the program's, or of a
// library's. The stack is left out. MAIN is the address of main, END that of what the C library runs after it. Prints the instructions whose accesses no hook told of; status 1 if there are any.
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 18, WINDOW = 64, STACK_FROM = 0x1f };

struct told {
    uint64_t address, size, write;
};

static struct told told[MOST];
static size_t told_count, called; // hooks called so far
static size_t valid_from;         // hooks before this one do not count any more
static uint64_t mailbox, thread;
static uint64_t text_from, text_to, constant_from[16], constant_to[16];
static size_t constants;
static uint64_t function[1 << 14];
static size_t functions;
static uint64_t shown[256];
static size_t showns;

static FILE *open_file(const char *name)
{
    FILE *file = fopen(name, "r");
    if (!file) {
        perror(name);
        exit(2);
    }
    return file;
}

static void read_hooks(const char *name)
{
    FILE *file = open_file(name);
    if (fscanf(file, "%" SCNx64 " %" SCNx64, &mailbox, &thread) != 2)
        exit(2);
    while (told_count < MOST && fscanf(file, "%" SCNx64 " %" SCNu64 " %" SCNu64, &told[told_count].address,
                                       &told[told_count].size, &told[told_count].write) == 3)
        told_count++;
    fclose(file);
}

static void read_symbols(const char *name)
{
    FILE *file = open_file(name);
    char line[4096], kind;
    uint64_t address;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%" SCNx64 " %c", &address, &kind) == 2 && strchr("tTwW", kind) && functions < 1 << 14)
            function[functions++] = address;
    fclose(file);
}

static void read_sections(const char *name)
{
    static const char *const unchanging[] = {".rodata",      ".got",        ".got.plt",
                                             ".data.rel.ro", ".init_array", ".fini_array"};
    FILE *file = open_file(name);
    char line[4096], section[256], type[64];
    uint64_t address, offset, size;
    while (fgets(line, sizeof line, file)) {
        char *at = strchr(line, ']');
        if (!at ||
            sscanf(at + 1, "%255s %63s %" SCNx64 " %" SCNx64 " %" SCNx64, section, type, &address, &offset, &size) != 5)
            continue;
        if (!strcmp(section, ".text")) {
            text_from = address;
            text_to = address + size;
        }
        for (size_t i = 0; i < sizeof unchanging / sizeof *unchanging; i++)
            if (!strcmp(section, unchanging[i])) {
                constant_from[constants] = address;
                constant_to[constants++] = address + size;
            }
    }
    fclose(file);
}

static bool is_constant(uint64_t address)
{
    for (size_t i = 0; i < constants; i++)
        if (address >= constant_from[i] && address < constant_to[i])
            return true;
    return false;
}

static bool is_told(uint64_t address, bool write)
{
    for (size_t i = called; i-- > valid_from;)
        if (address >= told[i].address && address - told[i].address < told[i].size && (told[i].write || !write))
            return true;
    return false;
}

static bool is_first(uint64_t pc)
{
    for (size_t i = 0; i < showns; i++)
        if (shown[i] == pc)
            return false;
    if (showns < sizeof shown / sizeof *shown)
        shown[showns++] = pc;
    return true;
}

static void look_at(uint64_t pc, uint64_t address, uint64_t size, char kind)
{
    bool header = address == thread || address == thread + 40;
    if (pc < text_from || pc >= text_to || address >> 32 >= STACK_FROM || is_constant(address) || header)
        return;
    for (uint64_t i = 0; i < size; i++)
        if (!is_told(address + i, kind != 'L')) {
            if (is_first(pc))
                printf("unseen: %c of %" PRIu64 " bytes at %" PRIx64 " by %" PRIx64 "\n", kind, size, address, pc);
            return;
        }
}

int main(int argc, char **argv)
{
    char line[256];
    uint64_t pc = 0, last = 0, address, size, begin = 0;
    bool running = false, started = false;
    if (argc != 7)
        return 2;
    read_hooks(argv[2]);
    read_symbols(argv[3]);
    read_sections(argv[4]);
    begin = strtoull(argv[5], NULL, 16);
    uint64_t end = strtoull(argv[6], NULL, 16);
    FILE *trace = open_file(argv[1]);
    while (fgets(line, sizeof line, trace)) {
        char kind = line[0] == 'I' ? 'I' : line[1];
        if (!strchr("ILSM", kind) || sscanf(line + 2, "%" SCNx64 ",%" SCNu64, &address, &size) != 2)
            continue;
        if (kind == 'I') {
            last = pc;
            pc = address;
            started |= pc == begin;
            running = (running || pc == begin) && pc != end;
            for (size_t i = 0; i < functions; i++)
                if (function[i] == pc && last != pc)
                    valid_from = called;
        } else if (address == mailbox) {
            called++;
        } else if (running) {
            look_at(pc, address, size, kind);
        }
    }
    fclose(trace);
    if (!started || called != told_count) {
        fprintf(stderr, "the trace has %zu hooks, the file %zu\n", called, told_count);
        return 2;
    }
    return showns > 0;
}
