#include "cli/assembly_unseen.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/assembly_code.h"
#include "cli/assembly_effects.h"
#include "cli/assembly_frame.h"
#include "cli/assembly_machine.h"
#include "cli/assembly_statement.h"

// What holds at a label.
struct label_state {
    uint32_t stack,
        merged; // registers that point into the frame, however one gets here: by the last round, and by this one
    uint32_t different;  // registers that hold different values when one gets here
    bool known, flowed;  // `in` and `next` are set
    struct machine in;   // by the last round
    struct machine next; // by this one
};

struct function {
    size_t first, end; // items
    struct own_frame frame;
};

// By the directives for unwinding.
struct frame_rule {
    bool known;
    uint32_t reg; // rsp or rbp
    int64_t offset;
};

struct unseen {
    uint32_t shortest_tail; // of structs whose last word is loaded as a whole; 0: there is none
    struct code code;
    struct unseen_access *access; // of each item
    struct symbolics *values;

    struct machine m;
    struct symbolic frame; // the canonical frame address
    struct frame_rule rule, kept[8];
    uint32_t rules_kept;
    bool reachable;
    bool changed;      // another round is needed
    uint32_t anywhere; // registers that point into the frame wherever control may leave to a label by its address
    uint32_t anywhere_next;
    struct {
        uint32_t size; // 0: there is none
        bool write;
    } announced;      // an access that certainly follows the hook that was called, whatever its operand looks like
    bool entered;     // an instruction of the function has been passed
    bool pessimistic; // no register is taken to point into the frame where paths meet
    bool final;       // round: also goes through what no path seems to lead to
};

static _Noreturn void no_memory(void)
{
    fputs("heddle: out of memory.\n", stderr);
    exit(2);
}

static bool begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

struct unseen *unseen_new(void)
{
    struct unseen *u = calloc(1, sizeof *u);
    if (!u)
        no_memory();
    return u;
}

void unseen_free(struct unseen *u)
{
    if (!u)
        return;
    code_free(&u->code);
    symbolics_free(u->values);
    free(u->access);
    free(u);
}

void unseen_function(struct unseen *u)
{
    code_add(&u->code, ITEM_FUNCTION, "", 0);
}

void unseen_label(struct unseen *u, const char *name, size_t length)
{
    code_add(&u->code, ITEM_LABEL, name, length);
}

void unseen_directive(struct unseen *u, const char *text)
{
    code_add(&u->code, ITEM_DIRECTIVE, text, strlen(text));
}

// Structs of up to two words are passed in registers. gcc loads a last word of 3, 5, 6 or 7 bytes as a whole if it is
// aligned, with what comes after the struct: those bytes the program does not read.
void unseen_struct(struct unseen *u, uint64_t size)
{
    uint32_t tail = (uint32_t)(size % 8);
    bool whole = tail == 3 || tail > 4;
    if (size < 16 && whole && (!u->shortest_tail || tail < u->shortest_tail))
        u->shortest_tail = tail;
}

void unseen_instruction(struct unseen *u, const char *text, bool assembly)
{
    code_add(&u->code, assembly ? ITEM_ASSEMBLY : ITEM_INSTRUCTION, text, text ? strlen(text) : 0);
}

// ---- the frame ----

static bool is_stack(const struct unseen *u, struct symbolic value)
{
    return symbolic_traits(u->values, value) & SYMBOLIC_STACK;
}

// An address in the frame was put where it can be handed on.
static void note_taken(struct unseen *u, struct function *f, struct symbolic value)
{
    if (value.base == u->frame.base)
        frame_add_range(&f->frame.taken, value.offset, 1);
    else if (is_stack(u, value))
        frame_add_range(&f->frame.taken, INT64_MIN / 2, 1); // anywhere
}

static void apply_rule(struct unseen *u)
{
    if (u->rule.known)
        u->m.reg[u->rule.reg] = symbolic_add(u->values, u->frame, symbolic_number(-u->rule.offset));
}

static uint32_t register_of_rule(const char *text)
{
    return strstr(text, "rbp") || *text == '6'   ? MACHINE_RBP
           : strstr(text, "rsp") || *text == '7' ? MACHINE_RSP
                                                 : MACHINE_GENERAL;
}

