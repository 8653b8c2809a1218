#include "report/symbols.h"

#include <dwarf.h>
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/table.h"
#include "report/cxx_names.h"
#include "report/function_index.h"
#include "report/locals.h"
#include "report/variables.h"

struct module {
    Dwfl_Module *dwfl;
    bool read; // its variables are in
    struct variables variables;
};

// The symbol at an address or in front of it. elfutils goes through all symbols for each question.
struct near_symbol {
    const char *name; // null: there is none
    GElf_Off offset;
    GElf_Sym symbol;
};

// The unit whose code an address is in. elfutils goes through all pieces of a unit for each question, and units of C++ have thousands.
struct known_unit {
    Dwarf_Die *unit; // null: there is none
    Dwarf_Addr bias;
};

// All places of a return address, the innermost first.
struct known_places {
    struct symbols_place *places;
    size_t count;
};

struct symbols {
    Dwfl *dwfl;
    bool complete; // no module can be added any more
    struct module *modules;
    size_t modules_count, modules_room;
    struct table files; // shortened paths given out
    char here[PATH_MAX];
    struct function_index functions;
    // Runs repeat their call stacks: what was asked before is known.
    struct table near_addresses, return_addresses, unit_addresses;
    struct near_symbol *near;
    struct known_places *known;
    struct known_unit *units;
    size_t near_room, known_room, units_room;
};

static const Dwfl_Callbacks callbacks = {
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static int find_no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                             const char *link, GElf_Word checksum, char **found)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)checksum, (void)found;
    return -1;
}

static const Dwfl_Callbacks callbacks_of_files = {
    .find_debuginfo = find_no_debuginfo,
    .section_address = dwfl_offline_section_address,
};

static struct symbols *symbols_by(const Dwfl_Callbacks *how)
{
    struct symbols *s = alloc_zeroed(1, sizeof *s);
    s->dwfl = dwfl_begin(how);
    require(s->dwfl);
    dwfl_report_begin(s->dwfl);
    if (!getcwd(s->here, sizeof s->here))
        s->here[0] = 0;
    return s;
}

struct symbols *symbols_new(void)
{
    return symbols_by(&callbacks);
}

struct symbols *symbols_of_files(void)
{
    return symbols_by(&callbacks_of_files);
}

void symbols_free(struct symbols *s)
{
    if (!s)
        return;
    for (size_t i = 0; i < s->modules_count; i++)
        variables_free(&s->modules[i].variables);
    free(s->modules);
    table_free(&s->files);
    dwfl_end(s->dwfl);
    function_index_free(&s->functions);
    for (uint32_t i = 0; i < s->return_addresses.count; i++)
        free(s->known[i].places);
    free(s->known);
    free(s->near);
    table_free(&s->return_addresses);
    table_free(&s->near_addresses);
    free(s->units);
    table_free(&s->unit_addresses);
    free(s);
}

bool symbols_add(struct symbols *s, const char *path, uint64_t base)
{
    require(!s->complete);
    if (access(path, R_OK)) // elfutils keeps a failed module in a half-made state
        return false;
    return dwfl_report_elf(s->dwfl, path, path, -1, base, true) != NULL;
}

static struct module *find_module(struct symbols *s, uint64_t address)
{
    if (!s->complete) {
        dwfl_report_end(s->dwfl, NULL, NULL);
        s->complete = true;
    }
    Dwfl_Module *dwfl = dwfl_addrmodule(s->dwfl, address);
    if (!dwfl)
        return NULL;
    for (size_t i = 0; i < s->modules_count; i++)
        if (s->modules[i].dwfl == dwfl)
            return &s->modules[i];
    s->modules = alloc_grow(s->modules, s->modules_count, &s->modules_room, sizeof *s->modules);
    s->modules[s->modules_count].dwfl = dwfl;
    return &s->modules[s->modules_count++];
}

static const char *keep(struct symbols *s, const char *path)
{
    return table_text(&s->files, table_add_text(&s->files, path, NULL));
}

// What follows the directory in the path, or null if it is not below it.
static const char *below(const char *path, const char *directory)
{
    size_t length = directory ? strlen(directory) : 0;
    while (length > 1 && directory[length - 1] == '/')
        length--;
    if (length < 2 || strncmp(path, directory, length) || path[length] != '/')
        return NULL;
    return path + length + 1;
}

