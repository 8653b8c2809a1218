#include "cluster/cluster_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "base/time.h"
#include "cluster/file.h"
#include "cluster/line.h"
#include "cluster/outcome.h"
#include "cluster/samplers.h"
#include "cluster/searched.h"
#include "cluster/searchers.h"
#include "cluster/shortening.h"
#include "cluster/visited.h"
#include "explore/search.h"
#include "target/nodes/looking.h"
#include "target/nodes/observer.h"
#include "target/nodes/relevant.h"

// How the executions of a search have ended, or how those of an earlier one had.
struct ends {
    struct visited seen;
    bool known; // from an earlier search: another one is a finding
};

struct watch {
    const struct cluster_options *options;
    struct samplers *samplers;
    struct searchers *searchers; // that share this search; or null
    volatile uint64_t *drawn;    // in a sampler: counts its executions
    struct cluster_result *result;
    struct ends *ends; // or null
    double started;
    uint64_t seen;   // executions
    uint64_t repeat; // the next one that is run twice
};

enum { MEMORY_LOOKS = 1024 }; // executions between two looks at the memory

void (*cluster_final)(uint64_t hash);

static bool is_final(void)
{
    for (uint32_t channel = 0; channel < world.channels; channel++)
        if (world.queue[channel].count && !request_waits(channel))
            return false;
    return true;
}

void cluster_keep_failure(struct cluster_result *r)
{
    r->failure = world.failure;
    r->node = world.failure_node;
    r->sort = world.failure_sort;
    r->place = world.failure_place;
    memcpy(r->text, world.failure_text, sizeof r->text);
}

void cluster_keep_steps(struct cluster_result *r)
{
    uint32_t count = world.exec.count;
    r->steps = alloc_array(count, sizeof *r->steps);
    for (uint32_t i = 0; i < count; i++)
        r->steps[i] = (struct step){world.exec.events[i].actor, world.exec.events[i].alternative};
    r->step_count = count;
    r->found_after = r->found_after ? r->found_after : count;
}

static void look_at_end(struct ends *ends, struct cluster_result *r)
{
    static const struct actor_set nobody;
    struct actor_set before;
    char text[400];
    if (!ends->known) {
        visited_visit(&ends->seen, outcome_hash(), &nobody, &before, &(uint16_t){0});
    } else if (!visited_has(&ends->seen, outcome_hash(), &nobody)) {
        outcome_tell(text, sizeof text);
        snprintf(r->policy.wrong, sizeof r->policy.wrong, "no execution is left that ends like this: %s", text);
    }
}

// Runs the execution once more, from the beginning. If nodes do the same after the same events, the world ends as it was, and the
// search goes on from there.
static bool ends_the_same(void)
{
    uint64_t hash = world_hash();
    enum failure_kind failure = world.failure;
    struct cluster_result again = {0};
    cluster_keep_steps(&again);
    bool same = !cluster_follow(again.steps, again.step_count) && world.exec.count == again.step_count &&
                world.failure == failure && world_hash() == hash;
    cluster_result_free(&again);
    return same;
}

// Of the first executions each second, fourth, eighth, … is run twice.
static bool is_steady(struct watch *w)
{
    if (w->seen++ != w->repeat)
        return true;
    w->repeat = w->repeat * 2 + 1;
    return ends_the_same();
}

// Whether the two are one bug, as far as can be said from how they end.
static bool is_same_bug(const struct cluster_result *a, const struct cluster_result *b)
{
    const char *rest = strstr(a->text, ", also after "); // how long a node has not come to rest says nothing
    size_t length = rest ? (size_t)(rest - a->text) : sizeof a->text;
    return a->failure == b->failure && a->place == b->place && a->sort == b->sort &&
           (a->failure == FAILURE_HISTORY || a->failure == FAILURE_AGREEMENT || !strncmp(a->text, b->text, length));
}

// Keeps the failure at hand, unless it is known; the first one is the result itself. False: there is no room for more.
static bool note_bug(struct cluster_result *r)
{
    struct cluster_result bug = {.end = CLUSTER_BUG};
    cluster_keep_failure(&bug);
    bool known = r->steps && is_same_bug(r, &bug);
    for (uint32_t i = 0; i < r->other_count && !known; i++)
        known = is_same_bug(&r->others[i], &bug);
    if (known)
        return true;
    if (!r->steps) {
        cluster_keep_failure(r);
        cluster_keep_steps(r);
        return true;
    }
    if (!r->others)
        r->others = alloc_zeroed(MOST_BUGS, sizeof *r->others);
    if (r->other_count == MOST_BUGS - 1)
        return false;
    cluster_keep_steps(&bug);
    r->others[r->other_count++] = bug;
    return true;
}

