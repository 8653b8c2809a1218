#include "build/assembly/assembly_machine.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "build/assembly/assembly_effects.h"
#include "build/assembly/assembly_statement.h"

static struct symbolic fresh(struct machine *m)
{
    return symbolic_fresh(m->values, 0);
}

static uint32_t traits(const struct machine *m, struct symbolic value)
{
    return symbolic_traits(m->values, value);
}

// ---- states ----

void machine_reset(struct machine *m, uint32_t stack, uint32_t results)
{
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        m->reg[i] =
            symbolic_fresh(m->values, (stack >> i & 1 ? SYMBOLIC_STACK : 0) | (results >> i & 1 ? SYMBOLIC_RESULT : 0));
    memset(m->vector, SYMBOLIC_RESULT, 2);
    memset(m->vector + 2, 0, sizeof m->vector - 2);
    m->slots = m->next_slot = 0;
    m->returned = symbolic_number(0);
    machine_forget_covers(m);
}

bool machine_keep_common_slots(struct machine *m, const struct machine *other)
{
    uint32_t kept = 0, before = m->slots;
    for (uint32_t i = 0; i < before; i++)
        for (uint32_t k = 0; k < other->slots; k++) {
            const struct slot *a = &m->slot[i], *b = &other->slot[k];
            if (symbolic_same(a->place, b->place) && a->size == b->size && symbolic_same(a->content, b->content)) {
                m->slot[kept++] = *a;
                break;
            }
        }
    m->slots = kept;
    return kept < before;
}

void machine_start(struct machine *m)
{
    machine_reset(m, 1u << MACHINE_RSP, 0);
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (i != MACHINE_RSP)
            m->reg[i] = symbolic_fresh(m->values, SYMBOLIC_GIVEN);
    memset(m->vector, SYMBOLIC_GIVEN, 8);
}

void machine_forget_covers(struct machine *m)
{
    m->covers = m->next_cover = 0;
}

void machine_add_cover(struct machine *m, struct symbolic place, uint64_t size, bool write)
{
    uint32_t at = m->covers < MACHINE_COVERS ? m->covers++ : m->next_cover++ % MACHINE_COVERS;
    m->cover[at] = (struct cover){place, size, write, m->item};
}

static bool covers_byte(const struct machine *m, struct symbolic place, bool write)
{
    for (uint32_t i = 0; i < m->covers; i++) {
        const struct cover *c = &m->cover[i];
        if (c->place.base == place.base && place.offset >= c->place.offset &&
            (uint64_t)(place.offset - c->place.offset) < c->size && (c->write || !write))
            return true;
    }
    return false;
}

bool machine_has_cover(const struct machine *m, struct symbolic place, uint64_t size, bool write)
{
    for (uint64_t i = 0; i < size; i++)
        if (!covers_byte(m, (struct symbolic){place.base, place.offset + (int64_t)i}, write))
            return false;
    return true;
}

uint32_t machine_hooks(const struct machine *m, struct symbolic place, uint64_t size, bool write, size_t *hooks,
                       uint32_t room)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < m->covers; i++) {
        const struct cover *c = &m->cover[i];
        bool apart = c->place.base != place.base || place.offset >= c->place.offset + (int64_t)c->size ||
                     c->place.offset >= place.offset + (int64_t)size;
        if (apart || (write && !c->write))
            continue;
        if (found < room)
            hooks[found] = c->hook;
        found++;
    }
    return found;
}

// ---- operands ----

const char *machine_operand(const char *operands, uint32_t number, size_t *length)
{
    int depth = 0;
    const char *start = operands;
    for (const char *at = operands;; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at && !(*at == ',' && !depth))
            continue;
        if (!number--) {
            start += strspn(start, " \t");
            *length = at > start ? (size_t)(at - start) : 0;
            while (*length && isspace((unsigned char)start[*length - 1]))
                --*length;
            return *length ? start : NULL;
        }
        if (!*at)
            return NULL;
        start = at + 1;
    }
}

