// One execution: the steps of a given schedule for as long as they fit, then the usual choice (replay); or each step as
// soon as it can be taken, those that cannot yet being put off, and the usual choice when none can (guided); or with the
// minor steps in between that the schedule does not have (refined).
#include "base/mem.h"
#include "explore/strategy.h"

struct replay {
    struct strategy s;
    uint32_t root;
    const struct step *prefix;
    bool unlocks;   // refined: letting go is in the schedule
    uint32_t first; // guided: step that waits; refined: the next one …
    uint8_t *taken; // … and which of those after it do not
};

static bool can_follow(const struct strategy *s, struct step step)
{
    return step.actor < s->exec->known && can_run(s, step.actor) &&
           step.alternative < s->exec->actors[step.actor].pending.alternatives;
}

static bool replay_pick(struct strategy *s, struct step *next)
{
    struct replay *r = (struct replay *)s;
    uint32_t at = s->exec->count;
    if (at < r->root && can_follow(s, r->prefix[at])) {
        *next = r->prefix[at];
        return true;
    }
    if (at < r->root && !s->redundant)
        s->redundant = at + 1; // where the program first did something else
    int actor = usual_choice(s);
    if (actor < 0)
        return false;
    *next = (struct step){(uint16_t)actor, 0};
    return true;
}

enum { PUT_OFF = 4096 }; // how far behind the first step that waits another may be taken

static bool guided_pick(struct strategy *s, struct step *next)
{
    struct replay *r = (struct replay *)s;
    while (r->first < r->root && r->taken[r->first])
        r->first++;
    uint64_t blocked[MAX_ACTORS / 64] = {0}; // a thread's own steps keep their order
    for (uint32_t i = r->first; i < r->root && i < r->first + PUT_OFF; i++) {
        struct step step = r->prefix[i];
        uint64_t *word = &blocked[step.actor / 64 % (MAX_ACTORS / 64)], bit = 1ull << (step.actor % 64);
        if (r->taken[i] || *word & bit)
            continue;
        if (can_follow(s, step)) {
            r->taken[i] = 1;
            *next = step;
            return true;
        }
        *word |= bit;
    }
    int actor = usual_choice(s);
    *next = (struct step){(uint16_t)actor, 0};
    return actor >= 0;
}

static bool can_take_minor(const struct replay *r, uint32_t actor)
{
    const struct strategy *s = &r->s;
    return can_run(s, actor) && op_is_minor(s->exec->actors[actor].pending.kind, r->unlocks);
}

// A minor step: of whoever ran last, if it lets go of something, since that was part of its step; otherwise of the one whose
// step is next; or of anybody, if that one can do nothing yet.
static int minor_step(const struct replay *r)
{
    const struct exec *x = r->s.exec;
    uint32_t last = exec_last_to_run(x), next = r->first < r->root ? r->prefix[r->first].actor : last;
    enum op_kind kind = x->actors[last].pending.kind;
    if (can_take_minor(r, last) && op_table[kind].minor == MINOR_LETS_GO)
        return (int)last;
    if (next < x->known && can_take_minor(r, next))
        return (int)next;
    if (r->first < r->root && can_follow(&r->s, r->prefix[r->first]))
        return -1;
    for (uint32_t actor = 0; actor < x->known; actor++)
        if (can_take_minor(r, actor))
            return (int)actor;
    return -1;
}

static bool refined_pick(struct strategy *s, struct step *next)
{
    struct replay *r = (struct replay *)s;
    int actor = minor_step(r);
    if (actor < 0 && r->first < r->root && can_follow(s, r->prefix[r->first])) {
        *next = r->prefix[r->first++];
        return true;
    }
    if (actor < 0)
        actor = usual_choice(s);
    *next = (struct step){(uint16_t)actor, 0};
    return actor >= 0;
}

static bool replay_next(struct strategy *s, uint32_t *depth)
{
    (void)s;
    (void)depth;
    return false;
}

static void replay_free(struct strategy *s)
{
    struct replay *r = (struct replay *)s;
    mem_release(r->taken, r->root + 1ull);
    mem_release(s, sizeof(struct replay));
}

struct strategy *replay_new(struct target *target, const struct strategy_options *options)
{
    struct replay *r = mem_reserve(sizeof *r);
    r->s = (struct strategy){.name = "replay",
                             .target = target,
                             .exec = target->exec,
                             .pick = replay_pick,
                             .next = replay_next,
                             .free = replay_free};
    r->root = options->root;
    r->prefix = options->prefix;
    r->unlocks = options->unlocks;
    r->taken = mem_reserve(r->root + 1ull);
    return &r->s;
}

struct strategy *guided_new(struct target *target, const struct strategy_options *options)
{
    struct strategy *s = replay_new(target, options);
    s->name = "guided";
    s->pick = guided_pick;
    return s;
}

struct strategy *refined_new(struct target *target, const struct strategy_options *options)
{
    struct strategy *s = replay_new(target, options);
    s->name = "refined";
    s->pick = refined_pick;
    return s;
}
