// Search with sleep sets (Godefroid). An event sleeps at a state if an earlier choice there covers everything below it.
// It stays asleep past events that are independent of it *in the state where they happen*, so whether two messages are
// independent may change with the state. Sleep sets leave out orders, never states: every reachable global state is
// visited, and `check` is asked in it. (`optimal` and `dpor` do not promise that.)
//
// Choices (does the message get lost?) are independent of everything and are taken at once, the fault first: bugs are
// where things go wrong.
//
// States at which something is left to try are kept with the path to them (frontier.h). Continuing at the last of them
// is depth-first search. Continuing at a random one, in a random way, reaches every part of the space early, never runs
// anything twice, and covers everything in the end, at the price of memory; with no policy this is the random + DPOR of
// seed 004. The default (NEXT_TURNS) does both in turn, and takes samples in between (phased_sample.h), which are not part of
// the search.
#include "cluster/policy.h"

#include <string.h>

#include "base/mem.h"
#include "cluster/frontier.h"
#include "cluster/reduction.h"
#include "cluster/phased_sample.h"
#include "cluster/propose.h"
#include "cluster/searchers.h"
#include "explore/draw.h"
#include "target/nodes/world.h"

enum { TRIES = 4, RARE_TRIES = 32, UNRANKED = 8, TIMER_ODDS = 16, VIEWS = 1 << 22 };

// So many states with one way to go on may follow one another before one is kept all the same: a cycle of them has to end.
enum { FORCED_MOST = 32 };

// Of samples: see cost_of_samples.
enum { FIRST_COST = 1000000, MOST_COST = 50000000, IN_VAIN = 50, SEARCH_COST = 3 };

struct search_by_policy {
    struct strategy s;
    struct policy_counts *counts;
    struct reduction by, mark;
    bool marks;
    enum policy_next next;
    bool jumps; // this execution is a random one
    struct draw draw;
    uint32_t turn;
    uint32_t *views;               // how often executions have come to states with the same view
    uint64_t salt;                 // of the ranks in this execution
    uint32_t usual[CHANNEL_KINDS]; // choices of each kind in an execution
    struct frontier frontier;
    uint32_t *way;   // the points of the execution at hand …
    uint32_t walked; // … up to this event
    uint32_t *plan;  // those of the way to go
    // The state that was come to: what sleeps there, and whether `mark` would be there.
    struct actor_set sleep, marked_sleep;
    bool marked;
    bool is_back; // at the open level of which something is to be tried
    bool branching;
    uint32_t patience; // see world_settle
    uint32_t forced;   // states since the last one that was kept
    size_t most_bytes; // of open places; 0: any number
    bool is_narrow;    // there are too many of them: go on at the last until they are few
    struct circles circles;
    struct sampler sampler;
    struct proposals proposals;
    struct searchers *searchers;            // others that share the work; or null
    struct step *handed;                    // steps to a place that one of them hands out
    bool has_work;                          // there was something to do
    uint64_t happened, searching, sampling; // events of nodes: counted, and what each kind of execution cost
};

static struct search_by_policy *self(struct strategy *s)
{
    return (struct search_by_policy *)s;
}

static uint32_t note_view(struct search_by_policy *p)
{
    if (p->next == NEXT_LAST || p->next == NEXT_FIRST)
        return 0;
    uint32_t view = (uint32_t)(world_view_hash() & (VIEWS - 1));
    p->views[view] += p->views[view] < UINT32_MAX;
    return view;
}

// Whether there is one way to go on, and the state need not be kept: the next one that is kept stands for it.
static bool is_forced(struct search_by_policy *p, const struct level *level)
{
    if (!p->branching || set_count(&level->untried) != 1)
        return false;
    uint32_t only = (uint32_t)set_nth(&level->untried, 0);
    if (p->s.exec->actors[only].pending.alternatives != 1 || p->forced == FORCED_MOST)
        return false;
    p->forced++;
    p->counts->forced++;
    return true;
}