// A register by its name with the %.
static bool read_register(const char *text, size_t length, uint32_t *number, uint32_t *size)
{
    bool high = false;
    return length > 1 && text[0] == '%' && register_read(text + 1, (uint32_t)length - 1, number, size, &high) && !high;
}

static struct symbolic symbol_value(struct machine *m, const char *name, size_t length)
{
    char small[256];
    const char *at = memchr(name, '@', length);
    if (!at || length >= sizeof small)
        return symbolic_symbol(m->values, name, length);
    snprintf(small, sizeof small, "%.*s", (int)length, name);
    for (char *c = small + (at - name); *c; c++)
        *c = (char)tolower((unsigned char)*c);
    char *kind = strchr(small, '@');
    if (text_begins(kind, "@plt") || text_begins(kind, "@gotpcrel"))
        *kind = 0;
    return symbolic_symbol(m->values, small, strlen(small));
}

// A sum of symbols and numbers. False if it is anything else.
static bool read_expression(struct machine *m, const char *text, size_t length, struct symbolic *value, char *symbol,
                            size_t room)
{
    const char *end = text + length;
    *value = symbolic_number(0);
    while (text < end) {
        bool minus = *text == '-';
        text += *text == '+' || minus;
        size_t part = 0;
        while (text + part < end && text[part] != '+' && text[part] != '-')
            part++;
        if (!part || memchr(text, '(', part) || memchr(text, '*', part))
            return false;
        char *rest;
        uint64_t number = strtoull(text, &rest, 0);
        if (isdigit((unsigned char)*text) && rest == text + part) {
            *value = symbolic_add(m->values, *value, symbolic_number((int64_t)(minus ? -number : number)));
        } else if (minus || isdigit((unsigned char)*text)) {
            return false;
        } else {
            *value = symbolic_add(m->values, *value, symbol_value(m, text, part));
            snprintf(symbol, room, "%.*s", (int)part, text);
        }
        text += part;
    }
    return true;
}

// What stands in parentheses: base, index, scale.
static bool add_registers(struct machine *m, const char *inner, struct operand_place *p)
{
    size_t length;
    uint32_t number, size;
    const char *scale = machine_operand(inner, 2, &length);
    int64_t factor = scale ? strtol(scale, NULL, 0) : 1;
    for (uint32_t i = 0; i < 2; i++) {
        const char *part = machine_operand(inner, i, &length);
        if (!part || text_begins(part, "%rip"))
            continue;
        if (!read_register(part, length, &number, &size) || number >= MACHINE_GENERAL || size != 8)
            return false;
        p->own_frame |= !i && (number == MACHINE_RSP || number == MACHINE_RBP);
        p->address = symbolic_add(m->values, p->address, symbolic_scale(m->values, m->reg[number], i ? factor : 1));
    }
    return true;
}

void machine_place(struct machine *m, const char *text, size_t length, struct operand_place *p)
{
    char inner[128];
    *p = (struct operand_place){0};
    if (length && *text == '*') // an indirect jump's
        text++, length--;
    if (length > 4 && text[0] == '%' && text[3] == ':') {
        p->thread_local_memory = text[1] == 'f';
        text += 4;
        length -= 4;
    }
    const char *open = memchr(text, '(', length);
    size_t before = open ? (size_t)(open - text) : length;
    size_t inside = open ? length - before - 1 : 0;
    p->known = inside < sizeof inner && read_expression(m, text, before, &p->address, p->symbol, sizeof p->symbol);
    if (p->known && open) {
        snprintf(inner, sizeof inner, "%.*s", (int)inside, open + 1);
        inner[strcspn(inner, ")")] = 0;
        p->known = add_registers(m, inner, p);
    }
    if (!p->known)
        p->address = fresh(m);
    else if (p->thread_local_memory)
        p->address = symbolic_add(m->values, p->address, symbolic_symbol(m->values, "%fs", 3));
    p->own_frame &= traits(m, p->address) & SYMBOLIC_STACK;
}

