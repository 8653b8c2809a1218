#include "report/story.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/table.h"
#include "report/places.h"

enum {
    MOST_ROWS = 160, // longer stories keep the end and what matters
    LAST_ROWS = 100,
    LAST_STEP = 100,   // entries of the failing thread's last step that are looked at: endless recursion has many
    MOST_BYTES = 4096, // of one access that are looked at
};

// Which bytes several actors touch.
struct byte {
    uint32_t actor; // the first
    bool shared, written;
};

struct bytes {
    struct table addresses;
    struct byte *bytes; // by the number of their address
    size_t room;
};

static uint32_t looked_at(const struct trace_entry *e)
{
    return e->record.size < MOST_BYTES ? e->record.size : MOST_BYTES;
}

static void touch(struct bytes *b, const struct trace_entry *e)
{
    for (uint32_t i = 0; i < looked_at(e); i++) {
        uint64_t address = e->record.address + i;
        bool added;
        uint32_t number = table_add(&b->addresses, &address, sizeof address, &added);
        if (added) {
            b->bytes = alloc_grow(b->bytes, number, &b->room, sizeof *b->bytes);
            b->bytes[number].actor = e->record.actor;
        }
        b->bytes[number].shared |= b->bytes[number].actor != e->record.actor;
        b->bytes[number].written |= trace_writes(e);
    }
}

static bool is_shared(const struct bytes *b, const struct trace_entry *e)
{
    for (uint32_t i = 0; i < looked_at(e); i++) {
        uint64_t address = e->record.address + i;
        uint32_t number = table_find(&b->addresses, &address, sizeof address);
        if (number != TABLE_NONE && b->bytes[number].shared && b->bytes[number].written)
            return true;
    }
    return false;
}

// Which code is that of the runtime of OpenMP: found out once for each place.
struct code {
    struct table places;
    bool *openmp; // by the number of the place
    size_t room;
};

struct teller {
    const struct trace *trace;
    const struct story_focus *focus;
    struct bytes bytes;
    struct code *code;
    size_t first_create;           // 0 if no thread is ever created
    size_t decisive;               // entry
    size_t until;                  // first entry that is not told
    size_t sealed;                 // of a deadlock, the last entry that it needs; NO_ENTRY of other failures
    bool blocked[MAX_ACTORS];      // who waits for ever
    size_t last_event[MAX_ACTORS]; // of those that wait for ever; NO_ENTRY of others
};

static bool is_silent(const struct trace_entry *e, enum trace_silent kind)
{
    return e->record.type == TRACE_SILENT && e->record.kind == kind;
}

// A call that fails is always told.
static bool is_fault(const struct trace_entry *e)
{
    return e->record.type == TRACE_EVENT && e->record.kind == OP_FAULT && e->record.alternative;
}

// Visible operations without scheduling carry the number of the event before: the first record is the event itself.
static size_t find_event(const struct trace *t, uint32_t event)
{
    if (event != NO_EVENT)
        for (size_t i = 0; i < t->count; i++)
            if (t->entries[i].record.type == TRACE_EVENT && t->entries[i].record.event == event)
                return i;
    return NO_ENTRY;
}

static size_t find_end(const struct trace *t, const struct story_focus *focus)
{
    if (focus->failure == NO_ENTRY)
        return t->count;
    size_t end = focus->failure + 1;
    if (focus->second != NO_ENTRY && focus->second >= end)
        end = focus->second + 1;
    return end;
}

static bool is_deadlock(const struct trace_entry *e)
{
    return e->record.type == TRACE_BUG && bug_traits(e->record.kind)->shape == BUG_OF_WAITING;
}

// What led to the failure in its own thread.
static bool in_last_step(const struct teller *t, size_t i)
{
    if (t->focus->failure == NO_ENTRY || (i < t->focus->failure && t->focus->failure - i > LAST_STEP))
        return false;
    const struct trace_entry *e = &t->trace->entries[i];
    const struct trace_entry *failure = &t->trace->entries[t->focus->failure];
    return !is_deadlock(failure) && e->record.actor == failure->record.actor &&
           e->record.event == failure->record.event && (!t->focus->names || names_tells(t->focus->names, i));
}

