#include "predict/waypoints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/scratch.h"
#include "report/trace_read.h"
#include "supervise/again.h"

enum { PATH = 4096 };

void waypoints_begin(struct waypoints *w, const struct hunt *h, const struct subject *subject)
{
    *w = (struct waypoints){.h = h, .subject = subject, .directory = h->r->directory};
}

void waypoints_end(struct waypoints *w)
{
    if (w->usual)
        trace_free(w->usual);
    free(w->trouble);
}

struct job *waypoints_job(const struct waypoints *w)
{
    struct job *job = job_new();
    const struct recording *r = w->h->r;
    job->task.seconds = RUN_SECONDS;
    job->task.max_executions = 1;
    job->task.keep_going = 1;
    if (w->directory)
        snprintf(job->task.outside.directory, sizeof job->task.outside.directory, "%s", w->directory);
    job->threads.count = r->thread_count < MAX_ACTORS ? r->thread_count : MAX_ACTORS;
    for (uint32_t t = 1; t < job->threads.count; t++)
        job->threads.thread[t] = (struct job_thread){r->threads[t].parent, r->threads[t].number};
    return job;
}

static void run_as_usual(struct waypoints *w)
{
    char path[PATH], error[512];
    struct job *job = waypoints_job(w);
    struct subject quiet = *w->subject;
    quiet.progress = quiet.shows_output = false;
    w->tried = true;
    job->task.strategy = STRATEGY_REPLAY;
    job->task.trace_fd = scratch_file(path, sizeof path);
    if (job->task.trace_fd >= 0) {
        if (!run_job(&quiet, job, -1))
            w->usual = trace_load(path, error, sizeof error);
        // It may have come to its end all the same.
        if (job->answer.reason[0])
            w->trouble = alloc_copy(job->answer.reason);
        close(job->task.trace_fd);
        unlink(path);
    }
    job_free(job);
}

static const struct trace_record *allocation(const struct waypoints *w, size_t i, uint32_t thread)
{
    const struct trace_record *e = &w->usual->entries[i].record;
    return e->type == TRACE_SILENT && e->kind == SILENT_ALLOC && e->actor == thread ? e : NULL;
}

// By the place of the call: the how many-th of the thread there. Null: that is not in the run.
static const struct trace_record *find_by_place(const struct waypoints *w, const struct recorded_block *b, bool *known)
{
    uint32_t before = 0;
    *known = false;
    for (size_t i = 0; i < w->usual->count; i++) {
        const struct trace_record *e = allocation(w, i, b->thread);
        if (!e || e->pc != w->h->r->places[b->place].pc)
            continue;
        *known = true;
        if (before++ == b->nth)
            return e;
    }
    return NULL;
}

// By its size, where a run under control has other places, as of what operator new allocates: the thread has to have allocated as many
// blocks of that size in both runs, or it is not known which is which.
static const struct trace_record *find_by_size(const struct waypoints *w, const struct recorded_block *b)
{
    const struct recording *r = w->h->r;
    uint32_t nth = 0, recorded = 0, count = 0;
    const struct trace_record *found = NULL;
    for (uint32_t i = 0; i < r->block_count; i++) {
        const struct recorded_block *other = &r->blocks[i];
        if (other->kind != BLOCK_HEAP || other->thread != b->thread || other->size != b->size)
            continue;
        nth = other == b ? recorded : nth;
        recorded++;
    }
    for (size_t i = 0; i < w->usual->count; i++) {
        const struct trace_record *e = allocation(w, i, b->thread);
        if (e && e->size == b->size && count++ == nth)
            found = e;
    }
    return count == recorded ? found : NULL;
}

// Where the block of the heap is in the run under control.
static bool find_block(struct waypoints *w, const struct recorded_block *b, uint64_t *address)
{
    bool known;
    if (b->place == NOT_RECORDED || b->thread == NOT_RECORDED || !w->h->r->places[b->place].pc)
        return false;
    if (!w->tried)
        run_as_usual(w);
    if (!w->usual)
        return false;
    const struct trace_record *e = find_by_place(w, b, &known);
    if (!known)
        e = find_by_size(w, b);
    if (e)
        *address = e->address;
    return e != NULL;
}

