#include "cli/assembly_liveness.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/assembly_statement.h"

enum {
    RAX = 1 << 0,
    RCX = 1 << 1,
    RDX = 1 << 2,
    RBX = 1 << 3,
    RSP = 1 << 4,
    RBP = 1 << 5,
    RSI = 1 << 6,
    RDI = 1 << 7,
    R8 = 1 << 8,
    KEPT = RBX | RSP | RBP | 0xf000, // by whoever is called
    SCRATCH = (0xffff & ~KEPT) | REGISTER_VECTORS | LIVE_FLAGS,
    ARGUMENTS = RDI | RSI | RDX | RCX | R8 | 1 << 9 | RAX | 1 << 10 | REGISTER_VECTORS
};

enum { NOWHERE = -1, NAME = 64 };

struct node {
    uint32_t uses, kills, live;  // `live`: right before it
    bool falls;                  // control can go on to the next one
    bool assembly, call, starts; // `starts` a function
    bool fresh;                  // it can be reached from the function's start without a call in between
    char target[NAME];           // label that it may go to; empty if there is none
    long to;                     // that label's node
    size_t function;
};

struct label {
    char name[NAME];
    long node;
};

struct function {
    char name[NAME];
    uint32_t mentions; // registers that it names anywhere
    bool jumps_anywhere;
    bool calls, uses_below; // a function that calls others leaves what is below its stack pointer to them
};

struct liveness {
    struct node *nodes;
    size_t count, room;
    struct label *labels;
    size_t label_count, label_room;
    struct function *functions; // the first one is what stands outside of all
    size_t function_count, function_room, current;
    bool starts;      // the next instruction is the first of its function
    size_t *assembly; // nodes of inline assembly
    size_t assembly_count, assembly_room;
};

static void *grown(void *array, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return array;
    *room = 2 * *room + 256;
    if ((array = realloc(array, *room * size)))
        return array;
    fputs("heddle: out of memory.\n", stderr);
    exit(2);
}

struct liveness *liveness_new(void)
{
    struct liveness *l = calloc(1, sizeof *l);
    if (!l) {
        fputs("heddle: out of memory.\n", stderr);
        exit(2);
    }
    liveness_function(l, "");
    return l;
}

void liveness_free(struct liveness *l)
{
    if (!l)
        return;
    free(l->nodes);
    free(l->labels);
    free(l->functions);
    free(l->assembly);
    free(l);
}

void liveness_function(struct liveness *l, const char *name)
{
    char base[NAME];
    size_t length = strcspn(name, ".");
    l->starts = true;
    snprintf(base, sizeof base, "%.*s", (int)length, name);
    for (size_t i = 0; name[length] && i < l->function_count; i++) {
        if (!strcmp(l->functions[i].name, base)) {
            l->current = i;
            return;
        }
    }
    l->functions = grown(l->functions, l->function_count, &l->function_room, sizeof *l->functions);
    l->current = l->function_count++;
    l->functions[l->current] = (struct function){0};
    memcpy(l->functions[l->current].name, base, sizeof base);
}

void liveness_label(struct liveness *l, const char *name, size_t length)
{
    l->labels = grown(l->labels, l->label_count, &l->label_room, sizeof *l->labels);
    struct label *label = &l->labels[l->label_count++];
    snprintf(label->name, NAME, "%.*s", (int)length, name);
    label->node = (long)l->count;
}

static bool begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

static uint32_t registers_in(const char *text, size_t length)
{
    uint32_t found = 0;
    for (const char *at = text; at < text + length; at++) {
        uint32_t name = 0;
        if (*at != '%')
            continue;
        while (isalnum((unsigned char)at[1 + name]))
            name++;
        found |= register_bit(at + 1, name);
    }
    return found;
}

// Mnemonics with the size's letter, if they have one: "mov" stands for mov, movb, movw, movl and movq.
static bool is(const char *name, const char *const *list)
{
    for (; *list; list++) {
        size_t length = strlen(*list);
        if (!strncmp(name, *list, length) && (!name[length] || (strchr("bwlq", name[length]) && !name[length + 1])))
            return true;
    }
    return false;
}

