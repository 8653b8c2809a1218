// Search with sleep sets (Godefroid). An event sleeps at a state if everything below it there is covered from an earlier
// choice; it goes on sleeping past events that are independent of it *in the state where they happen*, so that what two
// messages do to each other may change with the state. Sleep sets alone leave out orders, never states: every global state
// that can be reached is come to, and `check` is asked in it.
//
// Choices (does the message get lost?) are independent of everything and taken at once, the fault first: bugs are where
// things go wrong.
//
// States at which something is left to try are kept with the way there (frontier.h). Going on at the last of them is
// depth-first search. Going on at a random one, in a random way, comes to every part of the space early, never runs the
// same twice, and covers everything in the end, at the price of memory: with no policy this is the seed's random + DPOR.
// Every second execution in one way and the others in the other (NEXT_TURNS) is the default.
#include "cluster/policy.h"

#include <string.h>

#include "base/mem.h"
#include "cluster/frontier.h"
#include "cluster/reduction.h"
#include "explore/draw.h"
#include "target/nodes/world.h"

enum { TRIES = 4, UNRANKED = 8, TIMER_ODDS = 16 };

struct search_by_policy {
    struct strategy s;
    struct policy_counts *counts;
    struct reduction by, mark;
    bool marks;
    enum policy_next next;
    bool jumps; // this execution is a random one
    struct draw draw;
    uint64_t salt; // of the ranks in this execution
    struct frontier frontier;
    uint32_t *way;  // the points of the execution at hand
    uint32_t *plan; // those of the way to go
    // The state that was come to: what sleeps there, and whether `mark` would be there.
    struct actor_set sleep, marked_sleep;
    bool marked;
    bool is_back; // at the last open level, of which something is to be tried
};

static struct search_by_policy *self(struct strategy *s)
{
    return (struct search_by_policy *)s;
}

// What there is to try at the state at hand. False: nothing.
static bool look_at(struct search_by_policy *p, struct level *level)
{
    uint32_t at = p->s.exec->count;
    *level = (struct level){
        .point = p->way[at], .depth = at, .sleep = p->sleep, .marked_sleep = p->marked_sleep, .marked = p->marked};
    for (uint32_t actor = 0; actor < p->s.exec->known; actor++) {
        if (!can_run(&p->s, actor))
            continue;
        if (p->s.exec->actors[actor].pending.kind == OP_CHOOSE) {
            memset(&level->todo, 0, sizeof level->todo);
            set_put(&level->todo, actor);
            level->chooses = true;
            return true;
        }
        set_put(&level->todo, actor);
    }
    if (set_is_empty(&level->todo)) {
        p->counts->complete++;
        p->counts->marked += p->marks && level->marked;
        return false;
    }
    bool repeats = reduction_was_here(&p->by, &level->sleep);
    if (p->marks && !level->marked)
        level->marked = reduction_was_here(&p->mark, &level->marked_sleep);
    set_subtract(&level->todo, &level->sleep);
    repeats |= set_is_empty(&level->todo);
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
        return (uint16_t)set_nth(&level->todo, p->jumps ? draw_below(&p->draw, count) : 0);
    int best = -1;
    for (uint32_t i = 0; i < count; i++) {
        int actor = set_nth(&level->todo, i);
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
        uint32_t count = set_count(&level->todo);
        if (!count)
            return false;
        level->actor = choose_actor(p, level, count);
        set_drop(&level->todo, level->actor);
        if (level->chooses || !reduction_symmetric(&p->by, level->actor, &level->sleep))
            break;
    }
    if (p->marks && !level->chooses)
        level->marks_actor = level->marked || set_has(&level->marked_sleep, level->actor) ||
                             reduction_symmetric(&p->mark, level->actor, &level->marked_sleep);
    can_run(&p->s, level->actor); // says how many outcomes there are in this state
    level->outcomes = (uint8_t)((1u << p->s.exec->actors[level->actor].pending.alternatives) - 1);
    level->begun = true;
    return true;
}

// Which of the outcomes of a choice that are left: the fault, unless it is left to chance. Timers are set so often that with
// even chances the first ones would use up what there is.
static uint32_t draw_outcome(struct search_by_policy *p, const struct level *level, uint32_t count)
{
    if (!p->jumps || count < 2)
        return count - 1;
    bool is_timer = world.channel[world.channel_of[level->actor]].kind == CHANNEL_TIMER;
    return draw_below(&p->draw, is_timer ? TIMER_ODDS : 2) == 1;
}

