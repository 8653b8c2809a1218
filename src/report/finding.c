#include "report/finding.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/phrase.h"
#include "report/places.h"

static size_t end_of(const struct finding *f)
{
    return f->focus.failure == NO_ENTRY ? f->trace->count : f->focus.failure;
}

bool finding_releases(const struct finding *f)
{
    return f->focus.second != NO_ENTRY && trace_releases(&f->trace->entries[f->focus.second]);
}

static void focus_race(struct finding *f)
{
    struct story_focus *focus = &f->focus;
    uint32_t other = f->bug->other;
    size_t at = focus->second != NO_ENTRY ? focus->second : end_of(f);
    f->second_writes = f->bug->write != 0;
    if (focus->second != NO_ENTRY)
        f->second_writes = finding_releases(f) || trace_writes(&f->trace->entries[focus->second]);
    if (focus->failure != NO_ENTRY && f->trace->entries[focus->failure].record.other < MAX_ACTORS)
        other = f->trace->entries[focus->failure].record.other;
    if (other < MAX_ACTORS)
        focus->first = trace_first_access(f->trace, at, other, f->address, f->size, f->second_writes);
}

static void find_focus(struct finding *f)
{
    const struct bug_traits *traits = bug_traits(f->bug->kind);
    struct story_focus *focus = &f->focus;
    focus->failure = trace_failure(f->trace, f->bug);
    focus->last_event = f->bug->last;
    if (focus->failure != NO_ENTRY && f->trace->entries[focus->failure].record.address) {
        f->address = f->trace->entries[focus->failure].record.address;
        f->size = f->trace->entries[focus->failure].record.size;
    }
    if (focus->failure != NO_ENTRY && traits->at_access)
        focus->second = trace_failing_access(f->trace, focus->failure);
    if (traits->shape == BUG_OF_TWO_ACCESSES)
        focus_race(f);
    if (traits->object && f->address)
        focus->block = trace_block_at(f->trace, f->address, end_of(f));
}

static bool decisive_known(const struct report_bug *bug)
{
    return bug->decisive == DECISIVE_PROVEN || bug->decisive == DECISIVE_NOT_PROVEN;
}

static struct finding_wait *add_wait(struct finding *f, uint32_t actor)
{
    f->waits = alloc_grow(f->waits, f->wait_count, &f->wait_room, sizeof *f->waits);
    struct finding_wait *w = &f->waits[f->wait_count++];
    *w = (struct finding_wait){.actor = actor, .holder = MAX_ACTORS, .taken = NO_ENTRY, .entry = NO_ENTRY};
    return w;
}

static void add_blocked(struct finding *f, size_t entry)
{
    const struct trace_record *r = &f->trace->entries[entry].record;
    struct finding_wait *w = add_wait(f, r->actor);
    w->entry = entry;
    w->pc = f->trace->entries[entry].record.pc;
    w->address = r->address;
    w->kind = r->value < OP_KINDS ? (enum op_kind)r->value : OP_NONE;
    w->spins = r->alternative;
    w->holder = r->other < MAX_ACTORS ? r->other : MAX_ACTORS;
    size_t taken;
    if (w->kind == OP_LOCK && trace_holder(f->trace, w->address, entry, &taken) == w->holder)
        w->taken = taken;
}

static bool listed(const struct finding *f, uint32_t actor)
{
    for (size_t i = 0; i < f->wait_count; i++)
        if (f->waits[i].actor == actor)
            return true;
    return false;
}

// Who only waits for a thread to end comes last: that is no reason for anything.
static void find_waits(struct finding *f)
{
    for (int joins = 0; joins < 2; joins++)
        for (size_t i = 0; i < f->trace->count; i++) {
            const struct trace_record *r = &f->trace->entries[i].record;
            if (r->type == TRACE_SILENT && r->kind == SILENT_BLOCKED && !listed(f, r->actor) &&
                (r->value == OP_JOIN) == joins)
                add_blocked(f, i);
        }
}

static void find_all(struct finding *f)
{
    find_focus(f);
    if (bug_traits(f->bug->kind)->shape == BUG_OF_WAITING)
        find_waits(f);
}

