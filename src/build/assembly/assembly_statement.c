#include "build/assembly/assembly_statement.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "build/assembly/assembly_wide.h"

enum { OPERANDS = 5, SEQ_CST = 5, ACQUIRE = 2, RELEASE = 3 };

// What an instruction does with an operand in memory.
enum usage {
    NOTHING, // it is only an address
    READS,
    MOVES,      // reads its first operand, writes its last
    UPDATES,    // reads all operands, writes the last
    EXCHANGES,  // is locked without saying so
    SETS,       // writes it, with a value that heddle does not work out
    BITS,       // reads one bit of a bit string
    VECTOR,     // like MOVES, in as many bytes as the register has: a plain access
    UNFOLLOWED, // something that heddle cannot follow, with or without memory
};

struct known_instruction {
    const char *name;
    enum usage usage;
    uint8_t size; // fixed, or 0: by its suffix or its register
    uint8_t kind; // UPDATES: what it does, or 0 if heddle does not work that out
};

static const struct known_instruction instructions[] = {
    {"mov", MOVES, 0, 0},
    {"movnti", MOVES, 0, 0},
    {"movbe", VECTOR, 0, 0},
    {"movd", MOVES, 4, 0},
    {"add", UPDATES, 0, ASSEMBLY_ADD},
    {"sub", UPDATES, 0, ASSEMBLY_SUB},
    {"and", UPDATES, 0, ASSEMBLY_AND},
    {"or", UPDATES, 0, ASSEMBLY_OR},
    {"xor", UPDATES, 0, ASSEMBLY_XOR},
    {"adc", UPDATES, 0, ASSEMBLY_ADD_CARRY},
    {"sbb", UPDATES, 0, ASSEMBLY_SUB_CARRY},
    {"inc", UPDATES, 0, ASSEMBLY_ADD},
    {"dec", UPDATES, 0, ASSEMBLY_SUB},
    {"not", UPDATES, 0, ASSEMBLY_XOR},
    {"neg", UPDATES, 0, ASSEMBLY_NEGATE},
    {"xadd", UPDATES, 0, ASSEMBLY_ADD},
    {"cmpxchg", UPDATES, 0, ASSEMBLY_COMPARE_EXCHANGE},
    {"cmpxchg8b", UPDATES, 8, ASSEMBLY_COMPARE_EXCHANGE_PAIR},
    {"cmpxchg16b", UPDATES, 16, ASSEMBLY_COMPARE_EXCHANGE_PAIR},
    {"bts", UPDATES, 0, ASSEMBLY_BIT_SET},
    {"btr", UPDATES, 0, ASSEMBLY_BIT_CLEAR},
    {"btc", UPDATES, 0, ASSEMBLY_BIT_FLIP},
    {"shl", UPDATES, 0, 0},
    {"sal", UPDATES, 0, 0},
    {"shr", UPDATES, 0, 0},
    {"sar", UPDATES, 0, 0},
    {"rol", UPDATES, 0, 0},
    {"ror", UPDATES, 0, 0},
    {"rcl", UPDATES, 0, 0},
    {"rcr", UPDATES, 0, 0},
    {"shld", UPDATES, 0, 0},
    {"shrd", UPDATES, 0, 0},
    {"xchg", EXCHANGES, 0, ASSEMBLY_EXCHANGE},
    {"cmp", READS, 0, 0},
    {"test", READS, 0, 0},
    {"imul", READS, 0, 0},
    {"mul", READS, 0, 0},
    {"idiv", READS, 0, 0},
    {"div", READS, 0, 0},
    {"push", READS, 0, 0},
    {"pop", SETS, 0, 0},
    {"popcnt", READS, 0, 0},
    {"lzcnt", READS, 0, 0},
    {"tzcnt", READS, 0, 0},
    {"bsf", READS, 0, 0},
    {"bsr", READS, 0, 0},
    {"crc32b", READS, 1, 0},
    {"crc32w", READS, 2, 0},
    {"crc32l", READS, 4, 0},
    {"crc32q", READS, 8, 0},
    {"andn", READS, 0, 0},
    {"bextr", READS, 0, 0},
    {"blsi", READS, 0, 0},
    {"blsr", READS, 0, 0},
    {"blsmsk", READS, 0, 0},
    {"bzhi", READS, 0, 0},
    {"mulx", READS, 0, 0},
    {"pdep", READS, 0, 0},
    {"pext", READS, 0, 0},
    {"rorx", READS, 0, 0},
    {"sarx", READS, 0, 0},
    {"shlx", READS, 0, 0},
    {"shrx", READS, 0, 0},
    {"adcx", READS, 0, 0},
    {"adox", READS, 0, 0},
    {"movzb", READS, 1, 0},
    {"movzw", READS, 2, 0},
    {"movsb", READS, 1, 0},
    {"movsw", READS, 2, 0},
    {"movsl", READS, 4, 0},
    {"movslq", READS, 4, 0},
    {"bt", BITS, 0, 0},
    {"movaps", VECTOR, 0, 0},
    {"movups", VECTOR, 0, 0},
    {"movapd", VECTOR, 0, 0},
    {"movupd", VECTOR, 0, 0},
    {"movdqa", VECTOR, 0, 0},
    {"movdqu", VECTOR, 0, 0},
    {"movntdq", VECTOR, 0, 0},
    {"movntdqa", VECTOR, 0, 0},
    {"movntps", VECTOR, 0, 0},
    {"movntpd", VECTOR, 0, 0},
    {"lddqu", VECTOR, 0, 0},
    {"vmovaps", VECTOR, 0, 0},
    {"vmovups", VECTOR, 0, 0},
    {"vmovapd", VECTOR, 0, 0},
    {"vmovupd", VECTOR, 0, 0},
    {"vmovdqa", VECTOR, 0, 0},
    {"vmovdqu", VECTOR, 0, 0},
    {"vmovntdq", VECTOR, 0, 0},
    {"movss", VECTOR, 4, 0},
    {"movsd", VECTOR, 8, 0},
    {"lea", NOTHING, 0, 0},
    {"nop", NOTHING, 0, 0},
    {"clflush", NOTHING, 0, 0},
    {"clflushopt", NOTHING, 0, 0},
    {"clwb", NOTHING, 0, 0},
    {"cldemote", NOTHING, 0, 0},
    {"invlpg", NOTHING, 0, 0},
    {"syscall", UNFOLLOWED, 0, 0},
    {"sysenter", UNFOLLOWED, 0, 0},
    {"int", UNFOLLOWED, 0, 0},
    {"rdtsc", UNFOLLOWED, 0, 0},
    {"rdtscp", UNFOLLOWED, 0, 0},
    {"rdpmc", UNFOLLOWED, 0, 0},
    {"rdpid", UNFOLLOWED, 0, 0},
    {"rdrand", UNFOLLOWED, 0, 0},
    {"rdseed", UNFOLLOWED, 0, 0},
    {"cpuid", UNFOLLOWED, 0, 0},
    {"xbegin", UNFOLLOWED, 0, 0},
    {"xabort", UNFOLLOWED, 0, 0},
    {"xend", UNFOLLOWED, 0, 0},
    {"xlat", UNFOLLOWED, 0, 0},
    {"xlatb", UNFOLLOWED, 0, 0},
    {"maskmovq", UNFOLLOWED, 0, 0},
    {"maskmovdqu", UNFOLLOWED, 0, 0},
};