static uint16_t next_outcome(struct search_by_policy *p, struct level *level)
{
    uint32_t count = (uint32_t)__builtin_popcount(level->outcomes);
    uint32_t skip = level->chooses ? draw_outcome(p, level, count) : 0;
    uint32_t bits = level->outcomes;
    while (skip--)
        bits &= bits - 1;
    uint16_t outcome = (uint16_t)__builtin_ctz(bits);
    level->outcomes &= (uint8_t) ~(1u << outcome);
    return outcome;
}

static void pass(struct search_by_policy *p, struct reduction *by, const struct level *level,
                 const struct actor_set *asleep, struct actor_set *next)
{
    memset(next, 0, sizeof *next);
    for (uint32_t actor = 0; actor < p->s.exec->known; actor++)
        if (set_has(asleep, actor) && actor != level->actor &&
            (level->chooses || reduction_independent(by, actor, level->actor)))
            set_put(next, actor);
}

// What sleeps after the step that the level takes.
static void pass_sleep(struct search_by_policy *p, const struct level *level)
{
    pass(p, &p->by, level, &level->sleep, &p->sleep);
    p->marked = level->marked || level->marks_actor;
    if (p->marks && !p->marked)
        pass(p, &p->mark, level, &level->marked_sleep, &p->marked_sleep);
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
}

static bool policy_pick(struct strategy *s, struct step *next)
{
    struct search_by_policy *p = self(s);
    if (p->is_back) {
        p->is_back = false;
        *next = frontier_step(&p->frontier, p->way[s->exec->count + 1]);
        return true;
    }
    struct level level;
    if (!look_at(p, &level) || !try_next(p, &level, next))
        return false;
    walk(p, *next);
    bool is_cut = level.depth + 1 >= s->exec->limit; // the step will not be taken, nor would another
    if (!is_cut && (level.outcomes || !set_is_empty(&level.todo)))
        frontier_push(&p->frontier, &level);
    return true;
}

// Brings the target to the state of a level.
static void go_to(struct search_by_policy *p, const struct level *level)
{
    uint32_t common = level->depth;
    struct target *target = p->s.target;
    frontier_way(&p->frontier, level->point, level->depth, p->plan);
    if (p->next != NEXT_LAST)
        for (common = 0;
             common < level->depth && common < p->s.exec->count && p->plan[common + 1] == p->way[common + 1];)
            common++;
    target->restart(target, common);
    for (; common < level->depth; common++) {
        struct step step = frontier_step(&p->frontier, p->plan[common + 1]);
        p->way[common + 1] = p->plan[common + 1];
        target->step(target, step.actor, step.alternative);
    }
}

// The one to go on at: the last, or of some random ones the nearest to the beginning, where more is to be decided.
static struct level *choose_level(struct search_by_policy *p)
{
    struct frontier *f = &p->frontier;
    uint32_t best = p->jumps ? draw_below(&p->draw, f->open_count) : f->open_count - 1;
    for (int i = 1; p->jumps && i < TRIES; i++) {
        uint32_t other = draw_below(&p->draw, f->open_count);
        if (f->open[other].depth < f->open[best].depth)
            best = other;
    }
    return frontier_take(f, best);
}

static bool policy_next(struct strategy *s, uint32_t *depth)
{
    struct search_by_policy *p = self(s);
    p->salt = draw_word(&p->draw);
    p->jumps = p->next == NEXT_RANDOM || (p->next == NEXT_TURNS && !p->jumps);
    if (p->next != NEXT_LAST)
        frontier_tidy(&p->frontier, p->way, s->exec->count);
    while (p->frontier.open_count) {
        struct level *level = choose_level(p);
        struct step step;
        go_to(p, level);
        if (p->next == NEXT_LAST)
            frontier_cut(&p->frontier, level->point);
        if (!try_next(p, level, &step)) {
            frontier_drop(&p->frontier);
            continue;
        }
        if (!level->outcomes && set_is_empty(&level->todo))
            frontier_drop(&p->frontier);
        walk(p, step);
        p->is_back = true;
        *depth = s->exec->count;
        return true;
    }
    return false;
}

static void policy_free(struct strategy *s)
{
    struct search_by_policy *p = self(s);
    size_t points = (s->exec->limit + 2) * sizeof *p->way;
    mem_release(p->way, points);
    mem_release(p->plan, points);
    frontier_close(&p->frontier);
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
    draw_begin(&p->draw, how->seed, 0);
    p->way = mem_reserve(points);
    p->plan = mem_reserve(points);
    frontier_open(&p->frontier);
    reduction_open(&p->by, &how->policy, counts);
    if (p->marks)
        reduction_open(&p->mark, how->mark, counts);
    return &p->s;
}
