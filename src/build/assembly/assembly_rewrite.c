// gcc and clang mark inline assembly by #APP and #NO_APP, clang that of the file's level in words. Between the marks each
// instruction that accesses memory gets a sequence in front of it that calls the runtime (target/threads/memory/assembly.c) with
// the address and a *site*, the description of the access. The sequence keeps all registers, flags, and the 128 bytes
// below the stack pointer that a leaf function may use. It stands on the instruction's line, so that the line numbers in
// the assembler's messages stay right, and after the instruction's labels, so that a loop announces every round.
//
// What the compiler itself wrote gets the same in front of accesses that none of its hooks tells of (assembly_unseen.h).
//
// The text is read twice: first to find which registers are in use where (assembly_liveness.h) and what is unseen, then to
// write.
#include "build/assembly/assembly_rewrite.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/strings.h"
#include "base/text.h"
#include "build/assembly/assembly_defined.h"
#include "build/assembly/assembly_flows.h"
#include "build/assembly/assembly_globals.h"
#include "build/assembly/assembly_hooks.h"
#include "build/assembly/assembly_lines.h"
#include "build/assembly/assembly_liveness.h"
#include "build/assembly/assembly_statement.h"
#include "build/assembly/assembly_unseen.h"

enum { LINE = 8192, NAME = 256 };
enum { PUSHED = 128 + 8 + 8 }; // below the program's stack pointer when the address is computed

struct rewrite {
    struct buffer text; // the result so far
    struct buffer sites;
    struct strings missed;
    struct strings files; // by their number in .file; empty where there is none
    struct liveness *liveness;
    struct unseen_walk *unseen;    // null: the compiler was not told to put hooks in
    struct flows *flows;           // null: nobody wants to know
    struct defined *defined;       // null: nobody wants to know
    struct globals *globals;       // null: as for unseen, and the first time
    size_t number;                 // of the next instruction
    size_t instructions;           // of inline assembly
    bool reading;                  // the first time
    bool type;                     // what is for debuggers: inside of a struct's description
    unsigned site_count, followed; // fences have a site, but access nothing
    bool unseen_writes;
    bool marks; // the call on this line: nobody reads its answer
    bool marked;

    bool inside;         // of inline assembly
    bool comment;        // inside one that goes on over the line's end
    bool intel;          // syntax
    bool elsewhere;      // in a section that holds no code of this function
    bool macro;          // between .macro and .endm
    char prefixes[64];   // that stood on their own and are not written yet
    unsigned file, line; // by .loc
    char marked_file[NAME];
    unsigned marked_line; // by a line marker
};

static void put(struct rewrite *w, const char *text)
{
    buffer_append(&w->text, text, strlen(text));
}

// ---- what the compiler says about the file ----

// `.file NUMBER ["DIRECTORY"] "NAME" …`
static void note_file(struct rewrite *w, const char *text)
{
    char *end, part[2][NAME] = {"", ""}, here[NAME], name[2 * NAME];
    unsigned long number = strtoul(text, &end, 10);
    if (end == text || number > 100000)
        return;
    const char *at = end;
    for (int i = 0; i < 2 && *(at = text_skip_blanks(at)) == '"'; i++) {
        size_t length = strcspn(at + 1, "\"");
        snprintf(part[i], NAME, "%.*s", (int)length, at + 1);
        at += length + 2;
    }
    bool elsewhere = part[1][0] && part[1][0] != '/' && !(getcwd(here, sizeof here) && !strcmp(here, part[0]));
    snprintf(name, sizeof name, "%s%s%s", elsewhere ? part[0] : "", elsewhere ? "/" : "", part[part[1][0] != 0]);
    while (w->files.count <= number)
        strings_add(&w->files, "");
    free(w->files.item[number]);
    w->files.item[number] = alloc_copy(name);
}

// `# LINE "FILE" …`, by which gcc tells the assembler where the text is from.
static void note_marker(struct rewrite *w, const char *text)
{
    char name[NAME] = "";
    unsigned line = 0;
    w->marked_line = 0;
    if (sscanf(text, "# %u \"%255[^\"]\"", &line, name) != 2)
        return;
    w->marked_line = line;
    memcpy(w->marked_file, name, sizeof name);
}

static void note_location(struct rewrite *w, const char *text)
{
    unsigned file, line;
    if (sscanf(text, "%u %u", &file, &line) == 2) {
        w->file = file;
        w->line = line;
    }
}