// Of the unfollowed, those that write memory.
static const char unseen_writers[] = " syscall sysenter int xend maskmovq maskmovdqu ";

struct operand {
    const char *text;
    size_t length;
    bool memory, immediate;
    uint32_t number; // of a register
    uint32_t size;   // of a register; 0: this is none
    bool high;       // ah and the like
};

struct reading {
    bool locked, repeated;
    char name[32];
    const struct known_instruction *instruction;
    struct known_instruction wide; // one that assembly_wide.c knows
    uint32_t suffix_size;          // by its suffix, or 0
    struct operand operand[OPERANDS];
    uint32_t operands;
};

static bool among(const char *word, const char *list)
{
    char spaced[64];
    return snprintf(spaced, sizeof spaced, " %s ", word) < (int)sizeof spaced && strstr(list, spaced);
}

static const char *const low_names[] = {"al", "cl", "dl", "bl", "spl", "bpl", "sil", "dil"};
static const char *const high_names[] = {"ah", "ch", "dh", "bh"};
static const char *const word_names[] = {"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};

static bool is_name(const char *name, uint32_t length, const char *known)
{
    return strlen(known) == length && !strncmp(name, known, length);
}

// r8 … r15 with their suffixes.
static bool read_numbered(struct operand *o, const char *name, uint32_t length)
{
    char *end;
    if (length < 2 || name[0] != 'r' || !isdigit((unsigned char)name[1]))
        return false;
    o->number = (uint32_t)strtoul(name + 1, &end, 10);
    uint32_t rest = length - (uint32_t)(end - name);
    o->size = !rest                      ? 8
              : rest == 1 && *end == 'd' ? 4
              : rest == 1 && *end == 'w' ? 2
              : rest == 1 && *end == 'b' ? 1
                                         : 0;
    return o->size && o->number >= 8 && o->number < 16;
}

static bool read_general(struct operand *o, const char *name, uint32_t length)
{
    if (read_numbered(o, name, length))
        return true;
    o->size = 0;
    for (uint32_t i = 0; i < 8 && !o->size; i++) {
        o->number = i;
        o->high = i < 4 && is_name(name, length, high_names[i]);
        if (o->high || is_name(name, length, low_names[i]))
            o->size = 1;
        else if (is_name(name, length, word_names[i]))
            o->size = 2;
        else if (length == 3 && (name[0] == 'e' || name[0] == 'r') && is_name(name + 1, 2, word_names[i]))
            o->size = name[0] == 'e' ? 4 : 8;
    }
    return o->size;
}

static bool read_vector(struct operand *o, const char *name, uint32_t length)
{
    if (length < 4 || strncmp(name + 1, "mm", 2) || !strchr("xyz", name[0]) || !isdigit((unsigned char)name[3]))
        return false;
    o->number = ASSEMBLY_VECTOR + (uint32_t)strtoul(name + 3, NULL, 10);
    o->size = name[0] == 'x' ? 16 : name[0] == 'y' ? 32 : 64;
    return true;
}

uint32_t register_bit(const char *name, uint32_t length)
{
    struct operand o = {0};
    if (read_general(&o, name, length))
        return 1u << o.number;
    bool other = (length >= 3 && !strncmp(name + 1, "mm", 2)) || (length >= 3 && !strncmp(name, "mm", 2)) ||
                 (length >= 2 && !strncmp(name, "st", 2)) ||
                 (length == 2 && name[0] == 'k' && isdigit((unsigned char)name[1]));
    return other ? REGISTER_VECTORS : 0;
}

bool register_read(const char *name, uint32_t length, uint32_t *number, uint32_t *size, bool *high)
{
    struct operand o = {0};
    if (!read_general(&o, name, length) && !read_vector(&o, name, length))
        return false;
    *number = o.number;
    *size = o.size;
    *high = o.high;
    return true;
}

static uint32_t word_length(const char *text)
{
    uint32_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_' || text[n] == '.')
        n++;
    return n;
}

static void read_operand(struct operand *o, const char *text, size_t length)
{
    while (length && isspace((unsigned char)*text))
        text++, length--;
    while (length && isspace((unsigned char)text[length - 1]))
        length--;
    if (length && *text == '*') // an indirect jump's
        text++, length--;
    *o = (struct operand){.text = text, .length = length};
    o->immediate = length && *text == '$';
    bool segment = length > 3 && text[0] == '%' && text[3] == ':';
    if (length && *text == '%' && !segment) {
        uint32_t name = word_length(text + 1);
        if (!read_general(o, text + 1, name))
            read_vector(o, text + 1, name);
    } else {
        o->memory = length && !o->immediate;
    }
}

// At commas outside of parentheses. False if there are too many, or a parenthesis is missing.
static bool read_operands(struct reading *r, const char *text)
{
    int depth = 0;
    const char *start = text;
    if (!*text)
        return true;
    for (const char *at = text;; at++) {
        depth += (*at == '(') - (*at == ')');
        if (*at && !(*at == ',' && !depth))
            continue;
        if (r->operands == OPERANDS || depth)
            return false;
        read_operand(&r->operand[r->operands++], start, (size_t)(at - start));
        if (!*at)
            return true;
        start = at + 1;
    }
}

static const struct known_instruction *find_exactly(const char *name)
{
    for (size_t i = 0; i < sizeof instructions / sizeof *instructions; i++)
        if (instructions[i].name[0] == name[0] && !strcmp(instructions[i].name, name))
            return &instructions[i];
    return NULL;
}

static uint32_t size_of_suffix(char letter)
{
    return letter == 'b' ? 1 : letter == 'w' ? 2 : letter == 'l' ? 4 : letter == 'q' ? 8 : 0;
}

static const struct known_instruction set_instruction = {"set", SETS, 1, 0}, cmov_instruction = {"cmov", READS, 0, 0},
                                      prefetch_instruction = {"prefetch", NOTHING, 0, 0},
                                      jump_instruction = {"jump", READS, 8, 0};

// Families whose last letters are a condition.
static const struct known_instruction *find_family(const char *name)
{
    if (text_begins(name, "set"))
        return &set_instruction;
    if (text_begins(name, "cmov"))
        return &cmov_instruction;
    if (text_begins(name, "prefetch"))
        return &prefetch_instruction;
    return NULL;
}

static void find_instruction(struct reading *r)
{
    char stem[32];
    size_t length = strlen(r->name);
    r->instruction = find_exactly(r->name);
    if (!r->instruction && length > 1 && (r->suffix_size = size_of_suffix(r->name[length - 1]))) {
        snprintf(stem, sizeof stem, "%.*s", (int)(length - 1), r->name);
        r->instruction = find_exactly(stem);
        if (r->instruction && r->instruction->usage == UNFOLLOWED)
            r->instruction = NULL;
    }
    if (!r->instruction)
        r->instruction = find_family(r->name);
}

// Vectors and floating-point numbers; its registers have been read.
static void find_wide(struct reading *r)
{
    uint32_t width = 0;
    for (uint32_t i = 0; i < r->operands; i++) {
        const struct operand *o = &r->operand[i];
        bool small = o->length > 3 && !strncmp(o->text, "%mm", 3);
        uint32_t size = small ? 8 : o->number >= ASSEMBLY_VECTOR ? o->size : 0;
        width = size > width ? size : width;
    }
    r->wide = (struct known_instruction){.name = r->name, .usage = VECTOR, .size = (uint8_t)wide_size(r->name, width)};
    if (r->wide.size)
        r->instruction = &r->wide;
}

static const char prefix_names[] = " lock rep repe repz repne repnz xacquire xrelease notrack bnd data16 ",
                  prefix_letters[] = "lrxnbd"; // that they begin with

static void note_prefix(struct reading *r, const char *name)
{
    r->locked |= !strcmp(name, "lock");
    r->repeated |= text_begins(name, "rep");
}

// Takes prefixes off the front. Returns what is left.
static const char *skip_prefixes(struct reading *r, const char *text)
{
    char name[16];
    for (;;) {
        text += strspn(text, " \t");
        uint32_t length = word_length(text);
        if (length >= sizeof name)
            return text;
        for (uint32_t i = 0; i < length; i++)
            name[i] = (char)tolower((unsigned char)text[i]);
        name[length] = 0;
        if (!length || !strchr(prefix_letters, *name) || !among(name, prefix_names))
            return text;
        note_prefix(r, name);
        text += length;
    }
}

static const struct operand *find_memory(const struct reading *r)
{
    for (uint32_t i = 0; i < r->operands; i++)
        if (r->operand[i].memory)
            return &r->operand[i];
    return NULL;
}

static uint32_t access_size(const struct reading *r)
{
    if (r->instruction->size)
        return r->instruction->size;
    for (uint32_t i = 0; i < r->operands; i++) {
        bool count = r->instruction->usage == UPDATES && !r->instruction->kind && r->operand[i].number == 1; // %cl
        if (r->operand[i].size && r->operand[i].number < ASSEMBLY_VECTOR && !count)
            return r->operand[i].size;
        if (r->operand[i].size && r->instruction->usage == VECTOR)
            return r->operand[i].size;
    }
    if (!r->suffix_size && (!strcmp(r->name, "push") || !strcmp(r->name, "pop")))
        return 8;
    return r->suffix_size;
}

// The operand besides the memory.
static bool take_source(struct statement *s, const struct reading *r, const struct operand *memory)
{
    s->site.source = ASSEMBLY_NO_REGISTER;
    for (uint32_t i = 0; i < r->operands; i++) {
        const struct operand *o = &r->operand[i];
        if (o == memory)
            continue;
        if (o->immediate) {
            if (o->length - 1 >= sizeof s->immediate)
                return false;
            snprintf(s->immediate, sizeof s->immediate, "%.*s", (int)o->length - 1, o->text + 1);
        } else if (o->size) {
            s->site.source = (uint8_t)o->number;
            s->site.flags |= o->high ? ASSEMBLY_HIGH_BYTE : 0;
        } else {
            return false; // a segment or control register
        }
    }
    return true;
}

static bool take_memory(struct statement *s, const struct operand *memory)
{
    const char *text = memory->text;
    size_t length = memory->length;
    if (length > 4 && text[0] == '%' && text[3] == ':') {
        s->thread_local_memory = !strncmp(text, "%fs", 3);
        if (!strncmp(text, "%gs", 3))
            return false;
        text += 4;
        length -= 4;
    }
    if (length >= sizeof s->memory)
        return false;
    snprintf(s->memory, sizeof s->memory, "%.*s", (int)length, text);
    return !strstr(s->memory, "%xmm") && !strstr(s->memory, "%ymm") && !strstr(s->memory, "%zmm") &&
           !strchr(s->memory, '{'); // of a mask
}

// `lock; addl $0, (%rsp)`: a full fence, and nothing else.
static bool is_fence(const struct reading *r, const struct statement *s)
{
    return r->locked && (r->instruction->kind == ASSEMBLY_ADD || r->instruction->kind == ASSEMBLY_OR) &&
           r->operands == 2 && (!strcmp(s->immediate, "0") || !strcmp(s->immediate, "0x0")) &&
           strstr(s->memory, "(%rsp)");
}

static enum statement_result missed(struct statement *s, bool writes)
{
    s->writes = writes;
    return STATEMENT_MISSED;
}

static enum statement_result fence(struct statement *s, int order)
{
    s->site = (struct assembly_site){.kind = ASSEMBLY_FENCE, .source = ASSEMBLY_NO_REGISTER, .immediate = order};
    s->memory[0] = s->immediate[0] = 0;
    return STATEMENT_ANNOUNCE;
}

// The value that instructions without a second operand use.
static void imply_operand(struct statement *s, const struct reading *r)
{
    if (r->operands != 1)
        return;
    s->site.source = ASSEMBLY_NO_REGISTER;
    s->site.immediate = text_begins(r->name, "not") ? -1 : 1;
}

static enum statement_result read_update(struct statement *s, const struct reading *r, bool last)
{
    bool bit = r->instruction->kind >= ASSEMBLY_BIT_SET && r->instruction->kind <= ASSEMBLY_BIT_FLIP;
    if (!last) {
        s->site.kind = ASSEMBLY_LOAD;
        s->site.source = ASSEMBLY_NO_REGISTER;
        s->site.flags = 0;
        return STATEMENT_ANNOUNCE;
    }
    if (bit && s->site.source != ASSEMBLY_NO_REGISTER)
        s->site.flags |= ASSEMBLY_BIT_STRING;
    if (is_fence(r, s))
        return fence(s, SEQ_CST);
    imply_operand(s, r);
    s->site.flags |= r->locked ? 0 : ASSEMBLY_UNLOCKED;
    s->site.kind = r->instruction->kind ? r->instruction->kind : ASSEMBLY_PLAIN_UPDATE;
    return STATEMENT_ANNOUNCE;
}

static enum statement_result read_move(struct statement *s, const struct reading *r, bool last)
{
    bool vector = s->site.source != ASSEMBLY_NO_REGISTER && s->site.source >= ASSEMBLY_VECTOR;
    if (vector && !s->site.size)
        return missed(s, last);
    if (r->instruction->usage == VECTOR && r->operands == 1)
        s->site.kind = wide_writes(r->name) ? ASSEMBLY_PLAIN_WRITE : ASSEMBLY_PLAIN_READ;
    else if (r->instruction->usage == VECTOR)
        s->site.kind = last ? ASSEMBLY_PLAIN_WRITE : ASSEMBLY_PLAIN_READ;
    else
        s->site.kind = last ? ASSEMBLY_STORE : ASSEMBLY_LOAD;
    if (s->site.kind != ASSEMBLY_STORE)
        s->site.source = ASSEMBLY_NO_REGISTER;
    return STATEMENT_ANNOUNCE;
}

static enum statement_result read_access(struct statement *s, const struct reading *r, const struct operand *memory)
{
    bool last = memory == &r->operand[r->operands - 1];
    s->site.size = (uint8_t)access_size(r);
    bool read_only = r->instruction->usage == READS || r->instruction->usage == BITS;
    bool source = take_source(s, r, memory) || r->instruction->usage == VECTOR;
    if (!take_memory(s, memory) || !source || !s->site.size)
        return missed(s, !read_only);
    if (strstr(s->memory, "@GOT") || strstr(s->memory, "@got")) // the linker's tables do not change
        return STATEMENT_SILENT;
    switch (r->instruction->usage) {
    case MOVES:
    case VECTOR:
        return read_move(s, r, last);
    case UPDATES:
        return read_update(s, r, last);
    case EXCHANGES:
        s->site.kind = ASSEMBLY_EXCHANGE;
        return STATEMENT_ANNOUNCE;
    case SETS:
        if (text_begins(r->name, "pop") && strstr(s->memory, "%rsp")) // its address is that after the instruction
            return missed(s, true);
        s->site.kind = ASSEMBLY_PLAIN_WRITE;
        return STATEMENT_ANNOUNCE;
    case BITS:
        s->site.flags |= s->site.source != ASSEMBLY_NO_REGISTER ? ASSEMBLY_BIT_STRING : 0;
        s->site.kind = ASSEMBLY_LOAD;
        return STATEMENT_ANNOUNCE;
    default:
        s->site.kind = ASSEMBLY_LOAD;
        s->site.source = ASSEMBLY_NO_REGISTER;
        s->site.flags = 0;
        return STATEMENT_ANNOUNCE;
    }
}

// clang writes the operands of string instructions out.
static bool names_string(const struct reading *r)
{
    const struct operand *last = &r->operand[r->operands - 1];
    return last->length >= 4 && !strncmp(last->text, "%es:", 4);
}

// movs, stos and the like, whose operands are implied. (With operands, movsb and movsl are sign-extending moves.)
static bool read_string(struct statement *s, const struct reading *r, enum statement_result *result)
{
    static const char others[] =
        " lodsb lodsw lodsl lodsq cmpsb cmpsw cmpsl cmpsq scasb scasw scasl scasq insb insw insl "
        "outsb outsw outsl ";
    bool copy = text_begins(r->name, "movs"), fill = text_begins(r->name, "stos");
    uint32_t size = strlen(r->name) != 5 ? 0 : r->name[4] == 'd' ? 4 : size_of_suffix(r->name[4]);
    if (r->operands && !names_string(r))
        return false;
    if (among(r->name, others)) {
        *result = missed(s, text_begins(r->name, "ins"));
        return true;
    }
    if (!(copy || fill) || !size)
        return false;
    s->site = (struct assembly_site){.kind = copy ? ASSEMBLY_COPY : ASSEMBLY_FILL,
                                     .size = (uint8_t)size,
                                     .source = ASSEMBLY_NO_REGISTER,
                                     .flags = r->repeated ? ASSEMBLY_REPEATED : 0};
    *result = STATEMENT_ANNOUNCE;
    return true;
}

static bool is_branch(const char *name)
{
    return name[0] == 'j' || text_begins(name, "call") || text_begins(name, "loop") || text_begins(name, "ret");
}

// Symbols and numbers are where a branch goes, unless a star makes them the place of the address.
static enum statement_result read_branch(struct statement *s, struct reading *r, const char *operands)
{
    const struct operand *memory = find_memory(r);
    if (!memory || !strchr(operands, '*'))
        return STATEMENT_SILENT;
    r->instruction = &jump_instruction;
    return read_access(s, r, memory);
}

static enum statement_result read_instruction(struct statement *s, struct reading *r, const char *operands)
{
    enum statement_result result;
    if (!strcmp(r->name, "mfence"))
        return fence(s, SEQ_CST);
    if (!strcmp(r->name, "lfence") || !strcmp(r->name, "sfence"))
        return fence(s, r->name[0] == 'l' ? ACQUIRE : RELEASE);
    bool whole = read_operands(r, operands);
    if (is_branch(r->name))
        return read_branch(s, r, operands);
    if (whole && read_string(s, r, &result))
        return result;
    const struct operand *memory = find_memory(r);
    if (!r->instruction && memory && whole)
        find_wide(r);
    if (r->instruction && r->instruction->usage == UNFOLLOWED)
        return missed(s, among(r->name, unseen_writers));
    if (r->instruction && r->instruction->usage == NOTHING)
        return STATEMENT_SILENT;
    if (!memory && whole)
        return STATEMENT_SILENT;
    return r->instruction && whole ? read_access(s, r, memory) : missed(s, true);
}

enum statement_result statement_read(struct statement *s, const char *prefixes, const char *text)
{
    struct reading r = {0};
    *s = (struct statement){.site.source = ASSEMBLY_NO_REGISTER};
    skip_prefixes(&r, prefixes);
    text = skip_prefixes(&r, text);
    if (!*text)
        return STATEMENT_PREFIX;
    uint32_t length = word_length(text);
    if (length >= sizeof r.name || strlen(text) >= STATEMENT_TEXT)
        return missed(s, true);
    for (uint32_t i = 0; i < length; i++)
        r.name[i] = (char)tolower((unsigned char)text[i]);
    find_instruction(&r);
    text += length;
    text += strspn(text, " \t");
    return read_instruction(s, &r, text);
}