// The frame's canonical address by .cfi_… directives; the compiler keeps them right at every instruction.
static void read_rule(struct unseen *u, const char *text)
{
    const char *operands = text + strcspn(text, " \t");
    operands += strspn(operands, " \t");
    struct frame_rule *r = &u->rule;
    if (begins(text, ".cfi_startproc"))
        *r = (struct frame_rule){true, MACHINE_RSP, 8};
    else if (begins(text, ".cfi_def_cfa_offset"))
        r->offset = strtol(operands, NULL, 0);
    else if (begins(text, ".cfi_adjust_cfa_offset"))
        r->offset += strtol(operands, NULL, 0);
    else if (begins(text, ".cfi_def_cfa_register"))
        r->reg = register_of_rule(operands);
    else if (begins(text, ".cfi_def_cfa"))
        *r = (struct frame_rule){true, register_of_rule(operands),
                                 strtol(operands + strcspn(operands, ",") + 1, NULL, 0)};
    else if (begins(text, ".cfi_remember_state") && u->rules_kept < 8)
        u->kept[u->rules_kept++] = *r;
    else if (begins(text, ".cfi_restore_state") && u->rules_kept)
        *r = u->kept[--u->rules_kept];
    else if (begins(text, ".cfi_escape"))
        r->known = false; // an expression
    else
        return;
    r->known &= r->reg < MACHINE_GENERAL;
    apply_rule(u);
}

// ---- merging ----

static uint32_t stack_registers(const struct unseen *u)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (is_stack(u, u->m.reg[i]))
            found |= 1u << i;
    return found;
}

// What is known of the label; only within the function that is looked at.
static struct label_state *state_of(struct label *label)
{
    if (!label->state && !(label->state = calloc(1, sizeof *label->state)))
        no_memory();
    return label->state;
}

static bool is_single(const struct label *label)
{
    return label->jumps == 1 && !label->anywhere && !label->addressed;
}

// Control may go on at the label with things as they are now.
static void flow_to(struct unseen *u, struct label *label)
{
    struct label_state *s = state_of(label);
    s->merged &= stack_registers(u);
    if (!s->flowed) {
        s->next = u->m;
        s->flowed = true;
        return;
    }
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (!symbolic_same(s->next.reg[i], u->m.reg[i]))
            s->different |= 1u << i;
    machine_keep_common_slots(&s->next, &u->m);
}

// Here control comes from several places: what holds is what all have in common.
static void merge(struct unseen *u, struct label *label)
{
    struct symbolic top = u->m.reg[MACHINE_RSP], pointer = u->m.reg[MACHINE_RBP];
    const struct label_state *s = state_of(label);
    const struct machine *base = s->known ? &s->in : s->flowed ? &s->next : NULL;
    bool unknown = label->anywhere || u->pessimistic || !base;
    uint32_t stack = label->anywhere ? s->stack & u->anywhere : base ? s->stack : 0;
    uint32_t different = unknown ? 0xffff : s->different;
    machine_reset(&u->m, 0, 0);
    stack = (u->pessimistic ? 0 : stack) | 1u << MACHINE_RSP;
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++) {
        uint32_t traits =
            (stack >> i & 1 ? SYMBOLIC_STACK : 0) | (i == MACHINE_RAX || i == MACHINE_RDX ? SYMBOLIC_RESULT : 0);
        u->m.reg[i] = different >> i & 1 ? symbolic_named(u->values, (int64_t)label->item, i, traits) : base->reg[i];
    }
    if (!unknown) {
        memcpy(u->m.slot, base->slot, sizeof u->m.slot);
        u->m.slots = base->slots;
    }
    if (!u->rule.known) { // no directives: compilers keep the depth the same on all paths
        u->m.reg[MACHINE_RSP] = top;
        if (is_stack(u, pointer))
            u->m.reg[MACHINE_RBP] = pointer;
    }
}

static void pass_label(struct unseen *u, const char *name)
{
    struct label *label = code_find_label(&u->code, name);
    bool target = label && (label->jumps || ((label->anywhere || label->addressed) && u->entered));
    if (!label || (!target && u->reachable))
        return;
    if (u->reachable)
        flow_to(u, label);
    const struct label_state *s = state_of(label);
    if (!s->flowed && !s->known && !label->anywhere && !u->final)
        return;
    u->announced.size = 0;
    if (!u->reachable && is_single(label) && s->flowed)
        u->m = s->next;
    else
        merge(u, label);
    apply_rule(u);
    u->reachable = true;
}

