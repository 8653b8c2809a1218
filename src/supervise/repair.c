// The iteration of seed 001, §2.3.2, with the loop closed: what forbids the failing executions that are known is enforced on every
// client; a client that fails all the same shows an execution that was not known, and so on until none does.
#include "supervise/repair.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/time.h"
#include "repair/statements.h"
#include "supervise/lin_object.h"

struct search {
    struct repair *repair;
    struct lin *lin;
    double until;
    const char *program;
    const struct client *failing, *given, *around;
    struct cause_source source;
    struct code_runs runs;
    struct cause_repairs candidates;
    int fd; // workers write executions there
};

static bool time_left(const struct search *s)
{
    return time_now() < s->until && !run_interrupted();
}

static struct job *new_job(const struct search *s)
{
    struct job *job = lin_job(s->lin);
    job->task.runs_fd = s->fd;
    job->task.seconds = s->until - time_now();
    return job;
}

static bool repair_run(const struct search *s, struct job *job)
{
    struct subject subject = s->lin->check.subject;
    subject.progress = s->lin->progress;
    subject.program = s->program;
    return job->task.seconds > 0 && !run_job(&subject, job, -1);
}

static bool has_failed(const struct job *job)
{
    for (uint32_t i = 0; i < job->answer.bugs; i++)
        if (!bug_traits(job->answer.bug[i].bug.kind)->goes_on)
            return true;
    return false;
}

// ---- the source ----

// A block that connects the rounds of a loop has to have the loop in it; and if it has, going back does not end it.
static void repair_widen(void *context, struct cause_block *block)
{
    const struct search *s = context;
    const struct lock_source *source = s->repair->source;
    const char *file = code_function(s->repair->code, block->function)->file;
    const struct c_tokens *statements = source ? source->statements(source->context, file) : NULL;
    if (!statements)
        return;
    if (block->loops && !statements_have_loop(statements, block->from, block->to))
        statements_widen_to_loop(statements, &block->from, &block->to);
    block->loops |= statements_have_loop(statements, block->from, block->to);
}

// ---- failing executions ----

static void take_runs(struct search *s)
{
    code_read_runs(s->repair->code, s->fd, 0, &s->runs);
}

// All executions of one client, good and bad, as far as a third of the time reaches.
static void repair_collect(struct search *s, const struct client *client)
{
    struct job *job = new_job(s);
    job->task.strategy = STRATEGY_OPTIMAL;
    job->client.client[0] = *client;
    job->client.clients = 1;
    job->client.most = 0;
    job->task.keep_going = 1;
    job->task.seconds /= 3;
    if (repair_run(s, job))
        take_runs(s);
    s->repair->executions += job->answer.counts.executions;
    job_free(job);
}

static bool same_repair(const struct cause_repair *a, const struct cause_repair *b)
{
    bool same = a->count == b->count;
    for (uint32_t i = 0; same && i < a->count; i++)
        same = a->block[i].function == b->block[i].function && a->block[i].from == b->block[i].from &&
               a->block[i].to == b->block[i].to && a->block[i].loops == b->block[i].loops;
    return same;
}

// Keeps each set of blocks that forbids some execution, even one that contains another.
static void keep_causes(struct search *s)
{
    struct cause_repairs *causes = &s->repair->causes;
    for (size_t i = 0; i < s->runs.count && time_left(s); i++) {
        struct cause_repairs found;
        if (!s->runs.run[i].bad)
            continue;
        cause_of_run(&s->runs.run[i], &s->source, &found);
        for (size_t n = 0; n < found.count; n++) {
            bool known = false;
            for (size_t k = 0; k < causes->count; k++)
                known |= same_repair(&causes->repair[k], &found.repair[n]);
            if (known)
                continue;
            causes->repair = alloc_grow(causes->repair, causes->count, &causes->room, sizeof *causes->repair);
            causes->repair[causes->count++] = found.repair[n];
        }
        cause_free(&found);
    }
    cause_rank(causes, s->runs.run, s->runs.count);
    for (size_t i = 0; i < s->runs.count; i++)
        *(s->runs.run[i].bad ? &s->repair->bad : &s->repair->good) += 1;
}

// ---- candidates ----

