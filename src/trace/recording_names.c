#include "trace/recording_names.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/symbols.h"

struct variable_symbol {
    uint64_t address, size; // in the recorded run
    const char *name;
    uint32_t module;
    uint32_t block; // NOT_RECORDED until somebody asks
};

struct named_module {
    const char *path;
    uint64_t base, low, high; // what is loaded, in the recorded run
    bool changed, missing;
    struct symbols *symbols; // of this module alone, once somebody asks for a place in it
    uint32_t block;          // for what has no symbol; NOT_RECORDED until somebody asks
};

struct recording_names {
    struct recording *r;
    struct named_module *modules;
    size_t module_count, module_room;
    struct variable_symbol *variables;
    size_t variable_count, variable_room;
    bool sorted;
    bool taken;          // names were given, and modules are not looked into
    struct table places; // by return address
    uint32_t *place;
    size_t place_room;
};

struct recording_names *recording_names_new(struct recording *r)
{
    struct recording_names *n = alloc_zeroed(1, sizeof *n);
    n->r = r;
    return n;
}

void recording_names_free(struct recording_names *n)
{
    for (size_t i = 0; i < n->module_count; i++)
        if (n->modules[i].symbols)
            symbols_free(n->modules[i].symbols);
    table_free(&n->places);
    free(n->modules);
    free(n->variables);
    free(n->place);
    free(n);
}

// ---- modules ----

// The build id in hexadecimal, or "-".
static void add_id(Elf *elf, struct buffer *text)
{
    const void *id;
    ssize_t size = dwelf_elf_gnu_build_id(elf, &id);
    if (size <= 0)
        buffer_add(text, "-");
    for (ssize_t i = 0; i < size; i++)
        buffer_add(text, "%02x", ((const unsigned char *)id)[i]);
}

static bool has_id(Elf *elf, const char *wanted, size_t length)
{
    struct buffer text = {0};
    add_id(elf, &text);
    bool has = text.length == length && !memcmp(text.text, wanted, length);
    buffer_free(&text);
    return has;
}

void recording_names_of_module(const char *path, struct buffer *text)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    if (elf)
        add_id(elf, text);
    else
        buffer_add(text, "-");
    buffer_add(text, " %s", path);
    elf_end(elf);
    if (fd >= 0)
        close(fd);
}

static void add_variables(struct recording_names *n, Elf *elf, const Elf_Scn *section, const GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata((Elf_Scn *)(uintptr_t)section, NULL);
    const struct named_module *module = &n->modules[n->module_count - 1];
    for (size_t i = 0; data && header->sh_entsize && i < header->sh_size / header->sh_entsize; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || !symbol.st_size ||
            symbol.st_shndx == SHN_UNDEF)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        if (!name || !*name)
            continue;
        n->variables = alloc_grow(n->variables, n->variable_count, &n->variable_room, sizeof *n->variables);
        n->variables[n->variable_count++] =
            (struct variable_symbol){symbol.st_value + module->base, symbol.st_size, recording_word(n->r, name),
                                     (uint32_t)n->module_count - 1, NOT_RECORDED};
    }
}

static void find_extent(struct named_module *m, Elf *elf)
{
    size_t count = 0;
    elf_getphdrnum(elf, &count);
    m->low = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(elf, (int)i, &header) || header.p_type != PT_LOAD)
            continue;
        uint64_t from = m->base + header.p_vaddr, until = from + header.p_memsz;
        m->low = from < m->low ? from : m->low;
        m->high = until > m->high ? until : m->high;
    }
}

static void look_into(struct recording_names *n, Elf *elf)
{
    Elf_Scn *section = NULL, *found = NULL;
    GElf_Shdr header, chosen = {0};
    while ((section = elf_nextscn(elf, section))) {
        if (!gelf_getshdr(section, &header) || (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM))
            continue;
        if (!found || header.sh_type == SHT_SYMTAB) {
            found = section;
            chosen = header;
        }
    }
    if (found)
        add_variables(n, elf, found, &chosen);
}