static bool was_here(struct search_by_policy *p, struct level *level)
{
    if (is_forced(p, level))
        return false;
    p->forced = 0;
    return reduction_was_here(&p->by, &level->untried, &level->sleep, &p->circles);
}

// What there is to try at the state at hand. False: nothing.
static bool look_at(struct search_by_policy *p, struct level *level)
{
    uint32_t at = p->s.exec->count;
    *level = (struct level){.point = p->way[at],
                            .depth = at,
                            .rank = p->circles.rank,
                            .view = note_view(p),
                            .forced = (uint8_t)p->forced,
                            .sleep = p->sleep,
                            .marked_sleep = p->marked_sleep,
                            .marked = p->marked};
    struct actor_set parked;
    memcpy(parked.word, p->s.exec->parked, sizeof parked.word);
    for (int a = set_from(&parked, 0); a >= 0; a = set_from(&parked, a + 1)) {
        uint32_t actor = (uint32_t)a;
        if (!can_run(&p->s, actor))
            continue;
        if (p->s.exec->actors[actor].pending.kind == OP_CHOOSE) {
            memset(&level->untried, 0, sizeof level->untried);
            set_put(&level->untried, actor);
            level->chooses = true;
            return true;
        }
        set_put(&level->untried, actor);
    }
    reduction_audit_state(&p->by, p->patience);
    if (set_is_empty(&level->untried)) {
        p->counts->complete++;
        p->counts->marked += p->marks && level->marked;
        return false;
    }
    bool repeats = was_here(p, level);
    level->forced = (uint8_t)p->forced;
    level->rank = p->circles.rank;
    if (!repeats && at > p->counts->deepest)
        p->counts->deepest = at;
    if (!repeats)
        proposals_look(&p->proposals);
    struct actor_set looked_at = level->untried; // how much would be left to do is no matter
    if (p->marks && !level->marked)
        level->marked = reduction_was_here(&p->mark, &looked_at, &level->marked_sleep, NULL);
    set_subtract(&level->untried, &level->sleep);
    if (!repeats && set_is_empty(&level->untried)) {
        repeats = true;
        p->counts->circles |= policy_has_states(&p->by.policy) && circles_sleep(&p->circles);
    }
    p->s.redundant += repeats;
    return !repeats;
}

// Where the order is random, actors have random ranks, anew in each execution, and now and then it is not their rank
// that counts: what is slow in an execution is slow for long, which is what uniform choices hardly ever give.
static uint64_t rank(const struct search_by_policy *p, uint32_t actor)
{
    struct draw draw;
    draw_begin(&draw, p->salt, actor);
    return draw_word(&draw);
}

static uint16_t choose_actor(struct search_by_policy *p, const struct level *level, uint32_t count)
{
    if (!p->jumps || !draw_below(&p->draw, UNRANKED))
        return (uint16_t)set_nth(&level->untried, p->jumps ? draw_below(&p->draw, count) : 0);
    int best = -1;
    for (uint32_t i = 0; i < count; i++) {
        int actor = set_nth(&level->untried, i);
        if (best < 0 || rank(p, (uint32_t)actor) > rank(p, (uint32_t)best))
            best = actor;
    }
    return (uint16_t)best;
}

// The next actor to try at the state at hand; false if there is none.
static bool next_actor(struct search_by_policy *p, struct level *level)
{
    if (level->begun && !level->chooses) {
        set_put(&level->sleep, level->actor);
        set_put(&level->marked_sleep, level->actor);
    }
    for (;;) {
        uint32_t count = set_count(&level->untried);
        if (!count)
            return false;
        level->actor = choose_actor(p, level, count);
        set_drop(&level->untried, level->actor);
        if (level->chooses || !reduction_symmetric(&p->by, level->actor, &level->sleep))
            break;
    }
    if (p->marks && !level->chooses)
        level->marks_actor = level->marked || set_has(&level->marked_sleep, level->actor) ||
                             reduction_symmetric(&p->mark, level->actor, &level->marked_sleep);
    can_run(&p->s, level->actor); // says how many outcomes there are in this state
    level->outcomes = UINT64_MAX >> (64 - p->s.exec->actors[level->actor].pending.alternatives);
    level->begun = true;
    return true;
}

