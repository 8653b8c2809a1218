#include "report/phrase.h"

#include <string.h>

#include "model/choice.h"
#include "model/fault.h"

static const char *const silent_names[] = {
    [SILENT_CREATE] = "create",      [SILENT_JOINED] = "join",     [SILENT_END] = "end",
    [SILENT_UNLOCK] = "unlock",      [SILENT_WOKEN] = "woken",     [SILENT_ALLOC] = "malloc",
    [SILENT_FREE] = "free",          [SILENT_ASSUME] = "assume",   [SILENT_MAP] = "mmap",
    [SILENT_UNMAP] = "munmap",       [SILENT_FAILED] = "failed",   [SILENT_BLOCKED] = "blocked",
    [SILENT_MADE] = "make",          [SILENT_RETURN] = "return",   [SILENT_MAIN] = "main begins",
    [SILENT_EXIT] = "exit handlers", [SILENT_OUTLINED] = "region",
};

const char *phrase_operation(const struct trace_entry *e)
{
    switch (e->record.type) {
    case TRACE_EVENT:
        if (op_table[e->record.kind].told == TOLD_BY_CALL)
            return e->text;
        return op_table[e->record.kind].name;
    case TRACE_READ:
        return "read";
    case TRACE_WRITE:
        return "write";
    case TRACE_SILENT:
        return silent_names[e->record.kind];
    case TRACE_NOTE:
        return "note";
    case TRACE_BUG:
        return bug_name(e->record.kind);
    default:
        return "module";
    }
}

bool phrase_has_object(const struct trace_entry *e)
{
    if (e->record.address == 0)
        return false;
    if (e->record.type == TRACE_SILENT)
        return e->record.kind == SILENT_UNLOCK || e->record.kind == SILENT_ALLOC || e->record.kind == SILENT_FREE ||
               e->record.kind == SILENT_MAP || e->record.kind == SILENT_UNMAP || e->record.kind == SILENT_WOKEN ||
               e->record.kind == SILENT_BLOCKED;
    if (e->record.type == TRACE_EVENT)
        return op_table[e->record.kind].names_object;
    return e->record.type == TRACE_READ || e->record.type == TRACE_WRITE || e->record.type == TRACE_BUG;
}

bool phrase_read_value(const struct trace_entry *e, uint64_t *value)
{
    if (!trace_is_access(e) || e->record.size == 0 || e->record.size > 8)
        return false;
    *value = e->record.value;
    if (e->record.type != TRACE_EVENT)
        return e->record.type == TRACE_READ;
    return op_reads(e->record.kind);
}

// Read-modify-writes show both values.
static void phrase_change(struct names *n, const struct style *style, size_t entry, Dwarf_Die *type, struct buffer *out)
{
    const struct trace_record *r = &n->trace->entries[entry].record;
    bool changed = r->effect == EFFECT_WRITE;
    buffer_add(out, changed ? " " : " %s ", style->gives);
    names_value(n, type, r->value, r->size, entry, out);
    if (changed) {
        buffer_add(out, "%s", style->becomes);
        names_value(n, type, r->result, r->size, entry, out);
    }
    if (op_table[r->kind].answer == ANSWER_SWAPPED)
        buffer_add(out, changed ? " ok" : ", unchanged");
}

static void phrase_access(struct names *n, const struct style *style, size_t entry, struct buffer *out)
{
    const struct trace_entry *e = &n->trace->entries[entry];
    const struct trace_record *r = &e->record;
    Dwarf_Die found;
    uint64_t value;
    buffer_add(out, "%s ", phrase_operation(e));
    Dwarf_Die *type = names_data(n, r->address, r->size, entry, out, &found) ? &found : NULL;
    if (r->size > 8) {
        buffer_add(out, " (%u bytes)", r->size);
    } else if (r->type == TRACE_EVENT && op_reads(r->kind) && op_writes(r->kind)) {
        phrase_change(n, style, entry, type, out);
    } else if (phrase_read_value(e, &value)) {
        buffer_add(out, " %s ", style->gives);
        names_value(n, type, value, r->size, entry, out);
    } else if (trace_written(n->trace, entry, &value)) {
        buffer_add(out, " %s ", style->takes);
        names_value(n, type, value, r->size, entry, out);
    }
}

