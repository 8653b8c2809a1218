#include "predict/confirm.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/time.h"
#include "build/source.h"
#include "predict/predict_text.h"
#include "predict/prediction_wishes.h"
#include "predict/wished_run.h"
#include "supervise/executable.h"
#include "trace/code_identity.h"

enum {
    TRIES = 10,     // until the wish is fulfilled
    MORE_TRIES = 3, // until a run fails that fulfils it, and as many that are nearer to the recorded run
    SERIAL_TRIES = 3,
    MOST_SERIAL = 2 * SERIAL_TRIES,
};

// The path as it can be reached from here: as it is, or from where the program ran.
static char *reachable(const struct recording *r, const char *path)
{
    if (path[0] == '/' || !access(path, R_OK) || !r->directory)
        return alloc_copy(path);
    return alloc_format("%s/%s", r->directory, path);
}

static void build_sources(struct confirmer *c, const struct recording *r)
{
    static const char *const nothing[] = {NULL};
    for (char **source = r->sources; *source; source++) {
        char *path = reachable(r, *source);
        if (access(path, R_OK) && !c->trouble)
            c->trouble = alloc_format("its source %s cannot be read from here", *source);
        strings_add(&c->sources, path);
        free(path);
    }
    if (!c->trouble &&
        source_build((const char *const *)c->sources.item, r->flags ? (const char *const *)r->flags : nothing,
                     SOURCE_WITHOUT_MAIN, &c->subject.program))
        c->trouble = alloc_copy("its sources cannot be built any more");
}

static void find_program(struct confirmer *c, const struct recording *r)
{
    c->program = reachable(r, r->program);
    c->subject.program = c->program;
    const char *why = access(c->program, R_OK) ? "cannot be read" : executable_trouble(c->program, &c->subject.preload);
    if (why)
        c->trouble = alloc_format("%s %s", c->program, why);
    else if (c->subject.preload)
        c->trouble = alloc_format("%s was not built by heddle cc", c->program);
}

void confirm_begin(struct confirmer *c, struct hunt *h, const char *stem, double seconds)
{
    const struct recording *r = h->r;
    *c = (struct confirmer){.h = h, .stem = stem, .until = time_now() + seconds};
    static char *const nothing[] = {NULL};
    c->subject.arguments = r->arguments ? r->arguments : nothing;
    if (r->sources && r->sources[0])
        build_sources(c, r);
    else if (r->program)
        find_program(c, r);
    else
        c->trouble = alloc_copy("the recording does not say which program ran");
    // Operations are found by where they stand in the code: in another program none of them means anything.
    if (!c->trouble && r->code && code_identity(c->subject.program) != r->code)
        c->trouble =
            alloc_copy("the program is not the one that was recorded: its source, the compiler or flags have changed");
    waypoints_begin(&c->waypoints, h, &c->subject);
}

void confirm_end(struct confirmer *c)
{
    waypoints_end(&c->waypoints);
    free(c->trouble);
    free(c->program);
    strings_free(&c->sources);
    source_clean();
}

// What a thread does while another one that it has created is there, within positions *from to *to: the rest is in one order anyway.
static void clip_to_life(const struct hunt *h, uint32_t thread, uint32_t other, uint32_t *from, uint32_t *to)
{
    const struct recorded_thread *t = &h->r->threads[thread];
    for (uint32_t i = *from; i <= *to && i < t->count; i++) {
        const struct record *e = &h->r->records[t->records[i]];
        if (e->kind == RECORD_CREATE && e->object == other)
            *from = i + 1;
        if (e->kind == RECORD_JOIN && e->object == other && i > *from) {
            *to = i - 1;
            return;
        }
    }
}

