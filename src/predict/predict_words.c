// What predictions and records are called in words.
#include "predict/predict_text.h"
#include "predict/variable_names.h"

#include <string.h>

static const char *const actions[RECORD_KINDS] = {
    [RECORD_READ] = "reads",
    [RECORD_WRITE] = "writes",
    [RECORD_ATOMIC_READ] = "loads",
    [RECORD_ATOMIC_WRITE] = "stores",
    [RECORD_ATOMIC_RMW] = "changes",
    [RECORD_LOCK] = "locks",
    [RECORD_LOCK_SHARED] = "read-locks",
    [RECORD_UNLOCK] = "unlocks",
    [RECORD_WAIT_BEGIN] = "waits for",
    [RECORD_WAIT_END] = "is woken at",
    [RECORD_SIGNAL] = "signals",
    [RECORD_BROADCAST] = "broadcasts",
    [RECORD_BARRIER_ENTER] = "comes to",
    [RECORD_BARRIER_LEAVE] = "leaves",
    [RECORD_POST] = "posts",
    [RECORD_TAKE] = "takes",
    [RECORD_ONCE_BEGIN] = "runs once",
    [RECORD_ONCE_END] = "has run once",
    [RECORD_ONCE_PASS] = "passes once",
    [RECORD_CREATE] = "creates",
    [RECORD_JOIN] = "joins",
    [RECORD_BEGIN] = "begins",
    [RECORD_END] = "ends",
    [RECORD_ALLOCATE] = "allocates",
    [RECORD_RELEASE] = "frees",
    [RECORD_REGION_BEGIN] = "begins",
    [RECORD_REGION_END] = "ends",
};

void predict_action(const struct recording *r, uint32_t record, struct buffer *out)
{
    const struct record *e = &r->records[record];
    bool failed = e->flags & RECORD_FAILED;
    buffer_add(out, "%s%s", failed ? "tries: " : "", actions[e->kind]);
    switch (e->kind) {
    case RECORD_BEGIN:
    case RECORD_END:
    case RECORD_REGION_BEGIN:
    case RECORD_REGION_END:
        return;
    default:
        buffer_add(out, " ");
    }
    if (record_table[e->kind].access)
        variable_name(r, e->object, out);
    else if (e->kind == RECORD_CREATE || e->kind == RECORD_JOIN)
        buffer_add_safe(out, r->threads[e->object].name, strlen(r->threads[e->object].name), false);
    else if (e->kind == RECORD_ALLOCATE || e->kind == RECORD_RELEASE)
        buffer_add_safe(out, r->blocks[e->object].name, strlen(r->blocks[e->object].name), false);
    else
        object_name(r, e->object, out);
}

void predict_values(const struct recording *r, uint32_t record, const struct style *style, struct buffer *out)
{
    const struct record *e = &r->records[record];
    const struct recorded_values *v = recording_values_of(r, e);
    const struct record_info *info = &record_table[e->kind];
    if (!v || !v->before_known || (info->writes && !v->after_known))
        return;
    if (info->reads && info->writes)
        buffer_add(out, " %llu%s%llu", (unsigned long long)v->before, style->becomes, (unsigned long long)v->after);
    else
        buffer_add(out, " %s %llu", info->writes ? style->takes : style->gives,
                   (unsigned long long)(info->writes ? v->after : v->before));
}

static void add_thread(const struct recording *r, uint32_t record, struct buffer *out)
{
    const char *name = r->threads[r->records[record].thread].name;
    buffer_add_safe(out, name, strlen(name), false);
}

static void add_deed(const struct recording *r, uint32_t record, struct buffer *out)
{
    add_thread(r, record, out);
    buffer_add(out, " ");
    predict_action(r, record, out);
    if (r->records[record].place != NOT_RECORDED) {
        buffer_add(out, " at ");
        place_name(r, r->records[record].place, out);
    }
}

static void add_region(const struct hunt *h, const struct bound *b, struct buffer *out)
{
    const struct recording *r = h->r;
    if (b->kind == BOUND_SECTION) {
        buffer_add(out, "a section of ");
        object_name(r, b->lock, out);
    } else if (b->kind == BOUND_CALL) {
        bool named = b->place != NOT_RECORDED && r->places[b->place].function;
        if (named)
            buffer_add(out, "a call of %s", r->places[b->place].function);
        else
            buffer_add(out, "one thread");
    } else {
        buffer_add(out, b->kind == BOUND_DECLARED ? "a region declared to be atomic" : "one round of a loop");
        if (b->place != NOT_RECORDED) {
            buffer_add(out, " at ");
            place_short(r, b->place, out);
        }
    }
}

// "T1 signals c before T2 waits for c, which nobody ends then; T2 reads ready before T1 writes it".
static void add_lost_wake(const struct recording *r, const struct prediction *p, struct buffer *out)
{
    if (p->record_count == 3) {
        add_deed(r, p->records[2], out);
        buffer_add(out, " before ");
        add_deed(r, p->records[1], out);
        buffer_add(out, ", and is woken by what ended that wait: ");
        add_deed(r, p->records[0], out);
        return;
    }
    add_deed(r, p->records[0], out);
    buffer_add(out, " before ");
    add_deed(r, p->records[1], out);
    buffer_add(out, ", and nobody else ends that wait");
    for (uint32_t i = 2; i < p->record_count; i += 2) {
        buffer_add(out, "; before it waits, ");
        add_deed(r, p->records[i], out);
        buffer_add(out, ", before ");
        add_deed(r, p->records[i + 1], out);
    }
}

