#include "build/assembly/assembly_instruction.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

// The number of a general register named with all its 64 bits, after the %; NO_REGISTER otherwise.
static int whole_register(const char *name, size_t length)
{
    static const char *const names[] = {"rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
                                        "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15"};
    for (int i = 0; i < INSTRUCTION_REGISTERS; i++)
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
    text = text_skip_blanks(text);
    return *text == '%' ? whole_register(text + 1, word_length(text + 1)) : NO_REGISTER;
}

// DISTANCE(BASE,INDEX,SCALE)
static void read_memory(struct instruction *n, const char *operand, size_t length)
{
    const char *open = memchr(operand, '(', length),
               *close = open ? memchr(open, ')', length - (size_t)(open - operand)) : NULL;
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

static void read_operands(struct instruction *n, const char *operands)
{
    const char *last = effects_last_operand(operands);
    for (const char *at = operands; *at;) {
        const char *start = text_skip_blanks(at), *end = next_operand(at);
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
static void read_size(struct instruction *n, const char *name, bool last)
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

static enum instruction_form form_of(const struct instruction *n, const char *name, const char *operands)
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

void instruction_read(struct instruction *n, const char *text)
{
    char name[32];
    *n = (struct instruction){.effects = {.uses = LIVE_ALL, .falls = true}};
    n->base = n->index = n->written = NO_REGISTER;
    if (!text)
        return;
    text = effects_instruction(text);
    size_t length = strcspn(text, " \t");
    const char *operands = text_skip_blanks(text + length);
    effects_read(&n->effects, text);
    snprintf(name, sizeof name, "%.*s", (int)length, text);
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
