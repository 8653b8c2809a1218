#include "report/finding.h"

#include <stdlib.h>
#include <string.h>

#include "report/phrase.h"

static bool about_access(uint32_t kind)
{
    return kind == BUG_RACE || kind == BUG_USE_AFTER_FREE;
}

static bool about_heap(uint32_t kind)
{
    return kind == BUG_RACE || kind == BUG_USE_AFTER_FREE || kind == BUG_DOUBLE_FREE || kind == BUG_BAD_FREE ||
           kind == BUG_LEAK || kind == BUG_LOCK_MISUSE;
}

static size_t end_of(const struct finding *f)
{
    return f->focus.failure == NO_ENTRY ? f->trace->count : f->focus.failure;
}

static void focus_race(struct finding *f)
{
    struct story_focus *focus = &f->focus;
    uint32_t other = f->bug->other;
    size_t at = focus->second != NO_ENTRY ? focus->second : end_of(f);
    f->second_writes = f->bug->write != 0;
    if (focus->second != NO_ENTRY && trace_writes(&f->trace->entries[focus->second]))
        f->second_writes = true;
    if (focus->failure != NO_ENTRY && f->trace->entries[focus->failure].record.other < MAX_ACTORS)
        other = f->trace->entries[focus->failure].record.other;
    if (other < MAX_ACTORS)
        focus->first = trace_first_access(f->trace, at, other, f->address, f->size, f->second_writes);
}

static void find_focus(struct finding *f)
{
    struct story_focus *focus = &f->focus;
    focus->failure = trace_failure(f->trace, f->bug);
    if (focus->failure != NO_ENTRY && f->trace->entries[focus->failure].record.address) {
        f->address = f->trace->entries[focus->failure].record.address;
        f->size = f->trace->entries[focus->failure].record.size;
    }
    if (focus->failure != NO_ENTRY && about_access(f->bug->kind))
        focus->second = trace_failing_access(f->trace, focus->failure);
    if (f->bug->kind == BUG_RACE)
        focus_race(f);
    if (about_heap(f->bug->kind) && f->address)
        focus->block = trace_block_at(f->trace, f->address, end_of(f));
}

static bool decisive_known(const struct report_bug *bug)
{
    return bug->decisive == DECISIVE_PROVEN || bug->decisive == DECISIVE_NOT_PROVEN;
}

static struct finding_wait *add_wait(struct finding *f, uint32_t actor)
{
    f->waits = buffer_grow(f->waits, f->wait_count, &f->wait_room, sizeof *f->waits);
    struct finding_wait *w = &f->waits[f->wait_count++];
    *w = (struct finding_wait){.actor = actor, .holder = MAX_ACTORS, .taken = NO_ENTRY, .entry = NO_ENTRY};
    return w;
}

// A report of its own tells what the thread waits for: value is the kind of the operation, address its object.
static void wait_from_report(struct finding *f, size_t entry)
{
    const struct trace_record *r = &f->trace->entries[entry].record;
    struct finding_wait *w = add_wait(f, r->actor);
    w->entry = entry;
    w->pc = names_pc(&f->trace->entries[entry]);
    w->address = r->address;
    if (r->value < OP_KINDS)
        w->kind = (enum op_kind)r->value;
    if (w->address)
        w->holder = trace_holder(f->trace, w->address, end_of(f), &w->taken);
    if (w->kind == OP_NONE && w->holder < MAX_ACTORS)
        w->kind = OP_LOCK;
    if (w->holder == MAX_ACTORS && r->other < MAX_ACTORS && r->other != r->actor)
        w->holder = r->other;
}

// The newest entry of the actor that shows what it was doing, before `entry`.
static size_t last_entry(const struct trace *t, uint32_t actor, size_t entry)
{
    for (size_t i = entry; i-- > 0;) {
        const struct trace_record *r = &t->entries[i].record;
        if (r->actor == actor && r->type != TRACE_BUG && r->type != TRACE_MODULE)
            return i;
    }
    return NO_ENTRY;
}