static const char *shorten(struct symbols *s, const char *path, Dwarf_Die *unit)
{
    if (!path)
        return NULL;
    Dwarf_Attribute attribute;
    const char *compiled_in = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
    const char *rest = below(path, s->here);
    if (!rest)
        rest = below(path, compiled_in);
    if (!rest)
        rest = path;
    while (rest[0] == '.' && rest[1] == '/')
        rest += 2;
    return keep(s, rest);
}

static int number_of(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word word;
    return dwarf_formudata(dwarf_attr(die, name, &attribute), &word) ? 0 : (int)word;
}

static const char *call_file(struct symbols *s, Dwarf_Die *inlined, Dwarf_Die *unit)
{
    Dwarf_Files *files;
    size_t count;
    int index = number_of(inlined, DW_AT_call_file);
    if (dwarf_getsrcfiles(unit, &files, &count) || (size_t)index >= count)
        return NULL;
    return shorten(s, dwarf_filesrc(files, (size_t)index, NULL, NULL), unit);
}

// Walks from the innermost scope outwards: each inlined function ends one place and its call begins the next.
static size_t scope_places(struct symbols *s, Dwarf_Die *unit, Dwarf_Addr pc, struct symbols_place *places, size_t room)
{
    enum { DEEPEST = 64 };
    Dwarf_Die scopes[DEEPEST];
    size_t count = function_index_find(&s->functions, unit, pc, scopes, DEEPEST), used = 0;
    for (size_t i = 0; i < count; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
            continue;
        Dwarf_Addr low, high;
        if (tag == DW_TAG_subprogram && !dwarf_lowpc(&scopes[i], &low) && !dwarf_highpc(&scopes[i], &high) &&
            high > low)
            places[used].size = (uint32_t)(high - low);
        dwarf_decl_line(&scopes[i], &places[used].begins);
        places[used++].function = dwarf_diename(&scopes[i]);
        if (tag == DW_TAG_subprogram || used == room)
            break;
        places[used].file = call_file(s, &scopes[i], unit);
        places[used].line = number_of(&scopes[i], DW_AT_call_line);
    }
    return used;
}