// Whether others that share the search have ended it.
static bool is_ended_by_others(struct watch *w)
{
    if (!w->searchers)
        return false;
    if (shared_states_are_full(w->searchers->states))
        searchers_stop(w->searchers, CLUSTER_MEMORY);
    uint32_t why = searchers_stopped(w->searchers);
    w->result->end = why ? (enum cluster_end)why : CLUSTER_DONE;
    return why || searchers_have_lost(w->searchers);
}

// Whether the executions of all that share the search are as many as there may be. What a member begins with is none.
static bool is_last_of_all(struct watch *w)
{
    bool is_none = w->searchers && w->searchers->me && w->seen == 1;
    return w->searchers && !is_none && searchers_count_execution(w->searchers) >= w->options->max_executions;
}

// Whether the search has to end here, for a reason that is not in the execution.
static bool is_at_bound(struct watch *w)
{
    struct cluster_result *r = w->result;
    if (is_ended_by_others(w))
        return true;
    if (is_last_of_all(w) || (w->options->has_mark && r->policy.complete >= w->options->max_executions))
        r->end = CLUSTER_EXECUTIONS;
    else if (interrupted())
        r->end = CLUSTER_INTERRUPTED;
    else if (w->options->seconds > 0 && time_now() - w->started > w->options->seconds)
        r->end = CLUSTER_TIME;
    else if (w->options->memory && !(w->seen % MEMORY_LOOKS) && line_memory() > w->options->memory)
        r->end = CLUSTER_MEMORY;
    else
        return false;
    return true;
}

static bool leaf(void *context, bool whole)
{
    struct watch *w = context;
    struct cluster_result *r = w->result;
    if (w->drawn)
        ++*w->drawn;
    if (samplers_have_found(w->samplers)) {
        r->by_sampler = true;
        r->end = CLUSTER_UNSTEADY; // until its steps have failed here as well
        return false;
    }
    if (w->options->shows)
        line_show(w->seen, time_now() - w->started, &r->policy);
    if (looking_depends() || !is_steady(w)) {
        r->end = CLUSTER_UNSTEADY;
        return false;
    }
    size_t mark = undo_mark(&world.undo);
    bool final = is_final();
    if (final && cluster_final && world.failure == FAILURE_NONE)
        cluster_final(world_hash());
    if (final && w->ends && world.failure == FAILURE_NONE)
        look_at_end(w->ends, r);
    bool goes_on = !whole || r->policy.circles; // that may be an execution which never settles
    if (final || goes_on || r->policy.samples)
        world_settle(w->options->patience);
    if (world.failure == FAILURE_ROOM) {
        if (!r->policy.samples) // nothing rests on samples
            memcpy(r->no_room, world.failure_text, sizeof r->no_room);
        world_back(mark);
    }
    if (world.failure != FAILURE_NONE && (!w->options->keep_going || !note_bug(r))) {
        if (!r->steps) {
            cluster_keep_failure(r);
            cluster_keep_steps(r);
        }
        r->end = CLUSTER_BUG;
        world_back(mark);
        return false;
    }
    world_back(mark);
    if (r->policy.wrong[0]) {
        r->end = CLUSTER_WRONG_RULE;
        return false;
    }
    return !is_at_bound(w);
}

static bool can_follow(struct step step)
{
    return step.actor < world.exec.known && exec_is_parked(&world.exec, step.actor) &&
           world.target.ready(&world.target, step.actor) &&
           step.alternative < world.exec.actors[step.actor].pending.alternatives;
}

void cluster_rewind(void)
{
    if (!world.exec.count)
        return;
    world_back(world.marks[0]);
    exec_cut(&world.exec, 0);
}

uint32_t cluster_follow(const struct step *steps, uint32_t count)
{
    uint32_t left_out = 0;
    cluster_rewind();
    for (uint32_t i = 0; i < count && world.failure == FAILURE_NONE; i++) {
        if (can_follow(steps[i]))
            world.target.step(&world.target, steps[i].actor, steps[i].alternative);
        else
            left_out++;
    }
    return left_out;
}