// Whether the last round told something else. What differs once, differs for good, so that this comes to an end.
static void settle_label(struct unseen *u, struct label *label)
{
    struct label_state *s = state_of(label);
    u->changed |= s->stack != s->merged;
    s->stack = s->merged;
    s->merged = 0xffff;
    if (!s->flowed)
        return;
    s->flowed = false;
    if (!s->known) {
        s->in = s->next;
        s->known = u->changed = true;
        return;
    }
    uint32_t before = s->different;
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (!symbolic_same(s->next.reg[i], s->in.reg[i]))
            s->different |= 1u << i;
    u->changed |= s->different != before;
    u->changed |= machine_keep_common_slots(&s->in, &s->next);
}

// ---- hooks and calls ----

enum call_kind { CALL_OTHER, CALL_HOOK, CALL_ENTRY, CALL_VOLATILE, CALL_TLS };

// The name of the function that is called, up to an @ or the operand's end.
static void called_name(const char *operands, char *name, size_t room)
{
    operands += strspn(operands, "* \t");
    snprintf(name, room, "%.*s", (int)strcspn(operands, "@( \t"), operands);
}

static uint64_t hook_size(const struct machine *m, const char *name)
{
    size_t length = strlen(name);
    if (strstr(name, "_range"))
        return m->reg[MACHINE_RSI].base == SYMBOLIC_NUMBER ? (uint64_t)m->reg[MACHINE_RSI].offset : 0;
    if (strstr(name, "vptr"))
        return 8;
    while (length && isdigit((unsigned char)name[length - 1]))
        length--;
    return strtoul(name + length, NULL, 10);
}

static enum call_kind kind_of_call(const char *name)
{
    if (begins(name, "__tls_get_addr"))
        return CALL_TLS;
    if (!begins(name, "__tsan_") || begins(name, "__tsan_atomic"))
        return CALL_OTHER;
    if (begins(name, "__tsan_func_entry"))
        return CALL_ENTRY;
    if (strstr(name, "volatile"))
        return CALL_VOLATILE;
    return strstr(name, "read") || strstr(name, "write") || strstr(name, "vptr") || strstr(name, "func_exit")
               ? CALL_HOOK
               : CALL_OTHER;
}

static void note_arguments(struct unseen *u, struct function *f)
{
    static const uint32_t arguments[] = {MACHINE_RDI, MACHINE_RSI, MACHINE_RDX, MACHINE_RCX, 8, 9};
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++)
        f->frame.escapes |= is_stack(u, u->m.reg[arguments[i]]);
}

static void cover_by_hook(struct unseen *u, struct function *f, const char *name)
{
    struct symbolic place = u->m.reg[MACHINE_RDI];
    uint64_t size = hook_size(&u->m, name);
    bool write = strstr(name, "write") || strstr(name, "update");
    machine_add_cover(&u->m, place, size, write);
    if (place.base == u->frame.base)
        frame_add_range(&f->frame.hooked, place.offset, (int64_t)size);
}

static void pass_call(struct unseen *u, struct function *f, const char *operands)
{
    char name[256];
    called_name(operands, name, sizeof name);
    struct symbolic argument = u->m.reg[MACHINE_RDI];
    enum call_kind kind = kind_of_call(name);
    u->announced.size = 0;
    f->frame.hooks |= kind == CALL_HOOK || kind == CALL_ENTRY || kind == CALL_VOLATILE;
    f->frame.told |= kind == CALL_ENTRY;
    if (kind == CALL_VOLATILE)
        machine_forget_covers(&u->m);
    if (kind == CALL_OTHER) {
        note_arguments(u, f);
        u->anywhere_next &= stack_registers(u);
        bool atomic = begins(name, "__tsan_atomic");
        machine_call(&u->m, !atomic);
        if (atomic) // clang leaves the load in place that the hook makes
            machine_add_cover(&u->m, argument, strtoul(name + strlen("__tsan_atomic"), NULL, 10) / 8, false);
        return;
    }
    if (kind == CALL_HOOK || kind == CALL_VOLATILE)
        cover_by_hook(u, f, name);
    if (kind == CALL_VOLATILE) { // no compiler leaves a volatile access out
        u->announced.size = (uint32_t)hook_size(&u->m, name);
        u->announced.write = strstr(name, "write");
    }
    machine_hook(&u->m);
    if (kind == CALL_TLS)
        u->m.reg[MACHINE_RAX] = symbolic_of_operation(u->values, "thread-local", argument, symbolic_number(0));
}

