// Which registers and words of the frame are needed where is found by going backwards through the flow of control, as in
// assembly_liveness.c. Of registers only those matter that a call leaves as they are (they lie on the stack while their
// thread waits in it); of the frame, what the function itself stores by names relative to its frame pointer.
//
// A word whose address is taken may be read through that address. gcc takes many addresses only to tell the hooks of them, or
// to hand `expected` to the hook of a compare-and-swap: those are followed forwards, from register to register, and what
// a hook does with them is known. As soon as an address goes anywhere else (into memory, into a function), nothing of this
// frame is cleared: how far the object reaches is not known here.
//
// Functions with inline assembly, landing pads or calls that return twice are left alone, and so are frames that are
// addressed by anything but the frame pointer.
#include "cli/assembly_remains.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/assembly_effects.h"

enum {
    LINE = 8192,
    NAME = EFFECTS_NAME,
    REACH = 2048, // bytes below the frame pointer that are looked at
    UNIT = 4,     // that are cleared or not
    UNITS = REACH / UNIT,
    GENERAL = 16 // registers
};

enum { RSP = 4, RBP = 5, NO_REGISTER = -1, NOWHERE = -1 };

// What a register holds with respect to the frame: an address in it (the distance from the frame pointer), or one of these.
enum { NO_ADDRESS = 1 << 20, SOME_ADDRESS, NOT_REACHED };

struct units {
    uint64_t bit[UNITS / 64];
};

enum form {
    FORM_OTHER,
    FORM_COPY,    // of a whole register to another
    FORM_ADDRESS, // lea
    FORM_LOOK,    // compares, and keeps nothing
    FORM_SHIFT    // adds a number to a register
};

struct node {
    struct effects effects;
    uint32_t live;         // registers, right before it
    struct units uses, kills, units_live;
    int32_t holds[GENERAL]; // before it
    long to;
    size_t function;
    bool starts;
    enum form form;
    uint32_t values; // registers that are operands themselves, and not part of an address
    int written;     // register that is overwritten
    // An operand in memory. `exact`: so many bytes at the base and the distance, and nothing else.
    bool memory, exact, whole_store;
    bool anywhere; // it may access memory that its operands do not tell
    int base, index;
    int32_t distance, size;
    char callee[NAME];
};

struct label {
    char name[NAME];
    long node;
};

struct function {
    char name[NAME];
    bool hands_off; // nothing in it is cleared
    bool no_frame;  // its frame is left alone
    size_t instructions;
    struct units stored;
};

struct remains {
    struct node *nodes;
    size_t count, room;
    struct label *labels;
    size_t label_count, label_room;
    struct function *functions; // the first is what stands outside of all
    size_t function_count, function_room, current;
    bool starts, inside, intel;
    char *text;
    size_t size, text_room;
};

static _Noreturn void no_memory(void)
{
    fputs("heddle: out of memory.\n", stderr);
    exit(2);
}

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = 2 * *room + 256;
    if (!(array = realloc(array, *room * size)))
        no_memory();
    return array;
}

static bool begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

static const char *skip_space(const char *text)
{
    return text + strspn(text, " \t");
}

// ---- sets of units ----

// The units that a part of the frame has something of; with `inner`, those that lie in it as a whole.
static struct units units_of(int32_t distance, int32_t size, bool inner)
{
    struct units set = {{0}};
    int32_t from = distance + REACH, to = from + size;
    from = inner ? (from + UNIT - 1) & ~(UNIT - 1) : from & ~(UNIT - 1);
    to = inner ? to & ~(UNIT - 1) : (to + UNIT - 1) & ~(UNIT - 1);
    for (int32_t at = from < 0 ? 0 : from; at < to && at < REACH; at += UNIT)
        set.bit[at / UNIT / 64] |= 1ull << (at / UNIT % 64);
    return set;
}

static bool units_has(const struct units *set, size_t unit)
{
    return unit < UNITS && set->bit[unit / 64] >> (unit % 64) & 1;
}

static void units_add(struct units *set, const struct units *more)
{
    for (size_t i = 0; i < UNITS / 64; i++)
        set->bit[i] |= more->bit[i];
}

// ---- reading an instruction ----

// The number of a general register named with all its 64 bits, after the %; NO_REGISTER otherwise.
static int whole_register(const char *name, size_t length)
{
    static const char *const names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                        "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    for (int i = 0; i < GENERAL; i++)
        if (strlen(names[i]) == length && !strncmp(name, names[i], length))
            return i;
    return NO_REGISTER;
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]))
        length++;
    return length;
}