// What a thread reads again and again until the end.
static bool spins_on(const struct teller *t, const struct trace_entry *e)
{
    for (size_t i = t->until; i-- > 0;) {
        const struct trace_entry *last = &t->trace->entries[i];
        if (last->record.type == TRACE_BUG)
            continue;
        if (!is_silent(last, SILENT_BLOCKED))
            break;
        if (last->record.actor == e->record.actor && trace_touches(e, last->record.address, 1))
            return true;
    }
    return false;
}

// What a thread did last before it came to wait for ever.
static bool before_blocking(const struct teller *t, size_t i)
{
    const struct trace_entry *e = &t->trace->entries[i];
    return t->last_event[e->record.actor] != NO_ENTRY && i > t->last_event[e->record.actor] &&
           (!t->focus->names || (names_tells(t->focus->names, i) && !names_is_own(t->focus->names, i)));
}

static bool relevant_access(const struct teller *t, size_t i)
{
    const struct trace_entry *e = &t->trace->entries[i];
    if (i < t->first_create) // what one thread prepared shows when it is read
        return false;
    if (!is_shared(&t->bytes, e) && !in_last_step(t, i) && !spins_on(t, e) && !before_blocking(t, i))
        return false;
    return e->record.type == TRACE_EVENT || !t->focus->names || !names_is_inner(t->focus->names, i);
}

static bool about_block(const struct teller *t, size_t i)
{
    const struct trace_block *block = t->focus->block;
    return block && (block->allocated == i || block->freed == i);
}

// A join that needed no scheduling has no event of its own.
static bool joined_alone(const struct trace *t, size_t i)
{
    for (size_t j = i; j-- > 0 && t->entries[j].record.event == t->entries[i].record.event;)
        if (t->entries[j].record.type == TRACE_EVENT && t->entries[j].record.actor == t->entries[i].record.actor)
            return t->entries[j].record.kind != OP_JOIN;
    return i + 1 >= t->count || t->entries[i + 1].record.type != TRACE_EVENT ||
           t->entries[i + 1].record.kind != OP_JOIN;
}

static bool relevant(const struct teller *t, size_t i);

// Whether anything is told before that entry.
static bool any_relevant(const struct teller *t, size_t until)
{
    for (size_t i = 0; i < until; i++)
        if (relevant(t, i))
            return true;
    return false;
}

static bool relevant_silent(const struct teller *t, size_t i)
{
    switch (t->trace->entries[i].record.kind) {
    case SILENT_CREATE:
    case SILENT_END:
    case SILENT_UNLOCK:
    case SILENT_WOKEN:
    case SILENT_ASSUME:
    case SILENT_BLOCKED:
    case SILENT_RETURN:
    case SILENT_EXIT:
        return true;
    case SILENT_MAIN:
        return any_relevant(t, i);
    case SILENT_FAILED:
        return t->focus->failure == NO_ENTRY ||
               t->trace->entries[t->focus->failure].record.actor != t->trace->entries[i].record.actor;
    case SILENT_JOINED:
        return joined_alone(t->trace, i);
    default:
        return about_block(t, i);
    }
}

// Other failures of the run are told as they come, up to the one it is about; the report of a bad access is told by the access
// itself, that of a deadlock by the threads that are blocked.
static bool relevant_bug(const struct teller *t, size_t i)
{
    if (t->focus->failure != NO_ENTRY && i > t->focus->failure)
        return false;
    if (i > 0 && is_deadlock(&t->trace->entries[i]) && is_silent(&t->trace->entries[i - 1], SILENT_BLOCKED))
        return false;
    return i != t->focus->failure || t->focus->second == NO_ENTRY;
}

// Whether a thread that does not wait runs on although the deadlock is bound to come.
static bool runs_on(const struct teller *t, size_t i)
{
    const struct trace_entry *e = &t->trace->entries[i];
    return t->sealed != NO_ENTRY && i > t->sealed && e->record.event != t->focus->last_event &&
           !t->blocked[e->record.actor] && e->record.type != TRACE_BUG;
}

static bool relevant(const struct teller *t, size_t i)
{
    const struct trace_entry *e = &t->trace->entries[i];
    if (i == t->decisive || i == t->focus->first || i == t->focus->second)
        return true;
    if (runs_on(t, i) && !is_fault(e))
        return false;
    if (trace_is_access(e))
        return relevant_access(t, i);
    switch (e->record.type) {
    case TRACE_EVENT: // but what libraries do for themselves while there is one thread
        if (e->record.kind == OP_TICK || e->record.kind == OP_FAULT)
            return is_fault(e);
        return i >= t->first_create || !e->record.address || !t->focus->names ||
               names_knows(t->focus->names, e->record.address, i);
    case TRACE_NOTE:
        return true;
    case TRACE_BUG:
        return relevant_bug(t, i);
    case TRACE_SILENT:
        return relevant_silent(t, i);
    default:
        return false;
    }
}

