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
    default:
        add_deed(r, p->records[0], out);
        buffer_add(out, " before ");
        add_deed(r, p->records[1], out);
    }
}

void predict_remedy(const struct hunt *h, const struct prediction *p, struct buffer *out)
{
    const struct recording *r = h->r;
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
