#include "build/assembly/assembly_taint.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "build/assembly/assembly_effects.h"
#include "build/assembly/assembly_hooks.h"
#include "build/assembly/assembly_statement.h"

enum { OPERANDS = 4, OPERAND = 128, NAME = 32 };
enum { RAX = MACHINE_RAX, RCX = MACHINE_RCX, RDX = MACHINE_RDX };

struct piece {
    enum { PIECE_NUMBER, PIECE_REGISTER, PIECE_VECTOR, PIECE_MEMORY } kind;
    uint32_t number, size; // of a register
    uint32_t base, index;  // of an address; MACHINE_GENERAL: none
};

struct code {
    char name[NAME];
    struct piece piece[OPERANDS];
    uint32_t pieces;
    const struct walked_operand *memory;
};

void taint_escape(struct taint_function *f, uint64_t reads)
{
    f->changed |= (f->escapes | reads) != f->escapes;
    f->escapes |= reads;
}

static void add_to(struct taint_function *f, uint64_t *set, uint64_t reads)
{
    f->changed |= (*set | reads) != *set;
    *set |= reads;
}

// ---- operands ----

static bool read_register(const char *text, size_t length, struct piece *p)
{
    uint32_t number, size;
    bool high;
    if (*text != '%' || !register_read(text + 1, (uint32_t)length - 1, &number, &size, &high))
        return false;
    bool vector = number >= ASSEMBLY_VECTOR;
    p->kind = vector ? PIECE_VECTOR : PIECE_REGISTER;
    p->number = vector ? number - ASSEMBLY_VECTOR : number;
    p->size = size;
    return !vector || p->number < TAINT_VECTORS;
}

static uint32_t general_in(const char *text, size_t length)
{
    uint32_t number, size;
    bool high;
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    return length > 1 && *text == '%' && register_read(text + 1, (uint32_t)length - 1, &number, &size, &high) &&
                   number < MACHINE_GENERAL
               ? number
               : MACHINE_GENERAL;
}

// `displacement(base,index,scale)`, perhaps behind a segment.
static void read_address(const char *text, size_t length, struct piece *p)
{
    const char *open = memchr(text, '(', length);
    p->kind = PIECE_MEMORY;
    p->base = p->index = MACHINE_GENERAL;
    if (!open)
        return;
    const char *end = memchr(open, ')', length - (size_t)(open - text));
    const char *comma = end ? memchr(open, ',', (size_t)(end - open)) : NULL;
    const char *second = comma ? memchr(comma + 1, ',', (size_t)(end - comma - 1)) : NULL;
    if (!end)
        return;
    p->base = general_in(open + 1, (size_t)((comma ? comma : end) - open - 1));
    if (comma)
        p->index = general_in(comma + 1, (size_t)((second ? second : end) - comma - 1));
}

static bool read_piece(const char *text, size_t length, struct piece *p)
{
    *p = (struct piece){.base = MACHINE_GENERAL, .index = MACHINE_GENERAL};
    if (*text == '$')
        return true;
    if (*text == '*')
        text++, length--;
    if (*text == '%' && !memchr(text, ':', length))
        return read_register(text, length, p);
    read_address(text, length, p);
    return true;
}

static bool read_code(struct code *c, const char *text, const struct walked_operand *operand)
{
    size_t length = strcspn(text, " \t");
    const char *operands = text + length + strspn(text + length, " \t"), *at;
    *c = (struct code){.memory = operand};
    snprintf(c->name, sizeof c->name, "%.*s", (int)length, text);
    for (; (at = machine_operand(operands, c->pieces, &length)); c->pieces++)
        if (c->pieces == OPERANDS || !read_piece(at, length, &c->piece[c->pieces]))
            return false;
    return true;
}

// ---- values ----

static uint64_t address_of(const struct taint *t, const struct piece *p)
{
    return (p->base < MACHINE_GENERAL ? t->reg[p->base] : 0) | (p->index < MACHINE_GENERAL ? t->reg[p->index] : 0);
}