// ---- the frame's slots ----

static bool overlap(const struct slot *s, struct symbolic place, uint32_t size)
{
    return s->place.base == place.base && s->place.offset < place.offset + (int64_t)size &&
           place.offset < s->place.offset + (int64_t)s->size;
}

static void drop_slots(struct machine *m, bool (*keep)(const struct machine *m, const struct slot *slot))
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->slots; i++)
        if (keep && keep(m, &m->slot[i]))
            m->slot[kept++] = m->slot[i];
    m->slots = kept;
}

static bool is_private(const struct machine *m, const struct slot *slot)
{
    return slot->place.offset + (int64_t)slot->size <= m->lowest_taken;
}

static void put_slot(struct machine *m, struct symbolic place, uint32_t size, struct symbolic content)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->slots; i++)
        if (!overlap(&m->slot[i], place, size))
            m->slot[kept++] = m->slot[i];
    m->slots = kept;
    uint32_t at = m->slots < MACHINE_SLOTS ? m->slots++ : m->next_slot++ % MACHINE_SLOTS;
    m->slot[at] = (struct slot){place, size, content};
}

static struct symbolic slot_content(struct machine *m, struct symbolic place, uint32_t size)
{
    for (uint32_t i = 0; i < m->slots; i++)
        if (symbolic_same(m->slot[i].place, place) && m->slot[i].size == size)
            return m->slot[i].content;
    bool returned =
        m->returned.base == place.base && m->returned.base != SYMBOLIC_NUMBER && place.offset >= m->returned.offset;
    struct symbolic content = symbolic_fresh(m->values, returned ? SYMBOLIC_RESULT : 0);
    if (size == 4)
        content = symbolic_zero_extended(m->values, content);
    put_slot(m, place, size, content);
    return content;
}

static bool is_slot(const struct machine *m, const struct operand_place *p)
{
    return p->known && !p->thread_local_memory && (traits(m, p->address) & SYMBOLIC_STACK) &&
           symbolic_is_simple(m->values, p->address);
}

static struct symbolic load(struct machine *m, const struct operand_place *p, uint32_t size)
{
    const char *kind = strchr(p->symbol, '@');
    if (kind && (text_begins(kind, "@GOTPCREL") || text_begins(kind, "@gotpcrel")))
        return p->address;
    if (kind && (text_begins(kind, "@gottpoff") || text_begins(kind, "@GOTTPOFF"))) {
        char name[300];
        snprintf(name, sizeof name, "%.*s@tpoff", (int)(kind - p->symbol), p->symbol);
        return symbolic_symbol(m->values, name, strlen(name));
    }
    if (p->thread_local_memory && symbolic_same(p->address, symbolic_symbol(m->values, "%fs", 3)))
        return p->address;
    return is_slot(m, p) ? slot_content(m, p->address, size) : fresh(m);
}

static void store(struct machine *m, const struct operand_place *p, uint32_t size, struct symbolic content)
{
    if (is_slot(m, p))
        put_slot(m, p->address, size, content);
    else
        drop_slots(m, traits(m, p->address) & SYMBOLIC_STACK ? NULL : is_private);
}

// ---- instructions ----

struct split_instruction {
    char name[32];
    const char *operands;
    const char *operand[4];
    size_t length[4];
    uint32_t count;
};

static struct split_instruction split(const char *text)
{
    struct split_instruction w = {.count = 0};
    text = effects_instruction(text);
    size_t length = strcspn(text, " \t");
    snprintf(w.name, sizeof w.name, "%.*s", (int)length, text);
    w.operands = text + length + strspn(text + length, " \t");
    for (; w.count < 4; w.count++)
        if (!(w.operand[w.count] = machine_operand(w.operands, w.count, &w.length[w.count])))
            break;
    return w;
}