// Write their last operand without reading it.
static const char *const moves[] = {"mov", "movabs", "lea", "movzb", "movzw", "movsb", "movsw", "movsl", "pop", NULL};
// Overwrite all flags.
static const char *const arithmetic[] = {"add", "sub",     "and",        "or",        "xor",  "cmp", "test",
                                         "neg", "cmpxchg", "cmpxchg16b", "cmpxchg8b", "xadd", NULL};
// Read all they name, and leave some flags as they were.
static const char *const partial[] = {
    "inc", "dec",   "not", "shl", "shr",       "sar",    "sal",    "bts",    "btr",     "btc",  "bt",    "xchg", "push",
    "nop", "pause", "rol", "ror", "prefetchw", "mfence", "lfence", "sfence", "clflush", "imul", "bswap", NULL};
// Read flags.
static const char *const flag_readers[] = {"adc", "sbb", "pushf", "lahf", "rcl", "rcr", NULL};

static bool reads_flags(const char *name)
{
    return begins(name, "set") || begins(name, "cmov") || (name[0] == 'j' && !begins(name, "jmp")) ||
           is(name, flag_readers) || begins(name, "loop");
}

// Registers that an instruction reads without naming them.
static uint32_t implied(const char *name, bool several)
{
    static const char *const accumulator[] = {"mul", "div", "idiv", "cmpxchg8b", "cmpxchg16b", NULL};
    static const char *const strings[] = {"stos", "movs", "lods", "cmps", "scas", NULL};
    static const char *const compare[] = {"cmpxchg", NULL};
    if (is(name, compare))
        return RAX;
    if (is(name, accumulator) || (begins(name, "imul") && !several))
        return RAX | RDX | RBX | RCX;
    if (begins(name, "cl") || begins(name, "cw") || begins(name, "cq") || begins(name, "cd"))
        return RAX | RDX; // sign extension
    if (!several && is(name, strings))
        return RAX | RCX | RSI | RDI | LIVE_FLAGS;
    if (begins(name, "loop") || strstr(name, "cxz"))
        return RCX;
    return begins(name, "leave") ? RBP : begins(name, "xgetbv") ? RCX : 0;
}

// What a call reads. Of the compiler's hooks it is known; others get all that may hold arguments.
static uint32_t call_uses(const char *operands)
{
    const char *hook = strstr(operands, "__tsan_");
    if (!hook)
        return ARGUMENTS;
    hook += strlen("__tsan_");
    if (begins(hook, "func_exit") || begins(hook, "init"))
        return 0;
    bool address = (begins(hook, "func_entry") || begins(hook, "read") || begins(hook, "write") ||
                    begins(hook, "unaligned") || begins(hook, "volatile")) &&
                   !strstr(hook, "range");
    return address ? RDI : RDI | RSI | RDX | RCX | R8 | 1 << 9;
}

static const char *last_operand(const char *operands)
{
    int depth = 0;
    const char *last = operands;
    for (const char *at = operands; *at; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at == ',' && !depth)
            last = at + 1;
    }
    return last + strspn(last, " \t");
}

// The register of four or eight bytes that the operand is, or 0: smaller parts leave the rest as it was.
static uint32_t whole_register(const char *operand)
{
    uint32_t length = 0;
    if (*operand != '%' || strchr(operand, ':'))
        return 0;
    while (isalnum((unsigned char)operand[1 + length]))
        length++;
    bool numbered = operand[1] == 'r' && isdigit((unsigned char)operand[2]);
    char end = operand[length];
    bool whole = numbered ? end == 'd' || isdigit((unsigned char)end) : operand[1] == 'r' || operand[1] == 'e';
    uint32_t bit = register_bit(operand + 1, length);
    return whole && !(bit & REGISTER_VECTORS) ? bit : 0;
}

// xor and sub of a register with itself.
static bool clears(const char *name, const char *operands, const char *last)
{
    size_t length = strcspn(operands, ", \t");
    return (begins(name, "xor") || begins(name, "sub")) && last != operands && !strncmp(operands, last, length) &&
           strlen(last) == length && whole_register(last);
}