// The barrier that the thread goes through by this step; 0 if it does not.
static uint64_t left_barrier(const struct trace *t, size_t entry)
{
    const struct trace_record *r = &t->entries[entry].record;
    for (size_t i = entry; (r->kind == OP_YIELD || r->kind == OP_PASS_BARRIER) && i-- > 0;) {
        const struct trace_record *before = &t->entries[i].record;
        if (before->actor != r->actor || before->type != TRACE_EVENT)
            continue;
        return op_table[before->kind].gate && before->pc == r->pc ? before->address : 0;
    }
    return 0;
}

static void phrase_sync(struct names *n, size_t entry, struct buffer *out)
{
    const struct trace_entry *e = &n->trace->entries[entry];
    const struct trace_record *r = &e->record;
    uint64_t barrier = left_barrier(n->trace, entry);
    Dwarf_Die ignored;
    if (barrier) {
        buffer_add(out, "passes ");
        names_data(n, barrier, 0, entry, out, &ignored);
        if (r->kind == OP_PASS_BARRIER && r->effect == EFFECT_WRITE)
            buffer_add(out, " as the serial thread");
        return;
    }
    buffer_add(out, "%s", phrase_operation(e));
    if (phrase_has_object(e)) {
        buffer_add(out, " ");
        names_data(n, r->address, 0, entry, out, &ignored);
    }
    if (op_table[r->kind].names_thread && r->other < MAX_ACTORS) {
        buffer_add(out, " ");
        names_thread_path(n, r->other, out);
    }
}

// A number, or an error.
static void phrase_number(const struct trace_record *r, const struct style *style, struct buffer *out)
{
    int64_t result = (int64_t)r->result;
    const char *error = result < 0 && result > -4096 ? strerrorname_np((int)-result) : NULL;
    if (result == TRACE_ASLEEP)
        buffer_add(out, " (waits)");
    else if (error)
        buffer_add(out, " %s %s", style->gives, error);
    else
        buffer_add(out, " %s %lld", style->gives, (long long)result);
}

// What the operation answered; whoever waits for a lock gets it.
static void phrase_answer(const struct trace_record *r, const struct style *style, struct buffer *out)
{
    switch (op_table[r->kind].answer) {
    case ANSWER_TAKEN:
    case ANSWER_BUSY:
        if (!op_table[r->kind].takes)
            buffer_add(out, trace_succeeds(r) ? " ok" : " busy");
        break;
    case ANSWER_YES:
        buffer_add(out, trace_succeeds(r) ? " yes" : " no");
        break;
    case ANSWER_NUMBER:
        phrase_number(r, style, out);
        break;
    case ANSWER_SWAPPED: // told with the values
    case ANSWER_NONE:
        break;
    }
}

static void phrase_choice(const struct trace_record *r, const struct style *style, struct buffer *out)
{
    static const char *const outcomes[CHOICES][2] = {
        [CHOICE_TIMEOUT] = {"the time does not run out", "the time runs out"},
        [CHOICE_CANCELLED] = {"is not cancelled", "is cancelled"},
        [CHOICE_SPURIOUS] = {"waits for a signal", "wakes without a signal"},
        [CHOICE_REUSE] = {"malloc takes new memory", "malloc takes freed memory"}};
    if (r->value != CHOICE_OF_PROGRAM && r->value < CHOICES && r->alternative < 2)
        buffer_add(out, "%s", outcomes[r->value][r->alternative]);
    else
        buffer_add(out, "choose %s %u of 0..%u", style->gives, r->alternative,
                   r->alternatives ? r->alternatives - 1 : 0);
}

// How often the program has come to this call by then.
static uint32_t phrase_count_here(const struct trace *t, size_t entry)
{
    uint32_t count = 0;
    for (size_t i = 0; i <= entry; i++) {
        const struct trace_record *r = &t->entries[i].record;
        count += r->type == TRACE_EVENT && r->kind == OP_FAULT && r->pc == t->entries[entry].record.pc;
    }
    return count;
}

static void phrase_fault(const struct trace *t, size_t entry, struct buffer *out)
{
    const struct trace_record *r = &t->entries[entry].record;
    const char *call = t->entries[entry].text;
    int way = (int)(int64_t)r->result;
    if (!way)
        buffer_add(out, "%s does not fail", call);
    else if (way == FAULT_LOST)
        buffer_add(out, "what %s sends is lost", call);
    else if (way == FAULT_SHORT)
        buffer_add(out, "%s falls short", call);
    else
        buffer_add(out, "%s fails: %s", call, fault_way_name(way));
    uint32_t count = way ? phrase_count_here(t, entry) : 0;
    if (count > 1)
        buffer_add(out, " (call %u here)", count);
}

