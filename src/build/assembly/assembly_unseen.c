#include "build/assembly/assembly_unseen.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "build/assembly/assembly_effects.h"
#include "build/assembly/assembly_hooks.h"
#include "build/assembly/assembly_statement.h"
#include "build/assembly/assembly_walk.h"

struct unseen_walk *unseen_new(void)
{
    return alloc_zeroed(1, sizeof(struct unseen_walk));
}

void unseen_free(struct unseen_walk *u)
{
    if (!u)
        return;
    listing_free(&u->listing);
    symbolics_free(u->values);
    free(u->access);
    free(u->operand);
    free(u);
}

void unseen_want_operands(struct unseen_walk *u)
{
    u->wants_operands = true;
}

void unseen_function(struct unseen_walk *u)
{
    listing_add(&u->listing, ITEM_FUNCTION, "", 0);
}

void unseen_label(struct unseen_walk *u, const char *name, size_t length)
{
    listing_add(&u->listing, ITEM_LABEL, name, length);
}

void unseen_directive(struct unseen_walk *u, const char *text)
{
    listing_add(&u->listing, ITEM_DIRECTIVE, text, strlen(text));
}

// Structs of up to two words are passed in registers. gcc loads a last word of 3, 5, 6 or 7 bytes as a whole if it is
// aligned, with what comes after the struct: those bytes the program does not read.
void unseen_struct(struct unseen_walk *u, uint64_t size)
{
    uint32_t tail = (uint32_t)(size % 8);
    bool whole = tail == 3 || tail > 4;
    if (size < 16 && whole && (!u->shortest_tail || tail < u->shortest_tail))
        u->shortest_tail = tail;
}

void unseen_instruction(struct unseen_walk *u, const char *text, bool assembly)
{
    listing_add(&u->listing, assembly ? ITEM_ASSEMBLY : ITEM_INSTRUCTION, text, text ? strlen(text) : 0);
}

// ---- hooks and calls ----

static void note_arguments(struct unseen_walk *u, struct walked_function *f)
{
    static const uint32_t arguments[] = {MACHINE_RDI, MACHINE_RSI, MACHINE_RDX, MACHINE_RCX, 8, 9};
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        f->frame.escapes |= walk_is_stack(u, u->m.reg[arguments[i]]);
}

static void cover_by_hook(struct unseen_walk *u, struct walked_function *f, const char *name)
{
    struct symbolic place = u->m.reg[MACHINE_RDI];
    uint64_t size = call_hook_size(&u->m, name);
    bool write = strstr(name, "write") || strstr(name, "update");
    machine_add_cover(&u->m, place, size, write);
    if (u->operand)
        u->operand[u->m.item] = (struct walked_operand){.size = (uint32_t)size, .told = place};
    if (place.base == u->frame.base)
        frame_add_range(&f->frame.hooked, place.offset, (int64_t)size);
}

// clang leaves the load in place that the hook of an atomic one makes. Its address may be written in another way, so the next
// load of this size is taken for it. (gcc has no suffix.)
static uint32_t left_behind(const char *text, const char *name)
{
    bool load = text_begins(text, "callq") && text_begins(name, "__tsan_atomic") && strstr(name, "_load");
    return load ? (uint32_t)strtoul(name + strlen("__tsan_atomic"), NULL, 10) / 8 : 0;
}

static void pass_call(struct unseen_walk *u, struct walked_function *f, const char *text)
{
    char name[256];
    call_name(text + strcspn(text, " \t"), name, sizeof name);
    u->left = left_behind(text, name);
    struct symbolic argument = u->m.reg[MACHINE_RDI];
    enum call_kind kind = call_kind_of(name);
    u->announced.size = 0;
    f->frame.hooks |= kind == CALL_HOOK || kind == CALL_ENTRY || kind == CALL_VOLATILE;
    f->frame.told |= kind == CALL_ENTRY;
    if (kind == CALL_VOLATILE)
        machine_forget_covers(&u->m);
    if (kind == CALL_OTHER) {
        note_arguments(u, f);
        f->frame.lent |= strchr(name, '.') && u->m.reg[10].base == u->frame.base;
        u->anywhere_next &= walk_stack_registers(u);
        bool atomic = text_begins(name, "__tsan_atomic");
        machine_call(&u->m, !atomic);
        if (atomic) // and it may be found in more than one place
            machine_add_cover(&u->m, argument, strtoul(name + strlen("__tsan_atomic"), NULL, 10) / 8, false);
        return;
    }
    if (kind == CALL_HOOK || kind == CALL_VOLATILE)
        cover_by_hook(u, f, name);
    if (kind == CALL_VOLATILE) { // no compiler leaves a volatile access out
        u->announced.size = (uint32_t)call_hook_size(&u->m, name);
        u->announced.write = strstr(name, "write");
    }
    machine_hook(&u->m);
    if (kind == CALL_TLS)
        u->m.reg[MACHINE_RAX] = symbolic_of_operation(u->values, "thread-local", argument, symbolic_number(0));
}