// The slots of an operand in the frame; false if it lies outside of those that are followed.
static bool slots_of(const struct walked_operand *o, uint32_t *from, uint32_t *to)
{
    int64_t low = -o->offset - (int64_t)o->size, high = -o->offset; // grow downwards
    if (!o->fixed || low < 0 || high > (int64_t)TAINT_SLOTS * TAINT_SLOT)
        return false;
    *from = (uint32_t)(low / TAINT_SLOT);
    *to = (uint32_t)((high + TAINT_SLOT - 1) / TAINT_SLOT);
    return true;
}

static uint64_t frame_value(const struct taint_function *f, const struct walked_operand *o)
{
    uint32_t from = 0, to = TAINT_SLOTS;
    uint64_t reads = f->elsewhere;
    if (!slots_of(o, &from, &to))
        from = 0, to = TAINT_SLOTS;
    for (uint32_t i = from; i < to; i++)
        reads |= f->slot[i];
    return reads;
}

static uint64_t memory_value(struct taint_function *f, const struct walked_operand *o)
{
    uint64_t reads = o->own ? frame_value(f, o) : 0;
    if (o->kind == OPERAND_UNKNOWN || o->hooks > OPERAND_HOOKS)
        f->unknown = "where an operand lies";
    for (uint32_t i = 0; o->kind == OPERAND_HOOKED && i < o->hooks && i < OPERAND_HOOKS; i++)
        if (f->read[o->hook[i]])
            reads |= 1ull << (f->read[o->hook[i]] - 1);
    return reads;
}

static void store_to(struct taint_function *f, const struct walked_operand *o, uint64_t reads)
{
    uint32_t from, to;
    if (o->kind == OPERAND_UNKNOWN || o->hooks > OPERAND_HOOKS)
        f->unknown = "where an operand lies";
    if (o->kind == OPERAND_ANNOUNCED) // the runtime takes what it knows no hook of for untouched
        taint_escape(f, reads);
    for (uint32_t i = 0; o->kind == OPERAND_HOOKED && i < o->hooks && i < OPERAND_HOOKS; i++)
        add_to(f, &f->stored[o->hook[i]], reads);
    if (!o->own)
        return;
    if (!slots_of(o, &from, &to)) {
        add_to(f, &f->elsewhere, reads);
        return;
    }
    for (uint32_t i = from; i < to; i++)
        add_to(f, &f->slot[i], reads);
}

static uint64_t piece_value(const struct taint *t, struct taint_function *f, const struct code *c,
                            const struct piece *p)
{
    switch (p->kind) {
    case PIECE_REGISTER:
        return t->reg[p->number];
    case PIECE_VECTOR:
        return t->vector[p->number];
    case PIECE_MEMORY:
        taint_escape(f, address_of(t, p));
        return memory_value(f, c->memory);
    default:
        return 0;
    }
}

// `whole`: nothing of what was there stays.
static void put_value(struct taint *t, struct taint_function *f, const struct code *c, const struct piece *p,
                      uint64_t reads, bool whole)
{
    switch (p->kind) {
    case PIECE_REGISTER:
        t->reg[p->number] = whole && p->size >= 4 ? reads : t->reg[p->number] | reads;
        break;
    case PIECE_VECTOR:
        t->vector[p->number] = whole ? reads : t->vector[p->number] | reads;
        break;
    case PIECE_MEMORY:
        taint_escape(f, address_of(t, p));
        if (p->base == MACHINE_RSP) // perhaps an argument
            taint_escape(f, reads);
        store_to(f, c->memory, reads);
        break;
    default:
        break;
    }
}

static uint64_t all_values(const struct taint *t, struct taint_function *f, const struct code *c)
{
    uint64_t reads = 0;
    for (uint32_t i = 0; i < c->pieces; i++)
        reads |= piece_value(t, f, c, &c->piece[i]);
    return reads;
}

// ---- calls ----