void recording_names_module(struct recording_names *n, uint64_t base, const char *text, uint64_t length)
{
    const char *blank = memchr(text, ' ', length);
    if (!blank || n->taken)
        return;
    char *path = alloc_copy_part(blank + 1, length - (size_t)(blank + 1 - text));
    n->modules = alloc_grow(n->modules, n->module_count, &n->module_room, sizeof *n->modules);
    struct named_module *m = &n->modules[n->module_count++];
    *m = (struct named_module){.path = recording_word(n->r, path), .base = base, .block = NOT_RECORDED};
    free(path);
    int fd = open(m->path, O_RDONLY | O_CLOEXEC);
    elf_version(EV_CURRENT);
    Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ, NULL);
    m->missing = !elf || elf_kind(elf) != ELF_K_ELF;
    m->changed = !m->missing && !has_id(elf, text, (size_t)(blank - text));
    if (!m->missing && !m->changed) {
        find_extent(m, elf);
        look_into(n, elf);
    }
    elf_end(elf);
    if (fd >= 0)
        close(fd);
}

void recording_names_doubts(const struct recording_names *n, struct buffer *words)
{
    for (size_t i = 0; i < n->module_count; i++)
        if (n->modules[i].changed || n->modules[i].missing)
            buffer_add(words, "%s%s %s, so what is in it has no names.", words->length ? "\n" : "", n->modules[i].path,
                       n->modules[i].changed ? "was built anew since" : "is not there any more");
}

// ---- given and taken ----

static void give_word(struct buffer *lines, const char *word, char end)
{
    for (; word && *word; word++)
        buffer_add(lines, "%c", *word == '\t' || *word == '\n' ? ' ' : *word);
    buffer_add(lines, "%c", end);
}

void recording_names_give(const struct recording_names *n, struct buffer *lines)
{
    for (uint32_t i = 0; i < n->places.count; i++) {
        const struct recorded_place *p = &n->r->places[n->place[i]];
        uint64_t pc;
        memcpy(&pc, table_key(&n->places, i, NULL), sizeof pc);
        buffer_add(lines, "p\t%llx\t%llx\t%x\t", (unsigned long long)pc, (unsigned long long)p->pc, p->line);
        give_word(lines, p->function, '\t');
        give_word(lines, p->file, '\t');
        give_word(lines, p->module, '\n');
    }
    for (size_t i = 0; i < n->variable_count; i++) {
        const struct variable_symbol *v = &n->variables[i];
        if (v->block == NOT_RECORDED)
            continue;
        buffer_add(lines, "g\t%llx\t%llx\t", (unsigned long long)v->address, (unsigned long long)v->size);
        give_word(lines, v->name, '\t');
        give_word(lines, n->modules[v->module].path, '\n');
    }
    for (size_t i = 0; i < n->module_count; i++) {
        const struct named_module *m = &n->modules[i];
        buffer_add(lines, "m\t%llx\t%llx\t", (unsigned long long)m->low, (unsigned long long)m->high);
        give_word(lines, m->path, '\n');
    }
}

// Modules come last in the text, but variables need their numbers.
static uint32_t module_named(struct recording_names *n, const char *path)
{
    for (size_t i = 0; i < n->module_count; i++)
        if (!strcmp(n->modules[i].path, path))
            return (uint32_t)i;
    n->modules = alloc_grow(n->modules, n->module_count, &n->module_room, sizeof *n->modules);
    n->modules[n->module_count] = (struct named_module){.path = recording_word(n->r, path), .block = NOT_RECORDED};
    return (uint32_t)n->module_count++;
}

static const char *known_or_null(const char *word)
{
    return *word ? word : NULL;
}

enum { NAME_WORDS = 7 };

static void take_line(struct recording_names *n, char **word, size_t words)
{
    uint64_t number[NAME_WORDS] = {0};
    for (size_t i = 1; i < words && i < 4; i++)
        number[i] = strtoull(word[i], NULL, 16);
    if (!strcmp(word[0], "p") && words == 7) {
        bool added;
        uint32_t at = table_add(&n->places, &number[1], sizeof number[1], &added);
        if (!added)
            return;
        n->place = alloc_grow(n->place, at, &n->place_room, sizeof *n->place);
        n->place[at] = recording_place(n->r, &(struct recorded_place){.function = known_or_null(word[4]),
                                                                      .file = known_or_null(word[5]),
                                                                      .line = (uint32_t)number[3],
                                                                      .module = known_or_null(word[6]),
                                                                      .pc = number[2]});
    } else if (!strcmp(word[0], "g") && words == 5) {
        n->variables = alloc_grow(n->variables, n->variable_count, &n->variable_room, sizeof *n->variables);
        n->variables[n->variable_count++] = (struct variable_symbol){
            number[1], number[2], recording_word(n->r, word[3]), module_named(n, word[4]), NOT_RECORDED};
    } else if (!strcmp(word[0], "m") && words == 4) {
        uint32_t module = module_named(n, word[3]);
        struct named_module *m = &n->modules[module];
        m->low = number[1];
        m->high = number[2];
    }
}