// "T1's try call for m at work.c:3 fails, after main locks m at work.c:9 and before main unlocks m at work.c:11".
static void add_try(const struct recording *r, const struct prediction *p, struct buffer *out)
{
    bool fails = p->record_count == 3;
    uint32_t which = fails || r->records[p->records[1]].flags & RECORD_FAILED ? 1 : 0, call = p->records[which];
    add_thread(r, call, out);
    buffer_add(out, "'s try call for ");
    object_name(r, r->records[call].object, out);
    buffer_add(out, " at ");
    place_name(r, r->records[call].place, out);
    buffer_add(out, "%s %s ", fails ? " fails," : " succeeds,", which ? "after" : "before");
    add_deed(r, p->records[!which], out);
    if (fails) {
        buffer_add(out, " and before ");
        add_deed(r, p->records[2], out);
    }
}

void predict_sentence(const struct hunt *h, const struct prediction *p, struct buffer *out)
{
    const struct recording *r = h->r;
    switch (p->kind) {
    case PREDICT_ONE_VARIABLE:
        buffer_add(out, "in ");
        add_region(h, &p->bound, out);
        buffer_add(out, ", ");
        add_deed(r, p->records[0], out);
        buffer_add(out, ", then ");
        add_deed(r, p->records[1], out);
        buffer_add(out, ", then ");
        add_deed(r, p->records[2], out);
        buffer_add(out, " (%s)", p->pattern);
        break;
    case PREDICT_TWO_VARIABLES:
        buffer_add(out, "in ");
        add_region(h, &p->bound, out);
        buffer_add(out, ", ");
        add_deed(r, p->records[0], out);
        buffer_add(out, " before ");
        add_deed(r, p->records[1], out);
        buffer_add(out, ", and ");
        add_deed(r, p->records[3], out);
        buffer_add(out, " after ");
        add_deed(r, p->records[2], out);
        buffer_add(out, " (pattern %s)", p->pattern);
        break;
    case PREDICT_RACE:
    case PREDICT_DEADLOCK:
        for (uint32_t i = 0; i < p->record_count; i++) {
            buffer_add(out, "%s", i ? " while " : "");
            add_deed(r, p->records[i], out);
        }
        break;
    case PREDICT_LOST_WAKE:
        add_lost_wake(r, p, out);
        break;
    case PREDICT_TRY:
        add_try(r, p, out);
        break;
    default:
        add_deed(r, p->records[0], out);
        buffer_add(out, " before ");
        add_deed(r, p->records[1], out);
    }
}

// Whether the thread holds the lock from one record to the other.
static bool holds_throughout(const struct hunt *h, uint32_t first, uint32_t last, uint32_t lock)
{
    uint32_t thread = h->r->records[first].thread, from = h->m.order.position[first];
    const struct section_line *line = &h->m.sections.lines[thread];
    for (uint32_t n = sections_held(&h->m.sections, thread, from); n != NOT_RECORDED; n = line->held[n].below) {
        const struct section *s = &line->sections[line->held[n].section];
        if (s->lock == lock && section_spans(s, from, h->m.order.position[last]))
            return true;
    }
    return false;
}

// What would have kept the signal from coming first: the predicate is looked at, and changed, under the mutex that the thread waits
// with, and signalled after it was changed.
static void add_remedy_of_wake(const struct hunt *h, const struct prediction *p, struct buffer *out)
{
    const struct recording *r = h->r;
    uint32_t begin = p->records[1], mutex = r->records[begin].other;
    if (p->record_count == 3) {
        add_thread(r, begin, out);
        buffer_add(out, " and ");
        add_thread(r, p->records[2], out);
        buffer_add(out, " wait on one condition variable: signals may end the wrong wait, broadcasts end both");
        return;
    }
    if (p->record_count == 2) {
        add_thread(r, begin, out);
        buffer_add(out, " waits without having looked at anything that ");
        add_thread(r, p->records[0], out);
        buffer_add(out, " changes before it signals");
        return;
    }
    uint32_t read = p->records[2], write = p->records[3];
    bool kept = holds_throughout(h, read, begin, mutex), ahead = kept && holds_throughout(h, write, write, mutex);
    add_thread(r, kept ? write : begin, out);
    buffer_add(out, ahead ? " signals before it writes " : " does not hold ");
    if (!ahead) {
        object_name(r, mutex, out);
        buffer_add(out, kept ? " where it writes " : " all the way from its read of ");
    }
    variable_name(r, r->records[read].object, out);
    if (!kept)
        buffer_add(out, " to the wait");
}

void predict_remedy(const struct hunt *h, const struct prediction *p, struct buffer *out)
{
    const struct recording *r = h->r;
    if (p->kind == PREDICT_LOST_WAKE) {
        add_remedy_of_wake(h, p, out);
        return;
    }
    if (p->lock == NOT_RECORDED)
        return;
    // Whoever holds it: the region's thread, or the other one.
    bool two = p->kind == PREDICT_TWO_VARIABLES, first_holds;
    uint32_t last = two ? p->records[3] : p->kind == PREDICT_ONE_VARIABLE ? p->records[2] : p->records[0];
    first_holds = hunt_lock_around(h, p->records[0], last, p->records[1]) == p->lock;
    object_name(r, p->lock, out);
    buffer_add(out, " would prevent it: ");
    add_thread(r, p->records[first_holds ? 0 : 1], out);
    buffer_add(out, " holds it, ");
    add_thread(r, p->records[first_holds ? 1 : 0], out);
    buffer_add(out, first_holds || p->kind == PREDICT_RACE ? " does not" : " does not hold it throughout");
}
