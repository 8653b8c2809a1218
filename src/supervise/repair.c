// Seed 001, lines 941-946, with the loop closed: what forbids the failing executions that are known is enforced on every
// client; a client that fails all the same shows an execution that was not known, and so on until none does.
#include "supervise/repair.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "lin/statements.h"
#include "report/buffer.h"
#include "supervise/lin.h"

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

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool time_left(const struct search *s)
{
    return now() < s->until && !run_interrupted();
}

static struct job *new_job(const struct search *s)
{
    struct job *job = lin_job(s->lin);
    job->runs_fd = s->fd;
    job->seconds = s->until - now();
    return job;
}

static bool run(const struct search *s, struct job *job)
{
    struct subject subject = s->lin->check.subject;
    subject.progress = s->lin->progress;
    subject.program = s->program;
    return job->seconds > 0 && !run_job(&subject, job, -1);
}

static bool has_failed(const struct job *job)
{
    for (uint32_t i = 0; i < job->bugs; i++)
        if (job->bug[i].bug.kind != BUG_RACE)
            return true;
    return false;
}

// ---- the source ----

// A block that connects the rounds of a loop has to have the loop in it; and if it has, going back does not end it.
static void widen(void *context, struct cause_block *block)
{
    const struct search *s = context;
    const struct lock_source *source = s->repair->source;
    const char *file = code_function(s->repair->code, block->function)->file;
    const struct statements *statements = source ? source->statements(source->context, file) : NULL;
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
static void collect(struct search *s, const struct client *client)
{
    struct job *job = new_job(s);
    job->strategy = STRATEGY_OPTIMAL;
    job->client.client[0] = *client;
    job->client.clients = 1;
    job->client.most = 0;
    job->keep_going = 1;
    job->seconds /= 3;
    if (run(s, job))
        take_runs(s);
    s->repair->executions += job->executions;
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

// What forbids single executions is kept as it is, also if something larger than what forbids another.
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
            causes->repair = buffer_grow(causes->repair, causes->count, &causes->room, sizeof *causes->repair);
            causes->repair[causes->count++] = found.repair[n];
        }
        cause_free(&found);
    }
    cause_rank(causes, s->runs.run, s->runs.count);
    for (size_t i = 0; i < s->runs.count; i++)
        *(s->runs.run[i].bad ? &s->repair->bad : &s->repair->good) += 1;
}

// ---- candidates ----

static void extend(struct search *s, size_t first)
{
    for (size_t i = first; i < s->runs.count && s->candidates.count && time_left(s); i++)
        if (s->runs.run[i].bad)
            cause_extend(&s->candidates, &s->runs.run[i], &s->source);
    cause_rank(&s->candidates, s->runs.run, s->runs.count);
}

static void drop(struct search *s, const struct cause_repair *r)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->candidates.count; i++)
        if (!same_repair(&s->candidates.repair[i], r))
            s->candidates.repair[kept++] = s->candidates.repair[i];
    s->candidates.count = kept;
}

// ---- enforcing ----

enum answer { RIGHT, WRONG, NO_ANSWER };

// With the blocks of `r` enforced; or, if it is null, the other program as it is, which must have no races either.
static enum answer enforce(struct search *s, const struct cause_repair *r, struct job *job, struct client *failing)
{
    job->client.most = 0;
    if (r && !code_ranges(s->repair->code, r, &job->blocks))
        return NO_ANSWER;
    if (r) {
        job->strategy = STRATEGY_ATOMIC;
    } else {
        job->learnt = (struct lessons){0}; // of the program without the lock
        job->runs_fd = -1;
    }
    if (!run(s, job))
        return NO_ANSWER;
    s->repair->executions += job->client.executions + job->executions;
    if (has_failed(job) || (!r && job->bugs)) {
        *failing = job->client.client[job->client.at];
        if (r)
            take_runs(s);
        return WRONG;
    }
    return job->end == JOB_DONE && !job->cut ? RIGHT : NO_ANSWER;
}

// Clients to be checked, one batch after the other.
struct source {
    bool (*next)(struct source *source, struct client *client);
    struct clients clients;
    const struct client_bounds *within; // those are left out; null: none are
    const struct client *grown;         // clients with one call more than this
    uint32_t nth;
};

