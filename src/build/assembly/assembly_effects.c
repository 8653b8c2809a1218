#include "build/assembly/assembly_effects.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum {
    RAX = 1 << 0,
    RCX = 1 << 1,
    RDX = 1 << 2,
    RBX = 1 << 3,
    RBP = EFFECTS_RBP,
    RSI = 1 << 6,
    RDI = 1 << 7,
    R8 = 1 << 8,
    KEPT = EFFECTS_KEPT,
    SCRATCH = (0xffff & ~KEPT) | REGISTER_VECTORS | LIVE_FLAGS,
    ARGUMENTS = RDI | RSI | RDX | RCX | R8 | 1 << 9 | RAX | 1 << 10 | REGISTER_VECTORS
};

uint32_t effects_registers(const char *text, size_t length)
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
    return text_begins(name, "set") || text_begins(name, "cmov") || (name[0] == 'j' && !text_begins(name, "jmp")) ||
           is(name, flag_readers) || text_begins(name, "loop");
}

// Registers that an instruction reads without naming them.
static uint32_t implied(const char *name, bool several)
{
    static const char *const accumulator[] = {"mul", "div", "idiv", "cmpxchg8b", "cmpxchg16b", NULL};
    static const char *const strings[] = {"stos", "movs", "lods", "cmps", "scas", NULL};
    static const char *const compare[] = {"cmpxchg", NULL};
    if (is(name, compare))
        return RAX;
    if (is(name, accumulator) || (text_begins(name, "imul") && !several))
        return RAX | RDX | RBX | RCX;
    if (text_begins(name, "cl") || text_begins(name, "cw") || text_begins(name, "cq") || text_begins(name, "cd"))
        return RAX | RDX; // sign extension
    if (!several && is(name, strings))
        return RAX | RCX | RSI | RDI | LIVE_FLAGS;
    if (text_begins(name, "loop") || strstr(name, "cxz"))
        return RCX;
    return text_begins(name, "leave") ? RBP : text_begins(name, "xgetbv") ? RCX : 0;
}

// What a call reads. Of the compiler's hooks it is known; others get all that may hold arguments.
static uint32_t call_uses(const char *operands)
{
    const char *hook = strstr(operands, "__tsan_");
    if (!hook)
        return ARGUMENTS;
    hook += strlen("__tsan_");
    if (text_begins(hook, "func_exit") || text_begins(hook, "init"))
        return 0;
    bool address = (text_begins(hook, "func_entry") || text_begins(hook, "read") || text_begins(hook, "write") ||
                    text_begins(hook, "unaligned") || text_begins(hook, "volatile")) &&
                   !strstr(hook, "range");
    return address ? RDI : RDI | RSI | RDX | RCX | R8 | 1 << 9;
}

const char *effects_last_operand(const char *operands)
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
    return (text_begins(name, "xor") || text_begins(name, "sub")) && last != operands &&
           !strncmp(operands, last, length) && strlen(last) == length && whole_register(last);
}

static void read_flow(struct effects *n, const char *name, const char *operands)
{
    if (name[0] == 'j' || text_begins(name, "loop")) {
        n->falls = name[0] == 'l' || !text_begins(name, "jmp");
        if (*operands == '*')
            n->uses = LIVE_ALL;
        else
            snprintf(n->target, sizeof n->target, "%.*s", (int)strcspn(operands, " \t,"), operands);
    } else if (text_begins(name, "ret")) {
        n->falls = false;
        n->uses |= KEPT | RAX | RDX | REGISTER_VECTORS;
    } else if (text_begins(name, "ud2") || text_begins(name, "hlt")) {
        n->falls = false;
    }
}

static void read_effects(struct effects *n, const char *name, const char *operands)
{
    const char *last = effects_last_operand(operands);
    bool several = last != operands;
    n->uses =
        effects_registers(operands, strlen(operands)) | implied(name, *operands) | (reads_flags(name) ? LIVE_FLAGS : 0);
    if (is(name, moves) && whole_register(last)) {
        n->kills = whole_register(last);
        n->uses = effects_registers(operands, (size_t)(last - operands));
    } else if (several && clears(name, operands, last)) {
        n->kills = whole_register(last) | LIVE_FLAGS;
        n->uses = 0;
    } else if (is(name, arithmetic)) {
        n->kills = LIVE_FLAGS;
    } else if (text_begins(name, "rdtsc")) {
        n->kills = RAX | RDX;
    }
}

static bool is_known(const char *name)
{
    return is(name, moves) || is(name, arithmetic) || is(name, partial) || reads_flags(name) || name[0] == 'j' ||
           text_begins(name, "rdtsc") || implied(name, false);
}

static bool is_prefix(const char *text, size_t length)
{
    static const char *const prefixes[] = {"lock", "repnz", "repne", "repz", "repe", "rep", "notrack", "bnd", NULL};
    for (const char *const *p = prefixes; *p; p++)
        if (strlen(*p) == length && text_begins(text, *p))
            return true;
    return false;
}

const char *effects_instruction(const char *text)
{
    size_t length;
    text += strspn(text, " \t");
    while (is_prefix(text, length = strcspn(text, " \t")))
        text += length + strspn(text + length, " \t");
    return text;
}

void effects_read(struct effects *e, const char *text)
{
    char name[32];
    text = effects_instruction(text);
    size_t length = strcspn(text, " \t");
    const char *operands = text + length + strspn(text + length, " \t");
    *e = (struct effects){.falls = true, .known = true};
    if (!*text) // a prefix on its own
        return;
    snprintf(name, sizeof name, "%.*s", (int)length, text);
    for (char *c = name; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (text_begins(name, "call")) {
        e->call = true;
        e->uses = call_uses(operands) | effects_registers(operands, strlen(operands));
        e->kills = SCRATCH;
        return;
    }
    read_effects(e, name, operands);
    e->known = is_known(name);
    read_flow(e, name, operands);
}