static void repair_extend(struct search *s, size_t first)
{
    for (size_t i = first; i < s->runs.count && s->candidates.count && time_left(s); i++)
        if (s->runs.run[i].bad)
            cause_extend(&s->candidates, &s->runs.run[i], &s->source);
    cause_rank(&s->candidates, s->runs.run, s->runs.count);
}

static void repair_drop(struct search *s, const struct cause_repair *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->candidates.count; i++)
        if (!same_repair(&s->candidates.repair[i], r))
            s->candidates.repair[kept++] = s->candidates.repair[i];
    s->candidates.count = kept;
}

// ---- enforcing ----

enum enforced { RIGHT, WRONG, NO_ANSWER };

// With the blocks of `r` enforced; or, if it is null, the other program as it is, which must have no races either.
static enum enforced repair_enforce(struct search *s, const struct cause_repair *r, struct job *job,
                                    struct client *failing)
{
    job->client.most = 0;
    if (r && !code_ranges(s->repair->code, r, &job->blocks))
        return NO_ANSWER;
    if (r) {
        job->task.strategy = STRATEGY_ATOMIC;
    } else {
        job->learnt = (struct lessons){0}; // of the program without the lock
        job->task.runs_fd = -1;
    }
    if (!repair_run(s, job))
        return NO_ANSWER;
    s->repair->executions += job->client.answer.executions + job->answer.counts.executions;
    if (has_failed(job) || (!r && job->answer.bugs)) {
        *failing = job->client.client[job->client.answer.at];
        if (r)
            take_runs(s);
        return WRONG;
    }
    return job->answer.end == JOB_DONE && !job->answer.counts.cut ? RIGHT : NO_ANSWER;
}

// Clients to be checked, one batch after the other.
struct source {
    bool (*next)(struct source *source, struct client *client);
    struct inventor clients;
    const struct client_bounds *within; // those are left out; null: none are
    const struct client *grown;         // clients with one call more than this
    uint32_t nth;
};

static bool next_of_all(struct source *from, struct client *client)
{
    while (inventor_next(&from->clients, client))
        if (!from->within || !client_is_within(client, from->within))
            return true;
    return false;
}

static bool next_grown(struct source *from, struct client *client)
{
    while (client_larger(&from->clients, from->grown, from->nth++, client))
        if (client_keeps_to(client, from->clients.object))
            return true;
    return false;
}

// Counts the clients that were right.
static enum enforced check_batches(struct search *s, const struct cause_repair *r, struct source *from,
                                   uint64_t *checked, struct client *failing)
{
    enum enforced answer = RIGHT;
    for (bool more = true; more && answer == RIGHT;) {
        struct job *job = new_job(s);
        struct client_job *batch = &job->client;
        batch->before = *checked;
        while (batch->clients < CLIENT_BATCH && (more = from->next(from, &batch->client[batch->clients])))
            batch->clients++;
        if (batch->clients)
            answer = repair_enforce(s, r, job, failing);
        *checked += answer == RIGHT ? batch->clients : batch->answer.at;
        job_free(job);
    }
    return answer;
}

static enum enforced check_one(struct search *s, const struct cause_repair *r, const struct client *client,
                               struct client *failing)
{
    struct job *job = new_job(s);
    job->client.client[0] = *client;
    job->client.clients = 1;
    enum enforced answer = repair_enforce(s, r, job, failing);
    s->repair->reach.clients = 1;
    job_free(job);
    return answer;
}

static enum enforced check_all(struct search *s, const struct cause_repair *r, struct client *failing)
{
    struct source from = {.next = next_of_all};
    enum enforced answer = NO_ANSWER;
    s->repair->reach.clients = 0;
    if (!inventor_begin(&from.clients, &s->lin->check.job->client.object, &s->lin->bounds, s->around))
        answer = check_batches(s, r, &from, &s->repair->reach.clients, failing);
    inventor_end(&from.clients);
    return answer;
}

// Clients with one call more than this one, or with a thread more.
static enum enforced check_grown(struct search *s, const struct cause_repair *r, const struct client *client,
                                 uint64_t *checked, struct client *failing)
{
    struct source from = {.next = next_grown, .grown = client};
    enum enforced answer = NO_ANSWER;
    if (!inventor_begin(&from.clients, &s->lin->check.job->client.object, &s->lin->bounds, s->around))
        answer = check_batches(s, r, &from, checked, failing);
    inventor_end(&from.clients);
    return answer;
}