static bool is_general(const struct split_instruction *w, uint32_t operand, uint32_t *number, uint32_t *size)
{
    return operand < w->count && read_register(w->operand[operand], w->length[operand], number, size) &&
           *number < MACHINE_GENERAL;
}

static bool is_memory(const struct split_instruction *w, uint32_t operand)
{
    const char *text = operand < w->count ? w->operand[operand] : "$";
    return *text != '$' && (*text != '%' || (w->length[operand] > 3 && text[3] == ':'));
}

// What an operand holds, read in `size` bytes.
static struct symbolic read_value(struct machine *m, const struct split_instruction *w, uint32_t operand, uint32_t size)
{
    uint32_t number, width;
    char symbol[256];
    struct symbolic value;
    struct operand_place p;
    const char *text = w->operand[operand];
    if (*text == '$')
        return read_expression(m, text + 1, w->length[operand] - 1, &value, symbol, sizeof symbol) ? value : fresh(m);
    if (is_general(w, operand, &number, &width))
        return width == 8 ? m->reg[number] : width == 4 ? symbolic_zero_extended(m->values, m->reg[number]) : fresh(m);
    if (!is_memory(w, operand))
        return fresh(m);
    machine_place(m, text, w->length[operand], &p);
    return load(m, &p, size);
}

// Leaves a value in the operand: a register, or a slot.
static void write_value(struct machine *m, const struct split_instruction *w, uint32_t operand, uint32_t size,
                        struct symbolic value)
{
    uint32_t number, width;
    struct operand_place p;
    if (is_general(w, operand, &number, &width)) {
        m->reg[number] = width == 8   ? value
                         : width == 4 ? symbolic_zero_extended(m->values, value)
                                      : symbolic_fresh(m->values, traits(m, m->reg[number]) & SYMBOLIC_RESULT);
    } else if (is_memory(w, operand)) {
        machine_place(m, w->operand[operand], w->length[operand], &p);
        store(m, &p, size, size >= 4 ? value : fresh(m));
    }
}

static uint32_t vector_number(const struct split_instruction *w, uint32_t operand)
{
    uint32_t number, size;
    if (operand < w->count && read_register(w->operand[operand], w->length[operand], &number, &size) &&
        number >= MACHINE_GENERAL && number - MACHINE_GENERAL < MACHINE_VECTORS)
        return number - MACHINE_GENERAL;
    return MACHINE_VECTORS;
}

// The size that mov, add and the like work on.
static uint32_t operation_size(const struct split_instruction *w, const char *stem)
{
    uint32_t number, size;
    char suffix = w->name[strlen(stem)];
    for (uint32_t i = 0; i < w->count; i++)
        if (is_general(w, i, &number, &size))
            return size;
    return suffix == 'b' ? 1 : suffix == 'w' ? 2 : suffix == 'l' ? 4 : 8;
}

static bool is(const struct split_instruction *w, const char *stem)
{
    size_t length = strlen(stem);
    const char *rest = w->name + length;
    return !strncmp(w->name, stem, length) && (!*rest || (strchr("bwlq", *rest) && !rest[1]));
}

static uint32_t source_traits(const struct machine *m, const char *text, size_t length)
{
    uint32_t number, size;
    if (!read_register(text, length, &number, &size))
        return 0;
    if (number < MACHINE_GENERAL)
        return traits(m, m->reg[number]);
    return number - MACHINE_GENERAL < MACHINE_VECTORS ? m->vector[number - MACHINE_GENERAL] : 0;
}

uint32_t machine_source_traits(const struct machine *m, const char *operands)
{
    size_t length;
    const char *first = machine_operand(operands, 0, &length);
    return first ? source_traits(m, first, length) : 0;
}