uint32_t cluster_faults(void)
{
    uint32_t spent = 0;
    for (int i = 0; i < FAULTS; i++)
        spent += world.options.budget[i] - world.counts.left[i];
    return spent;
}

// A bug is reported only if it happens again when it is tried.
static bool fails_again(const struct cluster_options *o, const struct cluster_result *r)
{
    size_t start = undo_mark(&world.undo);
    cluster_rewind();
    if (world.counts.over) // a node failed when it booted, which is not repeated
        return true;
    bool all = !cluster_follow(r->steps, r->step_count);
    world_settle(o->patience);
    bool same = all && shortening_is_same(r);
    cluster_rewind();
    world_back(start);
    return same;
}

// What a search may take of the memory: all but what heddle has taken already.
static size_t memory_left(size_t most)
{
    enum { LEAST = 1 << 20 };
    size_t taken = line_memory();
    return !most ? 0 : most > taken + LEAST ? most - taken : LEAST;
}

static void search_world(const struct cluster_options *o, struct cluster_result *r, struct ends *ends,
                         struct samplers *samplers, struct searchers *searchers, volatile uint64_t *drawn)
{
    struct strategy_options options = {.preemptions = NO_BOUND, .seed = o->seed, .runs = o->runs};
    struct policy_search how = {.policy = o->policy,
                                .mark = o->has_mark ? &o->mark : NULL,
                                .next = o->next,
                                .keeping = o->keeping,
                                .patience = o->patience,
                                .proposes = o->proposes,
                                .searchers = searchers,
                                .seed = o->seed};
    if (!how.keeping.memory)
        how.keeping.memory = memory_left(o->memory);
    memset(r, 0, sizeof *r);
    struct strategy *strategy =
        o->strategy ? o->strategy->make(&world.target, &options) : policy_new(&world.target, &how, &r->policy);
    struct watch watch = {.options = o,
                          .samplers = samplers,
                          .searchers = searchers,
                          .drawn = drawn,
                          .result = r,
                          .ends = ends,
                          .started = time_now()};
    struct search search = {.strategy = strategy,
                            .max_executions = o->has_mark || searchers ? UINT64_MAX : o->max_executions,
                            .max_steps = o->world.max_events,
                            .leaf = leaf,
                            .context = &watch};
    clock_t began = clock();
    enum search_end end = search_run(&search);
    r->processor_seconds = (double)(clock() - began) / CLOCKS_PER_SEC;
    if (end == SEARCH_EXECUTIONS)
        r->end = CLUSTER_EXECUTIONS;
    r->executions = search.executions;
    r->events = search.events;
    r->cut = search.cut;
    r->redundant = strategy->redundant;
    r->seconds = time_now() - watch.started;
    strategy->free(strategy);
}

// In a process of its own.
static const struct named_step *draw_samples(void *context, uint32_t which, volatile uint64_t *drawn, uint32_t *count)
{
    const uint64_t apart = 0x9e3779b97f4a7c15u;
    static struct cluster_result r;
    struct samplers none = {0};
    struct cluster_options o = *(const struct cluster_options *)context;
    o.next = NEXT_SAMPLES;
    o.seed += (which + 1) * apart;
    o.shows = false;
    search_world(&o, &r, NULL, &none, NULL, drawn);
    *count = r.step_count;
    return r.end == CLUSTER_BUG ? cluster_name_steps(r.steps, r.step_count) : NULL;
}

// Several that search the states together; the first is this process.
struct company {
    const struct cluster_options *options;
    struct searchers searchers;
    struct samplers others;
};

// In a process of its own.
static const struct named_step *search_beside(void *context, uint32_t which, volatile uint64_t *drawn, uint32_t *count)
{
    static struct cluster_result r;
    struct samplers none = {0};
    struct company *company = context;
    struct cluster_options o = *company->options;
    (void)drawn;
    o.shows = false;
    company->searchers.me = which + 1;
    goal_clear();
    search_world(&o, &r, NULL, &none, &company->searchers, NULL);
    if (r.end != CLUSTER_DONE)
        searchers_stop(&company->searchers, r.end);
    searched_leave(&company->searchers, &r);
    *count = r.step_count;
    return r.steps ? cluster_name_steps(r.steps, r.step_count) : NULL;
}