static int register_of(const char *text)
{
    text = skip_space(text);
    return *text == '%' ? whole_register(text + 1, word_length(text + 1)) : NO_REGISTER;
}

// DISTANCE(BASE,INDEX,SCALE)
static void read_memory(struct node *n, const char *operand, size_t length)
{
    const char *open = memchr(operand, '(', length), *close = open ? memchr(open, ')', length - (size_t)(open - operand)) : NULL;
    n->memory = true;
    n->base = n->index = NO_REGISTER;
    n->exact = false;
    if (!open || !close || memchr(operand, ':', length)) // of the file, or of another segment
        return;
    char *end;
    n->distance = (int32_t)strtol(operand, &end, 10);
    n->base = register_of(open + 1);
    const char *comma = memchr(open, ',', (size_t)(close - open));
    n->index = comma ? register_of(comma + 1) : NO_REGISTER;
    n->exact = end == open && !comma;
}

static const char *next_operand(const char *at)
{
    int depth = 0;
    for (; *at && (*at != ',' || depth); at++)
        depth += (*at == '(') - (*at == ')');
    return at;
}

static void read_operands(struct node *n, const char *operands)
{
    const char *last = effects_last_operand(operands);
    for (const char *at = operands; *at;) {
        const char *start = skip_space(at), *end = next_operand(at);
        size_t length = (size_t)(end - start);
        if (*start == '%' && !memchr(start, ':', length))
            n->values |= effects_registers(start, length);
        else if (*start != '$')
            read_memory(n, *start == '*' ? start + 1 : start, length);
        if (start == last && *start == '%' && !memchr(start, ':', length)) {
            uint32_t bit = effects_registers(start, length) & 0xffff;
            n->written = bit ? __builtin_ctz(bit) : NO_REGISTER;
        }
        at = *end ? end + 1 : end;
    }
}

// Whether the mnemonic is one of the list with a letter for its size, of which *size gets the bytes.
static bool is_sized(const char *name, const char *const *list, int32_t *size)
{
    for (; *list; list++) {
        size_t length = strlen(*list);
        const char *letter = strchr("bwlq", name[length < strlen(name) ? length : 0]);
        if (strncmp(name, *list, length) != 0 || strlen(name) != length + 1 || !letter)
            continue;
        *size = name[length] == 'b' ? 1 : name[length] == 'w' ? 2 : name[length] == 'l' ? 4 : 8;
        return true;
    }
    return false;
}

// How many bytes of memory the instruction accesses at most, and whether it merely overwrites them.
static void read_size(struct node *n, const char *name, bool last)
{
    static const char *const moves[] = {"mov", NULL};
    static const char *const extends[] = {"movzb", "movzw", "movsb", "movsw", "movsl", NULL};
    static const char *const others[] = {"add", "sub", "and", "or", "xor", "cmp", "test", "inc", "dec", "push", NULL};
    static const char *const vectors[] = {"movaps", "movups", "movdqa", "movdqu", NULL};
    bool vector = (n->effects.uses | n->effects.kills) & REGISTER_VECTORS;
    n->size = 64;
    if (!vector && is_sized(name, moves, &n->size))
        n->whole_store = last;
    else if (!vector && (is_sized(name, extends, &n->size) || is_sized(name, others, &n->size)))
        return;
    else if (vector)
        for (const char *const *v = vectors; *v; v++)
            n->whole_store |= last && !strcmp(name, *v);
    if (n->whole_store && vector)
        n->size = 16;
}

static enum form form_of(const struct node *n, const char *name, const char *operands)
{
    static const char *const looks[] = {"cmp", "test", NULL}, *const shifts[] = {"add", "sub", NULL};
    int32_t ignored;
    if (!strcmp(name, "movq") && !n->memory && register_of(operands) != NO_REGISTER &&
        register_of(effects_last_operand(operands)) != NO_REGISTER)
        return FORM_COPY;
    if (!strcmp(name, "leaq"))
        return FORM_ADDRESS;
    if (is_sized(name, looks, &ignored))
        return FORM_LOOK;
    return is_sized(name, shifts, &ignored) && ignored == 8 && *operands == '$' && !n->memory ? FORM_SHIFT : FORM_OTHER;
}

