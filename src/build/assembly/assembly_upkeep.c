#include "build/assembly/assembly_upkeep.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "base/text.h"
#include "build/assembly/assembly_effects.h"
#include "build/assembly/assembly_hooks.h"
#include "build/assembly/assembly_taint.h"

enum { OPERANDS = 3, NAME = 24 };
enum { RAX = 1 << MACHINE_RAX, RSI = 1 << MACHINE_RSI, RDI = 1 << MACHINE_RDI };

struct operand {
    const char *text;
    size_t length;
};

struct parts {
    char name[NAME];
    struct operand operand[OPERANDS];
    uint32_t count;
};

static bool take_apart(const char *text, struct parts *p)
{
    size_t length = strcspn(text, " \t"), size;
    const char *operands = text + length + strspn(text + length, " \t"), *at;
    *p = (struct parts){0};
    if (length >= NAME)
        return false;
    memcpy(p->name, text, length);
    for (; (at = machine_operand(operands, p->count, &size)); p->count++) {
        if (p->count == OPERANDS)
            return false;
        p->operand[p->count] = (struct operand){at, size};
    }
    return true;
}

// ---- which bytes of which variable ----

static bool is_name_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '$';
}

// `8+me(%rip)` of gcc, `me+8(%rip)` of clang.
static bool read_place(const struct operand *o, struct variable_access *a)
{
    const char *at = o->text, *end = o->text + o->length;
    char *behind;
    a->offset = 0;
    if (*at == '-' || isdigit((unsigned char)*at)) {
        a->offset = strtoll(at, &behind, 10);
        if (*behind != '+')
            return false;
        at = behind + 1;
    }
    a->name = at;
    while (at < end && is_name_character(*at))
        at++;
    a->length = (size_t)(at - a->name);
    if (!a->length || isdigit((unsigned char)*a->name))
        return false;
    if (*at == '+' || *at == '-') {
        a->offset += strtoll(at, &behind, 10);
        at = behind;
    }
    return end - at == (ptrdiff_t)strlen("(%rip)") && text_begins(at, "(%rip)");
}

static uint32_t size_of_letter(char letter)
{
    return letter == 'b' ? 1 : letter == 'w' ? 2 : letter == 'l' ? 4 : letter == 'q' ? 8 : 0;
}

// The size of a mnemonic with a letter for it behind its stem; 0 if it is another one.
static uint32_t size_of(const char *name, const char *stem)
{
    size_t length = strlen(stem);
    return !strncmp(name, stem, length) && name[length] && !name[length + 1] ? size_of_letter(name[length]) : 0;
}

static uint32_t size_of_any(const char *name, const char *const *stems)
{
    uint32_t size = 0;
    for (; *stems && !size; stems++)
        size = size_of(name, *stems);
    return size;
}

// `movzbl` and the like: how much is read.
static uint32_t size_of_extension(const char *name)
{
    bool extends = text_begins(name, "movz") || text_begins(name, "movs");
    return extends && strlen(name) == 6 && size_of_letter(name[5]) ? size_of_letter(name[4]) : 0;
}

static const struct {
    const char *name;
    uint32_t size;
} vector_moves[] = {{"movss", 4},   {"movsd", 8},   {"movd", 4},    {"movaps", 16}, {"movups", 16}, {"movapd", 16},
                    {"movupd", 16}, {"movdqa", 16}, {"movdqu", 16}, {"movlps", 8},  {"movhps", 8}},
  vector_sums[] = {{"addss", 4},     {"addsd", 8},     {"subss", 4},     {"subsd", 8},     {"mulss", 4},
                   {"mulsd", 8},     {"paddd", 16},    {"paddq", 16},    {"psubd", 16},    {"psubq", 16},
                   {"cvtsi2sdl", 4}, {"cvtsi2sdq", 8}, {"cvtsi2ssl", 4}, {"cvtsi2ssq", 8}, {"cvtss2sd", 4},
                   {"cvtsd2ss", 8},  {"pxor", 16},     {"por", 16},      {"pand", 16}};

static uint32_t size_of_vector_move(const char *name)
{
    for (size_t i = 0; i < sizeof vector_moves / sizeof *vector_moves; i++)
        if (!strcmp(name, vector_moves[i].name))
            return vector_moves[i].size;
    return 0;
}

static uint32_t size_of_vector_sum(const char *name)
{
    for (size_t i = 0; i < sizeof vector_sums / sizeof *vector_sums; i++)
        if (!strcmp(name, vector_sums[i].name))
            return vector_sums[i].size;
    return 0;
}