static enum channel_kind kind_of(uint32_t actor)
{
    return world.channel[world.channel_of[actor]].kind;
}

// How many choices of this kind the execution at hand has had.
static uint32_t count_choices(const struct search_by_policy *p, enum channel_kind kind)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->s.exec->count; i++)
        count += p->s.exec->events[i].kind == OP_CHOOSE && kind_of(p->s.exec->events[i].actor) == kind;
    return count;
}

// Which of the outcomes of a choice that are left: the fault, unless it is left to chance. In half of the executions chances
// are even (in all of them with NEXT_RANDOM, which is the seed's), but for timers, which are set so often that the first ones would use up what there is. In the others faults are
// spread over the choices that are still to come, as many as executions have had so far: some bugs need them late.
static uint32_t draw_outcome(struct search_by_policy *p, const struct level *level, uint32_t count)
{
    if (!p->jumps || count < 2)
        return count - 1;
    enum channel_kind kind = kind_of(level->actor);
    if (p->next != NEXT_TURNS || p->salt & 1)
        return draw_below(&p->draw, kind == CHANNEL_TIMER ? TIMER_ODDS : 2) == 1;
    uint32_t had = count_choices(p, kind), usual = p->usual[kind],
             fault = channel_choice(world.channel_of[level->actor]);
    uint32_t left = world.counts.left[fault], to_come = usual > had ? usual - had : 1;
    return draw_below(&p->draw, to_come + 1) < left;
}

// Remembers how many choices executions have, as a mean that forgets.
static void learn_usual(struct search_by_policy *p)
{
    for (enum channel_kind kind = CHANNEL_LINK; kind < CHANNEL_KINDS; kind++) {
        uint32_t had = count_choices(p, kind);
        p->usual[kind] = p->usual[kind] ? (15 * p->usual[kind] + had + 8) / 16 : had;
    }
}

// What a node draws is drawn at random where the order is random.
static uint16_t next_outcome(struct search_by_policy *p, struct level *level)
{
    uint32_t count = (uint32_t)__builtin_popcountll(level->outcomes);
    bool at_random = p->jumps && count > 1 && kind_of(level->actor) != CHANNEL_FAULT;
    uint32_t skip = level->chooses ? draw_outcome(p, level, count) : at_random ? draw_below(&p->draw, count) : 0;
    uint64_t bits = level->outcomes;
    while (skip--)
        bits &= bits - 1;
    uint16_t outcome = (uint16_t)__builtin_ctzll(bits);
    level->outcomes &= ~(1ull << outcome);
    return outcome;
}

static void pass(struct reduction *by, const struct level *level, const struct actor_set *asleep,
                 struct actor_set *next)
{
    memset(next, 0, sizeof *next);
    for (int a = set_from(asleep, 0); a >= 0; a = set_from(asleep, a + 1)) {
        uint32_t actor = (uint32_t)a;
        if (actor != level->actor && (level->chooses || reduction_independent(by, actor, level->actor)))
            set_put(next, actor);
    }
}

// What sleeps after the step that the level takes.
//
// A breadth-first search that knows states lets nothing sleep: a state that it comes to again by a longer way would wake what slept
// there the first time, and a failure behind that would be found by the longer way.
static void pass_sleep(struct search_by_policy *p, const struct level *level)
{
    if (p->next == NEXT_FIRST && policy_has_states(&p->by.policy))
        memset(&p->sleep, 0, sizeof p->sleep);
    else
        pass(&p->by, level, &level->sleep, &p->sleep);
    p->marked = level->marked || level->marks_actor;
    if (p->marks && !p->marked)
        pass(&p->mark, level, &level->marked_sleep, &p->marked_sleep);
}

// Takes the next step of a level at the state at hand, if there is one.
static bool try_next(struct search_by_policy *p, struct level *level, struct step *step)
{
    if (!level->outcomes && !next_actor(p, level))
        return false;
    *step = (struct step){level->actor, next_outcome(p, level)};
    pass_sleep(p, level);
    return true;
}