static enum enforced check_all_larger(struct search *s, const struct cause_repair *r, uint64_t *checked,
                                      struct client *failing)
{
    const struct client_bounds *bounds = &s->lin->bounds;
    struct client_bounds larger = {.threads = bounds->threads + (bounds->threads < CLIENT_THREADS),
                                   .calls = bounds->calls + 1,
                                   .total = bounds->total + 1,
                                   .one_thread_too = bounds->one_thread_too};
    struct source from = {.next = next_of_all, .within = bounds};
    enum enforced answer = NO_ANSWER;
    if (!inventor_begin(&from.clients, &s->lin->check.job->client.object, &larger, s->around))
        answer = check_batches(s, r, &from, checked, failing);
    inventor_end(&from.clients);
    return answer;
}

// What the bound that the bug was found within does not show: a call or a thread more. Those around the client that failed come
// first. This has a part of the time: there may be many, and a repair that holds for those that were tried is worth telling.
static enum enforced check_beyond(struct search *s, const struct cause_repair *r, struct client *failing)
{
    struct repair_reach *reach = &s->repair->reach;
    double until = s->until;
    uint64_t near = 0;
    s->until = time_now() + (until - time_now()) / 3;
    reach->beyond = 0;
    enum enforced answer = s->given ? RIGHT : check_grown(s, r, s->failing, &near, failing);
    if (answer == RIGHT && s->given)
        answer = check_grown(s, r, s->given, &reach->beyond, failing);
    else if (answer == RIGHT)
        answer = check_all_larger(s, r, &reach->beyond, failing);
    if (reach->beyond < near)
        reach->beyond = near;
    s->until = until;
    reach->beyond_all = answer == RIGHT;
    return answer == WRONG ? WRONG : RIGHT;
}

// The client that failed first is asked first, since it mostly fails first.
static enum enforced repair_check(struct search *s, const struct cause_repair *r, struct client *failing)
{
    enum enforced answer = check_one(s, r, s->failing, failing);
    if (answer == RIGHT)
        answer = s->given ? check_one(s, r, s->given, failing) : check_all(s, r, failing);
    return answer == RIGHT ? check_beyond(s, r, failing) : answer;
}

// The best candidate is enforced; what it does not forbid extends all of them.
static void repair_refine(struct search *s)
{
    while (s->candidates.count && time_left(s)) {
        struct cause_repair best = s->candidates.repair[0];
        struct client failing;
        size_t before = s->runs.count;
        enum enforced answer = repair_check(s, &best, &failing);
        s->repair->best = best;
        if (answer == RIGHT)
            s->repair->end = REPAIR_CHECKED;
        if (answer != WRONG)
            return;
        s->repair->tried++;
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): padding that differs costs a second look, no more
        if (memcmp(&failing, s->failing, sizeof failing) != 0)
            repair_collect(s, &failing);
        double thinking = time_now();
        repair_extend(s, before);
        repair_drop(s, &best); // it was found wanting, whatever the executions that are known say
        s->repair->thought += time_now() - thinking;
    }
    if (!s->candidates.count)
        s->repair->end = REPAIR_NONE;
    else
        s->repair->best = s->candidates.repair[0];
}

// ---- whole calls ----

static void take_in(struct cause_repair *r, const struct cause_place *p)
{
    uint32_t i = 0;
    while (i < r->count && r->block[i].function != p->function)
        i++;
    if (i == CAUSE_BLOCKS)
        return;
    if (i == r->count)
        r->block[r->count++] =
            (struct cause_block){.function = p->function, .from = p->line, .to = p->line, .loops = true};
    r->block[i].from = p->line < r->block[i].from ? p->line : r->block[i].from;
    r->block[i].to = p->line > r->block[i].to ? p->line : r->block[i].to;
}

// Every call from its first step to its last, as far as these are known. An object that is right one call at a time is always
// right if its calls are atomic.
static void try_whole_calls(struct search *s)
{
    struct cause_repair whole = {0};
    struct client failing;
    for (size_t i = 0; i < s->runs.count; i++) {
        const struct cause_run *run = &s->runs.run[i];
        for (uint32_t n = 0; n < run->graph.events; n++)
            if (run->graph.event[n].call != SEGMENT_NO_CALL && run->site[n].count)
                take_in(&whole, &run->place[run->site[n].first]);
    }
    if (!whole.count || !time_left(s) || repair_check(s, &whole, &failing) != RIGHT)
        return;
    s->repair->best = whole;
    s->repair->end = REPAIR_WHOLE;
}