// ---- accesses ----

// What the compiler counts and guards with is no variable of the program.
static bool is_constant(const struct unseen *u, const struct place *p)
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
        if (begins(p->symbol, *o))
            return true;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(p->symbol, "@"), p->symbol);
    const struct label *label = code_find_label(&u->code, name);
    return label && label->constant;
}

// The C library's words in front of a thread's variables: the block's own address, and the guard of stacks.
static bool is_thread_header(const struct unseen *u, const struct place *p)
{
    return p->thread_local_memory && p->address.base == symbolic_symbol(u->values, "%fs", 3).base &&
           (p->address.offset == 0 || p->address.offset == 40);
}

// Whether the next call in this piece of code is one of the program's, for which this may load an argument.
static bool call_follows(const struct unseen *u, const struct function *f, size_t i)
{
    char name[256];
    for (i++; i < f->end; i++) {
        const char *text = u->code.item[i].text;
        if (u->code.item[i].kind == ITEM_ASSEMBLY)
            return false;
        if (u->code.item[i].kind == ITEM_LABEL) {
            const struct label *label = code_find_label(&u->code, text);
            if (label && label_is_target(label))
                return false;
        }
        if (u->code.item[i].kind != ITEM_INSTRUCTION)
            continue;
        text = effects_instruction(text);
        if (begins(text, "ret") || code_is_jump(text))
            return false;
        if (begins(text, "call")) {
            called_name(text + strcspn(text, " \t"), name, sizeof name);
            return kind_of_call(name) == CALL_OTHER;
        }
    }
    return false;
}

// Compilers compute with a variable of their own in memory; a struct on its way is only moved.
static bool only_moves(const char *text)
{
    text = effects_instruction(text);
    return begins(text, "mov") || begins(text, "vmov") || begins(text, "push") || begins(text, "pop") ||
           begins(text, "fld") || begins(text, "fst");
}

static void add_frame_access(struct unseen *u, struct function *f, size_t i, struct symbolic place, uint32_t size,
                             bool possible)
{
    frame_add_access(&f->frame, (struct frame_access){i, place, place.base == u->frame.base, size, possible});
}

static void look_at_frame(struct unseen *u, struct function *f, size_t i, const struct place *p, uint32_t size,
                          bool read, bool write)
{
    const char *text = effects_instruction(u->code.item[i].text);
    const char *operands = text + strcspn(text, " \t");
    uint32_t traits =
        begins(text, "fst") ? SYMBOLIC_RESULT : machine_source_traits(&u->m, operands + strspn(operands, " \t"));
    bool moves = only_moves(text) && read != write;
    bool possible = moves && (write ? traits & SYMBOLIC_RESULT : call_follows(u, f, i));
    bool own = !moves || (write && !(traits & (SYMBOLIC_RESULT | SYMBOLIC_GIVEN)));
    if (own && p->address.base == u->frame.base)
        frame_add_range(&f->frame.own, p->address.offset, size);
    add_frame_access(u, f, i, p->address, size, possible);
}

static void look_at_place(struct unseen *u, struct function *f, size_t i, const struct place *p, uint32_t size,
                          bool read, bool write)
{
    if (is_constant(u, p) || is_thread_header(u, p))
        return;
    bool announced = size == u->announced.size && write == u->announced.write;
    bool covered = p->known && machine_has_cover(&u->m, p->address, size, write);
    if (announced)
        u->announced.size = 0;
    if (covered || announced)
        return;
    if (is_stack(u, p->address)) {
        look_at_frame(u, f, i, p, size, read, write);
        return;
    }
    u->access[i].announce = true;
    if (u->shortest_tail && size == 8 && !write && call_follows(u, f, i))
        u->access[i].bytes = u->shortest_tail;
}