void recording_names_take(struct recording_names *n, const char *lines)
{
    while (*lines) {
        char *word[NAME_WORDS], *line = alloc_copy_part(lines, strcspn(lines, "\n")), *rest = line;
        size_t words = 0, length = strlen(line);
        while (words < NAME_WORDS && (word[words] = strsep(&rest, "\t")))
            words++;
        if (words > 1)
            take_line(n, word, words);
        n->taken = true;
        free(line);
        lines += length + (lines[length] == '\n');
    }
}

// ---- variables ----

static int by_address(const void *a, const void *b)
{
    const struct variable_symbol *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return (x->size < y->size) - (x->size > y->size); // the larger first
}

static struct named_module *module_of(const struct recording_names *n, uint64_t address)
{
    for (size_t i = 0; i < n->module_count; i++)
        if (address >= n->modules[i].low && address < n->modules[i].high)
            return &n->modules[i];
    return NULL;
}

static struct variable_symbol *variable_at(struct recording_names *n, uint64_t address)
{
    size_t low = 0, high = n->variable_count;
    if (!n->sorted && n->variable_count)
        qsort(n->variables, n->variable_count, sizeof *n->variables, by_address);
    n->sorted = true;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (n->variables[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    enum { LOOK_BACK = 16 }; // at symbols of one address, or inside another
    for (size_t i = low; i-- > 0 && low - i <= LOOK_BACK;) {
        struct variable_symbol *v = &n->variables[i];
        while (i && v[-1].address == v->address)
            v--, i--;
        if (address - v->address < v->size)
            return v;
    }
    return NULL;
}

bool recording_names_global(struct recording_names *n, uint64_t address, uint32_t *block, uint64_t *offset)
{
    const struct named_module *m = module_of(n, address);
    if (!m)
        return false;
    struct variable_symbol *v = variable_at(n, address);
    uint32_t *made = v ? &v->block : &n->modules[m - n->modules].block;
    const char *slash = strrchr(m->path, '/');
    if (*made == NOT_RECORDED)
        *made = recording_block(n->r, &(struct recorded_block){.kind = v ? BLOCK_GLOBAL : BLOCK_OTHER,
                                                               .name = v ? v->name : slash + 1,
                                                               .module = m->path,
                                                               .address = v ? v->address : m->low,
                                                               .size = v ? v->size : m->high - m->low,
                                                               .place = NOT_RECORDED,
                                                               .thread = NOT_RECORDED});
    *block = *made;
    *offset = address - n->r->blocks[*made].address;
    return true;
}

// ---- places ----

static uint32_t make_place(struct recording_names *n, uint64_t pc)
{
    struct symbols_place found[8];
    struct named_module *m = module_of(n, pc);
    struct recorded_place place = {.module = m ? m->path : NULL, .pc = m ? pc - m->base : pc};
    if (m && !m->symbols) {
        m->symbols = symbols_of_files();
        symbols_add(m->symbols, m->path, m->base);
    }
    if (m && symbols_places(m->symbols, pc, found, sizeof found / sizeof *found)) {
        place.function = found[0].function;
        place.file = found[0].file;
        place.line = (uint32_t)found[0].line;
    }
    return recording_place(n->r, &place);
}

uint32_t recording_names_place(struct recording_names *n, uint64_t pc)
{
    bool added;
    if (!pc)
        return NOT_RECORDED;
    uint32_t number = table_add(&n->places, &pc, sizeof pc, &added);
    if (added) {
        n->place = alloc_grow(n->place, number, &n->place_room, sizeof *n->place);
        n->place[number] = make_place(n, pc);
    }
    return n->place[number];
}
