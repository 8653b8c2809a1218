// Schedule fuzzing guided by what reads saw, after RFF (Wolff, Shi, Duck, Mathur, Roychoudhury, Greybox fuzzing for
// concurrency testing, ASPLOS 2024). Executions in which a read saw a write that it had not seen before (pairs.h) are kept,
// and new ones are made from them.
//
// An execution is drawn in one of two ways. Either it is steered towards one pair that is still missing, of all that the spots
// seen so far could make (goals.h). Or it repeats the beginning of one that was kept, up to some event, and goes on at random, perhaps
// towards a pair. Where nothing steers it, whoever ran last goes on with a probability that is drawn for the execution: bugs
// that need few switches are found in some of them, and those that need many in others.
//
// RFF keeps sets of pairs and draws everything else anew. Here the steps themselves are kept: going back to the middle of
// an execution costs nothing, and what has been reached with luck need not be reached again.
#include "explore/fuzz.h"

#include "base/mem.h"
#include "explore/draw.h"
#include "explore/goals.h"
#include "explore/pairs.h"
#include "explore/strategy.h"

enum {
    TRIES = 3,            // to meet a pair
    HARDLY_EVER = 16,     // times as many executions without anything new: then what is wanted can hardly be met
    WANTED = 1 << 16,     // pairs to be tried; the others are left to chance
    KEPT = 1 << 12,       // executions; there is no room for more …
    KEPT_STEPS = 1 << 24, // … or for more steps of all of them
};

// A pair that was never seen, or two that no actor had one right after the other.
struct wanted {
    struct goal goal, then; // then.look: NOBODY: there is one only
    uint32_t tries;
};

// A ring of them.
struct wishes {
    struct wanted *list;
    uint32_t first, count;
};

// An execution in which something was new.
struct kept {
    uint32_t start, length; // in `steps`
    uint32_t newest;        // event at which the last new thing was seen
    uint32_t picks;
};

struct fuzz {
    struct strategy s;
    uint32_t root;
    const struct step *prefix;
    uint64_t seed, run, runs;
    struct draw draw;
    struct pairs *pairs;
    bool own_pairs;
    uint32_t
        most_quiet; // ends when nothing is wanted any more, and nothing was new for so many executions; 0: it does not
    uint32_t quiet; // executions since there was something new
    struct wishes single, twofold;
    uint32_t spots, successions; // whose pairs are wanted
    struct kept kept[KEPT];
    uint32_t kept_count;
    struct step *steps;
    uint32_t steps_used;
    // The execution under way.
    struct step *plan; // to be repeated
    uint32_t planned;
    struct goals goals;
    struct wanted aim; // what it is steered to; look: NOBODY: nothing
    double stay;       // probability that whoever ran last goes on
};

static struct fuzz *self(struct strategy *s)
{
    return (struct fuzz *)s;
}

// ---- pairs that are wanted ----

static void want(struct wishes *wishes, struct wanted w)
{
    if (wishes->count < WANTED)
        wishes->list[(wishes->first + wishes->count++) % WANTED] = w;
}

static bool can_be_pair(const struct fuzz *f, uint32_t change, uint32_t look)
{
    return pairs_spot(f->pairs, look)->looks && (change == NOBODY || pairs_spot(f->pairs, change)->changes);
}

static void want_pair(struct fuzz *f, uint32_t change, uint32_t look)
{
    if (can_be_pair(f, change, look))
        want(&f->single, (struct wanted){.goal = {.change = change, .look = look}});
}

// All pairs of a new spot with those that were there before.
static void want_pairs_of(struct fuzz *f, uint32_t spot)
{
    want_pair(f, NOBODY, spot);
    want_pair(f, spot, spot);
    for (uint32_t o = pairs_spot(f->pairs, spot)->other; o; o = pairs_spot(f->pairs, o)->other) {
        want_pair(f, o, spot);
        want_pair(f, spot, o);
    }
}

// Goes through the spots on the object that `look` looks at; NOBODY is the last.
static uint32_t first_change(const struct fuzz *f, uint32_t look)
{
    return pairs_first_spot(f->pairs, pairs_spot(f->pairs, look)->object);
}

static uint32_t next_change(const struct fuzz *f, uint32_t change)
{
    return pairs_spot(f->pairs, change)->other;
}

static void want_both(struct fuzz *f, uint32_t change, uint32_t look, uint32_t then_change, uint32_t then_look)
{
    if (can_be_pair(f, change, look) && can_be_pair(f, then_change, then_look))
        want(&f->twofold, (struct wanted){.goal = {.change = change, .look = look},
                                          .then = {.change = then_change, .look = then_look, .then = true}});
}

// What an actor can see that looks at one spot and then at another.
static void want_succession(struct fuzz *f, uint32_t number)
{
    uint32_t look, then;
    pairs_succession(f->pairs, number, &look, &then);
    for (uint32_t a = first_change(f, look);; a = next_change(f, a)) {
        for (uint32_t b = first_change(f, then);; b = next_change(f, b)) {
            want_both(f, a, look, b, then);
            if (b == NOBODY)
                break;
        }
        if (a == NOBODY)
            break;
    }
}

