#include "predict/prediction_wishes.h"

static uint32_t number_of(const struct prediction *p, uint32_t record)
{
    uint32_t i = 0;
    while (p->records[i] != record)
        i++;
    return i;
}

// ---- releases ----

static bool is_of_same_object(const struct record *a, const struct record *b)
{
    return record_table[a->kind].access == record_table[b->kind].access && a->object == b->object;
}

// What another thread has last done, in the predicted order, to the atomic variable or lock by which a thread comes to its release: whether
// it releases at all may depend on that, as with a count of references. NOT_RECORDED: nothing.
static uint32_t decides_release(const struct hunt *h, const struct prediction *p, uint32_t visible)
{
    const struct record *records = h->r->records, *at = &records[visible];
    uint32_t last = NOT_RECORDED, i = 0;
    for (; i < p->order.count && p->order.records[i] != visible; i++) {
        const struct record *e = &records[p->order.records[i]];
        if (e->thread != at->thread && e->place != NOT_RECORDED && is_of_same_object(e, at) &&
            (record_table[e->kind].access || e->kind == RECORD_LOCK))
            last = p->order.records[i];
    }
    return i < p->order.count ? last : NOT_RECORDED;
}

// Wishes for that, too.
static void wish_for_release(struct waypoints *w, const struct prediction *p, struct wish_job *wishes)
{
    uint32_t visible = waypoints_visible(w->h, p->records[0]), next = wishes->count;
    uint32_t before = visible == NOT_RECORDED ? NOT_RECORDED : decides_release(w->h, p, visible);
    if (before == NOT_RECORDED || waypoints_find(w, before, &wishes->point[next]) ||
        waypoints_find(w, visible, &wishes->point[next + 1]))
        return;
    if (!wishes->point[next]
             .nth) // it comes before there are other threads; to wish for it would only hurry the one that releases
        return;
    wishes->count += 2;
    wishes->pair[wishes->pair_count].before = next;
    wishes->pair[wishes->pair_count++].after = next + 1;
}

// The point of a release. Where words of the block are visible, releasing them is an operation on each: that of the word which is used
// counts. Otherwise it is what the thread has done last before.
static const char *find_release(struct waypoints *w, uint32_t release, uint32_t use, struct waypoint *point)
{
    const struct recording *r = w->h->r;
    const char *why = waypoints_find(w, use, point);
    if (!why && point->plain && r->records[release].place != NOT_RECORDED) {
        point->actor = r->records[release].thread;
        point->pc = r->places[r->records[release].place].pc;
        point->nth = 1; // freed memory is not given out again
        return NULL;
    }
    uint32_t visible = waypoints_visible(w->h, release);
    return visible == NOT_RECORDED ? "the thread does nothing before that could be waited for"
                                   : waypoints_find(w, visible, point);
}

// ---- operations that come several times ----

// The thread's record before this one of the same operation; NOT_RECORDED: there is none.
static uint32_t earlier_time(const struct hunt *h, uint32_t record)
{
    const struct record *e = &h->r->records[record];
    const struct recorded_thread *t = &h->r->threads[e->thread];
    for (uint32_t i = h->m.order.position[record]; i-- > 0;) {
        const struct record *other = &h->r->records[t->records[i]];
        if (other->place == e->place && other->kind == e->kind && other->object == e->object)
            return t->records[i];
    }
    return NOT_RECORDED;
}

// Whether one record comes before the other in the predicted order.
static bool comes_before(const struct prediction *p, uint32_t one, uint32_t other)
{
    const struct reordering *o = &p->order;
    if (one < o->start || other < o->start)
        return one < o->start && (other >= o->start || one < other);
    for (uint32_t i = 0; i < o->count && o->records[i] != other; i++)
        if (o->records[i] == one)
            return true;
    return false;
}

// Whoever is to come to an operation for the second time after the other thread has done something, and in the predicted order came to it for
// the first time before that, may need to: in a loop around a condition variable, who comes too late does not come again.
static void wish_for_earlier_times(struct waypoints *w, const struct prediction *p, struct wish_job *wishes)
{
    for (uint32_t i = 0; i < p->wish_count && wishes->count < WAYPOINTS && wishes->pair_count < WAYPOINTS; i++) {
        uint32_t after = wishes->pair[i].after, before = wishes->pair[i].before;
        uint32_t earlier = earlier_time(w->h, p->records[after]);
        if (wishes->point[after].nth < 2 || earlier == NOT_RECORDED || !comes_before(p, earlier, p->records[before]))
            continue;
        wishes->point[wishes->count] = wishes->point[after];
        wishes->point[wishes->count].nth--;
        wishes->pair[wishes->pair_count].before = wishes->count++;
        wishes->pair[wishes->pair_count++].after = before;
    }
}

// ---- joins ----

// Where the thread took the lock that it holds when it comes to this record.
static uint32_t where_taken(const struct hunt *h, uint32_t record, uint32_t lock)
{
    uint32_t thread = h->r->records[record].thread;
    const struct section_line *line = &h->m.sections.lines[thread];
    uint32_t node = sections_held(&h->m.sections, thread, h->m.order.position[record]);
    while (line->sections[line->held[node].section].lock != lock)
        node = line->held[node].below;
    return h->r->threads[thread].records[line->sections[line->held[node].section].from];
}

