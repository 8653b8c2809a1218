#include "inject/campaign.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/time.h"
#include "inject/campaign_save.h"
#include "inject/fault_list.h"
#include "inject/varying.h"

enum { LONGEST_GOLDEN = 600 };

const char *const class_names[CLASSES] = {
    [CLASS_CRASH] = "crash",       [CLASS_HANG] = "hang",     [CLASS_CORRUPTION] = "silent corruption",
    [CLASS_REPORTED] = "reported", [CLASS_BENIGN] = "benign", [CLASS_NOT_ACTIVATED] = "not activated",
};

int campaign_trouble(const char *what, const char *why)
{
    fprintf(stderr, "heddle inject: %s: %s\n", what, why);
    return 2;
}

const char *campaign_groups(const char *text, uint32_t *groups)
{
    *groups = 0;
    for (;;) {
        size_t length = strcspn(text, ",");
        uint32_t found = 0;
        for (int i = 0; i < INJECTION_GROUPS; i++) {
            const struct injection_group_info *g = &injection_groups[i];
            bool all = length == 3 && !strncmp(text, "all", 3), seed = length == 4 && !strncmp(text, "seed", 4);
            if (all || (seed && g->seed) || (strlen(g->name) == length && !strncmp(text, g->name, length)))
                found |= 1u << i;
        }
        if (!found)
            return "faults are malloc, create, open, read, write, timeout, delay, interrupt, bitflip, filesize, "
                   "mallsize, "
                   "callcorr, "
                   "invalptr, "
                   "seed, all";
        *groups |= found;
        if (!text[length])
            return NULL;
        text += length + 1;
    }
}

void campaign_interval(uint64_t k, uint64_t n, double *low, double *high)
{
    const double z = 1.959963985;
    if (!n) {
        *low = 0;
        *high = 1;
        return;
    }
    double p = (double)k / (double)n, m = (double)n, zz = z * z / m;
    double middle = (p + zz / 2) / (1 + zz), half = z * sqrt(p * (1 - p) / m + zz / (4 * m)) / (1 + zz);
    *low = k == 0 ? 0 : middle - half;
    *high = k == n ? 1 : middle + half;
}

// ---- without a fault ----

static void wait_a_little(void)
{
    nanosleep(&(struct timespec){0, 200000}, NULL);
}

static const char *run_golden(struct campaign *c, struct native_run *run, struct native_result *result,
                              const char *trace)
{
    const struct campaign_request *r = c->request;
    const char *wrong = outputs_restore(&c->outputs);
    if (!wrong)
        wrong = native_start(run, &r->program, r->groups, NULL, c->controlled ? &c->schedule : NULL,
                             r->timeout > 0 ? r->timeout : LONGEST_GOLDEN, trace);
    if (wrong)
        return wrong;
    while (!native_over(run, result)) {
        if (interrupted()) {
            native_stop(run);
            return "interrupted";
        }
        wait_a_little();
    }
    return NULL;
}

static bool points_differ(const struct points *a, const struct points *b)
{
    bool differ = a->count != b->count;
    for (size_t i = 0; !differ && i < a->count; i++)
        differ = a->point[i].offset != b->point[i].offset || a->point[i].path != b->point[i].path ||
                 a->point[i].call != b->point[i].call || a->point[i].calls != b->point[i].calls;
    return differ;
}

// ---- traces ----

static char *trace_folder(const struct campaign *c, const char *name)
{
    return c->request->trace ? alloc_format("%s/%s", c->request->trace, name) : NULL;
}

// The trace of a run that has just ended. Null, or what is wrong with it.
static const char *trace_take(const struct campaign *c, const struct native_run *run, const char *folder,
                              struct canonical_trace *trace)
{
    if (!canonical_note_modules(folder, run->block, c->request->program.path))
        return strerror(errno);
    return canonical_read(trace, folder);
}

// What the two accesses were, in words: the trace that they are in may go away.
static void keep_pair(struct campaign *c)
{
    for (int side = 0; side < 2 && c->comparable.open; side++) {
        struct buffer words = {0};
        const struct canonical_thread *thread = &c->golden_trace.threads[c->comparable.first.thread[side]];
        buffer_add(&words, "%s: ", thread->name);
        canonical_record_words(&c->golden_trace, &thread->records[c->comparable.first.event[side]], &words);
        free(c->pair[side]);
        c->pair[side] = words.text;
    }
}