// What is neither a step nor a row: modules, and reports told by their access.
static bool no_step(const struct trace_entry *e)
{
    return e->record.type == TRACE_MODULE || e->record.type == TRACE_BUG || is_silent(e, SILENT_JOINED) ||
           is_silent(e, SILENT_FAILED) || is_silent(e, SILENT_MAIN) || is_silent(e, SILENT_OUTLINED) ||
           (e->record.type == TRACE_EVENT && e->record.kind == OP_TICK);
}

static void add_row(struct story *s, const struct story_row *row)
{
    s->rows = alloc_grow(s->rows, s->count, &s->room, sizeof *s->rows);
    s->rows[s->count++] = *row;
}

static void add_fold(struct story *s, uint32_t actor, size_t entry)
{
    if (s->count && s->rows[s->count - 1].steps && s->rows[s->count - 1].actor == actor)
        s->rows[s->count - 1].steps++;
    else
        add_row(s, &(struct story_row){.actor = actor, .entry = entry, .steps = 1});
}

// Whether a plain access only says again what the thread's last row says, as in a loop that waits for something.
static bool says_again(const struct story *s, const struct teller *t, size_t i)
{
    const struct trace_record *r = &t->trace->entries[i].record;
    size_t row = s->count;
    while (row && s->rows[row - 1].steps && s->rows[row - 1].actor == r->actor)
        row--;
    if (r->type != TRACE_READ || !row || i == t->focus->first || i == t->focus->second || i == t->decisive)
        return false;
    const struct trace_record *last = &t->trace->entries[s->rows[row - 1].entry].record;
    return last->type == TRACE_READ && last->actor == r->actor && last->pc == r->pc && last->address == r->address &&
           last->size == r->size && last->value == r->value;
}

static bool is_plain(const struct trace_entry *e)
{
    return e->record.type == TRACE_READ || e->record.type == TRACE_WRITE || is_silent(e, SILENT_FREE) ||
           is_silent(e, SILENT_ALLOC);
}

// What the runtime of OpenMP keeps for itself is no step of the program; it leaves notes where that matters. Nor is what a test
// framework does.
static bool is_bookkeeping(const struct teller *t, size_t i)
{
    const struct trace_entry *e = &t->trace->entries[i];
    struct code *code = t->code;
    if (i == t->decisive || !t->focus->names)
        return false;
    if (names_is_aside(t->focus->names, i))
        return true;
    if (!is_plain(e) && !trace_is_access(e))
        return false;
    bool added;
    uint32_t number = table_add(&code->places, &e->record.pc, sizeof e->record.pc, &added);
    if (added) {
        code->openmp = alloc_grow(code->openmp, number, &code->room, sizeof *code->openmp);
        code->openmp[number] = places_is_openmp(t->focus->names, e->record.pc);
    }
    return code->openmp[number];
}

static void tell(struct story *s, const struct teller *t)
{
    for (size_t i = 0; i < t->until; i++) {
        const struct trace_entry *e = &t->trace->entries[i];
        if (is_bookkeeping(t, i))
            continue;
        if (relevant(t, i) && !says_again(s, t, i)) {
            struct story_row row = {.actor = e->record.actor, .entry = i, .decisive = i == t->decisive};
            row.first_access = i == t->focus->first;
            row.failure = i == t->focus->second || e->record.type == TRACE_BUG || is_silent(e, SILENT_BLOCKED);
            add_row(s, &row);
        } else if (!no_step(e)) {
            add_fold(s, e->record.actor, i);
        }
    }
}

static bool must_stay(const struct trace *t, const struct story_row *row)
{
    return row->decisive || row->failure || row->first_access || (!row->steps && is_fault(&t->entries[row->entry]));
}