// Strings, and bits whose number may lead out of the word.
static bool reaches_anywhere(const char *name)
{
    static const char *const strings[] = {"movs", "stos", "lods", "cmps", "scas", "bt", "bts", "btr", "btc", NULL};
    int32_t ignored;
    return is_sized(name, strings, &ignored);
}

static void read_node(struct node *n, const char *text)
{
    char name[32];
    text = effects_instruction(text);
    size_t length = strcspn(text, " \t");
    const char *operands = skip_space(text + length);
    effects_read(&n->effects, text);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    n->written = NO_REGISTER;
    if (n->effects.target[0])
        return;
    if (n->effects.call && *operands != '*') {
        snprintf(n->callee, sizeof n->callee, "%.*s", (int)strcspn(operands, "@ \t"), operands);
        return;
    }
    read_operands(n, operands);
    if (n->memory)
        read_size(n, name, strchr(effects_last_operand(operands), '(') != NULL);
    n->form = form_of(n, name, operands);
    n->anywhere = reaches_anywhere(name);
}

// ---- what makes a function one to be left alone ----

static bool returns_twice(const char *callee)
{
    static const char *const names[] = {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork", "getcontext", "savectx", NULL};
    for (const char *const *name = names; *name; name++)
        if (!strcmp(callee, *name))
            return true;
    return false;
}

// The frame has to be made by the first two instructions, and to be addressed by the frame pointer alone.
static bool spoils_frame(const struct node *n, const char *text, size_t nth)
{
    const char *name = effects_instruction(text);
    uint32_t stack = 1u << RSP, frame = 1u << RBP;
    bool plain = begins(name, "push") || begins(name, "pop") || begins(name, "leave") || begins(name, "ret") ||
                 ((begins(name, "sub") || begins(name, "add") || begins(name, "and")) && strchr(name, '$'));
    if (nth == 0)
        return !begins(name, "pushq") || !strstr(name, "%rbp");
    if (nth == 1)
        return !begins(name, "movq") || !strstr(name, "%rsp") || !strstr(name, ", %rbp");
    if (effects_registers(name, strlen(name)) & stack && !plain && !(n->form == FORM_ADDRESS && n->written == RSP))
        return true;
    if (n->memory && (n->base == RSP || n->index == RBP))
        return true;
    return n->written == RBP && !begins(name, "pop") && effects_registers(name, strlen(name)) & frame;
}

static void note_function(struct remains *r, const struct node *n, const char *text)
{
    struct function *f = &r->functions[r->current];
    size_t nth = f->instructions;
    if (text && begins(effects_instruction(text), "endbr64"))
        return;
    f->instructions++;
    f->hands_off |= r->inside || r->intel || !text || returns_twice(n->callee);
    f->no_frame |= !text || spoils_frame(n, text, nth) || (!n->effects.falls && n->effects.uses == LIVE_ALL);
}

static void add_instruction(struct remains *r, const char *text)
{
    r->nodes = grown(r->nodes, r->count, &r->room, sizeof *r->nodes);
    struct node *n = &r->nodes[r->count++];
    *n = (struct node){.to = NOWHERE, .function = r->current, .starts = r->starts, .base = NO_REGISTER, .index = NO_REGISTER};
    n->effects = (struct effects){.uses = LIVE_ALL, .falls = true};
    n->written = NO_REGISTER;
    if (text)
        read_node(n, text);
    r->starts = false;
    note_function(r, n, text);
} // NOLINT(clang-analyzer-unix.Malloc): a node's owner is r->nodes

// ---- addresses in the frame, forwards ----

static int32_t joined(int32_t a, int32_t b)
{
    if (a == NOT_REACHED || a == b)
        return b;
    return b == NOT_REACHED ? a : SOME_ADDRESS;
}

static int32_t held(const struct node *n, int reg)
{
    return reg == RBP ? 0 : reg == NO_REGISTER ? NO_ADDRESS : n->holds[reg];
}

static int32_t shifted(int32_t address, int32_t by)
{
    return address == NO_ADDRESS || address == SOME_ADDRESS || address == NOT_REACHED ? address : address + by;
}

static int32_t address_of(const struct node *n)
{
    int32_t base = held(n, n->base), index = held(n, n->index);
    if (base == NO_ADDRESS && index == NO_ADDRESS)
        return NO_ADDRESS;
    return n->exact ? shifted(base, n->distance) : SOME_ADDRESS;
}

// What registers hold after the instruction.
static void after(const struct node *n, int32_t holds[GENERAL])
{
    memcpy(holds, n->holds, sizeof n->holds);
    if (n->effects.call)
        for (int i = 0; i < GENERAL; i++)
            holds[i] = EFFECTS_KEPT >> i & 1 ? holds[i] : NO_ADDRESS;
    if (n->written == NO_REGISTER || n->form == FORM_LOOK)
        return;
    int32_t *to = &holds[n->written];
    int from = n->values & ~(1u << n->written) ? __builtin_ctz(n->values & ~(1u << n->written)) : n->written;
    if (n->form == FORM_COPY)
        *to = held(n, from);
    else if (n->form == FORM_ADDRESS)
        *to = address_of(n);
    else if (n->form == FORM_SHIFT)
        *to = *to == NO_ADDRESS ? NO_ADDRESS : SOME_ADDRESS;
    else
        *to = NO_ADDRESS;
}

static bool flow_into(struct node *to, const int32_t holds[GENERAL])
{
    bool changed = false;
    for (int i = 0; i < GENERAL; i++) {
        int32_t both = joined(to->holds[i], holds[i]);
        changed |= both != to->holds[i];
        to->holds[i] = both;
    }
    return changed;
}

static void solve_addresses(struct remains *r)
{
    for (size_t i = 0; i < r->count; i++)
        for (int k = 0; k < GENERAL; k++)
            r->nodes[i].holds[k] = r->nodes[i].starts ? NO_ADDRESS : NOT_REACHED;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < r->count; i++) {
            const struct node *n = &r->nodes[i];
            int32_t holds[GENERAL];
            if (n->holds[0] == NOT_REACHED)
                continue;
            after(n, holds);
            if (n->effects.falls && i + 1 < r->count && r->nodes[i + 1].function == n->function)
                changed |= flow_into(&r->nodes[i + 1], holds);
            if (n->to != NOWHERE)
                changed |= flow_into(&r->nodes[n->to], holds);
        }
    }
}