// Of the first golden run: whether others can be compared with it at all. Of the others: whether they do the same.
static const char *trace_golden(struct campaign *c, const struct native_run *run, const char *folder)
{
    struct canonical_trace again = {0};
    struct deviation d = {0};
    double began = time_now();
    if (!c->golden.repeats) {
        const char *wrong = trace_take(c, run, folder, &c->golden_trace);
        if (!wrong && !c->why) {
            c->not_comparable = comparable_trace(&c->golden_trace, &c->comparable);
            keep_pair(c);
        }
        c->check_seconds = time_now() - began;
        return wrong;
    }
    const char *wrong = trace_take(c, run, folder, &again);
    if (!wrong)
        deviation_find(&c->golden_trace, &again, &d);
    c->golden_deviates += d.count > 0;
    deviation_free(&d);
    canonical_free(&again);
    canonical_remove(folder);
    return wrong;
}

// The record after the one that says that the fault happened.
static uint64_t behind_fault(const struct native_result *r)
{
    return r->activated_at + 1;
}

// In how many records the fault itself can be seen: a value, or a call that has another size or is not there.
static uint64_t count_own(const struct thread_deviation *t, const struct native_result *r)
{
    enum { SIZE_BITS = 8 };
    if (!t->golden || !t->other || t->other->path != r->activated_path || t->at[1] != behind_fault(r))
        return 0;
    if (t->kind != DEVIATES_IN_WAY)
        return t->kind == DEVIATES_IN_VALUE || t->kind == DEVIATES_IN_OBJECT;
    uint64_t was = t->golden->records[t->at[0]].what, is = t->other->records[t->at[1]].what;
    bool sized = was << SIZE_BITS == is << SIZE_BITS;
    return (uint64_t)(t->missing > 0) + (sized && t->additional > 0 ? 1 : 0);
}

// Records that deviate besides those.
static uint64_t count_spread(const struct deviation *d, const struct native_result *r)
{
    uint64_t n = 0;
    for (size_t i = 0; i < d->count; i++) {
        const struct thread_deviation *t = &d->threads[i];
        n += t->values + t->objects + t->missing + t->additional - count_own(t, r);
    }
    return n;
}

static void trace_fault(struct campaign *c, const struct native_run *run, const struct native_result *r,
                        const char *folder, struct fault_outcome *o)
{
    struct canonical_trace trace = {0};
    struct deviation d = {0};
    double began = time_now();
    o->latency = -1;
    if (!trace_take(c, run, folder, &trace))
        deviation_find(&c->golden_trace, &trace, &d);
    for (size_t i = 0; i < d.count; i++) {
        const struct thread_deviation *t = &d.threads[i];
        const struct canonical_thread *thread = t->golden ? t->golden : t->other;
        bool own = thread->path == r->activated_path;
        if (own && t->golden && t->other && t->kind != DEVIATES_BY_FAULT)
            o->latency = (int64_t)t->at[1] - (int64_t)behind_fault(r);
        if (o->thread && !own)
            continue;
        struct buffer words = {0};
        if (t->kind == DEVIATES_BY_FAULT)
            canonical_record_words(&trace, &t->other->records[t->at[1]], &words);
        else if (t->golden && t->at[0] < t->golden->count)
            canonical_record_words(&c->golden_trace, &t->golden->records[t->at[0]], &words);
        free(o->thread);
        free(o->first);
        o->kind = t->kind;
        o->thread = alloc_copy(thread->name);
        o->first = alloc_copy(buffer_text(&words));
        buffer_free(&words);
    }
    o->threads = (uint32_t)d.count;
    o->objects = d.reached_count;
    o->spread = count_spread(&d, r);
    c->compared++;
    c->compare_seconds += time_now() - began;
    deviation_free(&d);
    canonical_free(&trace);
    if (!c->request->keep_traces)
        canonical_remove(folder);
}

static void compare_golden(struct campaign *c, const struct native_result *again, const struct points *points)
{
    struct golden *g = &c->golden;
    g->out_varies |= again->out != g->result.out;
    g->order_varies |= again->sorted != g->result.sorted;
    g->err_varies |= again->err != g->result.err;
    g->files_vary |= again->files != g->result.files;
    g->status_varies |= again->status != g->result.status;
    g->points_vary |= points_differ(&c->points, points);
    g->naive += again->as_it_is != g->result.as_it_is;
    g->disorder += again->in_order != g->result.in_order;
    g->departed += again->departed;
    g->outside += again->outside;
    if (again->seconds > g->longest)
        g->longest = again->seconds;
}

static const char *golden_trouble(const struct native_result *r)
{
    if (r->stuck)
        return "without a fault, and one thread at a time, its threads wait for each other";
    if (r->late)
        return "without a fault it does not end in time (--timeout)";
    if (!r->attached)
        return "it does not load the injector: a program that is linked statically cannot be given faults";
    if (WIFSIGNALED(r->status))
        return "without a fault it is ended by a signal";
    return NULL;
}