// Folds rows in front of the last ones and but for what matters: plain accesses only, or everything, which makes one row of
// each gap.
static void fold_rows(struct story *s, const struct trace *t, bool everything)
{
    size_t kept = 0, last = s->count - LAST_ROWS;
    for (size_t i = 0; i < s->count; i++) {
        struct story_row row = s->rows[i];
        bool foldable = row.steps || everything || is_plain(&t->entries[row.entry]);
        if (i >= last || must_stay(t, &row) || !foldable) {
            s->rows[kept++] = row;
            continue;
        }
        struct story_row *gap = kept && s->rows[kept - 1].steps ? &s->rows[kept - 1] : NULL;
        row.steps = row.steps ? row.steps : 1;
        if (gap && (everything || gap->actor == row.actor)) {
            gap->steps += row.steps;
            if (gap->actor != row.actor)
                gap->actor = MAX_ACTORS;
        } else {
            s->rows[kept++] = row;
        }
    }
    s->count = kept;
}

// Too long to read: what is left out are plain accesses, and events only where these alone are too many.
static void shorten(struct story *s, const struct trace *t)
{
    if (s->count > MOST_ROWS)
        fold_rows(s, t, false);
    if (s->count > MOST_ROWS)
        fold_rows(s, t, true);
}

// A row that says "1 step" takes as much room as the step itself; and one access to memory without a name, or of a thread
// to its own stack, says nothing at all.
static void unfold_single(struct story *s, const struct teller *t)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->count; i++) {
        struct story_row row = s->rows[i];
        const struct trace_entry *e = &t->trace->entries[row.entry];
        bool plain = is_plain(e);
        struct names *names = t->focus->names;
        if (row.steps == 1 && plain && names && e->record.type == TRACE_SILENT && places_is_foreign(names, row.entry))
            continue; // memory of a library
        if (row.steps == 1 && plain && names &&
            (!names_tells(names, row.entry) || names_is_own(names, row.entry) || names_is_inner(names, row.entry)))
            continue;
        row.steps = row.steps == 1 ? 0 : row.steps;
        s->rows[kept++] = row;
    }
    s->count = kept;
}

// Being woken is told in the column of the woken thread, but the waker is running; and who waits forever does not run.
static void mark_switches(struct story *s, const struct trace *t)
{
    uint32_t running = MAX_ACTORS;
    for (size_t i = 0; i < s->count; i++) {
        struct story_row *row = &s->rows[i];
        const struct trace_entry *e = &t->entries[row->entry];
        if (!row->steps && (is_silent(e, SILENT_WOKEN) || is_silent(e, SILENT_BLOCKED)))
            continue;
        row->switched = running != MAX_ACTORS && row->actor != running;
        running = row->actor;
    }
}

static void find_last_events(struct teller *t)
{
    const struct trace *trace = t->trace;
    bool *blocked = t->blocked;
    for (size_t i = 0; i < MAX_ACTORS; i++)
        t->last_event[i] = NO_ENTRY;
    for (size_t i = trace->count; i-- > 0;) {
        const struct trace_record *r = &trace->entries[i].record;
        if (is_silent(&trace->entries[i], SILENT_BLOCKED))
            blocked[r->actor] = true;
        else if (r->type == TRACE_EVENT && blocked[r->actor] && t->last_event[r->actor] == NO_ENTRY)
            t->last_event[r->actor] = i;
    }
}

void story_tell(struct story *s, const struct trace *t, const struct story_focus *focus)
{
    struct code code = {0};
    struct teller teller = {.trace = t, .focus = focus, .code = &code};
    find_last_events(&teller);
    *s = (struct story){0};
    teller.until = find_end(t, focus);
    teller.decisive = find_event(t, focus->decisive_event);
    teller.sealed = NO_ENTRY;
    if (focus->failure != NO_ENTRY && is_deadlock(&t->entries[focus->failure]))
        teller.sealed = find_event(t, focus->last_event);
    for (size_t i = 0; i < t->count; i++)
        if (trace_is_access(&t->entries[i]))
            touch(&teller.bytes, &t->entries[i]);
    while (teller.first_create < t->count && !is_silent(&t->entries[teller.first_create], SILENT_CREATE))
        teller.first_create++;
    if (teller.first_create == t->count)
        teller.first_create = 0;
    tell(s, &teller);
    shorten(s, t);
    unfold_single(s, &teller);
    mark_switches(s, t);
    table_free(&teller.bytes.addresses);
    free(teller.bytes.bytes);
    table_free(&code.places);
    free(code.openmp);
}

void story_free(struct story *s)
{
    free(s->rows);
    *s = (struct story){0};
}