static void want_new(struct fuzz *f)
{
    while (f->spots < pairs_spots(f->pairs))
        want_pairs_of(f, ++f->spots);
    while (f->successions < pairs_successions(f->pairs))
        want_succession(f, f->successions++);
}

static bool is_covered(const struct fuzz *f, const struct wanted *w)
{
    if (w->then.look)
        return pairs_covers_both(f->pairs, w->goal.change, w->goal.look, w->then.change, w->then.look);
    return pairs_covers(f->pairs, w->goal.change, w->goal.look);
}

// The next that is still missing; false if there is none.
static bool next_wanted(struct fuzz *f, struct wishes *wishes)
{
    while (wishes->count) {
        f->aim = wishes->list[wishes->first];
        wishes->first = (wishes->first + 1) % WANTED;
        wishes->count--;
        if (!is_covered(f, &f->aim))
            return true;
    }
    return false;
}

// ---- executions that are kept ----

static void keep(struct fuzz *f)
{
    const struct exec *x = f->s.exec;
    if (!x->count || f->kept_count == KEPT || f->steps_used + x->count > KEPT_STEPS)
        return;
    f->kept[f->kept_count++] = (struct kept){f->steps_used, x->count, pairs_newest(f->pairs), 0};
    for (uint32_t i = 0; i < x->count; i++)
        f->steps[f->steps_used++] = (struct step){x->events[i].actor, x->events[i].alternative};
}

void fuzz_keep(struct strategy *fuzz)
{
    keep(self(fuzz));
}

// Of a few the one that was used least, or one of the newest.
static struct kept *choose_kept(struct fuzz *f)
{
    enum { FEW = 4, NEWEST = 16 };
    uint32_t n = f->kept_count;
    if (draw_below(&f->draw, 2))
        return &f->kept[n - 1 - draw_below(&f->draw, n < NEWEST ? n : NEWEST)];
    struct kept *best = &f->kept[draw_below(&f->draw, n)];
    for (uint32_t i = 1; i < FEW; i++) {
        struct kept *other = &f->kept[draw_below(&f->draw, n)];
        best = other->picks < best->picks ? other : best;
    }
    return best;
}

// Repeats it up to some event: any, or one about where something new was seen.
static void plan_from(struct fuzz *f, struct kept *k)
{
    enum { ABOUT = 8 };
    uint32_t to = draw_below(&f->draw, k->length + 1);
    if (draw_below(&f->draw, 2)) {
        to = k->newest + 2 + draw_below(&f->draw, ABOUT / 2);
        uint32_t back = draw_below(&f->draw, ABOUT);
        to = to > back ? to - back : 0;
    }
    f->planned = to < k->length ? to : k->length - 1;
    for (uint32_t i = 0; i < f->planned; i++)
        f->plan[i] = f->steps[k->start + i];
    k->picks++;
}

// ---- one execution ----

// Any pair, be it one that was seen: each spot that can change the object, and NOBODY, with the same probability.
static void draw_pair(struct fuzz *f)
{
    uint32_t look = 1 + draw_below(&f->draw, pairs_spots(f->pairs)), change = NOBODY, choices = 1;
    if (!pairs_spot(f->pairs, look)->looks)
        return;
    for (uint32_t o = first_change(f, look); o; o = next_change(f, o))
        if (pairs_spot(f->pairs, o)->changes && !draw_below(&f->draw, ++choices))
            change = o;
    f->goals.open[f->goals.count++] = (struct goal){.change = change, .look = look};
}

static void begin(struct fuzz *f)
{
    static const double stay[] = {0, 0.5, 0.9, 0.97};
    draw_begin(&f->draw, f->seed, f->run);
    f->planned = f->goals.count = 0;
    f->aim = (struct wanted){.goal.look = NOBODY};
    f->stay = f->run ? stay[draw_below(&f->draw, sizeof stay / sizeof *stay)] : 1;
    if (!f->run)
        return;
    bool rather_kept = f->run > 2 && draw_below(&f->draw, 2);
    if (!rather_kept && (next_wanted(f, &f->single) || next_wanted(f, &f->twofold))) {
        f->goals.open[f->goals.count++] = f->aim.goal;
        if (f->aim.then.look)
            f->goals.open[f->goals.count++] = f->aim.then;
    } else if (f->kept_count) {
        plan_from(f, choose_kept(f));
        if (draw_below(&f->draw, 2) && pairs_spots(f->pairs))
            draw_pair(f);
    }
}

static bool is_among(uint32_t actor, const uint16_t *actors, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (actors[i] == actor)
            return true;
    return false;
}