void finding_open(struct finding *f, const struct report_summary *summary, const struct report_bug *bug)
{
    *f = (struct finding){.report = bug, .bug = &bug->bug->bug, .whole_stacks = summary->stacks};
    f->address = f->bug->address;
    f->size = f->bug->size;
    f->second_writes = f->bug->write != 0;
    f->focus = (struct story_focus){NO_ENTRY, NO_ENTRY, NO_ENTRY, NULL, NO_EVENT, NO_EVENT, NULL};
    if (bug->trace_path)
        f->trace = trace_load(bug->trace_path, f->error, sizeof f->error);
    names_open(&f->names, f->trace, summary->job);
    if (!f->trace)
        return;
    f->focus.names = &f->names;
    if (decisive_known(bug))
        f->focus.decisive_event = bug->decisive_event;
    find_all(f);
    story_tell(&f->story, f->trace, &f->focus);
}

void finding_close(struct finding *f)
{
    names_close(&f->names);
    story_free(&f->story);
    trace_free(f->trace);
    free(f->waits);
    *f = (struct finding){0};
}

bool finding_was_freed(const struct finding *f)
{
    return f->focus.block && f->focus.block->freed < end_of(f);
}

size_t finding_entry(const struct finding *f)
{
    return f->focus.second != NO_ENTRY ? f->focus.second : f->focus.failure;
}

uint64_t finding_pc(const struct finding *f)
{
    size_t entry = finding_entry(f);
    uint64_t pc = entry == NO_ENTRY || !f->trace ? 0 : f->trace->entries[entry].record.pc;
    return pc ? pc : f->bug->pc;
}

static bool place_of(struct finding *f, size_t entry, struct symbols_place *place)
{
    return entry != NO_ENTRY && places_own(&f->names, entry, place) && place->file && place->line > 0;
}

bool finding_place(struct finding *f, struct symbols_place *place)
{
    if (!f->trace)
        return false;
    if (f->wait_count && place_of(f, f->waits[0].entry, place))
        return true;
    if (place_of(f, finding_entry(f), place))
        return true;
    return f->focus.block && place_of(f, f->focus.block->allocated, place);
}

// The place of the failure itself; a run that did not get there leaves what was seen when the bug was found.
static bool failing_place(struct finding *f, struct buffer *out)
{
    size_t entry = finding_entry(f);
    return entry != NO_ENTRY && f->trace ? places_name(&f->names, entry, out)
                                         : names_place(&f->names, finding_pc(f), out);
}

void finding_subject(struct finding *f, struct buffer *out)
{
    Dwarf_Die ignored;
    bool whole = f->focus.block && bug_traits(f->bug->kind)->object == BUG_ON_BLOCK;
    if (!f->address)
        return;
    if (whole) // the block, not its first member
        names_value(&f->names, NULL, f->address, sizeof(void *), end_of(f), out);
    else
        names_data(&f->names, f->address, f->size, f->trace ? end_of(f) : 0, out, &ignored);
    if (!f->focus.block || f->brief)
        return;
    buffer_add(out, " (");
    names_heap(&f->names, f->focus.block, f->address, out);
    buffer_add(out, ")");
}

static void first_access_text(struct finding *f, struct buffer *out)
{
    const struct trace_entry *e = &f->trace->entries[f->focus.first];
    names_thread(&f->names, e->record.actor, out);
    buffer_add(out, trace_releases(e) ? " released it"
                    : trace_uses(e)   ? " used it"
                    : trace_writes(e) ? " wrote it"
                                      : " read it");
    struct buffer place = {0};
    if (places_name(&f->names, f->focus.first, &place))
        buffer_add(out, " at %s", place.text);
    buffer_free(&place);
}

static void race_sentence(struct finding *f, struct buffer *out)
{
    finding_subject(f, out);
    buffer_add(out, ": ");
    if (f->focus.first != NO_ENTRY)
        first_access_text(f, out);
    else if (f->bug->other < MAX_ACTORS)
        names_thread(&f->names, f->bug->other, out);
    buffer_add(out, ", ");
    names_thread(&f->names, f->bug->actor, out);
    bool uses = f->focus.second != NO_ENTRY && trace_uses(&f->trace->entries[f->focus.second]);
    buffer_add(out, finding_releases(f) ? " releases it"
                    : uses              ? " uses it"
                    : f->second_writes  ? " writes it"
                                        : " reads it");
    struct buffer place = {0};
    if (failing_place(f, &place))
        buffer_add(out, " at %s", place.text);
    buffer_free(&place);
    buffer_add(out, ", and nothing orders the two");
}