// Traits that a vector register gets from what is moved or computed into it.
static uint8_t moved_traits(struct machine *m, const struct split_instruction *w)
{
    uint32_t found = 0;
    struct operand_place p;
    for (uint32_t i = 0; i + 1 < w->count; i++) {
        if (is_memory(w, i)) {
            machine_place(m, w->operand[i], w->length[i], &p);
            bool returned = m->returned.base == p.address.base && m->returned.base != SYMBOLIC_NUMBER;
            found |= returned ? SYMBOLIC_RESULT : 0;
        } else {
            found |= source_traits(m, w->operand[i], w->length[i]);
        }
    }
    return (uint8_t)(found & (SYMBOLIC_RESULT | SYMBOLIC_GIVEN));
}

static void step_move(struct machine *m, const struct split_instruction *w)
{
    uint32_t size = operation_size(w, text_begins(w->name, "movabs") ? "movabs" : "mov");
    uint32_t vector = vector_number(w, w->count - 1);
    if (vector < MACHINE_VECTORS) { // movq between a general and a vector register
        m->vector[vector] = moved_traits(m, w);
        return;
    }
    struct symbolic value = vector_number(w, 0) < MACHINE_VECTORS ? symbolic_fresh(m->values, moved_traits(m, w))
                                                                  : read_value(m, w, 0, size);
    write_value(m, w, w->count - 1, size, value);
}

static void step_address(struct machine *m, const struct split_instruction *w)
{
    struct operand_place p;
    machine_place(m, w->operand[0], w->length[0], &p);
    write_value(m, w, w->count - 1, 8, p.address);
}

// add, sub, inc, dec.
static void step_sum(struct machine *m, const struct split_instruction *w)
{
    bool minus = w->name[0] == 's' || w->name[0] == 'd';
    uint32_t last = w->count - 1, size = operation_size(w, "add");
    struct symbolic more = last ? read_value(m, w, 0, size) : symbolic_number(1);
    struct symbolic value = read_value(m, w, last, size);
    value = symbolic_add(m->values, value, minus ? symbolic_scale(m->values, more, -1) : more);
    if (last == 1 && is(w, "sub") && w->length[0] == w->length[1] &&
        !strncmp(w->operand[0], w->operand[1], w->length[0]))
        value = symbolic_number(0);
    write_value(m, w, last, size, value);
}

// Shifts and products by a number.
static bool step_product(struct machine *m, const struct split_instruction *w)
{
    bool product = is(w, "imul");
    uint32_t last = w->count - 1, source = product && w->count == 3 ? 1 : last;
    if (w->count < 2 || *w->operand[0] != '$')
        return false;
    struct symbolic factor = read_value(m, w, 0, 8);
    if (factor.base != SYMBOLIC_NUMBER || (!product && (uint64_t)factor.offset > 62))
        return false;
    uint32_t size = operation_size(w, product ? "imul" : "sal");
    int64_t times = product ? factor.offset : (int64_t)1 << factor.offset;
    write_value(m, w, last, size, symbolic_scale(m->values, read_value(m, w, source, size), times));
    return true;
}

// A function of its operands that is not looked into.
static void step_function(struct machine *m, const struct split_instruction *w)
{
    char name[64];
    uint32_t last = w->count - 1, size = operation_size(w, "and");
    bool immediate = w->operand[0][0] == '$';
    snprintf(name, sizeof name, "%s%.*s", w->name, immediate ? (int)w->length[0] : 0, w->operand[0]);
    bool clears = is(w, "xor") && w->count == 2 && w->length[0] == w->length[1] &&
                  !strncmp(w->operand[0], w->operand[1], w->length[0]);
    struct symbolic a = immediate || !last ? symbolic_number(0) : read_value(m, w, 0, size),
                    b = read_value(m, w, last, size);
    write_value(m, w, last, size, clears ? symbolic_number(0) : symbolic_of_operation(m->values, name, a, b));
}

