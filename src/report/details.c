#include "report/details.h"

#include <string.h>

#include "report/columns.h"
#include "report/phrase.h"
#include "report/places.h"

enum { MOST_DEPTH = 96, MOST_LOCKS = 32 };

// The user's own functions; with --stacks also those of libraries in between.
static void print_stack(struct finding *f, FILE *out, size_t entry)
{
    struct symbols_place places[MOST_DEPTH];
    size_t count = places_stack(&f->names, entry, !f->whole_stacks, places, MOST_DEPTH);
    for (size_t i = 0; i < count; i++) {
        fprintf(out, "    #%-2zu ", i);
        if (places[i].function || !places[i].address)
            fprintf(out, "%s", places[i].function ? places[i].function : "?");
        else
            fprintf(out, "0x%llx", (unsigned long long)places[i].address);
        if (places[i].file)
            fprintf(out, " at %s:%d", places[i].file, places[i].line);
        fputc('\n', out);
    }
}

static void print_locks(struct finding *f, FILE *out, const struct style *style, uint32_t actor, size_t entry)
{
    struct trace_lock locks[MOST_LOCKS];
    struct buffer text = {0};
    Dwarf_Die ignored;
    size_t count = trace_locks(f->trace, actor, entry, locks, MOST_LOCKS);
    buffer_add(&text, count ? "holding " : "holding no lock");
    for (size_t i = 0; i < count && i < MOST_LOCKS; i++) {
        buffer_add(&text, i ? ", " : "");
        names_data(&f->names, locks[i].address, 0, entry, &text, &ignored);
        buffer_add(&text, " (since ");
        size_t before = text.length;
        if (!places_name(&f->names, locks[i].taken, &text))
            buffer_cut(&text, before - strlen(" (since "));
        else
            buffer_add(&text, ")");
    }
    fprintf(out, "    ");
    columns_print_wrapped(out, style, buffer_text(&text), 4);
    buffer_free(&text);
}

static void print_access(struct finding *f, FILE *out, const struct style *style, const char *title, size_t entry)
{
    struct buffer text = {0};
    uint32_t actor = f->trace->entries[entry].record.actor;
    names_thread(&f->names, actor, &text);
    buffer_add(&text, ": ");
    phrase_entry(&f->names, style, entry, &text);
    fprintf(out, "\n  %s ", title);
    columns_print_wrapped(out, style, text.text, 4);
    print_stack(f, out, entry);
    print_locks(f, out, style, actor, entry);
    buffer_free(&text);
}

static void print_titled_stack(struct finding *f, FILE *out, const char *title, size_t entry)
{
    struct buffer who = {0};
    names_thread(&f->names, f->trace->entries[entry].record.actor, &who);
    fprintf(out, "\n  %s by %s\n", title, who.text);
    print_stack(f, out, entry);
    buffer_free(&who);
}

static void print_block(struct finding *f, FILE *out)
{
    const struct trace_block *block = f->focus.block;
    if (!block)
        return;
    print_titled_stack(f, out, names_is_mapping(&f->names, block) ? "mapped" : "allocated", block->allocated);
    if (finding_was_freed(f) && block->freed != f->focus.second)
        print_titled_stack(f, out, "released", block->freed);
}

static void print_race(struct finding *f, FILE *out, const struct style *style)
{
    if (f->focus.first != NO_ENTRY)
        print_access(f, out, style, "first access,", f->focus.first);
    if (finding_entry(f) != NO_ENTRY)
        print_access(f, out, style, "second access,", finding_entry(f));
    print_block(f, out);
}

static void print_waits(struct finding *f, FILE *out, const struct style *style)
{
    fputc('\n', out);
    for (size_t i = 0; i < f->wait_count; i++) {
        struct buffer text = {0};
        finding_wait_text(f, &f->waits[i], &text);
        fprintf(out, "  %s ", style->bullet);
        columns_print_wrapped(out, style, text.text, 4);
        print_stack(f, out, f->waits[i].entry);
        print_locks(f, out, style, f->waits[i].actor, f->waits[i].entry);
        buffer_free(&text);
    }
}

static void print_holder(struct finding *f, FILE *out, size_t entry)
{
    struct buffer text = {0};
    size_t taken;
    uint32_t holder = trace_holder(f->trace, f->address, entry, &taken);
    if (holder == MAX_ACTORS)
        return;
    buffer_add(&text, "held by ");
    names_thread(&f->names, holder, &text);
    buffer_add(&text, " since ");
    if (places_name(&f->names, taken, &text))
        fprintf(out, "\n  %s\n", text.text);
    buffer_free(&text);
}

static void print_failure(struct finding *f, FILE *out, const struct style *style)
{
    size_t entry = finding_entry(f);
    if (entry != NO_ENTRY && f->trace->entries[entry].record.pc) { // a leak happens nowhere
        print_titled_stack(f, out, "failed", entry);
        print_locks(f, out, style, f->trace->entries[entry].record.actor, entry);
    }
    if (entry != NO_ENTRY && bug_traits(f->bug->kind)->object == BUG_ON_LOCK)
        print_holder(f, out, entry);
    print_block(f, out);
}

void details_print(struct finding *f, FILE *out, const struct style *style)
{
    if (!f->trace)
        return;
    switch (bug_traits(f->bug->kind)->shape) {
    case BUG_OF_TWO_ACCESSES:
        print_race(f, out, style);
        break;
    case BUG_OF_WAITING:
        print_waits(f, out, style);
        break;
    case BUG_IN_ONE_THREAD:
        print_failure(f, out, style);
        break;
    }
}