// Nobody stands at a join. It is enough that its thread takes the lock before the one that it joins does.
static const char *wish_for_join(struct waypoints *w, const struct prediction *p, struct wish_job *wishes)
{
    uint32_t taken = where_taken(w->h, p->records[0], w->h->r->records[p->records[1]].object);
    const char *why = waypoints_find(w, taken, &wishes->point[0]);
    wishes->count = 2;
    wishes->pair_count = 1;
    wishes->pair[0].before = 0;
    wishes->pair[0].after = 1;
    return why ? why : waypoints_find(w, p->records[1], &wishes->point[1]);
}

bool prediction_is_of_join(const struct hunt *h, const struct prediction *p)
{
    return p->kind == PREDICT_DEADLOCK && h->r->records[p->records[0]].kind == RECORD_JOIN;
}

const char *prediction_wishes(struct waypoints *w, const struct prediction *p, struct wish_job *wishes)
{
    *wishes = (struct wish_job){
        .count = p->record_count, .pair_count = p->wish_count, .sees_unlocks = p->kind == PREDICT_TRY};
    if (prediction_is_of_join(w->h, p))
        return wish_for_join(w, p, wishes);
    for (uint32_t i = 0; i < p->record_count; i++) {
        bool release = p->kind == PREDICT_FREED && i == 0;
        const char *why = release ? find_release(w, p->records[0], p->records[1], &wishes->point[i])
                                  : waypoints_find(w, p->records[i], &wishes->point[i]);
        if (why)
            return why;
    }
    for (uint32_t i = 0; i < p->wish_count; i++) {
        wishes->pair[i].before = number_of(p, p->wishes[i].before);
        wishes->pair[i].after = number_of(p, p->wishes[i].after);
    }
    if (p->kind == PREDICT_FREED)
        wish_for_release(w, p, wishes);
    else
        wish_for_earlier_times(w, p, wishes);
    return NULL;
}

// ---- as recorded ----

// The record with which the sections begin in which this record is; itself if it is in none.
static uint32_t beginning_of_sections(const struct hunt *h, uint32_t record)
{
    uint32_t thread = h->r->records[record].thread, position = h->m.order.position[record];
    const struct section_line *line = &h->m.sections.lines[thread];
    uint32_t node = sections_held(&h->m.sections, thread, position);
    for (; node != NOT_RECORDED; node = line->held[node].below)
        if (line->sections[line->held[node].section].from < position)
            position = line->sections[line->held[node].section].from;
    return h->r->threads[thread].records[position];
}

// The last operation of its thread before the record; NOT_RECORDED: there is none.
static uint32_t operation_before(const struct hunt *h, const struct prediction *p, uint32_t record)
{
    uint32_t position = h->m.order.position[record], ends[2];
    bool found = position && waypoints_within(h, p, h->r->records[record].thread, 0, position - 1, ends);
    return found ? ends[1] : NOT_RECORDED;
}

static void wish_for_both(struct waypoints *w, struct wish_job *wishes, uint32_t before, uint32_t after)
{
    uint32_t next = wishes->count;
    if (next + 2 > WAYPOINTS || wishes->pair_count == WAYPOINTS || waypoints_find(w, before, &wishes->point[next]) ||
        waypoints_find(w, after, &wishes->point[next + 1]) || !wishes->point[next].nth)
        return;
    wishes->count += 2;
    wishes->pair[wishes->pair_count].before = next;
    wishes->pair[wishes->pair_count++].after = next + 1;
}

// The last operation of the other thread that has to come before this record, and the one of this thread that learns of it, if they are
// operations that a thread can be held back at: without them the thread may take another way to the record.
static void wish_for_needs(struct waypoints *w, uint32_t record, uint32_t other, struct wish_job *wishes)
{
    const struct recording *r = w->h->r;
    const struct order *o = &w->h->m.order;
    uint32_t thread = r->records[record].thread, done = o->position[record];
    uint32_t needs = order_needs(o, thread, done, other), learns = done;
    if (!needs)
        return;
    while (learns > 1 && order_needs(o, thread, learns - 1, other) == needs)
        learns--;
    uint32_t before = r->threads[other].records[needs - 1], after = r->threads[thread].records[learns - 1];
    if (record_table[r->records[before].kind].atomic && record_table[r->records[after].kind].atomic)
        wish_for_both(w, wishes, before, after);
}

bool prediction_wishes_as_recorded(struct waypoints *w, const struct prediction *p, struct wish_job *wishes)
{
    uint32_t before = wishes->pair_count;
    for (uint32_t i = 0; i < p->wish_count; i++) {
        uint32_t first = p->wishes[i].before, second = p->wishes[i].after;
        uint32_t earlier =
            first > second ? operation_before(w->h, p, beginning_of_sections(w->h, second)) : NOT_RECORDED;
        if (earlier != NOT_RECORDED)
            wish_for_both(w, wishes, earlier, beginning_of_sections(w->h, first));
        wish_for_needs(w, first, w->h->r->records[second].thread, wishes);
    }
    return wishes->pair_count > before;
}
