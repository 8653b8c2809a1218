#include "build/assembly/assembly_needed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"

enum { NOWHERE = -1 };

// What a register holds with respect to the frame: an address in it (the distance from the frame pointer), or one of these.
enum { NO_ADDRESS = 1 << 20, SOME_ADDRESS, NOT_REACHED };

// ---- what there is, and what makes a function one to be left alone ----

// NAME.cold is a part of NAME.
void needed_function(struct needed *r, const char *name, size_t length)
{
    static const char cold[] = ".cold";
    size_t tail = sizeof cold - 1, before = length > tail ? length - tail : 0;
    bool part = before && !strncmp(name + before, cold, tail);
    char base[EFFECTS_NAME];
    snprintf(base, sizeof base, "%.*s", (int)(part ? before : length), name);
    r->starts = !part;
    for (size_t i = 0; part && i < r->function_count; i++) {
        if (!strcmp(r->functions[i].name, base)) {
            r->current = i;
            return;
        }
    }
    r->functions = alloc_grow(r->functions, r->function_count, &r->function_room, sizeof *r->functions);
    r->current = r->function_count++;
    r->functions[r->current].hands_off = part || length >= EFFECTS_NAME; // or which function it is is not known
    memcpy(r->functions[r->current].name, base, sizeof base);
}

void needed_leave_alone(struct needed *r)
{
    r->functions[r->current].hands_off = true;
}

void needed_label(struct needed *r, const char *name, size_t length)
{
    r->labels = alloc_grow(r->labels, r->label_count, &r->label_room, sizeof *r->labels);
    struct needed_target *label = &r->labels[r->label_count++];
    label->node = (long)r->count;
    snprintf(label->name, sizeof label->name, "%.*s", (int)length, name);
}

static bool returns_twice(const char *callee)
{
    static const char *const names[] = {"setjmp", "_setjmp",    "sigsetjmp", "__sigsetjmp",
                                        "vfork",  "getcontext", "savectx",   NULL};
    return text_is_one_of(callee, names);
}

// The frame has to be made by the first two instructions, and to be addressed by the frame pointer alone.
static bool spoils_frame(const struct needed_node *n, const char *text, size_t nth)
{
    const char *name = effects_instruction(text);
    uint32_t stack = 1u << INSTRUCTION_RSP, frame = 1u << INSTRUCTION_RBP;
    bool plain =
        text_begins(name, "push") || text_begins(name, "pop") || text_begins(name, "leave") ||
        text_begins(name, "ret") ||
        ((text_begins(name, "sub") || text_begins(name, "add") || text_begins(name, "and")) && strchr(name, '$'));
    if (nth == 0)
        return !text_begins(name, "pushq") || !strstr(name, "%rbp");
    if (nth == 1)
        return !text_begins(name, "movq") || !strstr(name, "%rsp") || !strstr(name, ", %rbp");
    if (effects_registers(name, strlen(name)) & stack && !plain &&
        !(n->code.form == FORM_ADDRESS && n->code.written == INSTRUCTION_RSP))
        return true;
    if (n->code.memory && (n->code.base == INSTRUCTION_RSP || n->code.index == INSTRUCTION_RBP))
        return true;
    return n->code.written == INSTRUCTION_RBP && !text_begins(name, "pop") &&
           effects_registers(name, strlen(name)) & frame;
}

static void note_function(struct needed *r, const struct needed_node *n, const char *text)
{
    struct needed_function *f = &r->functions[r->current];
    size_t nth = f->instructions;
    if (text && text_begins(effects_instruction(text), "endbr64"))
        return;
    f->instructions++;
    f->hands_off |= !text || returns_twice(n->code.callee);
    f->no_frame |= !text || spoils_frame(n, text, nth) || (!n->code.effects.falls && n->code.effects.uses == LIVE_ALL);
}

void needed_instruction(struct needed *r, const char *text)
{
    r->nodes = alloc_grow(r->nodes, r->count, &r->room, sizeof *r->nodes);
    struct needed_node *n = &r->nodes[r->count++];
    n->to = NOWHERE;
    n->function = r->current;
    n->starts = r->starts;
    instruction_read(&n->code, text);
    r->starts = false;
    note_function(r, n, text);
}

void needed_free(struct needed *r)
{
    free(r->nodes);
    free(r->labels);
    free(r->functions);
    *r = (struct needed){0};
}

