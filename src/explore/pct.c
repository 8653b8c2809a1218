// Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010). Each actor has a random
// priority, and always the one with the highest that can run goes on. At depth - 1 random events the priority of the one
// about to run becomes lower than all others'. A bug of that depth (it needs so many events to come in a certain order)
// shows in one execution with a probability of at least 1/(n·k^(depth-1)), for n actors and at most k events.
//
// What the paper takes as given is measured here: k is the length of the longest execution so far and an eighth more, n
// the number of actors ever seen. While they still grow the executions do not count for the probability (account.runs).
//
// An actor that waits for another by going in circles must not keep the highest priority. One that the target knows to
// spin cannot run at all until something changes; one that yields, or takes more events in a row than whole executions
// have, goes to the end of the line; what the paper proves does not hold for such executions (account.put_last). Outcomes
// that the search may choose are drawn uniformly, so that a bug that needs certain ones is found as much more rarely as
// there are ways to draw them (account.outcomes).
#include "base/mem.h"
#include "explore/draw.h"
#include "explore/strategy.h"

enum { PATIENCE = 1000 }; // events in a row that are never too many

struct pct {
    struct strategy s;
    uint32_t root;
    const struct step *prefix;
    uint64_t seed, run, runs;
    struct draw draw;
    uint32_t changes;                // depth - 1
    uint32_t change[PCT_MOST_DEPTH]; // positions from the root on
    int64_t priority[MAX_ACTORS];    // 0: not drawn yet. Drawn ones are above PCT_MOST_DEPTH, changed ones below
    int64_t last_in_line;            // below all that was given so far
    uint32_t in_a_row;               // events of the actor that ran last
    double outcomes;                 // in how many ways the choices of this execution could have been drawn so far
};

static struct pct *self(struct strategy *s)
{
    return (struct pct *)s;
}

static void begin(struct pct *p)
{
    draw_begin(&p->draw, p->seed, p->run);
    for (uint32_t i = 0; i < MAX_ACTORS; i++)
        p->priority[i] = 0;
    for (uint32_t i = 0; i < p->changes; i++) // the first execution is to measure, and has none
        p->change[i] = p->s.account.length ? draw_below(&p->draw, p->s.account.length) : UINT32_MAX;
    p->last_in_line = 0;
    p->in_a_row = 0;
    p->outcomes = 1;
}

static int64_t priority(struct pct *p, uint32_t actor)
{
    if (!p->priority[actor])
        p->priority[actor] = (int64_t)(draw_word(&p->draw) >> 2) + PCT_MOST_DEPTH + 1;
    return p->priority[actor];
}

// Sends the actor of the last event to the end of the line if it does not get on.
static void look_back(struct pct *p)
{
    const struct exec *x = p->s.exec;
    uint32_t at = x->count;
    if (at <= p->root)
        return;
    const struct event *e = &x->events[at - 1];
    bool same = at - 1 > p->root && x->events[at - 2].actor == e->actor;
    p->in_a_row = same ? p->in_a_row + 1 : 1;
    uint32_t most = p->s.account.length > PATIENCE ? p->s.account.length : PATIENCE;
    if (e->kind == OP_YIELD || p->in_a_row >= most) {
        p->priority[e->actor] = --p->last_in_line;
        p->s.account.put_last = true;
        p->in_a_row = 0;
    }
}

static int highest(struct pct *p)
{
    const struct exec *x = p->s.exec;
    int best = -1;
    for (uint32_t word = 0; word * 64 < x->known; word++) {
        for (uint64_t bits = x->parked[word]; bits; bits &= bits - 1) {
            uint32_t actor = word * 64 + (uint32_t)__builtin_ctzll(bits);
            if ((best < 0 || priority(p, actor) > priority(p, (uint32_t)best)) &&
                p->s.target->ready(p->s.target, actor))
                best = (int)actor;
        }
    }
    return best;
}

static bool pct_pick(struct strategy *s, struct step *next)
{
    struct pct *p = self(s);
    uint32_t at = s->exec->count;
    if (at < p->root) {
        *next = p->prefix[at];
        return true;
    }
    look_back(p);
    int actor = highest(p);
    for (uint32_t i = 0; i < p->changes && actor >= 0; i++) {
        if (p->change[i] != at - p->root)
            continue;
        p->priority[actor] = i + 1;
        actor = highest(p);
    }
    if (actor < 0)
        return false;
    next->actor = (uint16_t)actor;
    uint32_t alternatives = s->exec->actors[actor].pending.alternatives;
    next->alternative = (uint16_t)draw_below(&p->draw, alternatives);
    if (alternatives > 1 && p->outcomes < 1e300)
        p->outcomes *= alternatives;
    return true;
}

// Whether the execution that has ended was drawn from the right numbers; otherwise they grow.
static void measure(struct pct *p)
{
    struct account *account = &p->s.account;
    uint32_t length = p->s.exec->count - p->root;
    bool fits = account->length && length <= account->length && p->s.exec->known <= account->threads;
    if (length > account->length || !account->length)
        account->length = length + length / 8 + 1;
    account->threads = p->s.exec->known;
    if (p->outcomes > account->outcomes)
        account->outcomes = p->outcomes;
    account->runs = fits ? account->runs + 1 : 0;
}

static bool pct_next(struct strategy *s, uint32_t *depth)
{
    struct pct *p = self(s);
    measure(p);
    if (++p->run >= p->runs)
        return false;
    begin(p);
    *depth = p->root;
    return true;
}

static void pct_free(struct strategy *s)
{
    mem_release(s, sizeof(struct pct));
}

struct strategy *pct_new(struct target *target, const struct strategy_options *options)
{
    struct pct *p = mem_reserve(sizeof *p);
    p->s = (struct strategy){
        .name = "pct", .target = target, .exec = target->exec, .pick = pct_pick, .next = pct_next, .free = pct_free};
    p->root = options->root;
    p->prefix = options->prefix;
    p->seed = options->seed;
    p->runs = options->runs;
    p->s.account.outcomes = 1;
    p->changes = options->depth ? options->depth - 1 : 0;
    begin(p);
    return &p->s;
}