static bool next_of_all(struct source *from, struct client *client)
{
    while (clients_next(&from->clients, client))
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
static enum answer check_batches(struct search *s, const struct cause_repair *r, struct source *from, uint64_t *checked,
                                 struct client *failing)
{
    enum answer answer = RIGHT;
    for (bool more = true; more && answer == RIGHT;) {
        struct job *job = new_job(s);
        struct client_job *batch = &job->client;
        batch->before = *checked;
        while (batch->clients < CLIENT_BATCH && (more = from->next(from, &batch->client[batch->clients])))
            batch->clients++;
        if (batch->clients)
            answer = enforce(s, r, job, failing);
        *checked += answer == RIGHT ? batch->clients : batch->at;
        job_free(job);
    }
    return answer;
}

static enum answer check_one(struct search *s, const struct cause_repair *r, const struct client *client,
                             struct client *failing)
{
    struct job *job = new_job(s);
    job->client.client[0] = *client;
    job->client.clients = 1;
    enum answer answer = enforce(s, r, job, failing);
    s->repair->reach.clients = 1;
    job_free(job);
    return answer;
}

static enum answer check_all(struct search *s, const struct cause_repair *r, struct client *failing)
{
    struct source from = {.next = next_of_all};
    enum answer answer = NO_ANSWER;
    s->repair->reach.clients = 0;
    if (!clients_begin(&from.clients, &s->lin->check.job->client, &s->lin->bounds, s->around))
        answer = check_batches(s, r, &from, &s->repair->reach.clients, failing);
    clients_end(&from.clients);
    return answer;
}

// Clients with one call more than this one, or with a thread more.
static enum answer check_grown(struct search *s, const struct cause_repair *r, const struct client *client,
                               uint64_t *checked, struct client *failing)
{
    struct source from = {.next = next_grown, .grown = client};
    enum answer answer = NO_ANSWER;
    if (!clients_begin(&from.clients, &s->lin->check.job->client, &s->lin->bounds, s->around))
        answer = check_batches(s, r, &from, checked, failing);
    clients_end(&from.clients);
    return answer;
}

static enum answer check_all_larger(struct search *s, const struct cause_repair *r, uint64_t *checked,
                                    struct client *failing)
{
    const struct client_bounds *bounds = &s->lin->bounds;
    struct client_bounds larger = {.threads = bounds->threads + (bounds->threads < CLIENT_THREADS),
                                   .calls = bounds->calls + 1,
                                   .total = bounds->total + 1,
                                   .one_thread_too = bounds->one_thread_too};
    struct source from = {.next = next_of_all, .within = bounds};
    enum answer answer = NO_ANSWER;
    if (!clients_begin(&from.clients, &s->lin->check.job->client, &larger, s->around))
        answer = check_batches(s, r, &from, checked, failing);
    clients_end(&from.clients);
    return answer;
}

// What the bound that the bug was found within does not show: a call or a thread more. Those around the client that failed come
// first. This has a part of the time: there may be many, and a repair that holds for those that were tried is worth telling.
static enum answer check_beyond(struct search *s, const struct cause_repair *r, struct client *failing)
{
    struct repair_reach *reach = &s->repair->reach;
    double until = s->until;
    uint64_t near = 0;
    s->until = now() + (until - now()) / 3;
    reach->beyond = 0;
    enum answer answer = s->given ? RIGHT : check_grown(s, r, s->failing, &near, failing);
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
static enum answer check(struct search *s, const struct cause_repair *r, struct client *failing)
{
    enum answer answer = check_one(s, r, s->failing, failing);
    if (answer == RIGHT)
        answer = s->given ? check_one(s, r, s->given, failing) : check_all(s, r, failing);
    return answer == RIGHT ? check_beyond(s, r, failing) : answer;
}

// The best candidate is enforced; what it does not forbid extends all of them.
static void refine(struct search *s)
{
    while (s->candidates.count && time_left(s)) {
        struct cause_repair best = s->candidates.repair[0];
        struct client failing;
        size_t before = s->runs.count;
        enum answer answer = check(s, &best, &failing);
        s->repair->best = best;
        if (answer == RIGHT)
            s->repair->end = REPAIR_CHECKED;
        if (answer != WRONG)
            return;
        s->repair->tried++;
        // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): padding that differs costs a second look, no more
        if (memcmp(&failing, s->failing, sizeof failing) != 0)
            collect(s, &failing);
        double thinking = now();
        extend(s, before);
        drop(s, &best); // it was found wanting, whatever the executions that are known say
        s->repair->thought += now() - thinking;
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

// Every call from its first step to its last, as far as they are known: what an object that is right one call at a time can
// always be made right by.
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
    if (!whole.count || !time_left(s) || check(s, &whole, &failing) != RIGHT)
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
    enum answer answer = check(s, NULL, &failing);
    *reach = s->repair->reach;
    s->program = s->lin->check.subject.program;
    if (answer == WRONG)
        collect(s, &failing);
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

// What forbids the failing executions that are known, and then those that this lets through.
static void search(struct search *s)
{
    collect(s, s->failing);
    if (!knows_lines(&s->runs)) {
        s->repair->end = REPAIR_NO_LINES;
        return;
    }
    double thinking = now();
    keep_causes(s);
    cause_add(&s->candidates, &(struct cause_repair){0});
    extend(s, 0);
    s->repair->thought = now() - thinking;
    refine(s);
    if (s->repair->end == REPAIR_NONE)
        try_whole_calls(s);
    bool found = s->repair->end == REPAIR_CHECKED || s->repair->end == REPAIR_WHOLE;
    if (found && s->repair->with_lock && s->repair->source)
        find_lock(s);
}

void repair_find(struct repair *repair, struct lin *lin, const struct client *failing, const struct client *given,
                 const struct client *around)
{
    double started = now();
    struct search s = {.repair = repair,
                       .lin = lin,
                       .until = started + repair->seconds,
                       .program = lin->check.subject.program,
                       .failing = failing,
                       .given = given,
                       .around = around};
    s.source = (struct cause_source){widen, &s};
    repair->code = code_open(lin->check.subject.program);
    repair->bounds = given ? NULL : &lin->bounds;
    s.fd = memfd_create("heddle-runs", 0);
    repair->end = REPAIR_TIME;
    if (repair->code && s.fd >= 0)
        search(&s);
    else
        repair->end = REPAIR_NO_LINES;
    repair->took = now() - started;
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
    const struct statements *s = repair->source ? repair->source->statements(repair->source->context, file) : NULL;
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