// elfutils looks in .debug_aranges, which clang does not write. In a program of both compilers it takes code of clang for that
// of the unit in front of it.
static const char *path_of(const struct module *module)
{
    return dwfl_module_info(module->dwfl, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
}

static bool is_heddles(const struct module *module)
{
    const char *path = path_of(module), *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path;
    return name && !strncmp(name, "libheddle", strlen("libheddle"));
}

static Dwarf_Die *look_for_unit(struct module *module, uint64_t pc, Dwarf_Addr *bias)
{
    Dwarf_Die *likely = dwfl_module_addrdie(module->dwfl, pc, bias), *unit = NULL;
    if (likely && dwarf_haspc(likely, pc - *bias) == 1)
        return likely;
    while ((unit = dwfl_module_nextcu(module->dwfl, unit, bias)))
        if (dwarf_haspc(unit, pc - *bias) == 1)
            return unit;
    return likely;
}

static Dwarf_Die *find_unit(struct symbols *s, struct module *module, uint64_t pc, Dwarf_Addr *bias)
{
    bool fresh;
    uint32_t number = table_add(&s->unit_addresses, &pc, sizeof pc, &fresh);
    if (fresh) {
        s->units = alloc_grow(s->units, number, &s->units_room, sizeof *s->units);
        s->units[number].bias = 0;
        s->units[number].unit = look_for_unit(module, pc, &s->units[number].bias);
    }
    *bias = s->units[number].bias;
    return s->units[number].unit;
}

static const char *readable(struct symbols *s, const char *name)
{
    struct buffer text = {0};
    if (!name)
        return NULL;
    demangle(name, &text);
    const char *kept = keep(s, buffer_text(&text));
    buffer_free(&text);
    return kept;
}

static const struct near_symbol *find_near(struct symbols *s, struct module *module, uint64_t address)
{
    bool fresh;
    uint32_t number = table_add(&s->near_addresses, &address, sizeof address, &fresh);
    if (fresh) {
        s->near = alloc_grow(s->near, number, &s->near_room, sizeof *s->near);
        struct near_symbol *near = &s->near[number];
        near->name = dwfl_module_addrinfo(module->dwfl, address, &near->offset, &near->symbol, NULL, NULL, NULL);
    }
    return &s->near[number];
}

static bool is_library(const struct module *module)
{
    const char *path = path_of(module);
    return path && strstr(path, ".so") && (!strncmp(path, "/lib", 4) || !strncmp(path, "/usr/lib", 8));
}

static size_t all_places(struct symbols *s, uint64_t return_address, struct symbols_place *places, size_t room)
{
    if (return_address == 0)
        return 0;
    uint64_t pc = return_address - 1;
    memset(places, 0, room * sizeof *places);
    struct module *module = find_module(s, pc);
    if (!module)
        return 0;
    Dwarf_Addr bias;
    Dwarf_Die *unit = find_unit(s, module, pc, &bias);
    size_t count = 0;
    if (unit) {
        Dwarf_Line *line = dwarf_getsrc_die(unit, pc - bias);
        if (line) {
            places[0].file = shorten(s, dwarf_linesrc(line, NULL, NULL), unit);
            dwarf_lineno(line, &places[0].line);
        }
        count = scope_places(s, unit, pc - bias, places, room);
    }
    if (count == 0) {
        places[0].library = is_library(module);
        places[0].function = readable(s, find_near(s, module, pc)->name);
        count = places[0].function || places[0].file;
    }
    return count;
}

static bool symbol_name(struct symbols *s, struct module *module, uint64_t address, struct buffer *name)
{
    const struct near_symbol *near = find_near(s, module, address);
    if (!near->name || (near->symbol.st_size && near->offset >= near->symbol.st_size) ||
        GELF_ST_TYPE(near->symbol.st_info) == STT_FUNC)
        return false;
    demangle(near->name, name);
    if (near->offset)
        buffer_add(name, "+%llu", (unsigned long long)near->offset);
    return true;
}

// Says whether the part's type was found.
static bool add_part(struct variable *v, uint64_t address, uint64_t size, struct buffer *name, Dwarf_Die *type)
{
    if (v->function)
        buffer_add(name, "%s::", v->function);
    buffer_add(name, "%s", v->name);
    uint64_t left = types_path(&v->type, address - v->start, size, name, type);
    if (left)
        buffer_add(name, "+%llu", (unsigned long long)left);
    return left == 0;
}

bool symbols_data(struct symbols *s, uint64_t address, uint64_t size, struct buffer *name, Dwarf_Die *type, bool *typed)
{
    *typed = false;
    struct module *module = find_module(s, address);
    if (!module)
        return false;
    if (!module->read) {
        Dwarf_Addr bias;
        // Nobody asks what heddle's own variables are called, and there are more of them than most programs have.
        Dwarf *dwarf = is_heddles(module) ? NULL : dwfl_module_getdwarf(module->dwfl, &bias);
        if (dwarf)
            variables_read(&module->variables, dwarf, bias);
        module->read = true;
    }
    struct variable *v = variables_find(&module->variables, address);
    if (!v)
        return symbol_name(s, module, address, name);
    *typed = add_part(v, address, size, name, type);
    return true;
}

bool symbols_local(struct symbols *s, const struct symbols_frame *frame, uint64_t address, uint64_t size,
                   struct buffer *name, Dwarf_Die *type, bool *typed)
{
    Dwarf_Addr bias;
    struct variable local;
    struct module *module = find_module(s, frame->pc - 1);
    Dwarf_Die *unit = module ? find_unit(s, module, frame->pc - 1, &bias) : NULL;
    *typed = false;
    if (!unit || !locals_find(&s->functions, module->dwfl, unit, bias, frame, address, &local))
        return false;
    *typed = add_part(&local, address, size, name, type);
    return true;
}

bool symbols_shared(struct symbols *s, uint64_t region, uint64_t shared, uint64_t address, uint64_t size,
                    struct buffer *name, Dwarf_Die *type, bool *typed)
{
    Dwarf_Addr bias;
    Dwarf_Die all;
    char *around;
    struct buffer member = {0};
    struct module *module = find_module(s, region);
    Dwarf_Die *unit = module ? find_unit(s, module, region, &bias) : NULL;
    *typed = false;
    if (!unit || !locals_shared(&s->functions, unit, region - bias, &all, &around))
        return false;
    bool inside = address - shared < types_size(&all);
    uint64_t left = inside ? types_path(&all, address - shared, size, &member, type) : 1;
    *typed = !left && member.length > 1 && member.text[0] == '.';
    if (*typed)
        buffer_add(name, "%s::%s", around, member.text + 1);
    buffer_free(&member);
    free(around);
    return *typed;
}

enum allocated symbols_allocated(struct symbols *s, uint64_t return_address, uint64_t size, Dwarf_Die *type)
{
    Dwarf_Addr bias;
    struct module *module = return_address ? find_module(s, return_address - 1) : NULL;
    Dwarf_Die *unit = module ? find_unit(s, module, return_address - 1, &bias) : NULL;
    return unit ? allocated_type(&s->functions, unit, return_address - 1 - bias, size, type) : ALLOCATED_UNKNOWN;
}

bool symbols_are_heddles(struct symbols *s, uint64_t address)
{
    struct module *module = find_module(s, address);
    return module && is_heddles(module);
}

bool symbols_function(struct symbols *s, uint64_t address, struct buffer *name)
{
    struct module *module = address ? find_module(s, address) : NULL;
    if (!module)
        return false;
    const struct near_symbol *near = find_near(s, module, address);
    if (!near->name || near->offset || GELF_ST_TYPE(near->symbol.st_info) != STT_FUNC)
        return false;
    demangle(near->name, name);
    return true;
}

// The functions of heddle's own header stand for the call that the user wrote.
static bool is_own_header(const struct symbols_place *place)
{
    static const char name[] = "heddle/heddle.h";
    size_t length = place->file ? strlen(place->file) : 0;
    return length >= sizeof name - 1 && !strcmp(place->file + length - (sizeof name - 1), name);
}

static struct known_places look_up_places(struct symbols *s, uint64_t return_address)
{
    enum { MOST = 32 };
    struct symbols_place all[MOST];
    struct known_places known = {0};
    size_t count = all_places(s, return_address, all, MOST), first = 0;
    while (first + 1 < count && is_own_header(&all[first]))
        first++;
    known.count = count - first;
    known.places = alloc_array(known.count + 1, sizeof *known.places);
    memcpy(known.places, all + first, known.count * sizeof *known.places);
    return known;
}

size_t symbols_places(struct symbols *s, uint64_t return_address, struct symbols_place *places, size_t room)
{
    bool fresh;
    uint32_t number = table_add(&s->return_addresses, &return_address, sizeof return_address, &fresh);
    if (fresh) {
        s->known = alloc_grow(s->known, number, &s->known_room, sizeof *s->known);
        s->known[number] = look_up_places(s, return_address);
    }
    const struct known_places *known = &s->known[number];
    size_t kept = known->count < room ? known->count : room;
    memcpy(places, known->places, kept * sizeof *places);
    return kept;
}

static void tell_lines(Dwarf_Die *unit, Dwarf_Addr bias, void (*tell)(void *, uint64_t, uint64_t), void *context)
{
    Dwarf_Lines *lines;
    size_t count;
    if (dwarf_getsrclines(unit, &lines, &count))
        return;
    for (size_t i = 0; i + 1 < count; i++) {
        Dwarf_Line *line = dwarf_onesrcline(lines, i), *next = dwarf_onesrcline(lines, i + 1);
        Dwarf_Addr start, end;
        bool last = true;
        dwarf_lineendsequence(line, &last);
        if (!last && !dwarf_lineaddr(line, &start) && !dwarf_lineaddr(next, &end) && start < end)
            tell(context, start + bias, end + bias);
    }
}

struct line_reader {
    void (*tell)(void *, uint64_t, uint64_t);
    void *context;
};

static int read_module(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr start, void *context)
{
    (void)user;
    (void)name;
    (void)start;
    const struct line_reader *reader = context;
    Dwarf_Die *unit = NULL;
    Dwarf_Addr bias;
    while ((unit = dwfl_module_nextcu(module, unit, &bias)))
        tell_lines(unit, bias, reader->tell, reader->context);
    return DWARF_CB_OK;
}

void symbols_lines(struct symbols *s, void (*tell)(void *context, uint64_t start, uint64_t end), void *context)
{
    struct line_reader reader = {tell, context};
    find_module(s, 0); // no module comes after this
    dwfl_getmodules(s->dwfl, read_module, &reader, 0);
}