static void walk(struct search_by_policy *p, struct step step)
{
    uint32_t at = p->s.exec->count;
    p->way[at + 1] = frontier_extend(&p->frontier, p->way[at], step);
    p->walked = at + 1;
}

// Judges the execution where it may have come back, but goes on. False: something failed, which will be found again at its end.
static bool is_fine_here(struct search_by_policy *p)
{
    if (!p->counts->circles)
        return true;
    size_t mark = undo_mark(&world.undo);
    world_settle(p->patience);
    p->counts->circles = world.failure != FAILURE_NONE;
    world_back(mark);
    return !p->counts->circles;
}

static bool policy_pick(struct strategy *s, struct step *next)
{
    struct search_by_policy *p = self(s);
    if (p->counts->samples)
        return sampler_pick(&p->sampler, next);
    if (!p->has_work) // it has to be handed some
        return false;
    if (p->is_back) {
        p->is_back = false;
        *next = frontier_step(&p->frontier, p->way[s->exec->count + 1]);
        return true;
    }
    struct level level;
    if (!look_at(p, &level))
        return false;
    if (p->next == NEXT_FIRST || !is_fine_here(p)) {
        frontier_push(&p->frontier, &level);
        return false;
    }
    if (!try_next(p, &level, next))
        return false;
    walk(p, *next);
    bool is_cut = level.depth + 1 >= s->exec->limit; // the step will not be taken, nor would another
    if (!is_cut && (level.outcomes || !set_is_empty(&level.untried)))
        frontier_push(&p->frontier, &level);
    return true;
}

// Brings the target to the state of a level.
static void go_to(struct search_by_policy *p, const struct level *level)
{
    uint32_t common = level->depth;
    struct target *target = p->s.target;
    if (p->next != NEXT_LAST) { // the last place is on the way of the execution at hand
        frontier_way(&p->frontier, level->point, level->depth, p->plan);
        for (common = 0; common < level->depth && common < p->walked && common < p->s.exec->count &&
                         p->plan[common + 1] == p->way[common + 1];)
            common++;
    }
    target->restart(target, common);
    for (; common < level->depth; common++) {
        struct step step = frontier_step(&p->frontier, p->plan[common + 1]);
        p->way[common + 1] = p->plan[common + 1];
        target->step(target, step.actor, step.alternative);
    }
    p->walked = level->depth;
    p->forced = level->forced;
    p->circles.rank = level->rank;
}

// Of some random ones, the one that comes first in this order.
static struct level *choose_among(struct search_by_policy *p, int tries,
                                  bool (*before)(const struct search_by_policy *, const struct level *,
                                                 const struct level *))
{
    struct frontier *f = &p->frontier;
    uint32_t best = draw_below(&p->draw, f->open_count);
    for (int i = 1; i < tries; i++) {
        uint32_t other = draw_below(&p->draw, f->open_count);
        if (before(p, &f->open[other], &f->open[best]))
            best = other;
    }
    return frontier_take(f, best);
}

static bool is_nearer(const struct search_by_policy *p, const struct level *a, const struct level *b)
{
    (void)p;
    return a->depth < b->depth;
}

static bool is_rarer(const struct search_by_policy *p, const struct level *a, const struct level *b)
{
    uint32_t x = p->views[a->view], y = p->views[b->view];
    return x != y ? x < y : a->depth > b->depth;
}

// The one to go on at: the last; or of some random ones the nearest to the beginning, where more is to be decided; or the one
// whose nodes report what was seen most rarely, which is where deep executions come about.
static struct level *choose_level(struct search_by_policy *p)
{
    if (p->next == NEXT_FIRST)
        return frontier_first(&p->frontier);
    if (!p->jumps)
        return frontier_take(&p->frontier, p->frontier.open_count - 1);
    if (p->next == NEXT_TURNS && p->turn % 4 < 2)
        return choose_among(p, RARE_TRIES, is_rarer);
    return choose_among(p, TRIES, is_nearer);
}