// Without a report: who waits on a condition variable did so last; who was woken wants its mutex back.
static void wait_from_history(struct finding *f, uint32_t actor)
{
    struct finding_wait *w = add_wait(f, actor);
    w->entry = last_entry(f->trace, actor, end_of(f));
    if (w->entry == NO_ENTRY)
        return;
    const struct trace_entry *last = &f->trace->entries[w->entry];
    w->pc = names_pc(last);
    if (last->record.type == TRACE_EVENT && last->record.kind == OP_WAIT) {
        w->kind = OP_WAIT;
        w->address = last->record.address;
        return;
    }
    if (last->record.type != TRACE_SILENT || last->record.kind != SILENT_WOKEN)
        return;
    for (size_t i = w->entry; i-- > 0;) {
        const struct trace_record *r = &f->trace->entries[i].record;
        if (r->actor != actor || r->type != TRACE_SILENT || r->kind != SILENT_UNLOCK)
            continue;
        w->kind = OP_LOCK;
        w->address = r->address;
        w->pc = r->pc;
        w->holder = trace_holder(f->trace, r->address, end_of(f), &w->taken);
        return;
    }
}

static bool stopped(const struct trace *t, uint32_t actor, size_t until)
{
    for (size_t i = 0; i < until; i++) {
        const struct trace_record *r = &t->entries[i].record;
        if (r->actor == actor && r->type == TRACE_SILENT &&
            (r->kind == SILENT_END || r->kind == SILENT_ASSUME || r->kind == SILENT_FAILED))
            return true;
    }
    return false;
}

static bool listed(const struct finding *f, uint32_t actor)
{
    for (size_t i = 0; i < f->wait_count; i++)
        if (f->waits[i].actor == actor)
            return true;
    return false;
}

static void find_waits(struct finding *f)
{
    for (size_t i = 0; i < f->trace->count; i++) {
        const struct trace_record *r = &f->trace->entries[i].record;
        if (r->type == TRACE_BUG && r->kind == f->bug->kind && !listed(f, r->actor))
            wait_from_report(f, i);
    }
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++) {
        const struct trace_actor *a = &f->trace->actors[actor];
        bool there = a->known && (actor == 0 || a->created < end_of(f));
        if (there && !listed(f, actor) && !stopped(f->trace, actor, end_of(f)))
            wait_from_history(f, actor);
    }
}