// Whether one of the others is gone and has left nothing.
static bool has_died(void *context)
{
    struct company *company = context;
    for (uint32_t i = 0; i < company->others.count; i++) {
        if (!samplers_has_ended(&company->others, i) || searchers_counts(&company->searchers, i + 1)->is_there)
            continue;
        searchers_bury(&company->searchers, (uint32_t)company->others.process[i]);
        return true;
    }
    return false;
}

// Some audits compare what different executions come to: a member would compare only its own.
static bool audits_as_a_whole(const struct policy *policy)
{
    return policy->audit && (policy->crs || policy->rss || relevant_is_less());
}

// Where members can take part in one search: to the first bug, with states kept by their hashes.
static bool can_be_shared(const struct cluster_options *o)
{
    return o->workers > 1 && !o->strategy && o->next != NEXT_TURNS && !audits_as_a_whole(&o->policy) &&
           !o->keeping.exact && !o->proposes && !o->keep_going && !o->has_mark;
}

// What the others have done, once they have ended; they do soon, since all are told to.
static void sum_up(struct company *company, struct cluster_result *r)
{
    static const struct timespec moment = {.tv_nsec = 1000000};
    bool is_there = false;
    for (int i = 0; i < 10000 && !is_there; i++) {
        is_there = true;
        for (uint32_t k = 0; k < company->others.count; k++)
            is_there &= samplers_has_ended(&company->others, k);
        if (!is_there)
            nanosleep(&moment, NULL);
    }
    bool all = searched_sum(&company->searchers, r);
    if (!all || searchers_have_lost(&company->searchers))
        snprintf(r->no_room, sizeof r->no_room, "a worker was lost, and with it what it had still to explore");
}

static void take_from_sampler(const struct cluster_options *o, struct cluster_result *r, const struct named_step *named,
                              uint32_t count);

static void explore_together(const struct cluster_options *o, struct cluster_result *r)
{
    struct samplers none = {0};
    struct company company = {.options = o};
    uint32_t count, members = o->workers < SEARCHERS_MOST ? o->workers : SEARCHERS_MOST;
    size_t usual = (size_t)1 << 31, bytes = o->memory ? memory_left(o->memory) / 2 : usual;
    if (!searchers_open(&company.searchers, members, o->world.max_events + 2, bytes)) {
        search_world(o, r, NULL, &none, NULL, NULL);
        return;
    }
    company.searchers.has_died = has_died;
    company.searchers.context = &company;
    if (world.options.order == ORDER_ANY)
        searchers_share_identities(&company.searchers, &world.exec);
    samplers_begin(&company.others, members - 1, o->world.max_events + 2, search_beside, &company);
    searchers_enlist(&company.searchers, company.others.count + 1);
    search_world(o, r, NULL, &company.others, &company.searchers, NULL);
    if (r->end != CLUSTER_DONE)
        searchers_stop(&company.searchers, r->end);
    sum_up(&company, r);
    r->searchers = company.others.count + 1;
    if (searchers_stopped(&company.searchers) && r->end == CLUSTER_DONE)
        r->end = (enum cluster_end)searchers_stopped(&company.searchers);
    struct named_step *steps = samplers_end(&company.others, &count, &r->drawn);
    if (steps && !r->steps)
        take_from_sampler(o, r, steps, count);
    else if (r->end == CLUSTER_BUG && !r->steps)
        r->end = CLUSTER_UNSTEADY;
    free(steps);
    world.exec.identities = NULL;
    searchers_close(&company.searchers);
}

// The search was ended by steps that a sampler has found.
static void take_from_sampler(const struct cluster_options *o, struct cluster_result *r, const struct named_step *named,
                              uint32_t count)
{
    struct step *steps = cluster_find_steps(named, count);
    cluster_rewind();
    size_t mark = undo_mark(&world.undo);
    bool all = !cluster_follow(steps, count);
    free(steps);
    if (world.failure == FAILURE_NONE)
        world_settle(o->patience);
    r->by_sampler = true;
    r->end = all && world.failure != FAILURE_NONE ? CLUSTER_BUG : CLUSTER_UNSTEADY;
    if (r->end == CLUSTER_BUG) {
        cluster_keep_failure(r);
        cluster_keep_steps(r);
    }
    cluster_rewind();
    world_back(mark);
}