// movs and stos: as much as rcx says.
static void look_at_string(struct unseen *u, struct function *f, size_t i, const struct statement *s)
{
    struct symbolic count = s->site.flags & ASSEMBLY_REPEATED ? u->m.reg[MACHINE_RCX] : symbolic_number(1);
    uint64_t size = count.base == SYMBOLIC_NUMBER ? (uint64_t)count.offset * s->site.size : 1u << 30;
    bool copy = s->site.kind == ASSEMBLY_COPY;
    for (int source = 0; source <= copy; source++) {
        struct symbolic place = u->m.reg[source ? MACHINE_RSI : MACHINE_RDI];
        if (size < 1u << 30 && machine_has_cover(&u->m, place, size, !source))
            continue;
        if (is_stack(u, place))
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

static void look_at_access(struct unseen *u, struct function *f, size_t i)
{
    struct statement s;
    struct place p;
    enum statement_result result = statement_read(&s, "", u->code.item[i].text);
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

// ---- instructions ----

// Addresses in the frame that leave their registers.
static void note_escape(struct unseen *u, struct function *f, const char *text)
{
    struct statement s;
    size_t length;
    const char *operands = text + strcspn(text, " \t");
    operands += strspn(operands, " \t");
    const char *last = effects_last_operand(operands);
    if (statement_read(&s, "", text) == STATEMENT_ANNOUNCE && last != operands && *last != '%') {
        struct place p;
        machine_place(&u->m, last, strlen(last), &p);
        f->frame.escapes |= (machine_source_traits(&u->m, operands) & SYMBOLIC_STACK) && !is_stack(u, p.address);
    }
    if (begins(text, "push") && machine_operand(operands, 0, &length) && strncmp(operands, "%rbp", 4) != 0)
        f->frame.escapes |= machine_source_traits(&u->m, operands) & SYMBOLIC_STACK;
}

// Whether the instruction's last operand is a register that now points into the frame, rsp and rbp aside.
static void note_address(struct unseen *u, struct function *f, const char *text)
{
    const char *operands = text + strcspn(text, " \t");
    const char *last = effects_last_operand(operands + strspn(operands, " \t"));
    uint32_t number, size;
    bool high;
    if (*last != '%' || !register_read(last + 1, (uint32_t)strcspn(last + 1, " \t,"), &number, &size, &high))
        return;
    bool address = begins(text, "lea") || begins(text, "mov") || begins(text, "add") || begins(text, "sub");
    if (address && size == 8 && number < MACHINE_GENERAL && number != MACHINE_RSP && number != MACHINE_RBP)
        note_taken(u, f, u->m.reg[number]);
}

static void note_caller(struct unseen *u, struct unseen_access *a)
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

static void each_label(struct unseen *u, const struct function *f, void (*act)(struct unseen *u, struct label *label))
{
    for (size_t i = f->first; i < f->end; i++) {
        struct label *label =
            u->code.item[i].kind == ITEM_LABEL ? code_find_label(&u->code, u->code.item[i].text) : NULL;
        if (label)
            act(u, label);
    }
}

static void flow_by_address(struct unseen *u, struct label *label)
{
    if (label->addressed)
        flow_to(u, label);
}

static void pass_jump(struct unseen *u, const struct function *f, const char *text)
{
    struct effects e;
    effects_read(&e, text);
    struct label *to = e.target[0] ? code_find_label(&u->code, e.target) : NULL;
    if (to)
        flow_to(u, to);
    if (strchr(text, '*'))
        each_label(u, f, flow_by_address);
    u->reachable = e.falls;
}

static void pass_instruction(struct unseen *u, struct function *f, size_t i)
{
    const char *text = effects_instruction(u->code.item[i].text);
    if (!*text || !u->reachable)
        return;
    u->entered = true;
    u->access[i] = (struct unseen_access){0};
    look_at_access(u, f, i);
    if (u->access[i].announce)
        note_caller(u, &u->access[i]);
    if (begins(text, "call")) {
        pass_call(u, f, text + strcspn(text, " \t"));
    } else if (code_is_jump(text) || begins(text, "ret") || begins(text, "ud2") || begins(text, "hlt")) {
        if (begins(text, "jmp") && strstr(text, "__tsan_func_exit"))
            f->frame.hooks = true;
        pass_jump(u, f, text);
    } else {
        note_escape(u, f, text);
        machine_step(&u->m, text);
        note_address(u, f, text);
    }
}

// Inline assembly may do anything with what it names, and lets others run. Instructions that use registers without naming
// them use none of those that calls leave as they are, but for rbx.
static void pass_assembly(struct unseen *u, const char *text)
{
    enum { RBX = 3 };
    struct machine before = u->m;
    uint32_t lost = effects_registers(text, strlen(text)) | 1u << RBX | (*text ? 0 : 0xffff);
    u->entered = true;
    u->anywhere_next &= stack_registers(u);
    machine_reset(&u->m, stack_registers(u), 0);
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (i == MACHINE_RSP || i == MACHINE_RBP || ((EFFECTS_KEPT & ~lost) >> i & 1))
            u->m.reg[i] = before.reg[i];
}

// ---- functions ----

static void start_function(struct unseen *u, size_t first)
{
    symbolics_at(u->values, -1 - (int64_t)first);
    u->m = (struct machine){.values = u->values, .lowest_taken = u->m.lowest_taken};
    u->frame = symbolic_fresh(u->values, SYMBOLIC_STACK);
    machine_start(&u->m);
    u->m.reg[MACHINE_RSP] = symbolic_add(u->values, u->frame, symbolic_number(-8));
    u->rule = (struct frame_rule){0};
    u->rules_kept = 0;
    u->reachable = true;
    u->entered = false;
    u->announced.size = 0;
    u->anywhere_next = 0xffff;
}

static void pass_item(struct unseen *u, struct function *f, size_t i)
{
    symbolics_at(u->values, (int64_t)(u->code.items + i)); // labels have their own numbers
    switch (u->code.item[i].kind) {
    case ITEM_LABEL:
        pass_label(u, u->code.item[i].text);
        break;
    case ITEM_DIRECTIVE:
        read_rule(u, u->code.item[i].text);
        break;
    case ITEM_INSTRUCTION:
        pass_instruction(u, f, i);
        break;
    case ITEM_ASSEMBLY:
        pass_assembly(u, u->code.item[i].text);
        break;
    case ITEM_FUNCTION:
        break;
    }
}

static void open_label(struct unseen *u, struct label *label)
{
    (void)u;
    struct label_state *s = state_of(label);
    s->stack = s->merged = 0xffff;
}

static void close_label(struct unseen *u, struct label *label)
{
    (void)u;
    free(label->state);
    label->state = NULL;
}

static void decide(struct unseen *u, struct function *f)
{
    for (size_t i = 0; i < f->frame.accesses; i++)
        if (frame_needs_hook(&f->frame, &f->frame.access[i]))
            u->access[f->frame.access[i].item].announce = true;
    for (size_t i = f->first; f->frame.told && i < f->end; i++)
        u->access[i].caller = CALLER_TOLD;
}

static void pass_function(struct unseen *u, struct function *f)
{
    frame_clear(&f->frame);
    start_function(u, f->first);
    u->changed = false;
    for (size_t i = f->first; i < f->end; i++)
        pass_item(u, f, i);
    u->changed |= u->anywhere != u->anywhere_next || u->m.lowest_taken != frame_lowest_taken(&f->frame);
    u->anywhere = u->anywhere_next;
    u->m.lowest_taken = frame_lowest_taken(&f->frame);
    each_label(u, f, settle_label);
}

// Goes through a function until it is known what registers hold wherever paths meet, and then once more.
static void solve_function(struct unseen *u, size_t first, size_t end)
{
    enum { ROUNDS = 100 };
    struct function f = {.first = first, .end = end};
    symbolics_free(u->values);
    u->values = symbolics_new();
    each_label(u, &f, open_label);
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
    each_label(u, &f, close_label);
}

void unseen_solve(struct unseen *u)
{
    code_link(&u->code);
    if (!(u->access = calloc(u->code.items + 1, sizeof *u->access)))
        no_memory();
    size_t first = u->code.items;
    for (size_t i = 0; i <= u->code.items; i++) {
        if (i < u->code.items && u->code.item[i].kind != ITEM_FUNCTION)
            continue;
        if (first < i)
            solve_function(u, first, i);
        first = i;
    }
}

struct unseen_access unseen_before(const struct unseen *u, size_t number)
{
    return number < u->code.instructions ? u->access[u->code.instruction[number]] : (struct unseen_access){0};
}