void finding_open(struct finding *f, const struct report_summary *summary, const struct report_bug *bug)
{
    *f = (struct finding){.report = bug, .bug = &bug->bug->bug};
    f->address = f->bug->address;
    f->size = f->bug->size;
    f->second_writes = f->bug->write != 0;
    f->focus = (struct story_focus){NO_ENTRY, NO_ENTRY, NO_ENTRY, NULL, NO_EVENT};
    if (bug->trace_path)
        f->trace = trace_load(bug->trace_path, f->error, sizeof f->error);
    names_open(&f->names, f->trace, summary->job);
    if (!f->trace)
        return;
    if (decisive_known(bug))
        f->focus.decisive_event = bug->decisive_event;
    find_focus(f);
    if (f->bug->kind == BUG_DEADLOCK || f->bug->kind == BUG_LIVELOCK)
        find_waits(f);
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

size_t finding_entry(const struct finding *f)
{
    return f->focus.second != NO_ENTRY ? f->focus.second : f->focus.failure;
}

uint64_t finding_pc(const struct finding *f)
{
    size_t entry = finding_entry(f);
    uint64_t pc = entry == NO_ENTRY ? 0 : names_pc(&f->trace->entries[entry]);
    return pc ? pc : f->bug->pc;
}

void finding_subject(struct finding *f, struct buffer *out)
{
    Dwarf_Die ignored;
    if (!f->address)
        return;
    names_data(&f->names, f->address, f->size, f->trace ? end_of(f) : 0, out, &ignored);
    if (!f->focus.block)
        return;
    buffer_add(out, " (");
    names_heap(&f->names, f->focus.block, f->address, out);
    buffer_add(out, ")");
}

static void first_access_text(struct finding *f, struct buffer *out)
{
    const struct trace_entry *e = &f->trace->entries[f->focus.first];
    bool freed = e->record.type == TRACE_SILENT;
    names_thread(&f->names, e->record.actor, out);
    buffer_add(out, freed ? " released it" : trace_writes(e) ? " wrote it" : " read it");
    struct buffer place = {0};
    if (names_place(&f->names, names_pc(e), &place))
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
    buffer_add(out, f->second_writes ? " writes it" : " reads it");
    struct buffer place = {0};
    if (names_place(&f->names, finding_pc(f), &place))
        buffer_add(out, " at %s", place.text);
    buffer_free(&place);
    buffer_add(out, ", and nothing orders the two");
}

void finding_wait_text(struct finding *f, const struct finding_wait *w, struct buffer *out)
{
    struct buffer place = {0};
    Dwarf_Die ignored;
    names_thread(&f->names, w->actor, out);
    const char *verb = w->kind == OP_NONE   ? " waits"
                       : w->kind == OP_LOCK ? " waits to lock"
                       : w->kind == OP_WAIT ? " waits for a signal on"
                       : w->kind == OP_JOIN ? " waits to join"
                                            : " waits in";
    buffer_add(out, "%s", verb);
    if (w->kind != OP_NONE && w->kind != OP_LOCK && w->kind != OP_WAIT && w->kind != OP_JOIN)
        buffer_add(out, " %s", op_table[w->kind].name);
    bool joins = w->kind == OP_JOIN && w->holder < MAX_ACTORS;
    if (w->address && w->kind != OP_JOIN) {
        buffer_add(out, " ");
        names_data(&f->names, w->address, 0, end_of(f), out, &ignored);
    } else if (joins) {
        buffer_add(out, " ");
        names_thread(&f->names, w->holder, out);
    }
    if (names_place(&f->names, w->pc, &place)) // without a report only the last step is known
        buffer_add(out, w->kind == OP_NONE ? " after %s" : " at %s", place.text);
    if (!joins && w->holder < MAX_ACTORS) {
        buffer_add(out, w->holder == w->actor ? ", held by itself" : ", held by ");
        if (w->holder != w->actor)
            names_thread(&f->names, w->holder, out);
        buffer_cut(&place, 0);
        if (w->taken != NO_ENTRY && names_place(&f->names, names_pc(&f->trace->entries[w->taken]), &place))
            buffer_add(out, " since %s", place.text);
    }
    buffer_free(&place);
}

static void other_sentence(struct finding *f, struct buffer *out)
{
    buffer_add_safe(out, f->bug->text, strnlen(f->bug->text, sizeof f->bug->text), false);
    if (out->length == 0)
        buffer_add(out, "%s", f->bug->kind < BUG_KINDS ? bug_names[f->bug->kind] : "failure");
    while (out->length && out->text[out->length - 1] == '.')
        buffer_cut(out, out->length - 1);
    buffer_add(out, ", in ");
    phrase_who(&f->names, f->bug->actor, finding_pc(f), out);
    if (f->address && about_heap(f->bug->kind)) {
        buffer_add(out, ": ");
        finding_subject(f, out);
    }
}

void finding_sentence(struct finding *f, struct buffer *out)
{
    size_t told = 0;
    if (f->bug->kind == BUG_RACE && f->trace) {
        race_sentence(f, out);
        return;
    }
    for (size_t i = 0; i < f->wait_count; i++) {
        if (f->waits[i].kind == OP_NONE || f->bug->kind != BUG_DEADLOCK)
            continue;
        buffer_add(out, told++ ? "; " : "");
        finding_wait_text(f, &f->waits[i], out);
    }
    if (!told)
        other_sentence(f, out);
}