// ---- instructions ----

// An address in the frame was put where it can be handed on.
static void note_taken(struct unseen_walk *u, struct walked_function *f, struct symbolic value)
{
    if (value.base == u->frame.base)
        frame_add_range(&f->frame.taken, value.offset, 1);
    else if (walk_is_stack(u, value))
        frame_add_range(&f->frame.taken, INT64_MIN / 2, 1); // anywhere
}

// Nested functions of gcc find the frame around them by r10. One whose address is taken is called by code that gcc writes on
// the stack. It ends with jmp *%r11 and a nop.
static void note_nested(struct walked_function *f, const char *text)
{
    f->frame.lent |= text_begins(text, "mov") && strstr(text, "$-1864106167,"); // 0x90e3ff49
}

// Addresses in the frame that leave their registers.
static void note_escape(struct unseen_walk *u, struct walked_function *f, const char *text)
{
    struct statement s;
    size_t length;
    const char *operands = text + strcspn(text, " \t");
    operands += strspn(operands, " \t");
    const char *last = effects_last_operand(operands);
    if (statement_read(&s, "", text) == STATEMENT_ANNOUNCE && last != operands && *last != '%') {
        struct operand_place p;
        machine_place(&u->m, last, strlen(last), &p);
        f->frame.escapes |= (machine_source_traits(&u->m, operands) & SYMBOLIC_STACK) && !walk_is_stack(u, p.address);
    }
    if (text_begins(text, "push") && machine_operand(operands, 0, &length) && strncmp(operands, "%rbp", 4) != 0)
        f->frame.escapes |= machine_source_traits(&u->m, operands) & SYMBOLIC_STACK;
}

// Whether the instruction's last operand is a register that now points into the frame, rsp and rbp aside.
static void note_address(struct unseen_walk *u, struct walked_function *f, const char *text)
{
    const char *operands = text + strcspn(text, " \t");
    const char *last = effects_last_operand(operands + strspn(operands, " \t"));
    uint32_t number, size;
    bool high;
    if (*last != '%' || !register_read(last + 1, (uint32_t)strcspn(last + 1, " \t,"), &number, &size, &high))
        return;
    bool address =
        text_begins(text, "lea") || text_begins(text, "mov") || text_begins(text, "add") || text_begins(text, "sub");
    if (address && size == 8 && number < MACHINE_GENERAL && number != MACHINE_RSP && number != MACHINE_RBP)
        note_taken(u, f, u->m.reg[number]);
}

static void note_caller(struct unseen_walk *u, struct unseen_access *a)
{
    struct symbolic top = u->m.reg[MACHINE_RSP], pointer = u->m.reg[MACHINE_RBP];
    if (top.base == u->frame.base) {
        a->caller = CALLER_ABOVE_RSP;
        a->distance = -8 - top.offset;
    } else if (pointer.base == u->frame.base) {
        a->caller = CALLER_ABOVE_RBP;
        a->distance = -8 - pointer.offset;
    }
}

static void each_label(struct unseen_walk *u, const struct walked_function *f,
                       void (*act)(struct unseen_walk *u, struct listing_label *label))
{
    for (size_t i = f->first; i < f->end; i++) {
        struct listing_label *label =
            u->listing.item[i].kind == ITEM_LABEL ? listing_find_label(&u->listing, u->listing.item[i].text) : NULL;
        if (label)
            act(u, label);
    }
}

static void flow_by_address(struct unseen_walk *u, struct listing_label *label)
{
    if (label->addressed)
        walk_flow_to(u, label);
}

static void pass_jump(struct unseen_walk *u, const struct walked_function *f, const char *text)
{
    struct effects e;
    effects_read(&e, text);
    struct listing_label *to = e.target[0] ? listing_find_label(&u->listing, e.target) : NULL;
    if (to)
        walk_flow_to(u, to);
    if (strchr(text, '*'))
        each_label(u, f, flow_by_address);
    u->reachable = e.falls;
}

static void pass_instruction(struct unseen_walk *u, struct walked_function *f, size_t i)
{
    const char *text = effects_instruction(u->listing.item[i].text);
    if (!*text || !u->reachable)
        return;
    u->entered = true;
    u->access[i] = (struct unseen_access){0};
    walk_look_at_access(u, f, i);
    if (u->access[i].announce)
        note_caller(u, &u->access[i]);
    if (listing_tells_of_bad_index(text)) {
        u->reachable = false; // the run has failed: what is known of others must not suffer where it comes back
    } else if (text_begins(text, "call")) {
        pass_call(u, f, text);
    } else if (listing_is_jump(text) || text_begins(text, "ret") || text_begins(text, "ud2") ||
               text_begins(text, "hlt")) {
        if (text_begins(text, "jmp") && strstr(text, "__tsan_func_exit"))
            f->frame.hooks = true;
        pass_jump(u, f, text);
    } else {
        note_escape(u, f, text);
        note_nested(f, text);
        machine_step(&u->m, text);
        note_address(u, f, text);
    }
}