// movzbl and the like.
static void step_extension(struct machine *m, const struct split_instruction *w)
{
    uint32_t from = w->name[4] == 'b' ? 1 : w->name[4] == 'w' ? 2 : 4, number, size;
    struct symbolic value;
    if (is_general(w, 0, &number, &size) && size < 4)
        value = symbolic_of_operation(m->values, w->name, m->reg[number], symbolic_number(0));
    else if (from < 4)
        value = symbolic_of_operation(m->values, w->name, read_value(m, w, 0, from), symbolic_number(0));
    else
        value = symbolic_sign_extended(m->values, read_value(m, w, 0, 4));
    write_value(m, w, w->count - 1, 8, value);
}

static void step_push(struct machine *m, const struct split_instruction *w, bool push)
{
    struct symbolic *top = &m->reg[MACHINE_RSP];
    struct operand_place p = {.address = *top, .known = true};
    if (push) {
        struct symbolic value = w->count ? read_value(m, w, 0, 8) : fresh(m);
        p.address = *top = symbolic_add(m->values, *top, symbolic_number(-8));
        store(m, &p, 8, value);
        return;
    }
    struct symbolic value = load(m, &p, 8);
    *top = symbolic_add(m->values, *top, symbolic_number(8));
    if (w->count)
        write_value(m, w, 0, 8, value);
}

static void forget(struct machine *m, uint32_t number)
{
    m->reg[number] = fresh(m);
}

// Registers that are written without being named.
static void step_implied(struct machine *m, const struct split_instruction *w)
{
    bool one = w->count < 2;
    if (text_begins(w->name, "mul") || text_begins(w->name, "div") || text_begins(w->name, "idiv") ||
        (is(w, "imul") && one)) {
        forget(m, MACHINE_RAX);
        forget(m, MACHINE_RDX);
    } else if (text_begins(w->name, "cqto") || text_begins(w->name, "cltd") || text_begins(w->name, "cdq") ||
               text_begins(w->name, "cqo")) {
        m->reg[MACHINE_RDX] = symbolic_of_operation(m->values, w->name, m->reg[MACHINE_RAX], symbolic_number(0));
    } else if (text_begins(w->name, "cltq")) {
        m->reg[MACHINE_RAX] = symbolic_sign_extended(m->values, m->reg[MACHINE_RAX]);
    } else if (text_begins(w->name, "cwt") || text_begins(w->name, "cbt") || text_begins(w->name, "cmpxchg") ||
               text_begins(w->name, "lahf")) {
        forget(m, MACHINE_RAX);
        if (strstr(w->name, "16b") || strstr(w->name, "8b"))
            forget(m, MACHINE_RDX);
    } else if (!w->count &&
               (text_begins(w->name, "movs") || text_begins(w->name, "stos") || text_begins(w->name, "lods") ||
                text_begins(w->name, "scas") || text_begins(w->name, "cmps"))) {
        for (uint32_t i = 0; i < 8; i++)
            if (i == MACHINE_RAX || i == MACHINE_RCX || i == MACHINE_RSI || i == MACHINE_RDI)
                forget(m, i);
        drop_slots(m, NULL);
    } else if (text_begins(w->name, "loop")) {
        forget(m, MACHINE_RCX);
    } else if (text_begins(w->name, "cpuid") || text_begins(w->name, "rdtsc") || text_begins(w->name, "xgetbv")) {
        for (uint32_t i = 0; i < 4; i++)
            forget(m, i);
    }
}

static bool only_reads(const struct split_instruction *w)
{
    return (text_begins(w->name, "cmp") && !text_begins(w->name, "cmpxchg") && is(w, "cmp")) || is(w, "test") ||
           is(w, "bt") || text_begins(w->name, "ucomis") || text_begins(w->name, "comis") ||
           text_begins(w->name, "vucomis") || text_begins(w->name, "vcomis") || text_begins(w->name, "nop") ||
           text_begins(w->name, "prefetch") || w->name[0] == 'j' || text_begins(w->name, "ptest");
}