static void explore(const struct cluster_options *o, struct cluster_result *r, struct ends *ends)
{
    struct samplers samplers;
    if (can_be_shared(o) && !ends) {
        explore_together(o, r);
        return;
    }
    bool shared = !o->strategy && o->next == NEXT_TURNS && !o->keep_going && !o->has_mark && o->workers > 1;
    uint32_t count;
    samplers_begin(&samplers, shared ? o->workers - 1 : 0, o->world.max_events + 2, draw_samples, (void *)(uintptr_t)o);
    uint32_t beside = samplers.count;
    search_world(o, r, ends, &samplers, NULL, NULL);
    r->samplers = beside;
    struct named_step *steps = samplers_end(&samplers, &count, &r->drawn);
    if (steps && !r->steps && (r->by_sampler || (r->end != CLUSTER_UNSTEADY && r->end != CLUSTER_WRONG_RULE)))
        take_from_sampler(o, r, steps, count);
    free(steps);
}

static bool is_whole(const struct cluster_result *r)
{
    return r->end == CLUSTER_DONE && !r->cut && !r->no_room[0];
}

// Searches everything, or everything that the rules for crashes and reboots leave; the rest of the policy is `auto`, which
// loses nothing. The world is back at the beginning afterwards.
static void explore_ends(const struct cluster_options *o, bool by_rules, struct ends *ends, struct cluster_result *r)
{
    struct cluster_options all = *o;
    all.keep_going = false;
    all.workers = 1;
    all.policy = (struct policy){.automatic = true, .crs = by_rules && o->policy.crs, .rss = by_rules && o->policy.rss};
    cluster_rewind();
    explore(&all, r, ends);
    cluster_result_free(r);
    cluster_rewind();
}

// Whether it can be said for certain that the rules for crashes and reboots lose nothing, or that they do, which is in
// `wrong` then: how all executions end is compared with how those end that the rules leave.
static bool compare_ends(const struct cluster_options *o, struct cluster_result *r, struct ends *ends)
{
    struct cluster_result left, all;
    if (!is_whole(r)) {
        explore_ends(o, true, ends, &left);
        if (!is_whole(&left))
            return false;
    }
    ends->known = true;
    explore_ends(o, false, ends, &all);
    if (is_whole(&all)) {
        r->policy.outcomes = ends->seen.count;
        return true;
    }
    if (all.end != CLUSTER_BUG && all.end != CLUSTER_WRONG_RULE)
        return false;
    snprintf(r->policy.wrong, sizeof r->policy.wrong, "%.800s%s%s%.300s", r->policy.suspect,
             r->policy.suspect[0] ? ",\n  and " : "", all.end == CLUSTER_BUG ? "they leave out a failure: " : "",
             all.end == CLUSTER_BUG ? all.text : all.policy.wrong);
    return true;
}

// Rules for crashes and reboots make a promise about everything that may follow. If that is too much to explore, the immediate
// reaction of the others to a crash or a reboot has to be the same.
static void audit_symmetry(const struct cluster_options *o, struct cluster_result *r, struct ends *ends)
{
    if (r->end == CLUSTER_BUG || r->end == CLUSTER_WRONG_RULE)
        return;
    if (!compare_ends(o, r, ends) && r->policy.suspect[0])
        snprintf(r->policy.wrong, sizeof r->policy.wrong, "%s", r->policy.suspect);
    if (r->policy.wrong[0])
        r->end = CLUSTER_WRONG_RULE;
}

// Makes each bug short, and looks whether it happens again.
static void shorten_all(const struct cluster_options *o, struct cluster_result *r)
{
    for (uint32_t i = 0; i <= r->other_count && r->end == CLUSTER_BUG; i++) {
        struct cluster_result *bug = i ? &r->others[i - 1] : r;
        shortening_do(o, bug);
        if (!fails_again(o, bug))
            r->end = CLUSTER_UNSTEADY;
    }
}

void cluster_run(const struct cluster_options *o, struct cluster_result *r)
{
    struct ends ends = {.known = false};
    bool audits = !o->strategy && o->policy.audit && (o->policy.crs || o->policy.rss);
    if (audits)
        visited_open(&ends.seen, 0);
    explore(o, r, audits ? &ends : NULL);
    if (audits) {
        audit_symmetry(o, r, &ends);
        visited_close(&ends.seen);
    }
    if (o->shows)
        line_clear();
    r->searched = r->end;
    if (r->steps)
        r->end = CLUSTER_BUG;
    shorten_all(o, r);
}

void cluster_result_free(struct cluster_result *r)
{
    for (uint32_t i = 0; i < r->other_count; i++)
        free(r->others[i].steps);
    free(r->others);
    free(r->steps);
}