// The part of a thread that is to be one act, around positions `first` to `last`: a region that is declared to be, or the call that does
// it, or all of the thread if calls are not recorded.
static void find_act(const struct hunt *h, uint32_t thread, uint32_t other, uint32_t first, uint32_t last,
                     uint32_t *from, uint32_t *to)
{
    const struct region_line *line = &h->regions.lines[thread];
    uint32_t region = regions_inside(&h->regions, thread, first);
    while (region && (line->regions[region].to < last || line->regions[region].kind != REGION_ATOMIC))
        region = line->regions[region].around;
    if (!region) {
        region = regions_call(&h->regions, thread, first);
        while (line->regions[region].to < last)
            region = line->regions[region].around;
    }
    *from = line->regions[region].from;
    *to = line->regions[region].to;
    if (region == 0)
        clip_to_life(h, thread, other, from, to);
}

// Whether the thread does nothing more behind this position.
static bool ends_there(const struct recording *r, uint32_t thread, uint32_t to)
{
    const struct recorded_thread *t = &r->threads[thread];
    return t->parent != NOT_RECORDED && thread < MAX_ACTORS && t->count &&
           r->records[t->records[t->count - 1]].kind == RECORD_END && to + 2 >= t->count;
}

// The first and the last operation of a thread's part of the prediction. If `whole`, the last one is the end of a thread that does no more: in
// another order than the recorded one it may do more than is recorded.
static bool find_part(struct confirmer *c, const struct prediction *p, uint32_t thread, bool whole,
                      struct waypoint *ends)
{
    uint32_t first = NOT_RECORDED, last = 0, other = thread, records[2], from, to;
    const uint32_t *position = c->h->m.order.position;
    for (uint32_t i = 0; i < p->record_count; i++) {
        uint32_t at = position[p->records[i]];
        if (c->h->r->records[p->records[i]].thread != thread) {
            other = c->h->r->records[p->records[i]].thread;
            continue;
        }
        first = at < first ? at : first;
        last = at > last ? at : last;
    }
    find_act(c->h, thread, other, first, last, &from, &to);
    if (!waypoints_within(c->h, p, thread, from, to, records) || waypoints_find(&c->waypoints, records[0], &ends[0]) ||
        waypoints_find(&c->waypoints, records[1], &ends[1]))
        return false;
    if (whole && ends_there(c->h->r, thread, to))
        ends[1].ends = 1;
    return true;
}

// Of a try call: whether it failed in the recorded run.
static bool would_succeed(const struct prediction *p)
{
    return p->kind == PREDICT_TRY && p->record_count == 2;
}

// A try call that failed comes to its operation as it did in the recorded run.
static bool make_reversed(struct confirmer *c, const struct prediction *p, struct wish_job *reversed)
{
    if (prediction_wishes(&c->waypoints, p, reversed))
        return false;
    uint32_t before = reversed->pair[0].before;
    reversed->pair[0].before = reversed->pair[0].after;
    reversed->pair[0].after = before;
    reversed->pair_count = 1;
    reversed->count = 2;
    return true;
}

// All that one thread does in its part before all that the other does, which of them ever.
static bool make_serial(struct confirmer *c, const struct prediction *p, bool first, bool whole,
                        struct wish_job *serial)
{
    const struct record *e = c->h->r->records;
    struct waypoint one[2], two[2];
    if (would_succeed(p))
        return make_reversed(c, p, serial);
    if (!find_part(c, p, e[p->records[0]].thread, whole, one) || !find_part(c, p, e[p->records[1]].thread, whole, two))
        return false;
    *serial = (struct wish_job){.count = 2, .pair_count = 1, .sees_unlocks = p->kind == PREDICT_TRY};
    serial->point[0] = first ? one[1] : two[1];
    serial->point[1] = first ? two[0] : one[0];
    serial->pair[0].before = 0;
    serial->pair[0].after = 1;
    return true;
}

// Whether a run in which one of the threads does its part first, the first one or the other, is what the predicted one is compared with.
static bool is_serial(const struct prediction *p, bool first)
{
    switch (p->kind) {
    case PREDICT_DEADLOCK:
    case PREDICT_FREED:
    case PREDICT_LOST_WAKE:
        return false; // it is a failure by itself
    case PREDICT_EARLY:
        return !first; // if the reader is first, that is what is predicted
    case PREDICT_TRY:
        return !first || !would_succeed(p); // there is one other order
    default:
        return true;
    }
}