// Inline assembly may do anything with what it names, and lets others run. Instructions that use registers without naming
// them use none of those that calls leave as they are, but for rbx.
static void pass_assembly(struct unseen_walk *u, const char *text)
{
    enum { RBX = 3 };
    struct machine before = u->m;
    uint32_t lost = effects_registers(text, strlen(text)) | 1u << RBX | (*text ? 0 : 0xffff);
    u->entered = true;
    u->anywhere_next &= walk_stack_registers(u);
    machine_reset(&u->m, walk_stack_registers(u), 0);
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (i == MACHINE_RSP || i == MACHINE_RBP || ((EFFECTS_KEPT & ~lost) >> i & 1))
            u->m.reg[i] = before.reg[i];
}

// ---- functions ----

static void start_function(struct unseen_walk *u, size_t first)
{
    symbolics_at(u->values, -1 - (int64_t)first);
    u->m = (struct machine){.values = u->values, .lowest_taken = u->m.lowest_taken};
    u->frame = symbolic_fresh(u->values, SYMBOLIC_STACK);
    machine_start(&u->m);
    u->m.reg[MACHINE_RSP] = symbolic_add(u->values, u->frame, symbolic_number(-8));
    u->cfi = (struct cfi){0};
    u->reachable = true;
    u->entered = false;
    u->announced.size = u->left = 0;
    u->anywhere_next = 0xffff;
}

static void pass_item(struct unseen_walk *u, struct walked_function *f, size_t i)
{
    symbolics_at(u->values, (int64_t)(u->listing.items + i)); // labels have their own numbers
    u->m.item = i;
    switch (u->listing.item[i].kind) {
    case ITEM_LABEL:
        walk_pass_label(u, u->listing.item[i].text);
        break;
    case ITEM_DIRECTIVE:
        if (cfi_read(&u->cfi, u->listing.item[i].text))
            walk_apply_rule(u);
        break;
    case ITEM_INSTRUCTION:
        pass_instruction(u, f, i);
        break;
    case ITEM_ASSEMBLY:
        pass_assembly(u, u->listing.item[i].text);
        break;
    case ITEM_FUNCTION:
        break;
    }
}

static void decide(struct unseen_walk *u, struct walked_function *f)
{
    for (size_t i = 0; i < f->frame.accesses; i++)
        if (frame_needs_hook(&f->frame, &f->frame.access[i]))
            u->access[f->frame.access[i].item].announce = true;
    for (size_t i = f->first; f->frame.told && i < f->end; i++)
        u->access[i].caller = CALLER_TOLD;
}

static void pass_function(struct unseen_walk *u, struct walked_function *f)
{
    frame_clear(&f->frame);
    start_function(u, f->first);
    u->changed = false;
    for (size_t i = f->first; i < f->end; i++)
        pass_item(u, f, i);
    u->changed |= u->anywhere != u->anywhere_next || u->m.lowest_taken != frame_lowest_taken(&f->frame);
    u->anywhere = u->anywhere_next;
    u->m.lowest_taken = frame_lowest_taken(&f->frame);
    each_label(u, f, walk_settle_label);
}

// Goes through a function until it is known what registers hold wherever paths meet, and then once more.
static void solve_function(struct unseen_walk *u, size_t first, size_t end)
{
    enum { ROUNDS = 100 };
    struct walked_function f = {.first = first, .end = end};
    symbolics_free(u->values);
    u->values = symbolics_new();
    each_label(u, &f, walk_open_label);
    u->m.lowest_taken = INT64_MAX;
    u->anywhere = 0xffff;
    u->changed = true;
    u->pessimistic = u->final = false;
    for (int round = 0; u->changed && round < ROUNDS; round++)
        pass_function(u, &f);
    u->pessimistic = u->changed;
    u->final = true;
    pass_function(u, &f);
    decide(u, &f);
    frame_clear(&f.frame);
    each_label(u, &f, walk_close_label);
}

void unseen_solve(struct unseen_walk *u)
{
    listing_link(&u->listing);
    u->access = alloc_zeroed(u->listing.items + 1, sizeof *u->access);
    u->operand = u->wants_operands ? alloc_zeroed(u->listing.items + 1, sizeof *u->operand) : NULL;
    size_t first = u->listing.items;
    for (size_t i = 0; i <= u->listing.items; i++) {
        if (i < u->listing.items && u->listing.item[i].kind != ITEM_FUNCTION)
            continue;
        if (first < i)
            solve_function(u, first, i);
        first = i;
    }
}

struct unseen_access unseen_before(const struct unseen_walk *u, size_t number)
{
    return number < u->listing.instructions ? u->access[u->listing.instruction[number]] : (struct unseen_access){0};
}