static const char *const sums[] = {"add", "sub", "and", "or", "xor", NULL};
static const char *const singles[] = {"inc", "dec", "neg", "not", NULL};
static const char *const shifts[] = {"shl", "sal", "shr", "sar", NULL};
static const char *const looks[] = {"cmp", "test", NULL};

static bool is_register(const struct operand *o)
{
    return *o->text == '%' && !memchr(o->text, ':', o->length);
}

static void classify(const struct parts *p, uint32_t which, struct variable_access *a)
{
    const bool last = which + 1 == p->count, first = !which;
    const uint32_t n = p->count;
    const bool into_register = n > 1 && !last && is_register(&p->operand[n - 1]);
    uint32_t move = size_of(p->name, "mov") ? size_of(p->name, "mov") : size_of_vector_move(p->name);
    uint32_t sum = size_of_any(p->name, sums);
    uint32_t size;
    a->kind = ACCESS_OTHER;
    if (n == 2 && move) {
        a->kind = last ? ACCESS_STORE : into_register ? ACCESS_LOAD : ACCESS_OTHER;
        a->size = move;
    } else if (n == 2 && sum) {
        a->kind = last ? ACCESS_UPDATE : into_register ? ACCESS_LOAD : ACCESS_OTHER;
        a->size = sum;
    } else if ((n == 2 && first && into_register &&
                ((size = size_of_extension(p->name)) || (size = size_of_vector_sum(p->name)))) ||
               (n > 1 && into_register && (size = size_of(p->name, "imul")))) {
        a->kind = ACCESS_LOAD;
        a->size = size;
    } else if ((n == 1 && (size = size_of_any(p->name, singles))) ||
               (n <= 2 && last && (size = size_of_any(p->name, shifts)))) {
        a->kind = ACCESS_UPDATE;
        a->size = size;
    } else if (n == 1 && text_begins(p->name, "set")) {
        a->kind = ACCESS_STORE;
        a->size = 1;
    } else if (n == 2 && (size = size_of_any(p->name, looks))) {
        a->kind = ACCESS_READ;
        a->size = size;
    } else if (n == 2 && first && into_register && !strcmp(p->name, "leaq")) {
        a->kind = ACCESS_ADDRESS;
        a->size = 0;
    }
}

bool upkeep_read(const char *text, struct variable_access *a)
{
    struct parts p;
    if (!take_apart(text, &p))
        return false;
    for (uint32_t i = 0; i < p.count; i++) {
        if (!read_place(&p.operand[i], a))
            continue;
        classify(&p, i, a);
        return true;
    }
    return false;
}

// ---- where the value goes ----

// Registers and flags that may hold something of the value, and registers that may hold an address in the variable.
struct holders {
    uint32_t value, address;
};

struct upkeep {
    const struct listing *listing;
    struct holders *held; // of each item, right before it
    size_t *waiting;      // items to be gone through again
    size_t count, room;
    size_t *touched;
    size_t touched_count, touched_room;
    struct variable_access access;
};

struct upkeep *upkeep_new(const struct listing *listing)
{
    struct upkeep *u = alloc_zeroed(1, sizeof *u);
    u->listing = listing;
    u->held = alloc_zeroed(listing->items + 1, sizeof *u->held);
    return u;
}

void upkeep_free(struct upkeep *u)
{
    free(u->held);
    free(u->waiting);
    free(u->touched);
    free(u);
}

// Control goes on there. False at the end of a function, where nobody knows what comes.
static bool go_on_at(struct upkeep *u, size_t item, struct holders held)
{
    if (!held.value && !held.address)
        return true;
    while (item < u->listing->items &&
           (u->listing->item[item].kind == ITEM_LABEL || u->listing->item[item].kind == ITEM_DIRECTIVE))
        item++;
    if (item == u->listing->items || u->listing->item[item].kind == ITEM_FUNCTION)
        return false;
    struct holders *at = &u->held[item];
    if (!(held.value & ~at->value) && !(held.address & ~at->address))
        return true;
    if (!at->value && !at->address) {
        u->touched = alloc_grow(u->touched, u->touched_count, &u->touched_room, sizeof *u->touched);
        u->touched[u->touched_count++] = item;
    }
    at->value |= held.value;
    at->address |= held.address;
    u->waiting = alloc_grow(u->waiting, u->count, &u->room, sizeof *u->waiting);
    u->waiting[u->count++] = item;
    return true;
}