// Runs in which one thread does its part first.
struct serial_runs {
    struct wished_run run[MOST_SERIAL + 1]; // one more for whoever adds another
    uint32_t count;
    bool all;   // there are some of each order that counts
    bool usual; // the run in the usual order is one of them
    // So many of them, the first ones, have seed 0: threads change only where it is wished or one waits, so all that they do elsewhere is
    // serial, too. In the others it may be mixed as in the violation.
    uint32_t calm;
    bool all_calm; // there is one of each order that counts
};

// One such run, if it comes about: best if a thread that is first comes to its end, but it may have to wait for the other one.
static bool run_serially(struct confirmer *c, const struct prediction *p, bool first, uint64_t seed,
                         struct serial_runs *runs)
{
    struct wish_job serial;
    struct wished_run *run = &runs->run[runs->count];
    for (int whole = 1; whole >= 0; whole--) {
        if (!make_serial(c, p, first, whole, &serial))
            return false;
        wished_run(&c->waypoints, &serial, seed, run);
        if (run->fulfilled) {
            runs->count++;
            return true;
        }
        wished_run_free(run);
        if (!serial.point[0].ends)
            return false;
    }
    return false;
}

static void make_serial_runs(struct confirmer *c, const struct prediction *p, struct serial_runs *runs)
{
    bool wanted[2] = {is_serial(p, false), is_serial(p, true)}, there[2] = {!wanted[0], !wanted[1]};
    bool compared = wanted[0] || wanted[1];
    *runs = (struct serial_runs){0};
    for (uint32_t seed = 0; seed < SERIAL_TRIES; seed++) {
        for (int first = 0; first < 2; first++)
            there[first] |= wanted[first] && run_serially(c, p, first, seed, runs);
        runs->all = compared && there[0] && there[1];
        if (seed == 0) {
            runs->calm = runs->count;
            runs->all_calm = runs->all;
        }
    }
}

static void free_serial_runs(struct serial_runs *runs)
{
    for (uint32_t i = 0; i < runs->count; i++)
        wished_run_free(&runs->run[i]);
}

// Whether one of the runs fails in this way.
static bool is_known(const struct bug *bug, const struct wished_run *runs, uint32_t count)
{
    for (uint32_t k = 0; k < count; k++)
        if (wished_run_fails_so(&runs[k], bug))
            return true;
    return false;
}

static bool is_actor_of(const struct wish_job *wishes, uint32_t actor)
{
    for (uint32_t i = 0; i < wishes->count; i++)
        if (wishes->point[i].actor == actor)
            return true;
    return false;
}

// Whether a race that the run shows counts as its failure. Where none was predicted it does if the threads race that the prediction is
// about, and change only where it is wished or one waits: otherwise it may be due to what was mixed elsewhere. Nor does it count if there is
// nothing to compare with.
static bool race_counts(const struct wished_run *run, const struct serial_runs *serial, const struct prediction *p,
                        const struct bug *race)
{
    const struct wish_job *wishes = &run->job->wishes;
    if (p->kind == PREDICT_RACE && run->fulfilled)
        return true;
    return (serial->all || serial->usual) && run->job->task.seed == 0 && is_actor_of(wishes, race->actor) &&
           is_actor_of(wishes, race->other);
}

// The first failure of the run that no serial one has; null: there is none. A run that has no more switches than were wished is compared with
// those that have no more either; but its status may be an answer that depends on the order elsewhere.
static const struct bug *new_failure(const struct wished_run *run, const struct serial_runs *serial,
                                     const struct prediction *p)
{
    bool calm = run->job->task.seed == 0 && serial->all_calm;
    for (uint32_t i = 0; i < run->bug_count; i++) {
        const struct bug *bug = &run->bugs[i];
        if (p->kind == PREDICT_LOST_WAKE && bug->kind != BUG_DEADLOCK)
            continue; // that is what is predicted
        uint32_t count = calm && bug->kind != BUG_EXIT ? serial->calm : serial->count;
        if ((bug->kind != BUG_RACE || race_counts(run, serial, p, bug)) && !is_known(bug, serial->run, count))
            return bug;
    }
    return NULL;
}