static int find_golden(struct campaign *c, struct native_run *run)
{
    struct golden *g = &c->golden;
    const char *path = c->request->program.path, *shown = c->request->program.shown;
    for (g->repeats = 0; g->repeats < c->request->repeats; g->repeats++) {
        struct native_result result = {0};
        struct points points;
        char *folder = trace_folder(c, g->repeats ? "again" : "golden");
        const char *wrong = run_golden(c, run, &result, folder);
        if (!wrong)
            wrong = golden_trouble(&result);
        if (!wrong && folder)
            wrong = trace_golden(c, run, folder);
        free(folder);
        if (wrong) {
            free(result.err_text);
            return campaign_trouble(shown, wrong);
        }
        points_take(&points, run->block, path);
        if (!g->repeats) {
            g->result = result;
            g->longest = result.seconds;
            g->outside = result.outside;
            c->points = points;
            if (c->controlled)
                native_take_turns(run, &c->schedule);
        } else {
            compare_golden(c, &result, &points);
            points_free(&points);
            free(result.err_text);
        }
    }
    return 0;
}

// Why native runs of it could not be compared, or null.
static const char *why_control(const struct campaign *c)
{
    if (c->not_comparable)
        return "whether native runs could be compared cannot be told";
    if (c->comparable.open)
        return "natively these two may come in either order, and a difference may be due to that";
    return c->golden_deviates ? "native runs without a fault differ" : NULL;
}

static void forget_golden(struct campaign *c)
{
    char *folder = trace_folder(c, "golden");
    canonical_free(&c->golden_trace);
    canonical_remove(folder);
    free(folder);
    free(c->golden.result.err_text);
    points_free(&c->points);
    memset(&c->golden, 0, sizeof c->golden);
    c->golden_deviates = 0;
}

// The golden runs, in the way that was asked for, or in the one by which runs can be compared.
static int settle_golden(struct campaign *c, struct native_run *run)
{
    const struct campaign_request *r = c->request;
    c->controlled = r->way == WAY_CONTROLLED;
    c->schedule.seed = r->schedule;
    int status = find_golden(c, run);
    c->why = status || !r->trace || c->controlled ? NULL : why_control(c);
    if (!c->why || r->way == WAY_NATIVE)
        return status;
    c->controlled = true;
    forget_golden(c);
    return find_golden(c, run);
}

// ---- what became of it ----

static char *first_line(const char *text)
{
    size_t length = strcspn(text, "\n");
    return length ? alloc_copy_part(text, length < 300 ? length : 300) : NULL;
}

static enum fault_class classify(const struct golden *g, const struct native_result *r)
{
    if (!r->activated)
        return CLASS_NOT_ACTIVATED;
    if (r->late)
        return CLASS_HANG;
    if (WIFSIGNALED(r->status))
        return CLASS_CRASH;
    if ((r->status != g->result.status && !g->status_varies) || (r->err != g->result.err && !g->err_varies))
        return CLASS_REPORTED;
    bool out = g->order_varies ? false : g->out_varies ? r->sorted != g->result.sorted : r->out != g->result.out;
    bool files = !g->files_vary && r->files != g->result.files;
    return out || files ? CLASS_CORRUPTION : CLASS_BENIGN;
}

void campaign_add_outcome(struct campaign *c, struct fault_outcome outcome)
{
    c->outcomes = alloc_grow(c->outcomes, c->count, &c->room, sizeof *c->outcomes);
    c->outcomes[c->count++] = outcome;
}

// ---- runs ----

struct slot {
    struct native_run run;
    size_t fault;
    char *folder; // for its trace, or null
};

struct crew {
    struct campaign *c;
    const struct fault_list *list;
    bool *done;
    struct slot *slot;
    FILE *save;
    size_t next;
};

static const char *slot_begin(struct crew *crew, struct slot *slot)
{
    struct campaign *c = crew->c;
    struct injection_plan plan;
    while (crew->next < crew->list->count && crew->done[crew->next])
        crew->next++;
    if (crew->next == crew->list->count || interrupted())
        return NULL;
    slot->fault = crew->next++;
    fault_plan(&c->points, &crew->list->fault[slot->fault], &plan);
    double seconds = c->request->timeout > 0 ? c->request->timeout : 1 + 10 * c->golden.longest;
    char number[32];
    snprintf(number, sizeof number, "%zu", slot->fault + 1);
    free(slot->folder);
    slot->folder = trace_folder(c, number);
    const char *wrong = outputs_restore(&c->outputs);
    return wrong ? wrong
                 : native_start(&slot->run, &c->request->program, c->request->groups, &plan,
                                c->controlled ? &c->schedule : NULL, seconds, slot->folder);
}

