#include "supervise/explain.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "supervise/simplify.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// A job about the same program, under the same options and with the same knowledge of it.
static struct job *job_like(const struct job *found, const struct explanation *e)
{
    struct job *job = job_new();
    job->max_steps = found->max_steps;
    job->leaks = found->leaks;
    job->status_matters = found->status_matters;
    job->reuse = found->reuse;
    job->spurious = found->spurious;
    job->races = found->races;
    job->tell_apart = found->tell_apart;
    job->restart = found->restart;
    memcpy(job->allowed, found->allowed, sizeof job->allowed);
    memcpy(job->directory, found->directory, sizeof job->directory);
    job->learnt = found->learnt;
    job->learnt.racy_count = e->bug.racy;
    if (e->bug.bug.kind == BUG_RACE && job->races == RACES_EXPLORE)
        job->races = RACES_REPORT; // the race itself, not what it leads to
    job->threads = found->threads;
    memcpy(job->thread, found->thread, sizeof job->thread);
    job->client = found->client;
    return job;
}

static void give_prefix(struct job *job, const struct step *steps, uint32_t count)
{
    memcpy(job->steps, steps, count * sizeof *steps);
    job->prefix_steps = count;
}

static void adopt(struct explanation *e, const struct job *job, uint32_t which)
{
    const struct job_bug *bug = &job->bug[which];
    struct step *before = e->steps;
    e->steps = malloc((bug->steps + 1) * sizeof *e->steps);
    memcpy(e->steps, job->steps + bug->start, bug->steps * sizeof *e->steps);
    e->bug = *bug;
    free(before);
}

// How long a run is given that is only repeated. It was found in a search that ended; but repeated it may take longer, and
// where a thread loops for ever nobody knows how long it was.
enum { RUN_SECONDS = 10 };

// How many preemptions the run has.
static uint32_t count_preemptions(const struct subject *subject, const struct job *found, const struct explanation *e)
{
    struct job *job = job_like(found, e);
    strcpy(job->strategy, "replay");
    job->seconds = RUN_SECONDS;
    give_prefix(job, e->steps, e->bug.steps);
    run_job(subject, job, -1);
    uint32_t n = job->preemptions_seen;
    job_free(job);
    return n;
}

// Takes the run of a job over if it fails in the same way.
static bool adopt_same(struct job *found, struct explanation *e, const struct job *job)
{
    for (uint32_t i = 0; i < job->bugs; i++) {
        if (!bug_same(&job->bug[i].bug, &e->bug.bug, found->tell_apart))
            continue;
        uint64_t execution = e->bug.execution;
        uint32_t racy = e->bug.racy;
        adopt(e, job, i);
        e->bug.racy = racy;
        e->bug.execution = execution;
        found->threads = job->threads;
        memcpy(found->thread, job->thread, sizeof job->thread);
        return true;
    }
    return false;
}

// Looks for a run with so few preemptions and steps that fails in the same way, from no preemption up. Returns how many
// numbers of preemptions were completed without one.
static uint32_t search_simpler(const struct subject *subject, struct job *found, struct explanation *e,
                               uint32_t preemptions, uint32_t steps, double seconds)
{
    struct job *job = job_like(found, e);
    strcpy(job->strategy, "bounded");
    job->preemptions = preemptions;
    job->max_steps = steps;
    job->seconds = seconds;
    job->wanted = e->bug.bug;
    job->only_wanted = 1;
    run_job(subject, job, -1);
    if (adopt_same(found, e, job))
        e->preemptions = count_preemptions(subject, found, e);
    uint32_t completed = job->cut ? 0 : job->account.bounds;
    job_free(job);
    return completed;
}

enum { LONG = 1000, SHORT = 64 };

// Threads that go round for ever may do so a thousand times before they fail, with few preemptions; a run in which they do
// not tells more. Returns how many steps runs may have from here on.
static uint32_t search_shorter(const struct subject *subject, struct job *found, struct explanation *e, double seconds)
{
    uint32_t before = e->bug.steps;
    if (!found->cut)
        return found->max_steps;
    for (uint32_t steps = SHORT; before > LONG && steps < before / 4; steps *= 8) {
        search_simpler(subject, found, e, e->preemptions, steps, seconds / 8);
        if (e->bug.steps < before)
            return steps;
    }
    return before;
}

struct shrinking {
    const struct subject *subject;
    struct job *found;
    struct explanation *e;
    double until;
};

static bool time_left(struct simplify *s)
{
    const struct shrinking *shrinking = s->context;
    return now() < shrinking->until && !run_interrupted();
}

// How many steps there are up to the failure: what comes after it can be as usual. What fails in an operation does so before
// that is an event; so the step after it counts as well, if the thread that failed takes it.
static uint32_t steps_to(const struct job_bug *bug, const struct step *steps)
{
    uint32_t n = bug->bug.event + 1; // 0 if it failed before the first event
    return n < bug->steps && steps[n].actor == bug->bug.actor ? n + 1 : n < bug->steps ? n : bug->steps;
}