static void name_place(const struct rewrite *w, char *place, size_t room)
{
    const char *file = w->file < w->files.count ? w->files.item[w->file] : "";
    if (w->marked_line)
        snprintf(place, room, "%s:%u", w->marked_file, w->marked_line);
    else if (*file && w->line)
        snprintf(place, room, "%s:%u", file, w->line);
    else
        snprintf(place, room, "an unknown place");
}

// ---- announcing ----

static void write_site(struct rewrite *w, const struct statement *s, uint32_t live)
{
    const struct assembly_site *site = &s->site;
    int flags =
        site->flags | (live & LIVE_FLAGS ? 0 : ASSEMBLY_FLAGS_DEAD) | (live & LIVE_BELOW ? 0 : ASSEMBLY_BELOW_DEAD);
    buffer_add(&w->sites, ".Lheddle_site%u:\n\t.byte %u, %u, %u, %d\n\t.long %u\n", w->site_count, site->kind,
               site->size, site->source, flags, live & 0xffff);
    if (s->immediate[0])
        buffer_add(&w->sites, "\t.quad %s\n", s->immediate);
    else
        buffer_add(&w->sites, "\t.quad %lld\n", (long long)site->immediate);
}

// Leaves the address in rax, which still has the program's value.
static void write_address(struct rewrite *w, const struct statement *s)
{
    bool stack = strstr(s->memory, "(%rsp") != NULL;
    if (!s->memory[0])
        return;
    if (stack)
        buffer_add(&w->text, "leaq %d%s%s,%%rax;", PUSHED, s->memory[0] == '(' ? "" : "+", s->memory);
    else
        buffer_add(&w->text, "leaq %s,%%rax;", s->memory);
    if (s->thread_local_memory)
        put(w, "addq %fs:0,%rax;");
}

static void announce(struct rewrite *w, const struct statement *s, uint32_t live)
{
    bool vectors =
        live & REGISTER_VECTORS || (s->site.source != ASSEMBLY_NO_REGISTER && s->site.source >= ASSEMBLY_VECTOR);
    put(w, "leaq -128(%rsp),%rsp;pushfq;pushq %rax;");
    write_address(w, s);
    buffer_add(&w->text, "pushq %%rax;leaq .Lheddle_site%u(%%rip),%%rax;pushq %%rax;movq 16(%%rsp),%%rax;",
               w->site_count);
    buffer_add(&w->text, "call *__heddle_asm%s@GOTPCREL(%%rip);", vectors ? "_vector" : "");
    put(w, "leaq 16(%rsp),%rsp;popq %rax;popfq;leaq 128(%rsp),%rsp; ");
    write_site(w, s, live);
    w->site_count++;
    w->followed += s->site.kind != ASSEMBLY_FENCE && w->inside;
}

static void miss(struct rewrite *w, const char *what, bool writes)
{
    char place[2 * NAME];
    name_place(w, place, sizeof place);
    strings_add_format(&w->missed, "%s: `%.80s' at %s", w->inside ? "inline assembly" : "compiled code", what, place);
    w->unseen_writes |= writes;
}

static void flush_prefixes(struct rewrite *w)
{
    put(w, w->prefixes);
    w->prefixes[0] = 0;
}

// An instruction in the first round: null if it cannot be read. Both rounds count alike.
static void read_instruction(struct rewrite *w, const char *text, bool assembly)
{
    if (w->reading) {
        liveness_instruction(w->liveness, text, assembly);
        if (w->unseen)
            unseen_instruction(w->unseen, text, assembly);
    }
    w->number++;
}

static void write_instruction(struct rewrite *w, const char *text)
{
    struct statement s;
    char whole[LINE];
    read_instruction(w, text, true);
    if (w->reading)
        return;
    uint32_t live = liveness_before(w->liveness, w->instructions++);
    switch (statement_read(&s, w->prefixes, text)) {
    case STATEMENT_PREFIX:
        if (strlen(w->prefixes) + strlen(text) + 2 < sizeof w->prefixes) {
            strcat(w->prefixes, text);
            strcat(w->prefixes, " ");
            return;
        }
        break;
    case STATEMENT_ANNOUNCE:
        if (w->elsewhere || w->macro)
            miss(w, text, true);
        else
            announce(w, &s, live);
        break;
    case STATEMENT_MISSED:
        snprintf(whole, sizeof whole, "%s%s", w->prefixes, text);
        miss(w, whole, s.writes);
        break;
    case STATEMENT_SILENT:
        break;
    }
    flush_prefixes(w);
    put(w, text);
}