// ---- what is read and overwritten of the frame ----

static bool is_announcement(const char *callee)
{
    return begins(callee, "__tsan_read") || begins(callee, "__tsan_write") || begins(callee, "__tsan_unaligned") ||
           begins(callee, "__tsan_func_");
}

static bool keeps_no_address(const char *callee)
{
    static const char *const names[] = {"memcpy", "memmove", "memset", "memcmp", NULL};
    for (const char *const *name = names; *name; name++)
        if (!strcmp(callee, *name))
            return true;
    return begins(callee, "__tsan_");
}

// What a call does with an address in the frame. An announcement comes right before the access, which is looked at itself.
static void pass_address(struct remains *r, struct node *n, int32_t address)
{
    if (is_announcement(n->callee))
        return;
    if (!keeps_no_address(n->callee))
        r->functions[n->function].no_frame = true;
    bool all = address == SOME_ADDRESS || !begins(n->callee, "__tsan_");
    const struct units used = all ? units_of(-REACH, REACH, false) : units_of(address, 16, false);
    units_add(&n->uses, &used);
}

static void read_call(struct remains *r, struct node *n)
{
    static const int arguments[] = {7, 6, 2, 1, 8, 9, 10};
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        int32_t address = n->holds[arguments[i]];
        if (address != NO_ADDRESS && address != NOT_REACHED)
            pass_address(r, n, address);
    }
}

static void read_access(struct remains *r, struct node *n)
{
    int32_t address = address_of(n);
    if (address == NO_ADDRESS || address == NOT_REACHED)
        return;
    bool exact = address != SOME_ADDRESS;
    struct units touched = exact ? units_of(address, n->size, n->whole_store) : units_of(-REACH, REACH, false);
    if (!n->whole_store)
        units_add(&n->uses, &touched);
    else if (exact) {
        n->kills = touched;
        units_add(&r->functions[n->function].stored, &touched);
    }
}

// An address that is not merely copied, compared or used as an address is out of sight.
static void lose_addresses(struct remains *r, const struct node *n)
{
    uint32_t values = n->values & 0xffff & ~(1u << RSP | 1u << RBP);
    if (n->form != FORM_OTHER || n->effects.call)
        return;
    if (n->written != NO_REGISTER && n->effects.kills >> n->written & 1)
        values &= ~(1u << n->written);
    for (; values; values &= values - 1) {
        int32_t address = n->holds[__builtin_ctz(values)];
        r->functions[n->function].no_frame |= address != NO_ADDRESS && address != NOT_REACHED;
    }
}