static void read_flow(struct node *n, const char *name, const char *operands)
{
    if (name[0] == 'j' || begins(name, "loop")) {
        n->falls = name[0] == 'l' || !begins(name, "jmp");
        if (*operands == '*')
            n->uses = LIVE_ALL;
        else
            snprintf(n->target, NAME, "%.*s", (int)strcspn(operands, " \t,"), operands);
    } else if (begins(name, "ret")) {
        n->falls = false;
        n->uses |= KEPT | RAX | RDX | REGISTER_VECTORS;
    } else if (begins(name, "ud2") || begins(name, "hlt")) {
        n->falls = false;
    }
}

static void read_effects(struct node *n, const char *name, const char *operands)
{
    const char *last = last_operand(operands);
    bool several = last != operands;
    n->uses =
        registers_in(operands, strlen(operands)) | implied(name, *operands) | (reads_flags(name) ? LIVE_FLAGS : 0);
    if (is(name, moves) && whole_register(last)) {
        n->kills = whole_register(last);
        n->uses = registers_in(operands, (size_t)(last - operands));
    } else if (several && clears(name, operands, last)) {
        n->kills = whole_register(last) | LIVE_FLAGS;
        n->uses = 0;
    } else if (is(name, arithmetic)) {
        n->kills = LIVE_FLAGS;
    } else if (begins(name, "rdtsc")) {
        n->kills = RAX | RDX;
    }
}

static bool is_known(const char *name)
{
    return is(name, moves) || is(name, arithmetic) || is(name, partial) || reads_flags(name) || name[0] == 'j' ||
           begins(name, "rdtsc") || implied(name, false);
}

static bool is_prefix(const char *text, size_t length)
{
    static const char *const prefixes[] = {"lock", "repnz", "repne", "repz", "repe", "rep", "notrack", "bnd", NULL};
    for (const char *const *p = prefixes; *p; p++)
        if (strlen(*p) == length && begins(text, *p))
            return true;
    return false;
}

static const char *skip_prefixes(const char *text)
{
    size_t length;
    while (is_prefix(text, length = strcspn(text, " \t")))
        text += length + strspn(text + length, " \t");
    return text;
}

static void read_node(struct node *n, const char *text)
{
    char name[32];
    size_t length = strcspn(text, " \t");
    const char *operands = text + length + strspn(text + length, " \t");
    n->uses = 0;
    if (!*text) // a prefix on its own
        return;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (begins(name, "call")) {
        n->call = true;
        n->uses = n->assembly ? LIVE_ALL : call_uses(operands) | KEPT | registers_in(operands, strlen(operands));
        n->kills = n->assembly ? 0 : SCRATCH;
        return;
    }
    read_effects(n, name, operands);
    if (n->assembly && !is_known(name))
        n->uses = LIVE_ALL;
    read_flow(n, name, operands);
}

// Whether an operand lies below the stack pointer.
static bool names_below(const char *text)
{
    for (const char *at = text; (at = strstr(at, "(%rsp")); at++) {
        const char *start = at;
        while (start > text && !strchr(" \t,", start[-1]))
            start--;
        if (memchr(start, '-', (size_t)(at - start)))
            return true;
    }
    return false;
}

static void note_function(struct function *f, const struct node *n, const char *text)
{
    f->jumps_anywhere |= text && !n->falls && n->uses == LIVE_ALL;
    f->mentions |= text ? registers_in(text, strlen(text)) | LIVE_FLAGS : LIVE_ALL;
    f->calls |= n->call && !n->assembly;
    f->uses_below |= !text || names_below(text);
}

void liveness_instruction(struct liveness *l, const char *text, bool assembly)
{
    l->nodes = grown(l->nodes, l->count, &l->room, sizeof *l->nodes);
    struct node *n = &l->nodes[l->count];
    *n = (struct node){.uses = LIVE_ALL, .falls = true, .assembly = assembly, .to = NOWHERE, .function = l->current};
    if (text)
        read_node(n, skip_prefixes(text + strspn(text, " \t")));
    note_function(&l->functions[l->current], n, text);
    n->starts = l->starts;
    l->starts = false;
    if (assembly) {
        l->assembly = grown(l->assembly, l->assembly_count, &l->assembly_room, sizeof *l->assembly);
        l->assembly[l->assembly_count++] = l->count;
    }
    l->count++;
}