// ---- statements ----

// Whether the section a directive names can hold code of the function that the assembly stands in.
static void note_section(struct rewrite *w, const char *text)
{
    if (text_begins(text, ".text") || text_begins(text, ".popsection") || text_begins(text, ".previous"))
        w->elsewhere = false;
    else if (text_begins(text, ".pushsection") || text_begins(text, ".section"))
        w->elsewhere = !strstr(text, " .text") && !strstr(text, "\t.text");
    else if (text_begins(text, ".data") || text_begins(text, ".bss"))
        w->elsewhere = true;
}

// Instructions may also be given as numbers.
static bool is_data(const char *text)
{
    static const char *const names[] = {".byte", ".word", ".short", ".value", ".long", ".int", ".quad", ".insn"};
    size_t length = strcspn(text, " \t");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == length && text_begins(text, names[i]))
            return true;
    return false;
}

static bool opens_macro(const char *text)
{
    return text_begins(text, ".macro") || text_begins(text, ".rept") || text_begins(text, ".irp");
}

static void write_directive(struct rewrite *w, const char *text)
{
    flush_prefixes(w);
    note_section(w, text);
    if (text_begins(text, ".intel_syntax") || text_begins(text, ".att_syntax"))
        w->intel = text[1] == 'i';
    if (opens_macro(text))
        w->macro = true;
    if (text_begins(text, ".endm") || text_begins(text, ".endr"))
        w->macro = false;
    if (text_begins(text, ".loc ") || text_begins(text, ".loc\t"))
        note_location(w, text + 5);
    if (w->inside && is_data(text) && !w->elsewhere)
        miss(w, text, true);
    put(w, text);
}

// Intel syntax is not read: what may access memory is named.
static void write_intel(struct rewrite *w, const char *text)
{
    read_instruction(w, NULL, true);
    w->instructions++;
    if (strchr(text, '[') || text_begins(text, "lock") || text_begins(text, "rep") || text_begins(text, "xchg"))
        miss(w, text, true);
    put(w, text);
}

static void read_label(struct rewrite *w, const char *name, size_t length)
{
    if (!w->reading)
        return;
    liveness_label(w->liveness, name, length);
    if (w->unseen)
        unseen_label(w->unseen, name, length);
}

// One statement with its labels.
static void write_statement(struct rewrite *w, char *text)
{
    size_t length;
    while ((length = lines_label(text = (char *)(uintptr_t)text_skip_blanks(text)))) {
        read_label(w, text, length - 1);
        flush_prefixes(w);
        buffer_add(&w->text, "%.*s ", (int)(length < STATEMENT_TEXT ? length : STATEMENT_TEXT), text);
        text += length;
    }
    for (size_t end = strlen(text); end && isspace((unsigned char)text[end - 1]);)
        text[--end] = 0;
    if (!*text)
        return;
    bool assignment = strchr(text, '=') && !strchr(text, '%');
    if (*text == '.' || assignment)
        write_directive(w, text);
    else if (w->intel)
        write_intel(w, text);
    else
        write_instruction(w, text);
    if (!w->prefixes[0])
        put(w, "; ");
}

// Takes comments out of a line in place: from # to its end, and between /* and */, which may lie on another line.
static void strip_comments(struct rewrite *w, char *line)
{
    char *to = line;
    bool quoted = false;
    for (char *at = line; *at; at++) {
        if (w->comment) {
            w->comment = !(at[0] == '*' && at[1] == '/');
            at += !w->comment;
        } else if (*at == '"') {
            quoted = !quoted;
            *to++ = *at;
        } else if (!quoted && at[0] == '/' && at[1] == '*') {
            w->comment = true;
            at++;
        } else if (!quoted && *at == '#') {
            break;
        } else {
            *to++ = *at;
        }
    }
    *to = 0;
}

// A line of inline assembly.
static void write_assembly(struct rewrite *w, char *line)
{
    if (line[0] == '#' && !w->comment) {
        note_marker(w, line);
        buffer_add(&w->text, "%s\n", line);
        return;
    }
    strip_comments(w, line);
    bool quoted = false;
    char *start = line;
    for (char *at = line;; at++) {
        quoted ^= *at == '"';
        if (*at && !(*at == ';' && !quoted))
            continue;
        bool last = !*at;
        *at = 0;
        write_statement(w, start);
        if (last)
            break;
        start = at + 1;
    }
    put(w, "\n");
}