// How many arguments these take; others may take as many as there are registers for them, and further ones in memory, where
// only pushes and stores relative to the stack pointer put them: those let values escape anyway.
static const struct {
    const char *name;
    uint32_t arguments;
} known_calls[] = {
    {"pthread_mutex_lock", 1},
    {"pthread_mutex_unlock", 1},
    {"pthread_mutex_trylock", 1},
    {"pthread_cond_wait", 2},
    {"pthread_cond_signal", 1},
    {"pthread_cond_broadcast", 1},
    {"pthread_rwlock_rdlock", 1},
    {"pthread_rwlock_wrlock", 1},
    {"pthread_rwlock_unlock", 1},
    {"pthread_create", 4},
    {"pthread_join", 2},
    {"pthread_mutex_init", 2},
    {"pthread_mutex_destroy", 1},
    {"sem_wait", 1},
    {"sem_post", 1},
    {"malloc", 1},
    {"calloc", 2},
    {"free", 1},
    {"usleep", 1},
    {"sched_yield", 0},
    {"pthread_exit", 1},
    {"__stack_chk_fail", 0},
    {"__errno_location", 0},
    {"pthread_self", 0},
};

bool taint_gives_up(const char *callee)
{
    return !strcmp(callee, "__assert_fail") || !strcmp(callee, "abort") || !strcmp(callee, "_exit") ||
           !strcmp(callee, "__stack_chk_fail");
}

static void hand_over(const struct taint *t, struct taint_function *f, const char *callee)
{
    static const uint32_t arguments[] = {MACHINE_RDI, MACHINE_RSI, RDX, RCX, 8, 9};
    for (size_t i = 0; i < sizeof known_calls / sizeof *known_calls; i++) {
        if (strcmp(callee, known_calls[i].name) != 0)
            continue;
        for (uint32_t k = 0; k < known_calls[i].arguments; k++)
            taint_escape(f, t->reg[arguments[k]]);
        return;
    }
    uint64_t reads = t->reg[RAX];
    for (uint32_t k = 0; k < sizeof arguments / sizeof *arguments; k++)
        reads |= t->reg[arguments[k]];
    for (uint32_t k = 0; k < TAINT_VECTORS; k++)
        reads |= t->vector[k];
    taint_escape(f, reads);
}

void taint_tail_call(struct taint *t, struct taint_function *f, const char *callee)
{
    char name[256];
    call_name(callee, name, sizeof name);
    if (call_kind_of(name) == CALL_OTHER)
        hand_over(t, f, name);
}

// What a call does not keep holds nothing of this function's any more.
static void forget_scratch(struct taint *t)
{
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (!((uint32_t)EFFECTS_KEPT >> i & 1))
            t->reg[i] = 0;
    memset(t->vector, 0, sizeof t->vector);
    t->flags = 0;
}

static enum taint_next pass_call(struct taint *t, struct taint_function *f, const char *text, const struct code *c)
{
    char name[256];
    const char *callee = text + strcspn(text, " \t");
    callee += strspn(callee, " \t");
    call_name(callee, name, sizeof name);
    if (*callee == '*') {
        taint_escape(f, all_values(t, f, c));
        snprintf(name, sizeof name, "*");
    }
    if (call_kind_of(name) == CALL_OTHER && !taint_gives_up(name))
        hand_over(t, f, name);
    forget_scratch(t);
    return taint_gives_up(name) ? TAINT_ENDS : TAINT_GOES_ON;
}

// ---- instructions ----

static bool among(const char *name, const char *const *list, bool sized)
{
    for (; *list; list++) {
        size_t length = strlen(*list);
        if (strncmp(name, *list, length) != 0)
            continue;
        if (!name[length] || (sized && strchr("bwlq", name[length]) && !name[length + 1]))
            return true;
    }
    return false;
}