static char *words_of_failure(const struct bug *bug)
{
    return bug ? alloc_format("the run fails (%s: %s)", bug_name(bug->kind), bug->text) : NULL;
}

// What the violating run shows that no serial one does; null: nothing.
static char *harm_of(const struct wished_run *run, const struct serial_runs *serial, const struct prediction *p)
{
    const struct bug *bug = new_failure(run, serial, p);
    if (bug || p->weak)
        return words_of_failure(bug);
    bool printed = false;
    for (uint32_t k = 0; k < serial->count; k++)
        printed |= !strcmp(serial->run[k].output, run->output) && serial->run[k].status == run->status;
    if (!serial->all || printed)
        return NULL;
    return alloc_format("the run prints \"%s\", and those in which one thread does its part first do not", run->output);
}

// The first failure but for races of the run that the other one does not have.
static const struct bug *failure_unlike(const struct wished_run *run, const struct wished_run *other)
{
    for (uint32_t i = 0; i < run->bug_count; i++)
        if (run->bugs[i].kind != BUG_RACE && !wished_run_fails_so(other, &run->bugs[i]))
            return &run->bugs[i];
    return NULL;
}

// Of a race: the two runs in which one access comes before the other. A failure in one of them that the other does not have is due to
// the order, which nothing decides. Null: there is none; otherwise the failing run takes the place of `run`.
static char *harm_of_order(struct confirmer *c, const struct wish_job *wishes, struct wished_run *run)
{
    struct wished_run ordered[2] = {{0}};
    char *harm = NULL;
    for (uint32_t first = 0; first < 2; first++) {
        struct wish_job job = *wishes;
        job.pair_count = 1;
        job.pair[0].before = first;
        job.pair[0].after = !first;
        for (uint32_t seed = 0; seed < SERIAL_TRIES && !ordered[first].fulfilled; seed++) {
            wished_run_free(&ordered[first]);
            wished_run(&c->waypoints, &job, seed, &ordered[first]);
        }
    }
    for (uint32_t first = 0; first < 2 && !harm; first++) {
        struct wished_run *one = &ordered[first], *other = &ordered[!first];
        if (!one->fulfilled)
            continue;
        harm = words_of_failure(failure_unlike(one, other));
        if (harm) {
            wished_run_free(run);
            *run = *one;
            *one = (struct wished_run){0};
        }
    }
    wished_run_free(&ordered[0]);
    wished_run_free(&ordered[1]);
    return harm;
}

// Runs the program with these wishes until it fails, a few times. The failing run takes the place of `run`. Returns the harm; null: none.
static char *harm_of_more(struct confirmer *c, const struct prediction *p, const struct wish_job *wishes, uint64_t seed,
                          const struct serial_runs *serial, struct wished_run *run)
{
    char *harm = NULL;
    for (uint32_t i = 0; !harm && i < MORE_TRIES && time_now() < c->until; i++) {
        struct wished_run more;
        wished_run(&c->waypoints, wishes, seed + i, &more);
        harm = more.fulfilled ? harm_of(&more, serial, p) : NULL;
        if (harm) {
            wished_run_free(run);
            *run = more;
        } else {
            wished_run_free(&more);
        }
    }
    return harm;
}

static void judge(struct confirmer *c, struct prediction *p, const struct wish_job *wishes, struct wished_run *run)
{
    struct serial_runs serial;
    struct wish_job near = *wishes;
    make_serial_runs(c, p, &serial);
    p->confirmed = CONFIRMED;
    char *harm = harm_of(run, &serial, p);
    if (!harm)
        harm = harm_of_more(c, p, wishes, TRIES + 1, &serial, run);
    if (!harm && prediction_wishes_as_recorded(&c->waypoints, p, &near))
        harm = harm_of_more(c, p, &near, 0, &serial, run);
    if (!harm && p->kind == PREDICT_RACE)
        harm = harm_of_order(c, wishes, run);
    p->harmful = harm != NULL;
    p->reason = harm ? harm : alloc_copy("it was seen to happen; nothing went wrong in that run");
    free_serial_runs(&serial);
}