static void leave_assembly(struct rewrite *w)
{
    if (w->prefixes[0])
        flush_prefixes(w);
    w->inside = w->comment = w->macro = w->elsewhere = false;
    w->marked_line = 0;
}

// ---- what the compiler itself wrote ----

// `.type NAME, @function`. A part that is seldom run is part of the function before it.
static void note_function(struct rewrite *w, const char *text)
{
    char name[NAME];
    if (!strstr(text, "@function"))
        return;
    text = text_skip_blanks(text);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text, ", \t"), text);
    liveness_function(w->liveness, name);
    if (w->unseen && !strstr(name, ".cold"))
        unseen_function(w->unseen);
}

static void note_directive(struct rewrite *w, const char *text)
{
    if (text_begins(text, ".file"))
        note_file(w, text_skip_blanks(text + 5));
    else if (text_begins(text, ".loc ") || text_begins(text, ".loc\t"))
        note_location(w, text + 5);
    else if (text_begins(text, ".intel_syntax") || text_begins(text, ".att_syntax"))
        w->intel = text[1] == 'i';
    else if (w->reading && text_begins(text, ".type"))
        note_function(w, text + 5);
    if (w->reading && w->unseen)
        unseen_directive(w->unseen, text);
}

// Plain accesses are what the compiler leaves without a hook; it leaves atomic ones to the machine in functions that are not
// to be instrumented, where those that change something are locked.
static void make_plain(struct statement *s, const struct unseen_access *access)
{
    struct assembly_site *site = &s->site;
    if (site->kind == ASSEMBLY_COPY || site->kind == ASSEMBLY_FILL || site->kind == ASSEMBLY_EXCHANGE ||
        (site->kind >= ASSEMBLY_ADD && site->kind <= ASSEMBLY_COMPARE_EXCHANGE_PAIR &&
         !(site->flags & ASSEMBLY_UNLOCKED)))
        return;
    bool load = site->kind == ASSEMBLY_LOAD || site->kind == ASSEMBLY_PLAIN_READ;
    bool store = site->kind == ASSEMBLY_STORE || site->kind == ASSEMBLY_PLAIN_WRITE;
    site->kind = load ? ASSEMBLY_PLAIN_READ : store ? ASSEMBLY_PLAIN_WRITE : ASSEMBLY_PLAIN_UPDATE;
    site->source = ASSEMBLY_NO_REGISTER;
    site->flags = access->caller == CALLER_ABOVE_RSP   ? ASSEMBLY_CALLER_ABOVE_RSP
                  : access->caller == CALLER_ABOVE_RBP ? ASSEMBLY_CALLER_ABOVE_RBP
                                                       : 0;
    site->immediate = access->distance;
    s->immediate[0] = 0;
}

// On a line of its own, which begins with a directive that does nothing: assembly_remains.c reads the result and is to take
// it for no code of the function's.
static void announce_unseen(struct rewrite *w, const char *text, size_t number)
{
    struct statement s;
    struct unseen_access access = unseen_before(w->unseen, number);
    if (!access.announce)
        return;
    if (statement_read(&s, "", text) != STATEMENT_ANNOUNCE) {
        miss(w, text, s.writes);
        return;
    }
    make_plain(&s, &access);
    if (access.bytes && s.site.kind == ASSEMBLY_PLAIN_READ) {
        s.site.size = (uint8_t)access.bytes;
        miss(w, "the end of a struct that is passed by value", false);
    }
    uint32_t vectors = liveness_vectors(w->liveness, number) ? 0 : REGISTER_VECTORS;
    put(w, "\t.p2align 0;");
    announce(w, &s, LIVE_ALL & ~vectors);
    put(w, "\n");
}

// Sizes of structs among what is for debuggers, as gcc names it with -dA.
static void note_struct(struct rewrite *w, const char *line)
{
    const char *size = strstr(line, "# DW_AT_byte_size");
    const char *type = strstr(line, "(DIE (");
    if (type)
        w->type = strstr(type, "DW_TAG_structure_type") || strstr(type, "DW_TAG_class_type") ||
                  strstr(type, "DW_TAG_union_type");
    if (!size || !w->type)
        return;
    const char *same = strchr(size, '('); // that all have
    const char *number = same ? same + 1 : line + strcspn(line, "0");
    unseen_struct(w->unseen, strtoull(number, NULL, 0));
}