// Copy their first operand to their last. Vectors keep a part of what they held if it is not all overwritten.
static const char *const moves[] = {"mov", "movabs", "movzb", "movzw", "movsb", "movsw", "movsl", "movd", NULL};
static const char *const vector_moves[] = {"movaps", "movups", "movapd", "movupd", "movdqa", "movdqu", "lddqu", NULL};
static const char *const part_moves[] = {"movss", "movsd", "movhps", "movlps", "movhpd", "movlpd", NULL};
static const char *const sums[] = {"add", "sub", "and", "or", "xor", "shl", "shr", "sar", "sal", "rol", "ror", NULL};
static const char *const overwriting[] = {"add", "sub", "and", "or", "xor", "neg", "adc", "sbb", NULL}; // all flags
static const char *const carries[] = {"adc", "sbb", "rcl", "rcr", NULL};
static const char *const singles[] = {"inc", "dec", "neg", "not", "bswap", NULL};
static const char *const looks[] = {"cmp", "test", "bt", "comiss", "comisd", "ucomiss", "ucomisd", NULL};
static const char *const products[] = {"mul", "div", "idiv", NULL};
static const char *const nothing[] = {"nop", "endbr64", "leave", "pause", "cld", "vzeroupper", NULL};
static const char *const vector_sums[] = {
    "addss",      "addsd",      "addps",      "addpd",     "subss",    "subsd",     "subps",     "subpd",
    "mulss",      "mulsd",      "mulps",      "mulpd",     "divss",    "divsd",     "divps",     "divpd",
    "andps",      "andpd",      "andnps",     "andnpd",    "orps",     "orpd",      "xorps",     "xorpd",
    "pxor",       "por",        "pand",       "pandn",     "paddb",    "paddw",     "paddd",     "paddq",
    "psubb",      "psubw",      "psubd",      "psubq",     "pmuludq",  "pmulld",    "pslldq",    "psrldq",
    "pslld",      "psrld",      "psllq",      "psrlq",     "pshufd",   "shufps",    "unpcklps",  "unpcklpd",
    "punpckldq",  "punpcklqdq", "punpckhqdq", "punpckhdq", "cvtsi2sd", "cvtsi2sdl", "cvtsi2sdq", "cvtsi2ss",
    "cvtsi2ssl",  "cvtsi2ssq",  "cvtss2sd",   "cvtsd2ss",  "cvtdq2pd", "cvtdq2ps",  "cvttsd2si", "cvttsd2sil",
    "cvttsd2siq", "cvttss2si",  "sqrtsd",     "sqrtss",    "maxsd",    "minsd",     "maxss",     "minss",
    NULL};

// Instructions on vectors of integers, and some that move parts of them.
static bool is_packed(const char *name)
{
    static const char *const others[] = {"push", "pop", "prefetch", "pause", "ptest", "pcmpestr", "pcmpistr", NULL};
    for (const char *const *other = others; *other; other++)
        if (text_begins(name, *other))
            return false;
    return name[0] == 'p';
}

static bool is_same_register(const struct code *c)
{
    const struct piece *a = &c->piece[0], *b = &c->piece[1];
    return c->pieces == 2 && a->kind == b->kind && (a->kind == PIECE_REGISTER || a->kind == PIECE_VECTOR) &&
           a->number == b->number;
}

static bool clears(const struct code *c)
{
    static const char *const clearing[] = {"xor", "sub", NULL};
    static const char *const clearing_vectors[] = {"pxor", "xorps", "xorpd", NULL};
    return is_same_register(c) && (among(c->name, clearing, true) || among(c->name, clearing_vectors, false));
}

static bool pass_move(struct taint *t, struct taint_function *f, const struct code *c)
{
    bool whole = among(c->name, moves, true) || among(c->name, vector_moves, false);
    if ((!whole && !among(c->name, part_moves, false)) || c->pieces != 2)
        return false;
    put_value(t, f, c, &c->piece[1], piece_value(t, f, c, &c->piece[0]), whole);
    return true;
}