static void phrase_event(struct names *n, const struct style *style, size_t entry, struct buffer *out)
{
    const struct trace_entry *e = &n->trace->entries[entry];
    const struct trace_record *r = &e->record;
    if (r->kind == OP_FAULT) {
        phrase_fault(n->trace, entry, out);
        return;
    }
    if (op_table[r->kind].told == TOLD_BY_OUTCOME) {
        phrase_choice(r, style, out);
        return;
    }
    if (trace_is_access(e))
        phrase_access(n, style, entry, out);
    else
        phrase_sync(n, entry, out);
    phrase_answer(r, style, out);
    if (op_table[r->kind].told == TOLD_WITH_CALL) {
        buffer_add(out, " ");
        buffer_add_safe(out, e->text, strlen(e->text), false);
    } else if (r->alternatives > 1)
        buffer_add(out, " (outcome %u of %u)", r->alternative + 1, r->alternatives);
}

// What a thread waits for and will never get.
static void phrase_blocked(struct names *n, size_t entry, struct buffer *out)
{
    const struct trace_record *r = &n->trace->entries[entry].record;
    Dwarf_Die ignored;
    if (r->value == OP_NONE)
        return;
    buffer_add(out, ": %s", op_table[r->value].name);
    if (op_table[r->value].names_thread && r->other < MAX_ACTORS) {
        buffer_add(out, " ");
        names_thread_path(n, r->other, out);
    } else if (r->address) {
        buffer_add(out, " ");
        names_data(n, r->address, 0, entry, out, &ignored);
    }
}

static void phrase_silent(struct names *n, const struct style *style, size_t entry, struct buffer *out)
{
    const struct trace_entry *e = &n->trace->entries[entry];
    const struct trace_record *r = &e->record;
    Dwarf_Die ignored;
    buffer_add(out, "%s", r->kind == SILENT_ALLOC && e->text[0] ? e->text : phrase_operation(e));
    switch (r->kind) {
    case SILENT_CREATE:
    case SILENT_JOINED:
        buffer_add(out, " ");
        names_thread_path(n, (uint32_t)r->value, out);
        break;
    case SILENT_WOKEN:
        buffer_add(out, " by ");
        names_thread_path(n, (uint32_t)r->value, out);
        break;
    case SILENT_UNLOCK:
    case SILENT_UNMAP:
        buffer_add(out, " ");
        names_data(n, r->address, 0, entry, out, &ignored);
        break;
    case SILENT_FREE: // the block, not its first member
        buffer_add(out, " ");
        names_value(n, NULL, r->address, sizeof(void *), entry, out);
        break;
    case SILENT_MAP:
    case SILENT_ALLOC:
        buffer_add(out, " %u %s ", r->size, style->gives);
        names_value(n, NULL, r->address, sizeof(void *), entry, out);
        break;
    case SILENT_ASSUME:
        buffer_add(out, " is false: stops");
        break;
    case SILENT_BLOCKED:
        phrase_blocked(n, entry, out);
        break;
    case SILENT_RETURN:
        buffer_add(out, " ");
        buffer_add_safe(out, e->text, strlen(e->text), false);
        break;
    default:
        break;
    }
}

static void phrase_bug(struct names *n, size_t entry, struct buffer *out)
{
    const struct trace_entry *e = &n->trace->entries[entry];
    Dwarf_Die ignored;
    buffer_add(out, "%s", bug_name(e->record.kind));
    if (bug_traits(e->record.kind)->object == BUG_ON_BLOCK) {
        buffer_add(out, " ");
        names_value(n, NULL, e->record.address, sizeof(void *), entry, out);
    } else if (e->record.address) {
        buffer_add(out, " ");
        names_data(n, e->record.address, e->record.size, entry, out, &ignored);
    }
}

void phrase_entry(struct names *n, const struct style *style, size_t entry, struct buffer *out)
{
    const struct trace_entry *e = &n->trace->entries[entry];
    switch (e->record.type) {
    case TRACE_EVENT:
        phrase_event(n, style, entry, out);
        break;
    case TRACE_READ:
    case TRACE_WRITE:
        phrase_access(n, style, entry, out);
        break;
    case TRACE_SILENT:
        phrase_silent(n, style, entry, out);
        break;
    case TRACE_NOTE:
        buffer_add(out, "note: ");
        buffer_add_safe(out, e->text, strlen(e->text), false);
        break;
    case TRACE_BUG:
        phrase_bug(n, entry, out);
        break;
    default:
        break;
    }
}