// Behind a call that answers something which programs seldom read, and for which there is more to explore where they do.
static void mark_unread_answer(struct rewrite *w, const char *text, size_t number)
{
    char name[NAME];
    if (!text_begins(text, "call"))
        return;
    call_name(text + strcspn(text, " \t"), name, sizeof name);
    w->marks = !strcmp(name, "pthread_barrier_wait") && !liveness_answer(w->liveness, number + 1);
}

// One statement a line. Returns how much of the line are labels.
static size_t look_at(struct rewrite *w, const char *line)
{
    char text[LINE];
    size_t length;
    const char *start = text_skip_blanks(line);
    if (w->reading && w->unseen && strstr(line, "DW_"))
        note_struct(w, line);
    while ((length = lines_label(start))) {
        read_label(w, start, length - 1);
        start = text_skip_blanks(start + length);
    }
    size_t labels = (size_t)(start - line);
    if (*start == '.') {
        note_directive(w, start);
        return 0;
    }
    length = lines_instruction(start);
    if (!length)
        return 0;
    snprintf(text, sizeof text, "%.*s", (int)length, start);
    for (char *separator = text; (separator = strchr(separator, ';'));) // between a prefix and its instruction
        *separator = ' ';
    read_instruction(w, w->intel || length >= sizeof text ? NULL : text, false);
    if (w->reading || !w->unseen)
        return 0;
    if (labels && !text_skip_blanks(line)[0])
        labels = 0;
    buffer_append(&w->text, line, labels);
    announce_unseen(w, text, w->number - 1);
    mark_unread_answer(w, text, w->number - 1);
    return labels;
}

// Clang names a type of section that the GNU assembler warns of, for a section that is empty. It has the same flags otherwise.
static bool put_linker_options(struct rewrite *w, const char *line)
{
    const char *type = strstr(line, "@llvm_linker_options");
    if (!type || w->inside || !text_begins(text_skip_blanks(line), ".section"))
        return false;
    buffer_append(&w->text, line, (size_t)(type - line));
    put(w, "@progbits\n");
    note_directive(w, text_skip_blanks(line));
    return true;
}

static void write_line(void *context, const char *line, size_t length)
{
    struct rewrite *w = context;
    char copy[LINE];
    if (put_linker_options(w, line))
        return;
    if (lines_closes_assembly(line))
        leave_assembly(w);
    if (w->inside && length < sizeof copy) {
        memcpy(copy, line, length + 1);
        write_assembly(w, copy);
        return;
    }
    if (w->globals && !w->inside && globals_line(w->globals, line, &w->text))
        return;
    size_t written = 0, before = w->number;
    if (w->inside)
        miss(w, "a line of more than 8192 characters", true);
    else
        written = look_at(w, line);
    size_t number = w->number;
    buffer_append(&w->text, line + written, length - written);
    put(w, "\n");
    if (number > before && w->flows && flows_label(w->flows, number - 1, copy, sizeof copy))
        buffer_add(&w->text, "%s:\n", copy);
    if (number > before && w->defined && defined_label(w->defined, number - 1, copy, sizeof copy))
        buffer_add(&w->text, "%s:\n", copy);
    if (w->marks)
        put(w, "\t.p2align 0;" ASSEMBLY_UNREAD_ANSWER_TEXT "\n");
    w->marked |= w->marks;
    w->marks = false;
    if (lines_opens_assembly(line))
        w->inside = true;
}

// ---- the unit ----

static void put_quoted(struct rewrite *w, const char *text)
{
    put(w, "\t.asciz \"");
    for (; *text; text++) {
        char one[2] = {*text == '\t' || *text == '\n' ? ' ' : *text, 0};
        put(w, *text == '"' || *text == '\\' ? "\\" : "");
        put(w, one);
    }
    put(w, "\"\n");
}

// Sites, the unit, and a constructor that tells the runtime of it.
static void write_unit(struct rewrite *w, bool reads_gone)
{
    put(w, "\n\t.att_syntax prefix\n\t.section .data.rel.ro.heddle,\"aw\",@progbits\n\t.balign 8\n");
    put(w, buffer_text(&w->sites));
    buffer_add(&w->text, ".Lheddle_unit:\n\t.long %u, %zu, %u, %d\n", w->followed, w->missed.count, w->unseen_writes,
               reads_gone);
    for (size_t i = 0; i < w->missed.count; i++)
        put_quoted(w, w->missed.item[i]);
    put(w, "\t.text\n\t.type .Lheddle_tell, @function\n.Lheddle_tell:\n"
           "\tleaq .Lheddle_unit(%rip), %rdi\n\tjmp *__heddle_asm_unit@GOTPCREL(%rip)\n"
           "\t.section .init_array,\"aw\",@init_array\n\t.balign 8\n\t.quad .Lheddle_tell\n");
}