static void slot_end(struct crew *crew, struct slot *slot, const struct native_result *r)
{
    struct campaign *c = crew->c;
    enum fault_class class = classify(&c->golden, r);
    bool speaks = class == CLASS_REPORTED || class == CLASS_CRASH;
    struct fault_outcome o = {.fault = crew->list->fault[slot->fault],
                              .class = class,
                              .status = r->status,
                              .seconds = r->seconds,
                              .stuck = r->stuck,
                              .departed = r->departed,
                              .followed = r->departed ? r->followed : c->schedule.count,
                              .said = speaks && r->err != c->golden.result.err ? first_line(r->err_text) : NULL};
    if (slot->folder)
        trace_fault(c, &slot->run, r, slot->folder, &o);
    if (c->request->show)
        native_show(&slot->run);
    c->run_seconds += r->seconds;
    campaign_add_outcome(c, o);
    if (crew->save)
        campaign_save_outcome(crew->save, c, slot->fault, &o);
    free(r->err_text);
}

static void tell_progress(const struct crew *crew, double *told)
{
    if (!crew->c->request->progress || time_now() < *told + 0.2)
        return;
    *told = time_now();
    fprintf(stderr, "\r%zu of %zu faults ", crew->c->count, crew->list->count);
}

static const char *run_all(struct crew *crew)
{
    const uint32_t jobs = crew->c->request->jobs;
    double told = 0;
    for (bool busy = true; busy;) {
        bool changed = false;
        busy = false;
        for (uint32_t i = 0; i < jobs; i++) {
            struct slot *slot = &crew->slot[i];
            struct native_result result;
            if (slot->run.child && interrupted()) {
                native_stop(&slot->run);
            } else if (slot->run.child && native_over(&slot->run, &result)) {
                slot_end(crew, slot, &result);
                changed = true;
            }
            const char *wrong = slot->run.child ? NULL : slot_begin(crew, slot);
            if (wrong)
                return wrong;
            busy |= slot->run.child != 0;
        }
        tell_progress(crew, &told);
        if (busy && !changed)
            wait_a_little();
    }
    if (crew->c->request->progress)
        fprintf(stderr, "\r                                \r");
    return NULL;
}

static int run_faults(struct campaign *c, const struct fault_list *list)
{
    struct crew crew = {.c = c, .list = list, .done = alloc_zeroed(list->count + 1, sizeof(bool))};
    int status = 0;
    if (c->request->save && !(crew.save = campaign_open_saved(c, list, crew.done)))
        status = 2;
    crew.slot = alloc_zeroed(c->request->jobs, sizeof *crew.slot);
    double began = time_now();
    for (uint32_t i = 0; i < c->request->jobs && !status; i++)
        if (!native_open(&crew.slot[i].run))
            status = campaign_trouble("there is no shared memory", strerror(errno));
    const char *wrong = status ? NULL : run_all(&crew);
    if (wrong)
        status = campaign_trouble(c->request->program.shown, wrong);
    c->seconds = time_now() - began;
    for (uint32_t i = 0; i < c->request->jobs; i++) {
        native_stop(&crew.slot[i].run);
        native_close(&crew.slot[i].run);
        free(crew.slot[i].folder);
    }
    if (crew.save)
        fclose(crew.save);
    c->interrupted = interrupted() && c->count < list->count;
    free(crew.slot);
    free(crew.done);
    return status;
}

static int list_faults(struct campaign *c, struct fault_list *list)
{
    const struct campaign_request *r = c->request;
    const char *wrong = fault_list_fill(c, list);
    return wrong ? campaign_trouble(r->only ? r->only : r->program.shown, wrong) : 0;
}

int campaign_run(struct campaign *c, const struct campaign_request *request)
{
    struct native_run run;
    struct fault_list list = {0};
    memset(c, 0, sizeof *c);
    c->request = request;
    if (!native_open(&run))
        return campaign_trouble("there is no shared memory", strerror(errno));
    run.naive = request->naive && request->trace;
    if (request->trace)
        varying_calls(request->program.path, c->varying, sizeof c->varying);
    const char *wrong = outputs_keep(&c->outputs, request->program.outputs);
    int status = wrong ? campaign_trouble("--output", wrong) : settle_golden(c, &run);
    native_close(&run);
    if (!status)
        status = list_faults(c, &list);
    if (!status)
        status = run_faults(c, &list);
    free(list.fault);
    return status;
}

void campaign_free(struct campaign *c)
{
    for (size_t i = 0; i < c->count; i++)
        free(c->outcomes[i].said), free(c->outcomes[i].thread), free(c->outcomes[i].first);
    canonical_free(&c->golden_trace);
    free(c->pair[0]);
    free(c->pair[1]);
    free(c->schedule.turns);
    free(c->outcomes);
    outputs_free(&c->outputs);
    free(c->golden.result.err_text);
    points_free(&c->points);
}