// ---- addresses in the frame, forwards ----

static int32_t joined(int32_t a, int32_t b)
{
    if (a == NOT_REACHED || a == b)
        return b;
    return b == NOT_REACHED ? a : SOME_ADDRESS;
}

static int32_t held(const struct needed_node *n, int reg)
{
    return reg == INSTRUCTION_RBP ? 0 : reg == NO_REGISTER ? NO_ADDRESS : n->holds[reg];
}

static int32_t shifted(int32_t address, int32_t by)
{
    return address == NO_ADDRESS || address == SOME_ADDRESS || address == NOT_REACHED ? address : address + by;
}

static int32_t address_of(const struct needed_node *n)
{
    int32_t base = held(n, n->code.base), index = held(n, n->code.index);
    if (base == NO_ADDRESS && index == NO_ADDRESS)
        return NO_ADDRESS;
    return n->code.exact ? shifted(base, n->code.distance) : SOME_ADDRESS;
}

// What registers hold after the instruction.
static void after(const struct needed_node *n, int32_t holds[INSTRUCTION_REGISTERS])
{
    memcpy(holds, n->holds, sizeof n->holds);
    if (n->code.effects.call)
        for (int i = 0; i < INSTRUCTION_REGISTERS; i++)
            holds[i] = EFFECTS_KEPT >> i & 1 ? holds[i] : NO_ADDRESS;
    if (n->code.written == NO_REGISTER || n->code.form == FORM_LOOK)
        return;
    int32_t *to = &holds[n->code.written];
    int from = n->code.values & ~(1u << n->code.written) ? __builtin_ctz(n->code.values & ~(1u << n->code.written))
                                                         : n->code.written;
    if (n->code.form == FORM_COPY)
        *to = held(n, from);
    else if (n->code.form == FORM_ADDRESS)
        *to = address_of(n);
    else if (n->code.form == FORM_SHIFT)
        *to = *to == NO_ADDRESS ? NO_ADDRESS : SOME_ADDRESS;
    else
        *to = NO_ADDRESS;
}

static bool flow_into(struct needed_node *to, const int32_t holds[INSTRUCTION_REGISTERS])
{
    bool changed = false;
    for (int i = 0; i < INSTRUCTION_REGISTERS; i++) {
        int32_t both = joined(to->holds[i], holds[i]);
        changed |= both != to->holds[i];
        to->holds[i] = both;
    }
    return changed;
}

static void solve_addresses(struct needed *r)
{
    for (size_t i = 0; i < r->count; i++)
        for (int k = 0; k < INSTRUCTION_REGISTERS; k++)
            r->nodes[i].holds[k] = r->nodes[i].starts ? NO_ADDRESS : NOT_REACHED;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < r->count; i++) {
            const struct needed_node *n = &r->nodes[i];
            int32_t holds[INSTRUCTION_REGISTERS];
            if (n->holds[0] == NOT_REACHED)
                continue;
            after(n, holds);
            if (n->code.effects.falls && i + 1 < r->count && r->nodes[i + 1].function == n->function)
                changed |= flow_into(&r->nodes[i + 1], holds);
            if (n->to != NOWHERE)
                changed |= flow_into(&r->nodes[n->to], holds);
        }
    }
}

// ---- what is read and overwritten of the frame ----

bool needed_is_announcement(const char *callee)
{
    return text_begins(callee, "__tsan_read") || text_begins(callee, "__tsan_write") ||
           text_begins(callee, "__tsan_unaligned") || text_begins(callee, "__tsan_func_");
}

static bool keeps_no_address(const char *callee)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "memcmp", NULL};
    return text_is_one_of(callee, names) || text_begins(callee, "__tsan_");
}

// What a call does with an address in the frame. An announcement comes right before the access, which is looked at itself.
static void pass_address(struct needed *r, struct needed_node *n, int32_t address)
{
    if (needed_is_announcement(n->code.callee))
        return;
    if (!keeps_no_address(n->code.callee))
        r->functions[n->function].no_frame = true;
    bool all = address == SOME_ADDRESS || !text_begins(n->code.callee, "__tsan_");
    const struct units used = all ? units_all() : units_of(address, 16, false);
    units_add(&n->uses, &used);
}