static bool go_on_at_label(struct upkeep *u, const char *name, struct holders held)
{
    const struct listing_label *label = listing_find_label(u->listing, name);
    return label && go_on_at(u, label->item, held);
}

// The same bytes are overwritten with something of the value; of an array, any of it.
static bool is_stored_again(const struct upkeep *u, const char *text)
{
    struct variable_access a;
    bool same = upkeep_read(text, &a) && (a.kind == ACCESS_STORE || a.kind == ACCESS_UPDATE) &&
                a.length == u->access.length && !memcmp(a.name, u->access.name, a.length);
    return same && (u->access.kind == ACCESS_ADDRESS || (a.offset == u->access.offset && a.size == u->access.size));
}

static bool is_known_vector(const char *name)
{
    return size_of_vector_move(name) || size_of_vector_sum(name);
}

// Computes in registers, and writes its last operand.
static bool computes(const char *name)
{
    static const char *const more[] = {"mov", "movabs", "lea", "imul", NULL};
    static const char *const extends[] = {"cltq", "cwtl", NULL};
    return size_of_any(name, sums) || size_of_any(name, singles) || size_of_any(name, shifts) ||
           size_of_any(name, more) || size_of_extension(name) || is_known_vector(name) || text_is_one_of(name, extends);
}

static uint32_t flags_of(const char *name)
{
    bool sets = size_of_any(name, sums) || size_of(name, "inc") || size_of(name, "dec") || size_of(name, "neg") ||
                size_of_any(name, shifts) || size_of(name, "imul");
    return sets ? LIVE_FLAGS : 0;
}

// Whether an operand in memory lies where the value says.
static bool is_address(const struct parts *p, uint32_t held)
{
    for (uint32_t i = 0; i < p->count && !text_begins(p->name, "lea"); i++)
        if (memchr(p->operand[i].text, '(', p->operand[i].length) &&
            effects_registers(p->operand[i].text, p->operand[i].length) & held)
            return true;
    return false;
}

// Something of the value is an operand. False if it is not known to stay in registers or to be stored where it was.
static bool pass_value(const struct upkeep *u, const char *text, uint32_t *held)
{
    struct parts p;
    if (!take_apart(text, &p) || is_address(&p, *held))
        return false;
    if (is_stored_again(u, text)) {
        *held |= flags_of(p.name);
        return true;
    }
    if (!computes(p.name))
        return false;
    if (!p.count) { // extends rax
        *held |= RAX;
        return true;
    }
    const struct operand *last = &p.operand[p.count - 1];
    if (!is_register(last) || (text_begins(p.name, "imul") && p.count < 2))
        return false;
    *held |= effects_registers(last->text, last->length) | flags_of(p.name);
    return true;
}

// ---- addresses ----

static uint32_t registers_of(const struct operand *o)
{
    return effects_registers(o->text, o->length);
}

// The number of the operand in memory that lies in the variable; `count` if there is none.
static uint32_t find_element(const struct parts *p, uint32_t address)
{
    uint32_t i = 0;
    while (i < p->count &&
           !(memchr(p->operand[i].text, '(', p->operand[i].length) && registers_of(&p->operand[i]) & address))
        i++;
    return i;
}

// An access to the variable by its address. False if it is not understood, or if the address goes elsewhere.
static bool pass_element(const struct parts *p, uint32_t which, const struct effects *e, struct holders *held)
{
    struct variable_access a = {.kind = ACCESS_OTHER};
    uint32_t in_address = registers_of(&p->operand[which]), both = in_address & held->address;
    if (in_address & held->value || both & (both - 1))
        return false;
    for (uint32_t i = 0; i < p->count; i++)
        if (i != which && i + 1 < p->count && registers_of(&p->operand[i]) & held->address)
            return false;
    classify(p, which, &a);
    if (a.kind == ACCESS_STORE || a.kind == ACCESS_UPDATE) {
        held->value |= a.kind == ACCESS_UPDATE ? flags_of(p->name) : 0;
        return true;
    }
    uint32_t to = registers_of(&p->operand[p->count - 1]);
    if (a.kind != ACCESS_LOAD || to & held->address & ~e->kills)
        return false;
    held->address &= ~to;
    held->value |= to | flags_of(p->name);
    return true;
}