static char *where_it_went(const struct hunt *h, const struct prediction *p, uint32_t passed, bool gave_up)
{
    struct buffer text = {0};
    uint32_t missing = 0;
    while (missing + 1 < p->record_count && passed >> missing & 1)
        missing++;
    uint32_t record = p->records[missing];
    uint32_t all = (1u << p->record_count) - 1;
    if ((passed & all) == all && p->kind == PREDICT_FREED) {
        buffer_add(&text, "in no try was the memory free by then");
        return text.text;
    }
    if ((passed & all) == all && p->kind == PREDICT_LOST_WAKE) {
        buffer_add(&text, "all came in that order, and the wait ended all the same");
        return text.text;
    }
    buffer_add(&text, "in no try came the operations in that order: ");
    buffer_add(&text, "%s did not come to where it ", h->r->threads[h->r->records[record].thread].name);
    predict_action(h->r, record, &text);
    if (gave_up)
        buffer_add(&text, " while the others waited for it");
    return text.text;
}

// Whether the program comes to all of the operations when nothing is wished, as the recorded one did, or has come to them in some try.
// Otherwise it does something else under control from the beginning, as a server does that nobody asks for anything.
static bool comes_to_all(struct confirmer *c, const struct wish_job *wishes, uint32_t passed)
{
    for (uint32_t i = 0; i < wishes->count; i++)
        if (!(passed >> i & 1) && !waypoints_is_usual(&c->waypoints, &wishes->point[i]))
            return false;
    return true;
}

// Whether the run has failed, also if nothing is said of its races.
static bool fails_beyond_races(const struct wished_run *run)
{
    for (uint32_t i = 0; i < run->bug_count; i++)
        if (run->bugs[i].kind != BUG_RACE)
            return true;
    return false;
}

static bool fails_with(const struct wished_run *run, enum bug_kind kind)
{
    for (uint32_t i = 0; i < run->bug_count; i++)
        if (run->bugs[i].kind == kind)
            return true;
    return false;
}

// Whether a run in the usual order, in which the accesses are left plain, has a race on this memory.
static bool races_anyway(struct confirmer *c, const struct wish_job *wishes, struct wished_run *run)
{
    const struct wish_job nothing = {0};
    wished_run_free(run);
    wished_run(&c->waypoints, &nothing, 0, run);
    for (uint32_t i = 0; i < run->bug_count; i++)
        if (run->bugs[i].kind == BUG_RACE && run->bugs[i].address >> 3 == wishes->point[0].address >> 3)
            return true;
    return false;
}

// Whether what is predicted was seen. A release is no operation, and its thread may come to what is before it without releasing anything,
// as one that drops a reference which is not the last. And a thread that uses freed memory stops before that is an operation.
static bool has_happened(const struct confirmer *c, const struct prediction *p, const struct wished_run *run)
{
    if (prediction_is_of_join(c->h, p))
        return fails_with(run, BUG_DEADLOCK);
    if (p->kind == PREDICT_FREED)
        return fails_with(run, BUG_USE_AFTER_FREE);
    return run->fulfilled && (p->kind != PREDICT_LOST_WAKE || fails_with(run, BUG_DEADLOCK));
}

static void keep_schedule(struct confirmer *c, struct prediction *p, const struct wished_run *run)
{
    p->schedule =
        wished_run_keep(&c->waypoints, run, c->sources.item, c->stem, prediction_table[p->kind].name, ++c->schedules);
}