static void read_frame(struct remains *r)
{
    const struct units all = units_of(-REACH, REACH, false);
    for (size_t i = 0; i < r->count; i++) {
        struct node *n = &r->nodes[i];
        if (n->holds[0] == NOT_REACHED) // as far as is known here
            r->functions[n->function].no_frame = true;
        if (n->effects.call)
            read_call(r, n);
        if (n->memory && n->form != FORM_ADDRESS)
            read_access(r, n);
        lose_addresses(r, n);
        if (n->anywhere || (n->effects.uses == LIVE_ALL && !n->effects.call))
            n->uses = all;
    }
}

// ---- what is needed, backwards ----

static bool is_inside(const struct remains *r, long node)
{
    return node != NOWHERE && (size_t)node < r->count;
}

static void collect(const struct remains *r, long node, uint32_t *live, struct units *units)
{
    static const struct units all = {{UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX}};
    bool known = is_inside(r, node);
    *live |= known ? r->nodes[node].live : LIVE_ALL;
    units_add(units, known ? &r->nodes[node].units_live : &all);
}

_Static_assert(UNITS == 8 * 64, "collect");

static bool solve_node(struct remains *r, size_t i)
{
    struct node *n = &r->nodes[i];
    uint32_t live = 0;
    struct units units = {{0}};
    if (n->effects.falls)
        collect(r, (long)i + 1, &live, &units);
    if (n->effects.target[0])
        collect(r, n->to, &live, &units);
    live = (live & ~n->effects.kills) | n->effects.uses;
    for (size_t k = 0; k < UNITS / 64; k++)
        units.bit[k] = (units.bit[k] & ~n->kills.bit[k]) | n->uses.bit[k];
    bool changed = live != n->live || memcmp(&units, &n->units_live, sizeof units) != 0;
    n->live = live;
    n->units_live = units;
    return changed;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct label *)a)->name, ((const struct label *)b)->name);
}

static void find_targets(struct remains *r)
{
    if (r->label_count)
        qsort(r->labels, r->label_count, sizeof *r->labels, by_name);
    for (size_t i = 0; i < r->count; i++) {
        struct label wanted = {.node = NOWHERE};
        memcpy(wanted.name, r->nodes[i].effects.target, sizeof wanted.name);
        const struct label *found = !wanted.name[0] || !r->label_count ? NULL
                                    : bsearch(&wanted, r->labels, r->label_count, sizeof wanted, by_name);
        r->nodes[i].to = found && (size_t)found->node < r->count ? found->node : NOWHERE;
    }
}

static void solve(struct remains *r)
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

// ---- writing ----

static void put(struct remains *r, const char *text, size_t length)
{
    while (r->size + length + 1 > r->text_room)
        r->text = grown(r->text, r->text_room, &r->text_room, 1);
    memcpy(r->text + r->size, text, length);
    r->size += length;
    r->text[r->size] = 0;
}

// The linker knows the call that asks for thread-local storage by the instructions around it.
static bool is_worth_clearing(const struct node *n)
{
    return n->effects.call && !is_announcement(n->callee) && strcmp(n->callee, "__tls_get_addr") != 0;
}

static void clear_registers(struct remains *r, const struct node *n)
{
    static const struct {
        int number;
        const char *text;
    } kept[] = {{3, "movl $0,%ebx; "}, {12, "movl $0,%r12d; "}, {13, "movl $0,%r13d; "}, {14, "movl $0,%r14d; "}, {15, "movl $0,%r15d; "}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!(n->live >> kept[i].number & 1))
            put(r, kept[i].text, strlen(kept[i].text));
}

static void clear_frame(struct remains *r, const struct node *n)
{
    const struct units *stored = &r->functions[n->function].stored;
    for (size_t unit = 0; unit < UNITS; unit++) {
        char text[48];
        bool dead[2];
        for (size_t k = 0; k < 2; k++)
            dead[k] = units_has(stored, unit + k) && !units_has(&n->units_live, unit + k);
        if (!dead[0])
            continue;
        bool both = dead[1] && unit % 2 == 0;
        int length = snprintf(text, sizeof text, "mov%c $0,%d(%%rbp); ", both ? 'q' : 'l', (int)unit * UNIT - REACH);
        put(r, text, (size_t)length);
        unit += both;
    }
}

static void clear_before(struct remains *r, const struct node *n)
{
    const struct function *f = &r->functions[n->function];
    if (!is_worth_clearing(n) || f->hands_off || !n->function)
        return;
    clear_registers(r, n);
    if (!f->no_frame)
        clear_frame(r, n);
}