static const char *find_address(struct waypoints *w, uint32_t block, uint64_t offset, uint64_t *address)
{
    const struct recorded_block *b = &w->h->r->blocks[block];
    if (b->kind == BLOCK_HEAP && !find_block(w, b, address))
        return w->trouble ? w->trouble : "the block is not where it was allocated in the recorded run";
    if (b->kind == BLOCK_GLOBAL)
        *address = b->address;
    else if (b->kind != BLOCK_HEAP)
        return "the memory is on a stack, or nobody knows where it comes from";
    *address += offset;
    return NULL;
}

// What a thread does alone is no step.
static uint32_t first_step(const struct recording *r, uint32_t thread)
{
    if (r->threads[thread].parent != NOT_RECORDED)
        return 0;
    for (uint32_t i = 0; i < r->count; i++)
        if (r->records[i].kind == RECORD_CREATE)
            return i;
    return 0;
}

static uint32_t count_times(const struct hunt *h, uint32_t record)
{
    const struct recording *r = h->r;
    const struct record *e = &r->records[record];
    const struct recorded_thread *thread = &r->threads[e->thread];
    uint32_t times = 0, from = first_step(r, e->thread);
    for (uint32_t i = 0; i <= h->m.order.position[record]; i++) {
        const struct record *other = &r->records[thread->records[i]];
        times += thread->records[i] >= from && other->place == e->place && other->kind == e->kind &&
                 other->object == e->object;
    }
    return times;
}

const char *waypoints_find(struct waypoints *w, uint32_t record, struct waypoint *point)
{
    const struct recording *r = w->h->r;
    const struct record *e = &r->records[record];
    const struct recorded_place *place = e->place == NOT_RECORDED ? NULL : &r->places[e->place];
    if (e->thread >= MAX_ACTORS)
        return "there are more threads than heddle can control";
    if (!place || !place->pc)
        return "the recording does not have the place in the code";
    *point = (struct waypoint){.actor = e->thread, .nth = count_times(w->h, record), .pc = place->pc};
    point->plain = record_table[e->kind].access && !record_table[e->kind].atomic;
    if (record_table[e->kind].access)
        return find_address(w, r->variables[e->object].block, r->variables[e->object].offset, &point->address);
    return find_address(w, r->objects[e->object].block, r->objects[e->object].offset, &point->address);
}

bool waypoints_is_usual(struct waypoints *w, const struct waypoint *point)
{
    if (!w->tried)
        run_as_usual(w);
    for (size_t i = 0; w->usual && i < w->usual->count; i++) {
        const struct trace_record *e = &w->usual->entries[i].record;
        if (e->actor == point->actor && e->pc == point->pc)
            return true;
    }
    return false;
}

static bool is_visible(const struct record *e)
{
    switch (e->kind) {
    case RECORD_LOCK:
    case RECORD_LOCK_SHARED:
    case RECORD_SIGNAL:
    case RECORD_BROADCAST:
    case RECORD_POST:
    case RECORD_TAKE:
        return true;
    default:
        return record_table[e->kind].access;
    }
}

static bool is_step_of(const struct hunt *h, const struct prediction *p, uint32_t record)
{
    const struct record *e = &h->r->records[record];
    bool seen = p->kind == PREDICT_TRY && e->kind == RECORD_UNLOCK; // a try call sees it
    if (!(is_visible(e) || seen) || e->place == NOT_RECORDED)
        return false;
    bool plain = record_table[e->kind].access && !record_table[e->kind].atomic, asked = false;
    for (uint32_t i = 0; plain && i < p->record_count; i++) {
        const struct record *key = &h->r->records[p->records[i]];
        asked |= record_table[key->kind].access && key->object == e->object;
    }
    return !plain || asked;
}

bool waypoints_within(const struct hunt *h, const struct prediction *p, uint32_t thread, uint32_t from, uint32_t to,
                      uint32_t ends[2])
{
    const struct recorded_thread *t = &h->r->threads[thread];
    ends[0] = ends[1] = NOT_RECORDED;
    for (uint32_t i = from; i <= to && i < t->count; i++) {
        if (!is_step_of(h, p, t->records[i]))
            continue;
        ends[0] = ends[0] == NOT_RECORDED ? t->records[i] : ends[0];
        ends[1] = t->records[i];
    }
    return ends[0] != NOT_RECORDED;
}

uint32_t waypoints_visible(const struct hunt *h, uint32_t record)
{
    const struct recorded_thread *thread = &h->r->threads[h->r->records[record].thread];
    for (uint32_t i = h->m.order.position[record] + 1; i-- > 0;)
        if (is_visible(&h->r->records[thread->records[i]]))
            return thread->records[i];
    return NOT_RECORDED;
}