static void take_up(struct simplify *s, const struct explanation *e)
{
    s->steps = e->steps;
    s->count = steps_to(&e->bug, e->steps);
}

static bool attempt(struct simplify *s, const struct step *steps, uint32_t count)
{
    struct shrinking *shrinking = s->context;
    struct explanation *e = shrinking->e;
    struct job *job = job_like(shrinking->found, e);
    strcpy(job->strategy, "guided");
    give_prefix(job, steps, count);
    job->seconds = shrinking->until > now() ? shrinking->until - now() : 0.001;
    job->wanted = e->bug.bug;
    job->only_wanted = job->keep_going = 1;
    run_job(shrinking->subject, job, -1);
    bool better = job->preemptions_seen < e->preemptions && adopt_same(shrinking->found, e, job);
    if (better) {
        e->preemptions = job->preemptions_seen;
        take_up(s, e);
    }
    job_free(job);
    return better;
}

// Searching finds the fewest where it comes to an end; where the run is too long for that, the run itself is simplified.
static void shrink(const struct subject *subject, struct job *found, struct explanation *e, double seconds)
{
    struct shrinking shrinking = {subject, found, e, now() + seconds};
    struct simplify simplify = {.attempt = attempt, .time_left = time_left, .context = &shrinking};
    e->preemptions = count_preemptions(subject, found, e);
    uint32_t steps = search_shorter(subject, found, e, seconds);
    if (!e->preemptions) {
        e->minimal = true;
        return;
    }
    uint32_t completed = search_simpler(subject, found, e, e->preemptions - 1, steps, seconds / 3);
    e->minimal = e->preemptions <= completed;
    if (e->minimal || !time_left(&simplify))
        return;
    take_up(&simplify, e);
    attempt(&simplify, simplify.steps, simplify.count);
    simplify_run(&simplify);
    if (e->preemptions > completed && time_left(&simplify)) // now there may be few enough numbers left to be completed
        completed = search_simpler(subject, found, e, e->preemptions - 1, steps, shrinking.until - now());
    e->minimal = e->preemptions <= completed;
}

static uint32_t steps_of(uint32_t actor, const struct step *steps, uint32_t count)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++)
        n += steps[i].actor == actor;
    return n;
}

// Whether a job's run fails in the same way, as early among the failures of its run, with no more preemptions, and with fewer
// steps of this actor before that.
static bool does_without(const struct job *job, const struct job *found, const struct explanation *e, uint32_t actor)
{
    for (uint32_t i = 0; i < job->bugs; i++) {
        const struct job_bug *bug = &job->bug[i];
        if (bug_same(&bug->bug, &e->bug.bug, found->tell_apart))
            return bug->follows <= e->bug.follows && job->preemptions_seen <= e->preemptions &&
                   steps_of(actor, job->steps + bug->start, steps_to(bug, job->steps + bug->start)) <
                       steps_of(actor, e->steps, steps_to(&e->bug, e->steps));
    }
    return false;
}

static void try_without(const struct subject *subject, struct job *found, struct explanation *e, uint32_t actor)
{
    struct job *job = job_like(found, e);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < steps_to(&e->bug, e->steps); i++)
        if (e->steps[i].actor != actor)
            job->steps[kept++] = e->steps[i];
    job->prefix_steps = kept;
    strcpy(job->strategy, "guided");
    job->wanted = e->bug.bug;
    job->only_wanted = job->keep_going = 1;
    run_job(subject, job, -1);
    if (does_without(job, found, e, actor) && adopt_same(found, e, job))
        e->preemptions = job->preemptions_seen;
    job_free(job);
}

// A thread whose steps the failure does not need has them after it, where nobody has to read them.
static void leave_out(const struct subject *subject, struct job *found, struct explanation *e, double seconds)
{
    double until = now() + seconds;
    for (uint32_t actor = found->threads; actor-- > 1 && now() < until && !run_interrupted();)
        if (actor != e->bug.bug.actor && actor != e->bug.bug.other && steps_of(actor, e->steps, steps_to(&e->bug, e->steps)))
            try_without(subject, found, e, actor);
}

enum outcome { AVOIDABLE, CERTAIN, UNDECIDED };

enum { SAMPLES = 200 };

// Whether a search that met no execution without the failure has met every execution there is.
static bool covered_all(const struct job *job)
{
    return job->end == JOB_DONE && !job->cut && !job->endless && !job->plain && !job->foreign && !job->unseen_calls;
}