static void object_of_wait(struct finding *f, const struct finding_wait *w, struct buffer *out)
{
    Dwarf_Die ignored;
    if (w->kind == OP_JOIN && w->holder < MAX_ACTORS) {
        buffer_add(out, " ");
        names_thread(&f->names, w->holder, out);
    } else if (op_table[w->kind].names_object && w->address) {
        buffer_add(out, " ");
        names_data(&f->names, w->address, op_table[w->kind].access ? 1 : 0, w->entry, out, &ignored);
    }
    if (w->kind == OP_FD_POLL && f->trace && f->trace->entries[w->entry].record.size)
        buffer_add(out, " or another descriptor");
}

static void waits_for(struct finding *f, const struct finding_wait *w, struct buffer *out)
{
    const char *words = w->spins ? op_table[w->kind].spins : op_table[w->kind].waits;
    if (words)
        buffer_add(out, " %s", words);
    else
        buffer_add(out, " spins in %s", op_table[w->kind].name);
    object_of_wait(f, w, out);
}

void finding_wait_text(struct finding *f, const struct finding_wait *w, struct buffer *out)
{
    struct buffer place = {0};
    names_thread(&f->names, w->actor, out);
    waits_for(f, w, out);
    if (places_name(&f->names, w->entry, &place))
        buffer_add(out, " at %s", place.text);
    if (w->kind != OP_JOIN && w->holder < MAX_ACTORS) {
        buffer_add(out, w->holder == w->actor ? ", held by itself" : ", held by ");
        if (w->holder != w->actor)
            names_thread(&f->names, w->holder, out);
        if (f->trace && f->trace->actors[w->holder].ended != NO_ENTRY)
            buffer_add(out, ", which has ended,");
        buffer_cut(&place, 0);
        if (f->trace && w->taken != NO_ENTRY && places_name(&f->names, w->taken, &place))
            buffer_add(out, " since %s", place.text);
    }
    buffer_free(&place);
}

static void other_sentence(struct finding *f, struct buffer *out)
{
    buffer_add_safe(out, f->bug->text, strnlen(f->bug->text, sizeof f->bug->text), false);
    if (out->length == 0)
        buffer_add(out, "%s", bug_name(f->bug->kind));
    while (out->length && out->text[out->length - 1] == '.')
        buffer_cut(out, out->length - 1);
    struct buffer place = {0};
    bool known = failing_place(f, &place);
    bool told = known && strstr(out->text, place.text); // an assertion brings its own place
    buffer_add(out, told ? ", by " : ", in ");
    names_thread(&f->names, f->bug->actor, out);
    if (known && !told)
        buffer_add(out, " at %s", place.text);
    buffer_free(&place);
    if (f->address && bug_traits(f->bug->kind)->object) {
        buffer_add(out, ": ");
        finding_subject(f, out);
    }
}

void finding_sentence(struct finding *f, struct buffer *out)
{
    if (bug_traits(f->bug->kind)->shape == BUG_OF_TWO_ACCESSES && f->trace) {
        race_sentence(f, out);
        return;
    }
    for (size_t i = 0; i < f->wait_count; i++) {
        buffer_add(out, i ? "; " : "");
        finding_wait_text(f, &f->waits[i], out);
    }
    if (f->wait_count == 0)
        other_sentence(f, out);
}

void finding_other_sentence(struct finding *f, const struct report_summary *summary, const struct report_bug *other,
                            struct buffer *out)
{
    struct finding o;
    if (!f->trace || other->elsewhere) {
        finding_open(&o, summary, other);
        finding_sentence(&o, out);
        finding_close(&o);
        return;
    }
    o = (struct finding){.report = other, .bug = &other->bug->bug, .trace = f->trace, .names = f->names, .brief = true};
    o.address = o.bug->address;
    o.size = o.bug->size;
    o.focus = f->focus;
    o.focus.first = o.focus.second = NO_ENTRY;
    o.focus.block = NULL;
    find_all(&o);
    finding_sentence(&o, out);
    f->names = o.names; // it may have named more blocks
    free(o.waits);
}