static bool pass_arithmetic(struct taint *t, struct taint_function *f, const struct code *c)
{
    bool carries_on = among(c->name, carries, true), vectors = among(c->name, vector_sums, false) || is_packed(c->name);
    bool product = text_begins(c->name, "imul") && c->pieces >= 2;
    if (!c->pieces ||
        !(among(c->name, sums, true) || carries_on || among(c->name, singles, true) || product || vectors))
        return false;
    if (clears(c)) {
        put_value(t, f, c, &c->piece[1], 0, true);
        t->flags = vectors ? t->flags : 0;
        return true;
    }
    uint64_t reads = all_values(t, f, c) | (carries_on ? t->flags : 0);
    put_value(t, f, c, &c->piece[c->pieces - 1], reads, false);
    if (!vectors)
        t->flags = among(c->name, overwriting, true) ? reads : t->flags | reads;
    return true;
}

static bool pass_implied(struct taint *t, struct taint_function *f, const struct code *c)
{
    if (among(c->name, products, true) || (text_begins(c->name, "imul") && c->pieces == 1)) {
        uint64_t reads = all_values(t, f, c) | t->reg[RAX] | t->reg[RDX];
        t->reg[RAX] = t->reg[RDX] = t->flags = reads;
        return true;
    }
    if (!strcmp(c->name, "cltd") || !strcmp(c->name, "cqto")) {
        t->reg[RDX] = t->reg[RAX];
        return true;
    }
    return !strcmp(c->name, "cltq") || !strcmp(c->name, "cwtl") || among(c->name, nothing, true);
}

static bool pass_look(struct taint *t, struct taint_function *f, const struct code *c)
{
    if (among(c->name, looks, true)) {
        t->flags = all_values(t, f, c);
        return true;
    }
    if (text_begins(c->name, "set") && c->pieces == 1) {
        put_value(t, f, c, &c->piece[0], t->flags, false);
        return true;
    }
    if (text_begins(c->name, "cmov") && c->pieces == 2) {
        put_value(t, f, c, &c->piece[1], all_values(t, f, c) | t->flags, false);
        return true;
    }
    if (text_begins(c->name, "lea") && c->pieces == 2) {
        put_value(t, f, c, &c->piece[1], address_of(t, &c->piece[0]), true);
        return !text_begins(c->name, "leave");
    }
    return false;
}

// What is pushed may be an argument; what is popped was pushed.
static bool pass_stack(struct taint *t, struct taint_function *f, const struct code *c)
{
    bool push = text_begins(c->name, "push"), pop = text_begins(c->name, "pop");
    if ((!push && !pop) || c->pieces != 1 || strlen(c->name) > 5)
        return false;
    if (push)
        taint_escape(f, c->piece[0].kind == PIECE_MEMORY ? ~0ull : piece_value(t, f, c, &c->piece[0]));
    else if (c->piece[0].kind == PIECE_REGISTER)
        t->reg[c->piece[0].number] = 0;
    else
        return false;
    return true;
}

enum taint_next taint_step(struct taint *t, struct taint_function *f, const char *text,
                           const struct walked_operand *operand)
{
    struct code c;
    if (text_begins(text, "call")) {
        bool readable = read_code(&c, text, operand);
        if (readable)
            return pass_call(t, f, text, &c);
    } else if (text_begins(text, "ret")) {
        taint_escape(f, t->reg[RAX] | t->reg[RDX] | t->vector[0] | t->vector[1]);
        return TAINT_ENDS;
    } else if (text_begins(text, "ud2") || text_begins(text, "hlt")) {
        return TAINT_ENDS;
    } else if (text_begins(text, "loop") || strstr(text, "cxz")) {
        f->unknown = text;
    } else if (listing_is_jump(text)) {
        return text_begins(text, "jmp") ? TAINT_JUMPS : TAINT_BRANCHES;
    } else if (read_code(&c, text, operand) &&
               (pass_implied(t, f, &c) || pass_move(t, f, &c) || pass_arithmetic(t, f, &c) || pass_look(t, f, &c) ||
                pass_stack(t, f, &c))) {
        return TAINT_GOES_ON;
    }
    f->unknown = text;
    return TAINT_GOES_ON;
}