// Among those that may go on freely, or else among those that are held back; -1 if nobody can run.
static int choose_actor(struct fuzz *f)
{
    const struct exec *x = f->s.exec;
    uint16_t may[MAX_ACTORS], held[MAX_ACTORS];
    uint32_t free_count = 0, held_count = 0;
    for (uint32_t word = 0; word * 64 < x->known; word++)
        for (uint64_t bits = x->parked[word]; bits; bits &= bits - 1) {
            uint32_t actor = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if (!f->s.target->ready(f->s.target, actor))
                continue;
            enum stance stance = goals_stance(&f->goals, f->pairs, actor, x->actors[actor].pending.object);
            if (stance == STANCE_URGED)
                return (int)actor;
            if (stance == STANCE_HELD)
                held[held_count++] = (uint16_t)actor;
            else
                may[free_count++] = (uint16_t)actor;
        }
    const uint16_t *from = free_count ? may : held;
    uint32_t n = free_count ? free_count : held_count, last = exec_last_to_run(x);
    if (!n)
        return -1;
    if (draw_fraction(&f->draw) < f->stay && is_among(last, from, n))
        return (int)last;
    return from[draw_below(&f->draw, n)];
}

// The first execution is the usual one.
static bool fuzz_pick(struct strategy *s, struct step *next)
{
    struct fuzz *f = self(s);
    uint32_t at = s->exec->count;
    pairs_follow(f->pairs);
    if (at < f->root) {
        *next = f->prefix[at];
    } else if (at < f->planned && can_run(s, f->plan[at].actor)) {
        *next = f->plan[at];
    } else {
        int actor = f->run ? choose_actor(f) : usual_choice(s);
        if (actor < 0)
            return false;
        uint32_t alternatives = s->exec->actors[actor].pending.alternatives;
        *next = (struct step){(uint16_t)actor, (uint16_t)(f->run ? draw_below(&f->draw, alternatives) : 0)};
    }
    goals_step(&f->goals, f->pairs, next->actor, s->exec->actors[next->actor].pending.object);
    pairs_step(f->pairs, next->actor);
    return true;
}

// How much of the plan the execution that has ended has too. Never all of it: what was left of it may have gone on since, with
// nothing to take back.
static uint32_t common_steps(const struct fuzz *f)
{
    const struct exec *x = f->s.exec;
    uint32_t i = f->root;
    while (i < f->planned && i + 1 < x->count && x->events[i].actor == f->plan[i].actor &&
           x->events[i].alternative == f->plan[i].alternative)
        i++;
    return i;
}

// Whether there is probably little left.
static bool has_enough(const struct fuzz *f)
{
    bool wants = f->single.count || f->twofold.count;
    return f->most_quiet && f->quiet >= f->most_quiet * (wants ? HARDLY_EVER : 1);
}

static bool fuzz_next(struct strategy *s, uint32_t *depth)
{
    struct fuzz *f = self(s);
    pairs_follow(f->pairs);
    bool fresh = pairs_news(f->pairs);
    if (fresh)
        keep(f);
    f->quiet = fresh ? 0 : f->quiet + 1;
    pairs_end(f->pairs);
    want_new(f);
    if (f->aim.goal.look && !is_covered(f, &f->aim) && ++f->aim.tries < TRIES)
        want(f->aim.then.look ? &f->twofold : &f->single, f->aim);
    if (++f->run >= f->runs || has_enough(f))
        return false;
    begin(f);
    *depth = common_steps(f);
    return true;
}

static void fuzz_free(struct strategy *s)
{
    struct fuzz *f = self(s);
    if (f->own_pairs)
        pairs_free(f->pairs);
    mem_release(f->single.list, WANTED * sizeof *f->single.list);
    mem_release(f->twofold.list, WANTED * sizeof *f->twofold.list);
    mem_release(f->steps, KEPT_STEPS * sizeof *f->steps);
    mem_release(f->plan, (s->exec->limit + 1ull) * sizeof *f->plan);
    mem_release(f, sizeof *f);
}

struct strategy *fuzz_new(struct target *target, const struct strategy_options *options)
{
    struct fuzz *f = mem_reserve(sizeof *f);
    f->s = (struct strategy){.name = "fuzz",
                             .target = target,
                             .exec = target->exec,
                             .pick = fuzz_pick,
                             .next = fuzz_next,
                             .free = fuzz_free};
    f->root = options->root;
    f->prefix = options->prefix;
    f->seed = options->seed;
    f->runs = options->runs;
    f->own_pairs = !options->pairs;
    f->pairs = f->own_pairs ? pairs_new(target) : options->pairs;
    f->most_quiet = options->quiet;
    f->single.list = mem_reserve(WANTED * sizeof *f->single.list);
    f->twofold.list = mem_reserve(WANTED * sizeof *f->twofold.list);
    f->steps = mem_reserve(KEPT_STEPS * sizeof *f->steps);
    f->plan = mem_reserve((target->exec->limit + 1ull) * sizeof *f->plan);
    begin(f);
    return &f->s;
}
