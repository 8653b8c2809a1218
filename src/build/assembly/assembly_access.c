// Accesses without a hook: which of them others could know of.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "build/assembly/assembly_effects.h"
#include "build/assembly/assembly_hooks.h"
#include "build/assembly/assembly_statement.h"
#include "build/assembly/assembly_walk.h"

// What the compiler counts and guards with is no variable of the program.
static bool is_constant(const struct unseen_walk *u, const struct operand_place *p)
{
    static const char *const own[] = {"__gcov", "__profc_", ".L__profc", "__llvm_prf", "__stack_chk_guard",
                                      "_ZTV",   "_ZTI",     "_ZTS",      "_ZTT",       ".LC",
                                      NULL};
    char name[sizeof p->symbol];
    if (!p->symbol[0])
        return false;
    if (strstr(p->symbol, "@GOT") || strstr(p->symbol, "@got"))
        return true;
    for (const char *const *o = own; *o; o++)
        if (text_begins(p->symbol, *o))
            return true;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(p->symbol, "@"), p->symbol);
    const struct listing_label *label = listing_find_label(&u->listing, name);
    return label && label->constant;
}

// The C library's words in front of a thread's variables: the block's own address, and the guard of stacks.
static bool is_thread_header(const struct unseen_walk *u, const struct operand_place *p)
{
    return p->thread_local_memory && p->address.base == symbolic_symbol(u->values, "%fs", 3).base &&
           (p->address.offset == 0 || p->address.offset == 40);
}

// Whether the next call in this piece of code is one of the program's, for which this may load an argument.
static bool call_follows(const struct unseen_walk *u, const struct walked_function *f, size_t i)
{
    char name[256];
    for (i++; i < f->end; i++) {
        const char *text = u->listing.item[i].text;
        if (u->listing.item[i].kind == ITEM_ASSEMBLY)
            return false;
        if (u->listing.item[i].kind == ITEM_LABEL) {
            const struct listing_label *label = listing_find_label(&u->listing, text);
            if (label && listing_is_target(label))
                return false;
        }
        if (u->listing.item[i].kind != ITEM_INSTRUCTION)
            continue;
        text = effects_instruction(text);
        if (text_begins(text, "ret") || listing_is_jump(text))
            return false;
        if (text_begins(text, "call")) {
            call_name(text + strcspn(text, " \t"), name, sizeof name);
            return call_kind_of(name) == CALL_OTHER;
        }
    }
    return false;
}

// Compilers compute with a variable of their own in memory; a struct on its way is only moved.
static bool only_moves(const char *text)
{
    text = effects_instruction(text);
    return text_begins(text, "mov") || text_begins(text, "vmov") || text_begins(text, "push") ||
           text_begins(text, "pop") || text_begins(text, "fld") || text_begins(text, "fst");
}

static void add_frame_access(struct unseen_walk *u, struct walked_function *f, size_t i, struct symbolic place,
                             uint32_t size, bool possible)
{
    frame_add_access(&f->frame, (struct frame_access){i, place, place.base == u->frame.base, size, possible});
}

static void look_at_frame(struct unseen_walk *u, struct walked_function *f, size_t i, const struct operand_place *p,
                          uint32_t size, bool read, bool write)
{
    const char *text = effects_instruction(u->listing.item[i].text);
    const char *operands = text + strcspn(text, " \t");
    uint32_t traits =
        text_begins(text, "fst") ? SYMBOLIC_RESULT : machine_source_traits(&u->m, operands + strspn(operands, " \t"));
    bool moves = only_moves(text) && read != write;
    bool possible = moves && (write ? traits & SYMBOLIC_RESULT : call_follows(u, f, i));
    bool own = !moves || (write && !(traits & (SYMBOLIC_RESULT | SYMBOLIC_GIVEN)));
    if (own && p->address.base == u->frame.base)
        frame_add_range(&f->frame.own, p->address.offset, size);
    add_frame_access(u, f, i, p->address, size, possible);
}