static enum outcome fate_by(const char *strategy, const struct subject *subject, const struct job *found,
                            const struct explanation *e, uint32_t length, double seconds)
{
    struct job *job = job_like(found, e);
    bool samples = !strcmp(strategy, "random");
    strcpy(job->strategy, strategy);
    job->max_executions = samples ? SAMPLES : UINT64_MAX;
    give_prefix(job, e->steps, length);
    job->wanted = e->bug.bug;
    job->only_wanted = job->unless_wanted = job->keep_going = 1;
    job->seconds = seconds;
    run_job(subject, job, -1);
    enum outcome outcome = job->escaped ? AVOIDABLE : !samples && covered_all(job) ? CERTAIN : UNDECIDED;
    job_free(job);
    return outcome;
}

// Whether every continuation of the first `length` steps has this failure. Where one does not, samples mostly show it soon;
// that there is none takes all of them.
static enum outcome fate(const struct subject *subject, const struct job *found, const struct explanation *e,
                         uint32_t length, double seconds)
{
    if (seconds <= 0 || run_interrupted())
        return UNDECIDED;
    enum outcome outcome = fate_by("random", subject, found, e, length, seconds / 4);
    return outcome == UNDECIDED ? fate_by("optimal", subject, found, e, length, seconds * 3 / 4) : outcome;
}

// Looks for the least number of steps after which the failure is certain, given one and the root's fate. What stays
// undecided is neither certain nor avoidable.
static void bisect(const struct subject *subject, const struct job *found, struct explanation *e, uint32_t certain,
                   enum outcome root, double until)
{
    uint32_t low = 0;                   // not known to be certain …
    bool avoidable = root == AVOIDABLE; // … and known not to be
    while (certain - low > 1) {
        uint32_t middle = low + (certain - low) / 2;
        enum outcome outcome = fate(subject, found, e, middle, (until - now()) / 2);
        if (outcome == CERTAIN) {
            certain = middle;
        } else {
            low = middle;
            avoidable = outcome == AVOIDABLE;
        }
    }
    e->decisive = avoidable ? DECISIVE_PROVEN : DECISIVE_NOT_PROVEN;
    e->decisive_event = certain - 1;
}

static void find_decisive(const struct subject *subject, const struct job *found, struct explanation *e, double seconds)
{
    double until = now() + seconds;
    uint32_t length = e->bug.bug.event < e->bug.steps ? e->bug.bug.event + 1 : e->bug.steps;
    if (e->bug.bug.kind == BUG_RACE || e->bug.bug.kind == BUG_NOT_LINEARIZABLE) { // the table ends where it shows
        e->decisive = DECISIVE_UNKNOWN;
        e->decisive_event = e->bug.bug.event;
        return;
    }
    enum outcome root = fate(subject, found, e, 0, seconds / 2);
    enum outcome last = root != CERTAIN && length ? fate(subject, found, e, length, (until - now()) / 2) : root;
    if (root == CERTAIN)
        e->decisive = DECISIVE_ALWAYS;
    else if (last == CERTAIN)
        bisect(subject, found, e, length, root, until);
    else
        e->decisive = last == AVOIDABLE ? DECISIVE_NONE : DECISIVE_UNDECIDED;
}

void explain_bug(const struct subject *subject, const struct job *found, uint32_t which, double seconds,
                 struct explanation *result)
{
    memset(result, 0, sizeof *result);
    adopt(result, found, which);
    struct subject quiet = *subject;
    quiet.progress = quiet.shows_output = false;
    if (seconds <= 0) {
        result->preemptions = count_preemptions(&quiet, found, result);
        return;
    }
    shrink(&quiet, (struct job *)(uintptr_t)found, result, seconds / 2);
    leave_out(&quiet, (struct job *)(uintptr_t)found, result, seconds / 8);
    find_decisive(&quiet, found, result, seconds / 2);
}

static void keep_failures(struct explanation *e, const struct job *job)
{
    free(e->failures);
    e->failures = malloc((job->bugs + 1) * sizeof *e->failures);
    require(e->failures);
    memcpy(e->failures, job->bug, job->bugs * sizeof *e->failures);
    e->failure_count = job->bugs;
}

bool explain_record(const struct subject *subject, const struct job *found, struct explanation *e, const char *trace,
                    int output)
{
    int fd = open(trace, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (fd < 0)
        return false;
    struct job *job = job_like(found, e);
    struct subject quiet = *subject;
    quiet.progress = quiet.shows_output = false;
    strcpy(job->strategy, "replay");
    give_prefix(job, e->steps, e->bug.steps);
    job->trace_fd = fd;
    job->keep_going = 1;
    job->seconds = RUN_SECONDS;
    run_job(&quiet, job, output);
    bool same = false;
    for (uint32_t i = 0; i < job->bugs && !same; i++) {
        if (!bug_same(&job->bug[i].bug, &e->bug.bug, found->tell_apart))
            continue;
        same = true;
        e->bug.bug = job->bug[i].bug;
        e->failure = i;
    }
    keep_failures(e, job);
    close(fd);
    job_free(job);
    return same;
}