// A table that begins with the label `.Lheddle_NAME`, and a constructor that tells the runtime of it.
static void put_constructor(struct rewrite *w, const char *name)
{
    buffer_add(&w->text,
               "\t.text\n\t.type .Lheddle_tell_%s, @function\n.Lheddle_tell_%s:\n"
               "\tleaq .Lheddle_%s(%%rip), %%rdi\n\tjmp *__heddle_%s@GOTPCREL(%%rip)\n"
               "\t.section .init_array,\"aw\",@init_array\n\t.balign 8\n\t.quad .Lheddle_tell_%s\n",
               name, name, name, name, name);
}

static void put_table_section(struct rewrite *w)
{
    put(w, "\n\t.section .data.rel.ro.heddle,\"aw\",@progbits\n");
}

// What is known of reads, of frames, and of where variables end. Returns whether there is anything.
static bool write_tables(struct rewrite *w)
{
    if (flows_count(w->flows)) {
        put_table_section(w);
        flows_write(w->flows, &w->text);
        put_constructor(w, "flows");
    }
    if (defined_count(w->defined)) {
        put_table_section(w);
        defined_write(w->defined, &w->text);
        put_constructor(w, "defined");
        defined_write_groups(w->defined, &w->text);
    }
    if (globals_count(w->globals)) {
        put_table_section(w);
        globals_write(w->globals, &w->text);
        put_constructor(w, "globals");
    }
    return flows_count(w->flows) || defined_count(w->defined) || globals_count(w->globals);
}

// Back to the beginning.
static void forget_reading(struct rewrite *w)
{
    struct liveness *liveness = w->liveness;
    struct unseen_walk *unseen = w->unseen;
    buffer_free(&w->text);
    buffer_free(&w->sites);
    strings_free(&w->missed);
    strings_free(&w->files);
    *w = (struct rewrite){.liveness = liveness, .unseen = unseen};
}

char *assembly_rewrite(const char *text, size_t size, size_t *new_size)
{
    struct rewrite w = {0};
    char *copy = lines_copy(text, size);
    bool hooks =
        strstr(copy, "__tsan_init") && !getenv("HEDDLE_LEAVE_UNSEEN"); // tests want writes that nobody knows of
    if (hooks || strstr(copy, "#APP") || strstr(copy, "file scope inline assembly")) {
        w.liveness = liveness_new();
        w.unseen = hooks ? unseen_new() : NULL;
        w.reading = true;
        lines_each(copy, write_line, &w);
        forget_reading(&w);
        liveness_solve(w.liveness);
        if (w.unseen && strstr(copy, "\"GCC:") && !strstr(copy, "# DW_AT_byte_size"))
            unseen_struct(w.unseen, 3);                        // nothing tells of sizes
        bool wants_flows = w.unseen && getenv("HEDDLE_FLOWS"); // cc_driver.c
        bool wants_defined = w.unseen && getenv("HEDDLE_DEFINED");
        if (wants_flows || wants_defined)
            unseen_want_operands(w.unseen);
        if (w.unseen)
            unseen_solve(w.unseen);
        w.flows = wants_flows ? flows_new(w.unseen) : NULL;
        w.defined = wants_defined ? defined_new(w.unseen) : NULL;
        w.globals = hooks ? globals_new() : NULL;
        lines_each(copy, write_line, &w);
        if (w.globals)
            globals_end(w.globals, &w.text);
    }
    bool reads_gone = hooks && getenv("HEDDLE_READS_GONE"); // cc_driver.c
    if (w.site_count || w.missed.count || reads_gone)
        write_unit(&w, reads_gone);
    bool tables = write_tables(&w);
    if (!(w.site_count || w.missed.count || reads_gone || tables || w.marked))
        buffer_free(&w.text);
    free(copy);
    buffer_free(&w.sites);
    liveness_free(w.liveness);
    flows_free(w.flows);
    defined_free(w.defined);
    globals_free(w.globals);
    unseen_free(w.unseen);
    strings_free(&w.missed);
    strings_free(&w.files);
    *new_size = w.text.length;
    return w.text.text;
}