static void note_operand(struct unseen_walk *u, size_t i, const struct operand_place *p, uint32_t size, bool write)
{
    struct walked_operand *o = &u->operand[i];
    *o = (struct walked_operand){.size = size,
                                 .offset = p->address.offset,
                                 .own = walk_is_stack(u, p->address),
                                 .fixed = p->address.base == u->frame.base};
    bool volatile_access = size == u->announced.size && write == u->announced.write;
    if (is_constant(u, p) || is_thread_header(u, p))
        o->kind = OPERAND_CONSTANT;
    else if (volatile_access)
        o->kind = OPERAND_ANNOUNCED;
    else if (p->known && machine_has_cover(&u->m, p->address, size, write))
        o->kind = OPERAND_HOOKED;
    else if (p->address.base == u->frame.base)
        o->kind = OPERAND_FRAME;
    else
        o->kind = walk_is_stack(u, p->address) ? OPERAND_STACK : OPERAND_ANNOUNCED;
    if (o->kind == OPERAND_HOOKED)
        o->hooks = machine_hooks(&u->m, p->address, size, write, o->hook, OPERAND_HOOKS);
}

// Where it saves room, gcc reads two bytes by way of the four that they begin, if those are aligned. It has told of the two, and
// the others decide nothing. A struct of four bytes on its way to a call looks the same.
static bool is_widened(const struct unseen_walk *u, const struct walked_function *f, size_t i,
                       const struct operand_place *p, uint32_t size, bool write)
{
    return size == 4 && !write && p->known && text_begins(effects_instruction(u->listing.item[i].text), "movl") &&
           machine_has_cover(&u->m, p->address, 2, false) && !call_follows(u, f, i);
}

static void look_at_place(struct unseen_walk *u, struct walked_function *f, size_t i, const struct operand_place *p,
                          uint32_t size, bool read, bool write)
{
    if (u->operand)
        note_operand(u, i, p, size, write);
    if (is_constant(u, p) || is_thread_header(u, p))
        return;
    bool announced = size == u->announced.size && write == u->announced.write;
    bool covered = p->known && machine_has_cover(&u->m, p->address, size, write);
    if (announced)
        u->announced.size = 0;
    if (covered || announced || is_widened(u, f, i, p, size, write))
        return;
    if (walk_is_stack(u, p->address)) {
        look_at_frame(u, f, i, p, size, read, write);
        return;
    }
    if (!write && size == u->left) {
        u->left = 0;
        return;
    }
    u->access[i].announce = true;
    if (u->shortest_tail && size == 8 && !write && call_follows(u, f, i))
        u->access[i].bytes = u->shortest_tail;
}

// movs and stos: as much as rcx says.
static void look_at_string(struct unseen_walk *u, struct walked_function *f, size_t i, const struct statement *s)
{
    struct symbolic count = s->site.flags & ASSEMBLY_REPEATED ? u->m.reg[MACHINE_RCX] : symbolic_number(1);
    uint64_t size = count.base == SYMBOLIC_NUMBER ? (uint64_t)count.offset * s->site.size : 1u << 30;
    bool copy = s->site.kind == ASSEMBLY_COPY;
    for (int source = 0; source < (copy ? 2 : 1); source++) {
        struct symbolic place = u->m.reg[source ? MACHINE_RSI : MACHINE_RDI];
        if (size < 1u << 30 && machine_has_cover(&u->m, place, size, !source))
            continue;
        if (walk_is_stack(u, place))
            add_frame_access(u, f, i, place, size < 1u << 16 ? (uint32_t)size : 1u << 16, copy);
        else
            u->access[i].announce = true;
    }
}

static bool reads(uint32_t kind)
{
    return kind != ASSEMBLY_STORE && kind != ASSEMBLY_PLAIN_WRITE;
}

static bool writes(uint32_t kind)
{
    return kind != ASSEMBLY_LOAD && kind != ASSEMBLY_PLAIN_READ;
}

void walk_look_at_access(struct unseen_walk *u, struct walked_function *f, size_t i)
{
    struct statement s;
    struct operand_place p;
    enum statement_result result = statement_read(&s, "", u->listing.item[i].text);
    if (result == STATEMENT_MISSED) // may access memory, which is said when it is written
        u->access[i].announce = true;
    if (result != STATEMENT_ANNOUNCE || s.site.kind == ASSEMBLY_FENCE)
        return;
    if (s.site.kind == ASSEMBLY_COPY || s.site.kind == ASSEMBLY_FILL) {
        look_at_string(u, f, i, &s);
        return;
    }
    char operand[STATEMENT_TEXT + 8];
    snprintf(operand, sizeof operand, "%s%s", s.thread_local_memory ? "%fs:" : "", s.memory);
    machine_place(&u->m, operand, strlen(operand), &p);
    look_at_place(u, f, i, &p, s.site.size, reads(s.site.kind), writes(s.site.kind));
}