// ---- reading the text ----

// NAME.cold is a part of NAME.
static void enter_function(struct remains *r, const char *name, size_t length)
{
    static const char cold[] = ".cold";
    size_t tail = sizeof cold - 1, before = length > tail ? length - tail : 0;
    bool part = before && !strncmp(name + before, cold, tail);
    char base[NAME];
    snprintf(base, sizeof base, "%.*s", (int)(part ? before : length), name);
    r->starts = !part;
    for (size_t i = 0; part && i < r->function_count; i++) {
        if (!strcmp(r->functions[i].name, base)) {
            r->current = i;
            return;
        }
    }
    r->functions = grown(r->functions, r->function_count, &r->function_room, sizeof *r->functions);
    r->current = r->function_count++;
    r->functions[r->current] = (struct function){.hands_off = part || length >= NAME}; // or which function it is is not known
    memcpy(r->functions[r->current].name, base, sizeof base);
}

static void read_directive(struct remains *r, const char *text)
{
    if (begins(text, ".type") && strstr(text, "@function")) {
        const char *name = skip_space(text + 5);
        enter_function(r, name, strcspn(name, ", \t"));
    } else if (begins(text, ".cfi_lsda") || begins(text, ".cfi_personality")) {
        r->functions[r->current].hands_off = true;
    } else if (begins(text, ".intel_syntax")) {
        r->intel = true;
    }
}

static size_t label_length(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.$");
    return length && text[length] == ':' && text[length + 1] != ':' ? length + 1 : 0;
}

static void add_label(struct remains *r, const char *name, size_t length)
{
    r->labels = grown(r->labels, r->label_count, &r->label_room, sizeof *r->labels);
    struct label *label = &r->labels[r->label_count++];
    *label = (struct label){.node = (long)r->count};
    snprintf(label->name, NAME, "%.*s", (int)length, name);
}

// The instruction of a line, or null. Its labels and directives are noted when the text is read for the first time.
static const char *instruction_of(struct remains *r, const char *line, bool first)
{
    size_t length;
    const char *start = skip_space(line);
    if (begins(start, "#APP") || begins(start, "# Start of file scope inline assembly"))
        r->inside = true;
    if (begins(start, "#NO_APP") || begins(start, "# End of file scope inline assembly"))
        r->inside = false;
    while ((length = label_length(start))) {
        if (first)
            add_label(r, start, length - 1);
        start = skip_space(start + length);
    }
    if (*start == '.' && first)
        read_directive(r, start);
    return *start && !strchr(".#\n", *start) ? start : NULL;
}

static void read_line(struct remains *r, const char *line)
{
    const char *start = instruction_of(r, line, true);
    char text[LINE];
    if (!start)
        return;
    size_t length = strcspn(start, "#");
    while (length && isspace((unsigned char)start[length - 1]))
        length--;
    bool whole = length < sizeof text && !memchr(start, ';', length);
    snprintf(text, sizeof text, "%.*s", (int)length, start);
    add_instruction(r, whole ? text : NULL);
}

static void write_line(struct remains *r, const char *line, size_t *number)
{
    const char *start = instruction_of(r, line, false);
    if (start) {
        put(r, line, (size_t)(start - line));
        clear_before(r, &r->nodes[(*number)++]);
        line = start;
    }
    put(r, line, strlen(line));
    put(r, "\n", 1);
}

static void each_line(struct remains *r, char *text, bool first)
{
    size_t number = 0;
    for (char *next; *text; text = next) {
        size_t length = strcspn(text, "\n");
        next = text + length + (text[length] == '\n');
        text[length] = 0;
        if (first)
            read_line(r, text);
        else
            write_line(r, text, &number);
        if (next > text + length)
            text[length] = '\n';
    }
}

char *remains_clear(const char *text, size_t size, size_t *new_size)
{
    struct remains r = {0};
    char *copy = malloc(size + 1);
    if (!copy)
        no_memory();
    for (size_t i = 0; i < size; i++)
        copy[i] = text[i] ? text[i] : ' ';
    copy[size] = 0;
    enter_function(&r, "", 0);
    each_line(&r, copy, true);
    solve(&r);
    r.inside = false;
    each_line(&r, copy, false);
    free(copy);
    free(r.nodes);
    free(r.labels);
    free(r.functions);
    *new_size = r.size;
    if (r.size == size) {
        free(r.text);
        r.text = NULL;
    }
    return r.text;
}