// Another address in the variable is computed, or two are compared.
static bool pass_address(const struct parts *p, struct holders *held)
{
    static const char *const shifts_of_address[] = {"add", "mov", "lea", NULL};
    uint32_t all = 0;
    for (uint32_t i = 0; i < p->count; i++) {
        if (memchr(p->operand[i].text, '(', p->operand[i].length) && !text_begins(p->name, "lea"))
            return false;
        all |= registers_of(&p->operand[i]);
    }
    if (all & held->value || p->count != 2)
        return false;
    if (size_of(p->name, "cmp") == 8)
        return true;
    if (size_of_any(p->name, shifts_of_address) != 8 || !is_register(&p->operand[1]))
        return false;
    held->address |= registers_of(&p->operand[1]);
    return true;
}

// Something of an address in the variable is an operand.
static bool pass_place(const char *text, const struct effects *e, struct holders *held)
{
    struct parts p;
    if (!take_apart(text, &p))
        return false;
    uint32_t which = text_begins(p.name, "lea") ? p.count : find_element(&p, held->address);
    return which < p.count ? pass_element(&p, which, e, held) : pass_address(&p, held);
}

// ---- instructions ----

// What a call may read. `al` tells a function with any number of arguments how many vectors there are, which no variable decides.
static uint32_t read_by_call(const char *name, const char *operands, const struct effects *e)
{
    if (text_begins(name, "__asan_"))
        return RDI | RSI;
    return effects_registers(operands, strlen(operands)) & RAX ? e->uses : e->uses & ~(uint32_t)RAX;
}

static bool pass_call(struct upkeep *u, size_t item, const char *operands, const struct effects *e)
{
    char name[256];
    struct holders held = u->held[item];
    call_name(operands, name, sizeof name);
    uint32_t reads = read_by_call(name, operands, e), looks_at = text_begins(name, "__asan_") ? RDI : 0;
    if (reads & (held.value | (held.address & ~looks_at)))
        return false;
    if (strpbrk(operands,
                "@*")) { // a caller may know of a function of its own unit what it leaves alone (gcc -fipa-ra)
        held.value &= ~e->kills;
        held.address &= ~e->kills;
    }
    return taint_gives_up(name) || go_on_at(u, item + 1, held);
}

// Whether it is certain which registers it reads.
static bool is_understood(const char *text, const struct effects *e)
{
    char name[NAME];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, " \t"), text);
    return !strchr(text, '*') && (e->known || is_known_vector(name) || !strcmp(name, "ret") || !strcmp(name, "ud2"));
}

static bool pass(struct upkeep *u, size_t item)
{
    const struct listing_item *at = &u->listing->item[item];
    struct holders held = u->held[item];
    struct effects e;
    if (at->kind == ITEM_ASSEMBLY)
        return false;
    const char *text = effects_instruction(at->text), *operands = text + strcspn(text, " \t");
    effects_read(&e, text);
    if (e.call)
        return pass_call(u, item, operands + strspn(operands, " \t"), &e);
    if (!is_understood(text, &e))
        return false;
    bool prefixed = text != at->text; // of these nothing is understood
    if (e.uses & held.address) {
        if (prefixed || !pass_place(text, &e, &held))
            return false;
    } else if (e.uses & held.value) {
        if (prefixed || !pass_value(u, text, &held.value))
            return false;
        held.address &= ~e.kills;
    } else {
        held.value &= ~e.kills;
        held.address &= ~e.kills;
    }
    return (!e.falls || go_on_at(u, item + 1, held)) && (!e.target[0] || go_on_at_label(u, e.target, held));
}

// What the access itself leaves in registers.
static struct holders first_held(const char *text, bool address)
{
    struct parts p;
    require(take_apart(text, &p) && p.count); // or it would be no access that is known
    const struct operand *last = &p.operand[p.count - 1];
    uint32_t to = is_register(last) ? registers_of(last) : 0;
    if (address)
        return (struct holders){.address = to};
    return (struct holders){.value = to | flags_of(p.name)};
}

bool upkeep_ends_there(struct upkeep *u, size_t item, const struct variable_access *access)
{
    const char *text = effects_instruction(u->listing->item[item].text);
    u->access = *access;
    u->count = 0;
    bool good = go_on_at(u, item + 1, first_held(text, access->kind == ACCESS_ADDRESS));
    while (good && u->count)
        good = pass(u, u->waiting[--u->count]);
    for (size_t i = 0; i < u->touched_count; i++)
        u->held[u->touched[i]] = (struct holders){0};
    u->touched_count = 0;
    return good;
}
