// What is needed where is found first (assembly_needed.h); then the text is written again, with instructions that clear the rest.
#include "build/assembly/assembly_remains.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"
#include "build/assembly/assembly_lines.h"
#include "build/assembly/assembly_needed.h"

enum { LINE = 8192 };

struct remains {
    struct needed needed;
    struct buffer text; // the result so far
    size_t number;      // of the next instruction that is written
    bool inside;        // of inline assembly
    bool intel;         // syntax
};

// ---- reading ----

static void read_directive(struct remains *r, const char *text)
{
    if (text_begins(text, ".type") && strstr(text, "@function")) {
        const char *name = text_skip_blanks(text + 5);
        needed_function(&r->needed, name, strcspn(name, ", \t"));
    } else if (text_begins(text, ".cfi_lsda") || text_begins(text, ".cfi_personality")) {
        needed_leave_alone(&r->needed);
    } else if (text_begins(text, ".intel_syntax")) {
        r->intel = true;
    }
}

// The instruction of a line, or null. Its labels and directives are noted when the text is read for the first time.
static const char *instruction_of(struct remains *r, const char *line, bool first)
{
    size_t length;
    const char *start = text_skip_blanks(line);
    if (lines_opens_assembly(start))
        r->inside = true;
    if (lines_closes_assembly(start))
        r->inside = false;
    while ((length = lines_label(start))) {
        if (first)
            needed_label(&r->needed, start, length - 1);
        start = text_skip_blanks(start + length);
    }
    if (*start == '.' && first)
        read_directive(r, start);
    return *start && !strchr(".#\n", *start) ? start : NULL;
}

static void read_line(void *context, const char *line, size_t ignored)
{
    struct remains *r = context;
    const char *start = instruction_of(r, line, true);
    char text[LINE];
    (void)ignored;
    if (!start)
        return;
    size_t length = lines_instruction(start);
    bool whole = length < sizeof text && !memchr(start, ';', length);
    snprintf(text, sizeof text, "%.*s", (int)length, start);
    needed_instruction(&r->needed, whole ? text : NULL);
    if (r->inside || r->intel)
        needed_leave_alone(&r->needed);
}

// ---- writing ----

// The linker knows the call that asks for thread-local storage by the instructions around it.
static bool is_worth_clearing(const struct needed_node *n)
{
    return n->code.effects.call && !needed_is_announcement(n->code.callee) &&
           strcmp(n->code.callee, "__tls_get_addr") != 0;
}

static void clear_registers(struct remains *r, const struct needed_node *n)
{
    static const struct {
        int number;
        const char *text;
    } kept[] = {{3, "movl $0,%ebx; "},
                {12, "movl $0,%r12d; "},
                {13, "movl $0,%r13d; "},
                {14, "movl $0,%r14d; "},
                {15, "movl $0,%r15d; "}};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (!(n->live >> kept[i].number & 1))
            buffer_add(&r->text, "%s", kept[i].text);
}

static void clear_frame(struct remains *r, const struct needed_node *n)
{
    const struct units *stored = &r->needed.functions[n->function].stored;
    for (size_t unit = 0; unit < UNITS; unit++) {
        bool dead[2];
        for (size_t k = 0; k < 2; k++)
            dead[k] = units_has(stored, unit + k) && !units_has(&n->units_live, unit + k);
        if (!dead[0])
            continue;
        bool both = dead[1] && unit % 2 == 0;
        buffer_add(&r->text, "mov%c $0,%d(%%rbp); ", both ? 'q' : 'l', (int)unit * UNITS_SIZE - UNITS_REACH);
        unit += both;
    }
}

static void clear_before(struct remains *r, const struct needed_node *n)
{
    const struct needed_function *f = &r->needed.functions[n->function];
    if (!is_worth_clearing(n) || f->hands_off || !n->function)
        return;
    clear_registers(r, n);
    if (!f->no_frame)
        clear_frame(r, n);
}

static void write_line(void *context, const char *line, size_t length)
{
    struct remains *r = context;
    const char *start = instruction_of(r, line, false);
    if (start) {
        buffer_append(&r->text, line, (size_t)(start - line));
        clear_before(r, &r->needed.nodes[r->number++]);
        length -= (size_t)(start - line);
        line = start;
    }
    buffer_append(&r->text, line, length);
    buffer_append(&r->text, "\n", 1);
}

char *remains_clear(const char *text, size_t size, size_t *new_size)
{
    struct remains r = {0};
    char *copy = lines_copy(text, size);
    needed_function(&r.needed, "", 0);
    lines_each(copy, read_line, &r);
    needed_solve(&r.needed);
    r.inside = false;
    lines_each(copy, write_line, &r);
    free(copy);
    needed_free(&r.needed);
    *new_size = r.text.length;
    if (r.text.length == size)
        buffer_free(&r.text);
    return r.text.text;
}