static void read_call(struct needed *r, struct needed_node *n)
{
    static const int arguments[] = {7, 6, 2, 1, 8, 9, 10};
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        int32_t address = n->holds[arguments[i]];
        if (address != NO_ADDRESS && address != NOT_REACHED)
            pass_address(r, n, address);
    }
}

static void read_access(struct needed *r, struct needed_node *n)
{
    int32_t address = address_of(n);
    if (address == NO_ADDRESS || address == NOT_REACHED)
        return;
    bool exact = address != SOME_ADDRESS;
    struct units touched = exact ? units_of(address, n->code.size, n->code.whole_store) : units_all();
    if (!n->code.whole_store)
        units_add(&n->uses, &touched);
    else if (exact) {
        n->kills = touched;
        units_add(&r->functions[n->function].stored, &touched);
    }
}

// An address that is not merely copied, compared or used as an address is out of sight.
static void lose_addresses(struct needed *r, const struct needed_node *n)
{
    uint32_t values = n->code.values & 0xffff & ~(1u << INSTRUCTION_RSP | 1u << INSTRUCTION_RBP);
    if (n->code.form != FORM_OTHER || n->code.effects.call)
        return;
    if (n->code.written != NO_REGISTER && n->code.effects.kills >> n->code.written & 1)
        values &= ~(1u << n->code.written);
    for (; values; values &= values - 1) {
        int32_t address = n->holds[__builtin_ctz(values)];
        r->functions[n->function].no_frame |= address != NO_ADDRESS && address != NOT_REACHED;
    }
}

static void read_frame(struct needed *r)
{
    const struct units all = units_all();
    for (size_t i = 0; i < r->count; i++) {
        struct needed_node *n = &r->nodes[i];
        if (n->holds[0] == NOT_REACHED) // as far as is known here
            r->functions[n->function].no_frame = true;
        if (n->code.effects.call)
            read_call(r, n);
        if (n->code.memory && n->code.form != FORM_ADDRESS)
            read_access(r, n);
        lose_addresses(r, n);
        if (n->code.anywhere || (n->code.effects.uses == LIVE_ALL && !n->code.effects.call))
            n->uses = all;
    }
}

// ---- what is needed, backwards ----

static bool is_inside(const struct needed *r, long node)
{
    return node != NOWHERE && (size_t)node < r->count;
}

static void collect(const struct needed *r, long node, uint32_t *live, struct units *units)
{
    if (is_inside(r, node)) {
        *live |= r->nodes[node].live;
        units_add(units, &r->nodes[node].units_live);
    } else {
        *live = LIVE_ALL;
        *units = units_all();
    }
}

static bool solve_node(struct needed *r, size_t i)
{
    struct needed_node *n = &r->nodes[i];
    uint32_t live = 0;
    struct units units = {{0}};
    if (n->code.effects.falls)
        collect(r, (long)i + 1, &live, &units);
    if (n->code.effects.target[0])
        collect(r, n->to, &live, &units);
    live = (live & ~n->code.effects.kills) | n->code.effects.uses;
    for (size_t k = 0; k < UNITS / 64; k++)
        units.bit[k] = (units.bit[k] & ~n->kills.bit[k]) | n->uses.bit[k];
    bool changed = live != n->live || memcmp(&units, &n->units_live, sizeof units) != 0;
    n->live = live;
    n->units_live = units;
    return changed;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct needed_target *)a)->name, ((const struct needed_target *)b)->name);
}

static void find_targets(struct needed *r)
{
    if (r->label_count)
        qsort(r->labels, r->label_count, sizeof *r->labels, by_name);
    for (size_t i = 0; i < r->count; i++) {
        struct needed_target wanted = {.node = NOWHERE};
        memcpy(wanted.name, r->nodes[i].code.effects.target, sizeof wanted.name);
        const struct needed_target *found = !wanted.name[0] || !r->label_count
                                                ? NULL
                                                : bsearch(&wanted, r->labels, r->label_count, sizeof wanted, by_name);
        r->nodes[i].to = found && (size_t)found->node < r->count ? found->node : NOWHERE;
    }
}

void needed_solve(struct needed *r)
{
    find_targets(r);
    solve_addresses(r);
    read_frame(r);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = r->count; i-- > 0;)
            changed |= solve_node(r, i);
    }
}