// What samples may cost beside a search that has cost this much, in events of nodes, of which one of the search takes longer,
// since states are compared and events tried in both orders: more than the search at first, as much as
// the search for long, and little if they come to nothing new or the search goes on and on.
static uint64_t cost_of_samples(const struct search_by_policy *p)
{
    uint64_t cost = p->searching, first = cost < FIRST_COST ? cost : FIRST_COST,
             most = cost < MOST_COST ? cost : MOST_COST;
    return p->sampler.in_vain > IN_VAIN ? cost / 16 : most + first + (cost - most) / 4;
}

// Whether a sample comes next.
static bool samples_next(struct search_by_policy *p)
{
    uint64_t cost = world.happened - p->happened;
    p->happened = world.happened;
    if (p->counts->samples)
        p->sampling += cost;
    else
        p->searching += SEARCH_COST * cost;
    return p->next == NEXT_SAMPLES ||
           (p->next == NEXT_TURNS && p->frontier.open_count && p->sampling < cost_of_samples(p));
}

static void begin_sample(struct search_by_policy *p)
{
    p->counts->samples = true;
    p->counts->sampled++;
    p->walked = 0;
    sampler_begin(&p->sampler);
}

// Depth-first search needs little memory for open places, whatever there is already.
static void look_at_memory(struct search_by_policy *p)
{
    size_t bytes = frontier_bytes(&p->frontier);
    p->counts->open = frontier_left(&p->frontier);
    if (p->most_bytes)
        p->is_narrow = bytes > (p->is_narrow ? p->most_bytes / 4 * 3 : p->most_bytes);
}

static void drop_level(struct search_by_policy *p)
{
    if (p->next == NEXT_FIRST)
        frontier_drop_first(&p->frontier);
    else
        frontier_drop(&p->frontier);
}

static void drop_handed(struct search_by_policy *p)
{
    if (p->next == NEXT_LAST) {
        frontier_shift(&p->frontier);
        return;
    }
    if (p->next != NEXT_FIRST)
        frontier_take(&p->frontier, 0);
    drop_level(p);
}

// Hands the places that have been open for longest to those who have none, and keeps one.
static void hand_out(struct search_by_policy *p)
{
    struct frontier *f = &p->frontier;
    while (p->searchers && frontier_left(f) > 1 && searchers_are_wanting(p->searchers)) {
        const struct level *level = &f->open[f->first];
        frontier_way(f, level->point, level->depth, p->plan);
        for (uint32_t i = 0; i < level->depth; i++)
            p->handed[i] = frontier_step(f, p->plan[i + 1]);
        if (!searchers_give(p->searchers, level, p->handed))
            return;
        drop_handed(p);
    }
}

// False: the search has to end.
static bool await_turn(struct search_by_policy *p)
{
    if (p->next != NEXT_FIRST || !p->searchers)
        return true;
    while (!searchers_is_turn(p->searchers, frontier_first(&p->frontier)->depth)) {
        if (searchers_stopped(p->searchers) || searchers_have_lost(p->searchers))
            return false;
        hand_out(p);
        searchers_pause(p->searchers);
    }
    return true;
}

// Waits for a place to go on at, and goes there. False: there is none, and there will be none.
static bool take_over(struct search_by_policy *p)
{
    struct target *target = p->s.target;
    struct level level;
    if (!p->searchers || !searchers_take(p->searchers, &level, p->handed))
        return false;
    target->restart(target, 0);
    frontier_cut(&p->frontier, 0);
    for (uint32_t i = 0; i < level.depth; i++) {
        p->way[i + 1] = frontier_extend(&p->frontier, p->way[i], p->handed[i]);
        target->step(target, p->handed[i].actor, p->handed[i].alternative);
    }
    p->walked = level.depth;
    p->has_work = true;
    level.point = p->way[level.depth];
    frontier_push(&p->frontier, &level);
    return true;
}