static int by_name(const void *a, const void *b)
{
    const struct label *one = a, *other = b;
    int order = strcmp(one->name, other->name);
    return order ? order : (one->node > other->node) - (one->node < other->node);
}

// Numbers may name many labels: 1b is the last one before, 1f the first one after.
static long find_label(const struct liveness *l, const char *target, long from)
{
    char name[NAME];
    size_t digits = strspn(target, "0123456789");
    bool local = digits && (target[digits] == 'b' || target[digits] == 'f') && !target[digits + 1];
    snprintf(name, sizeof name, "%.*s", local ? (int)digits : NAME - 1, target);
    long found = NOWHERE;
    size_t low = 0, high = l->label_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(l->labels[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < l->label_count && !strcmp(l->labels[low].name, name); low++) {
        long node = l->labels[low].node;
        if (!local || (target[digits] == 'b' && node <= from))
            found = node;
        else if (target[digits] == 'f' && node > from)
            return node;
    }
    return found;
}

// What is needed after a node. A jump out of the file is a call of another function.
static uint32_t live_after(const struct liveness *l, size_t i)
{
    const struct node *n = &l->nodes[i];
    uint32_t live = 0;
    if (n->falls)
        live |= i + 1 < l->count ? l->nodes[i + 1].live : LIVE_ALL;
    if (n->target[0])
        live |= n->to != NOWHERE && (size_t)n->to < l->count ? l->nodes[n->to].live : LIVE_ALL;
    return live;
}

// Goes backwards: what is needed before each node.
static void solve_live(struct liveness *l)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = l->count; i-- > 0;) {
            struct node *n = &l->nodes[i];
            uint32_t live = (live_after(l, i) & ~n->kills) | n->uses;
            changed |= live != n->live;
            n->live = live;
        }
    }
}

static bool make_fresh(struct liveness *l, long node)
{
    if (node == NOWHERE || (size_t)node >= l->count || l->nodes[node].fresh)
        return false;
    l->nodes[node].fresh = true;
    return true;
}

// Goes forwards: where arguments may still be in the registers that they came in.
static void solve_fresh(struct liveness *l)
{
    for (size_t i = 0; i < l->count; i++)
        l->nodes[i].fresh = l->nodes[i].starts || l->functions[l->nodes[i].function].jumps_anywhere;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < l->count; i++) {
            const struct node *n = &l->nodes[i];
            if (!n->fresh || n->call)
                continue;
            changed |= n->falls && make_fresh(l, (long)i + 1);
            changed |= make_fresh(l, n->to);
        }
    }
}

void liveness_solve(struct liveness *l)
{
    if (l->label_count)
        qsort(l->labels, l->label_count, sizeof *l->labels, by_name);
    for (size_t i = 0; i < l->count; i++)
        if (l->nodes[i].target[0])
            l->nodes[i].to = find_label(l, l->nodes[i].target, (long)i);
    solve_live(l);
    solve_fresh(l);
}

// What a function never names is its callers', or an argument that passes through on its way to another function, or
// nobody's. (That is why heddle cc turns -fipa-ra off, by which callers rely on what a function does not name.)
uint32_t liveness_before(const struct liveness *l, size_t number)
{
    if (number >= l->assembly_count)
        return LIVE_ALL;
    const struct node *n = &l->nodes[l->assembly[number]];
    const struct function *f = &l->functions[n->function];
    if (!n->function)
        return LIVE_ALL;
    uint32_t live = n->fresh ? n->live : n->live & f->mentions;
    live = f->calls && !f->uses_below ? live & ~(uint32_t)LIVE_BELOW : live | LIVE_BELOW;
    return live | (KEPT & ~f->mentions);
}