// Whatever is not known: what it names last holds something else afterwards.
static void step_other(struct machine *m, const struct split_instruction *w)
{
    bool both = text_begins(w->name, "xchg") || text_begins(w->name, "xadd") || text_begins(w->name, "mulx");
    step_implied(m, w);
    if (!w->count || only_reads(w))
        return;
    for (uint32_t i = both ? 0 : w->count - 1; i < w->count; i++) {
        uint32_t vector = vector_number(w, i);
        if (vector < MACHINE_VECTORS)
            m->vector[vector] = text_begins(w->name, "mov") || text_begins(w->name, "vmov") ||
                                        text_begins(w->name, "punpck") || text_begins(w->name, "unpck")
                                    ? moved_traits(m, w)
                                    : 0;
        else
            write_value(m, w, i, 64, fresh(m));
    }
}

static bool step_frame(struct machine *m, const struct split_instruction *w)
{
    if (is(w, "push") || is(w, "pop")) {
        step_push(m, w, w->name[1] == 'u');
    } else if (is(w, "leave")) {
        m->reg[MACHINE_RSP] = m->reg[MACHINE_RBP];
        step_push(m, w, false);
        forget(m, MACHINE_RBP);
    } else if (w->count == 2 && !strncmp(w->operand[1], "%rsp", 4) &&
               (is(w, "and") || (is(w, "sub") && w->operand[0][0] != '$'))) {
        m->reg[MACHINE_RSP] = symbolic_fresh(m->values, SYMBOLIC_STACK);
    } else {
        return false;
    }
    return true;
}

void machine_step(struct machine *m, const char *text)
{
    static const char *const functions[] = {"and", "or", "xor", "not", "neg", "shr", "sar", "imul", "rol", "ror", NULL};
    struct split_instruction w = split(text);
    if (strstr(w.operands, "%es:"))
        w.count = 0; // clang writes the operands of string instructions out
    if (step_frame(m, &w))
        return;
    if (w.count == 2 && (is(&w, "mov") || is(&w, "movabs") || !strcmp(w.name, "movd")))
        step_move(m, &w);
    else if (w.count == 2 && is(&w, "lea"))
        step_address(m, &w);
    else if (w.count && (is(&w, "add") || is(&w, "sub") || is(&w, "inc") || is(&w, "dec")))
        step_sum(m, &w);
    else if ((is(&w, "shl") || is(&w, "sal") || is(&w, "imul")) && step_product(m, &w))
        return;
    else if (w.count == 2 && (text_begins(w.name, "movz") || text_begins(w.name, "movsb") ||
                              text_begins(w.name, "movsw") || text_begins(w.name, "movsl")))
        step_extension(m, &w);
    else {
        for (const char *const *f = functions; *f; f++)
            if (w.count && w.count < 3 && is(&w, *f) && !(w.count == 1 && is(&w, "imul"))) {
                step_function(m, &w);
                return;
            }
        step_other(m, &w);
    }
}

static void forget_scratch(struct machine *m, uint32_t traits_of_results)
{
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (!(EFFECTS_KEPT >> i & 1) && i != MACHINE_RSP)
            m->reg[i] = symbolic_fresh(m->values, i == MACHINE_RAX || i == MACHINE_RDX ? traits_of_results : 0);
    memset(m->vector, 0, sizeof m->vector);
    m->vector[0] = m->vector[1] = (uint8_t)traits_of_results;
}

void machine_hook(struct machine *m)
{
    forget_scratch(m, 0);
}

void machine_call(struct machine *m, bool results)
{
    struct symbolic first = m->reg[MACHINE_RDI];
    machine_forget_covers(m);
    m->returned = traits(m, first) & SYMBOLIC_STACK ? first : symbolic_number(0);
    drop_slots(m, is_private);
    forget_scratch(m, results ? SYMBOLIC_RESULT : 0);
}