// ---- as a mutex ----

static bool is_right(void *context, const char *program, struct repair_reach *reach)
{
    struct search *s = context;
    struct client failing;
    s->program = program;
    enum enforced answer = repair_check(s, NULL, &failing);
    *reach = s->repair->reach;
    s->program = s->lin->check.subject.program;
    if (answer == WRONG)
        repair_collect(s, &failing);
    return answer == RIGHT;
}

static void find_lock(struct search *s)
{
    struct lock_check as_program = {is_right, s};
    struct repair_reach reach = s->repair->reach;
    lock_find(&s->repair->lock, s->repair->code, &s->repair->best, &s->runs, s->repair->source, &as_program);
    s->repair->reach = reach;
}

static bool knows_lines(const struct code_runs *runs)
{
    bool some = !runs->count;
    for (size_t i = 0; i < runs->count; i++)
        for (uint32_t n = 0; !some && n < runs->run[i].graph.events; n++)
            some = runs->run[i].site[n].count > 0;
    return some;
}

// Looks for blocks that forbid the known failing executions, then for more blocks where those let others through.
static void repair_search(struct search *s)
{
    repair_collect(s, s->failing);
    if (!knows_lines(&s->runs)) {
        s->repair->end = REPAIR_NO_LINES;
        return;
    }
    double thinking = time_now();
    keep_causes(s);
    cause_add(&s->candidates, &(struct cause_repair){0});
    repair_extend(s, 0);
    s->repair->thought = time_now() - thinking;
    repair_refine(s);
    if (s->repair->end == REPAIR_NONE)
        try_whole_calls(s);
    bool found = s->repair->end == REPAIR_CHECKED || s->repair->end == REPAIR_WHOLE;
    if (found && s->repair->with_lock && s->repair->source)
        find_lock(s);
}

void repair_find(struct repair *repair, struct lin *lin, const struct client *failing, const struct client *given,
                 const struct client *around)
{
    double started = time_now();
    struct search s = {.repair = repair,
                       .lin = lin,
                       .until = started + repair->seconds,
                       .program = lin->check.subject.program,
                       .failing = failing,
                       .given = given,
                       .around = around};
    s.source = (struct cause_source){repair_widen, &s};
    repair->code = code_open(lin->check.subject.program);
    repair->bounds = given ? NULL : &lin->bounds;
    s.fd = memfd_create("heddle-runs", 0);
    repair->end = REPAIR_TIME;
    if (repair->code && s.fd >= 0)
        repair_search(&s);
    else
        repair->end = REPAIR_NO_LINES;
    repair->took = time_now() - started;
    code_free_runs(&s.runs);
    cause_free(&s.candidates);
    if (s.fd >= 0)
        close(s.fd);
}

void repair_free(struct repair *repair)
{
    cause_free(&repair->causes);
    free(repair->lock.patch);
    code_close(repair->code);
    repair->code = NULL;
}

static int by_source(const void *a, const void *b)
{
    const struct repair_lines *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : x->from < y->from ? -1 : x->from > y->from;
}

static bool is_loop(const struct repair *repair, const char *file, const struct cause_block *b)
{
    const struct c_tokens *s = repair->source ? repair->source->statements(repair->source->context, file) : NULL;
    uint32_t from = b->from, to = b->to;
    return s && b->loops && statements_widen_to_loop(s, &from, &to) && from == b->from && to == b->to;
}

uint32_t repair_lines(const struct repair *repair, const struct cause_repair *which, struct repair_lines *lines)
{
    for (uint32_t i = 0; i < which->count; i++) {
        const struct cause_block *b = &which->block[i];
        const struct code_function *f = code_function(repair->code, b->function);
        lines[i] = (struct repair_lines){f->file, f->name, b->from, b->to, is_loop(repair, f->file, b)};
    }
    qsort(lines, which->count, sizeof *lines, by_source);
    return which->count;
}