// Whether a run that was to come to the order failed before it did, in a way that neither the usual run nor those have in which one thread
// does its part first: who takes another branch there may have come to the same harm.
static bool fails_on_the_way(struct confirmer *c, struct prediction *p, const struct wished_run *failing)
{
    const struct wish_job nothing = {0};
    struct serial_runs others;
    if (!failing->bug_count || p->kind == PREDICT_DEADLOCK || p->kind == PREDICT_FREED || p->kind == PREDICT_LOST_WAKE)
        return false;
    make_serial_runs(c, p, &others);
    others.all_calm = false; // it went its own way
    others.usual = true;
    wished_run(&c->waypoints, &nothing, 0, &others.run[others.count++]);
    const struct bug *bug = new_failure(failing, &others, p);
    if (bug) {
        p->confirmed = CONFIRMED;
        p->harmful = true;
        p->reason = alloc_format("on the way there the run fails (%s: %s)", bug_name(bug->kind), bug->text);
        keep_schedule(c, p, failing);
    }
    free_serial_runs(&others);
    return bug != NULL;
}

// Tries until what is predicted has happened. `failing` becomes the first run that failed without that, one with a race alone only if
// there is no other.
static void try_until_it_happens(struct confirmer *c, const struct prediction *p, const struct wish_job *wishes,
                                 struct wished_run *run, struct wished_run *failing, uint32_t *passed)
{
    for (uint32_t seed = 0; seed < TRIES && !run->trouble && !has_happened(c, p, run); seed++) {
        if (run->bug_count && (!failing->bug_count || (fails_beyond_races(run) && !fails_beyond_races(failing)))) {
            wished_run_free(failing);
            *failing = *run;
            *run = (struct wished_run){0};
        }
        wished_run_free(run);
        wished_run(&c->waypoints, wishes, seed, run);
        *passed |= run->passed;
    }
}

static void conclude_unfulfilled(struct confirmer *c, struct prediction *p, const struct wish_job *wishes,
                                 struct wished_run *run, uint32_t passed)
{
    bool gave_up = run->gave_up;
    uint32_t last = run->passed;
    if (p->kind == PREDICT_RACE && races_anyway(c, wishes, run)) {
        p->confirmed = CONFIRMED;
        p->reason = alloc_copy("nothing orders them, as memory orders are written; they never were next to each other");
        keep_schedule(c, p, run);
    } else if (!comes_to_all(c, wishes, passed)) {
        p->confirmed = UNKNOWN;
        p->reason =
            alloc_copy("the program does not come to these operations under heddle's control, whatever the order");
    } else {
        p->confirmed = INFEASIBLE;
        p->reason = where_it_went(c->h, p, last, gave_up);
    }
}

static void try_prediction(struct confirmer *c, struct prediction *p, const struct wish_job *wishes)
{
    struct wished_run run = {0}, failing = {0};
    uint32_t passed = 0;
    try_until_it_happens(c, p, wishes, &run, &failing, &passed);
    struct wish_job near = *wishes;
    if (!run.trouble && !has_happened(c, p, &run) && prediction_wishes_as_recorded(&c->waypoints, p, &near))
        try_until_it_happens(c, p, &near, &run, &failing, &passed);
    if (run.trouble) {
        p->confirmed = UNKNOWN;
        p->reason = alloc_copy(run.trouble);
    } else if (!has_happened(c, p, &run)) {
        if (!fails_on_the_way(c, p, failing.bug_count ? &failing : &run))
            conclude_unfulfilled(c, p, wishes, &run, passed);
    } else if (p->kind == PREDICT_DEADLOCK && !run.bug_count) {
        p->confirmed = INFEASIBLE;
        p->reason = alloc_copy("all came there at the same time, and went on: none waits for ever");
    } else {
        judge(c, p, wishes, &run);
        if (p->harmful || !p->weak)
            keep_schedule(c, p, &run);
    }
    wished_run_free(&run);
    wished_run_free(&failing);
}

void confirm_prediction(struct confirmer *c, struct prediction *p)
{
    struct wish_job wishes;
    const char *why = c->trouble;
    if (!why && run_interrupted())
        why = "the command was interrupted";
    if (!why && time_now() > c->until)
        why = "there was no time left";
    if (!why)
        why = prediction_wishes(&c->waypoints, p, &wishes);
    if (why) {
        p->confirmed = UNKNOWN;
        p->reason = alloc_copy(why);
    } else {
        try_prediction(c, p, &wishes);
    }
}