static bool policy_next(struct strategy *s, uint32_t *depth)
{
    struct search_by_policy *p = self(s);
    look_at_memory(p);
    hand_out(p);
    p->counts->circles = false;
    if (p->next == NEXT_TURNS && !p->counts->samples)
        learn_usual(p);
    p->counts->samples = samples_next(p);
    if (p->counts->samples) {
        begin_sample(p);
        *depth = 0;
        return true;
    }
    p->salt = draw_word(&p->draw);
    p->jumps = !p->is_narrow && (p->next == NEXT_RANDOM || (p->next == NEXT_TURNS && ++p->turn % 4));
    if (p->next != NEXT_LAST)
        frontier_tidy(&p->frontier, p->way, p->walked < s->exec->count ? p->walked : s->exec->count);
    while (frontier_left(&p->frontier) || take_over(p)) {
        if (!await_turn(p))
            return false;
        struct level *level = choose_level(p);
        struct step step;
        go_to(p, level);
        if (p->next == NEXT_LAST)
            frontier_cut(&p->frontier, level->point);
        if (!try_next(p, level, &step)) {
            drop_level(p);
            continue;
        }
        if (!level->outcomes && set_is_empty(&level->untried))
            drop_level(p);
        walk(p, step);
        p->is_back = true;
        *depth = s->exec->count;
        return true;
    }
    return false;
}

static void tell_proposals(struct search_by_policy *p)
{
    struct buffer text = {0};
    proposals_tell(&p->proposals, &text);
    stpncpy(p->counts->proposed, buffer_text(&text), sizeof p->counts->proposed - 1);
    buffer_free(&text);
    proposals_close(&p->proposals);
}

static void policy_free(struct strategy *s)
{
    struct search_by_policy *p = self(s);
    tell_proposals(p);
    size_t points = (s->exec->limit + 2) * sizeof *p->way;
    mem_release(p->way, points);
    mem_release(p->plan, points);
    mem_release(p->handed, (s->exec->limit + 2) * sizeof *p->handed);
    mem_release(p->views, VIEWS * sizeof *p->views);
    frontier_close(&p->frontier);
    sampler_close(&p->sampler);
    circles_close(&p->circles);
    reduction_close(&p->by);
    if (p->marks)
        reduction_close(&p->mark);
    mem_release(p, sizeof *p);
}

struct strategy *policy_new(struct target *target, const struct policy_search *how, struct policy_counts *counts)
{
    struct search_by_policy *p = mem_reserve(sizeof *p);
    size_t points = (target->exec->limit + 2) * sizeof *p->way;
    p->s = (struct strategy){.name = "policy",
                             .target = target,
                             .exec = target->exec,
                             .pick = policy_pick,
                             .next = policy_next,
                             .free = policy_free};
    p->counts = counts;
    p->next = how->next;
    p->jumps = how->next == NEXT_RANDOM;
    p->marks = how->mark != NULL;
    p->branching = how->keeping.branching;
    p->patience = how->patience;
    if (how->proposes)
        proposals_open(&p->proposals, how->seed);
    p->most_bytes = how->keeping.memory / 3;
    draw_begin(&p->draw, how->seed, 0);
    p->way = mem_reserve(points);
    p->plan = mem_reserve(points);
    p->handed = mem_reserve((target->exec->limit + 2) * sizeof *p->handed);
    p->searchers = how->searchers;
    p->has_work = !p->searchers || !p->searchers->me; // the first one begins at the beginning
    p->views = mem_reserve(VIEWS * sizeof *p->views);
    frontier_open(&p->frontier);
    circles_open(&p->circles);
    reduction_open(&p->by, &how->policy, &how->keeping, counts);
    p->by.shared = p->searchers ? p->searchers->states : NULL;
    sampler_open(&p->sampler, &p->s, how->seed);
    if (p->marks)
        reduction_open(&p->mark, how->mark, &(struct state_keeping){.exact = false}, counts);
    if (p->next == NEXT_SAMPLES)
        begin_sample(p);
    return &p->s;
}
