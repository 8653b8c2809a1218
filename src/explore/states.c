// Depth-first search of the graph of states: what was entered before is not entered again. Four of a kind:
//
// `states`  tries every actor in every state, as `dfs` does.
// `spor`    is S-POR (seed 001, Algorithm 1): where somebody's next operation has no effect, nobody else is tried, unless they
//           may end the process.
// `dlspor`  is DL-S-POR (seed 001, Algorithm 3): after trying one actor it looks at all that can follow, and tries others only
//           if something there depends on what that actor did.
// `sdpor`   is SDPOR (seed 002, Figures 4.5 and 4.6): each operation that an actor is about to do asks for that actor to be tried
//           in front of what it depends on, and where a known state is come to each operation that can follow there does (op_graph.h).
//
// What a state is the target says (strategy_options.state): everything on which depends what can still happen and what will be
// said of it. So leaving a state that was entered before leaves nothing out, whatever the path that led there.
//
// `dlspor` departs from the seed, which takes graphs to have no cycles and no deadlocks, in three ways. Operations that are
// pending count as operations that can follow, also those that wait. What can follow a state is kept with it as a set
// (futures.h), and not looked for in the graph again. And a state from which the search came back to one that is still open is
// expanded in full, since what follows it is not known yet.
//
// Why nothing is missed. Let s be a closed state and T the actors that it was tried with: all that can run, or some of which
// none has a rival outside T, where a rival of t is an actor with an operation in future(s after t) that depends on the one of t.
// Claim: whatever is done from s, in all, what each actor would do next is in future(s). By induction over the length of what is
// done, w. Of the actors of T, let t be the first to act in w, or any of them if none does. If something earlier in w depends on
// t's operation, take the first such, b, of another actor: what is before b is independent of t's operation, so that it can be
// done after it as well, and is shorter than w. So b is in future(s after t), and its actor is in T: it would have acted before
// t. Hence t's operation can be put in front, and what is left of w is shorter. If nobody of T acts in w, then all of w can be
// done after t's operation, and so on; this has an end, since in each cycle some state is expanded in full: the one from which
// the search came back to an open state.
// The same argument shows that each trace is met, so that races, deadlocks and failed assertions are.
//
// Actors that are of one kin may have changed places where a state is come to again (strategy_options.kin). What was found to follow
// a state is kept without saying which of a kin does it, as if each of them did.
//
// Whether a state has an end below it is known when it is closed, together with all others that it can come back to (Tarjan's
// components). If there is none, threads go round for ever, whoever runs.
#include <string.h>

#include "base/mem.h"
#include "explore/far_states.h"

static struct states *self(struct strategy *s)
{
    return (struct states *)s;
}

// In a row of states with one actor that can run so many are passed, and then all are kept: a circle of them has to be seen.
enum { PASSED_IN_A_ROW = 8 };

// Whether the actor is the only one that can run, and has no choice.
static bool is_forced(const struct states *st, int only)
{
    const struct strategy *s = &st->s;
    if (s->exec->actors[only].pending.alternatives > 1)
        return false;
    for (uint32_t actor = 0; actor < s->exec->known; actor++)
        if (actor != (uint32_t)only && can_run(s, actor))
            return false;
    return true;
}

// How many such states there are in a row, with this one; 0 if it is none.
static uint32_t forced_in_a_row(const struct states *st, uint32_t at, int actor)
{
    if (st->audit || !is_forced(st, actor))
        return 0;
    return at > st->options.root ? st->levels[at - 1].forced + 1 : 1;
}

// Takes the only step there is, and does not keep the state. (Seed 000, selective push on stack.)
static void pass(struct states *st, uint32_t at, int actor)
{
    st->levels[at] = (struct level){
        .actor = (uint16_t)actor, .passed = true, .order = UINT32_MAX, .low = UINT32_MAX, .future = states_pending(st)};
    st->length = at + 1;
}

static void enter(struct states *st, uint32_t at, struct fingerprint key, int actor)
{
    struct level *level = &st->levels[at];
    *level = (struct level){.key = key,
                            .actor = (uint16_t)actor,
                            .whole = st->reduction == ALL_ACTORS,
                            .order = st->open_count,
                            .low = st->open_count,
                            .future = states_pending(st)};
    if (st->options.likes)
        st->options.likes(st->options.state_context, level->likes);
    state_table_open(&st->table, key, level->order, at);
    level->stands_for = st->options.counterparts ? st->options.counterparts(st->options.state_context) : 1;
    st->s.account.stood_for += st->options.closed ? 0 : level->stands_for;
    st->open[st->open_count++].key = key;
    if (st->open_count > st->s.account.most_open)
        st->s.account.most_open = st->open_count;
    st->length = at + 1;
}

// The present state, which the newest step led to.
static struct fingerprint present(struct states *st, uint32_t at)
{
    struct fingerprint key;
    st->options.state(st->options.state_context, &key);
    if (st->audit && at > st->options.root) {
        const struct level *before = &st->levels[at - 1];
        state_audit_step(st->audit, before->key, (struct step){before->actor, before->alternative}, key);
    }
    return key;
}

static const struct state_entry *find_known(struct states *st, struct fingerprint key, struct state_entry *elsewhere)
{
    const struct state_entry *own = state_table_find(&st->table, key);
    if (own || !st->options.closed)
        return own;
    if (closed_states_find(st->options.closed, key, st->age, st->futures, elsewhere))
        return elsewhere;
    if (st->options.exchange)
        far_states_ask(st, key);
    return NULL;
}

// What is known of a state that was entered before.
static struct left known_below(struct states *st, const struct state_entry *known)
{
    st->s.account.known++;
    st->reached = known->key;
    st->to_be_audited = st->audit != NULL;
    if (known->mark == STATE_OPEN)
        return (struct left){.open = true, .low = known->order};
    return (struct left){
        .ends = known->mark == STATE_CLOSED, .leads_on = known->mark == STATE_ENDLESS, .future = known->future};
}

// Enters the present state if it is new. False if there is nothing to be done from it, and why is in `left`.
static bool plan(struct states *st, uint32_t at)
{
    int actor = states_first_choice(st);
    if (actor < 0) {
        st->left = (struct left){.ends = true, .future = states_pending(st)};
        if (st->audit)
            present(st, at);
        if (st->graph)
            states_ask_for_pending(st, false);
        return false;
    }
    can_run(&st->s, (uint32_t)actor); // brings the number of outcomes up to date
    uint32_t forced = forced_in_a_row(st, at, actor);
    if (forced && forced <= PASSED_IN_A_ROW) {
        if (st->graph)
            states_ask_for_pending(st, false);
        pass(st, at, actor);
        st->levels[at].forced = forced;
        return true;
    }
    struct fingerprint key = present(st, at);
    struct state_entry elsewhere;
    const struct state_entry *known = find_known(st, key, &elsewhere);
    if (st->graph)
        states_ask_for_pending(st, known);
    if (known) {
        st->left = known_below(st, known);
        return false;
    }
    enter(st, at, key, actor);
    st->levels[at].forced = forced;
    if (st->audit)
        state_audit_enter(st->audit, &st->s, key);
    return true;
}

// ---- showing that threads go round for ever ----

enum { SHOWN_STEPS = 1 << 14 };

// Whoever can run takes turns.
static int next_in_turn(const struct strategy *s)
{
    uint32_t known = s->exec->known, last = exec_last_to_run(s->exec);
    for (uint32_t i = 1; i <= known; i++)
        if (can_run(s, (last + i) % known))
            return (int)((last + i) % known);
    return -1;
}

// Whether everybody who can run now has done so from event `from` up to `until`.
static bool all_ran(const struct strategy *s, uint32_t from, uint32_t until)
{
    uint64_t ran[STATES_WORDS] = {0};
    for (uint32_t e = from; e < until; e++)
        ran[s->exec->events[e].actor / 64] |= 1ull << (s->exec->events[e].actor % 64);
    for (uint32_t actor = 0; actor < s->exec->known; actor++)
        if (can_run(s, actor) && !states_have(ran, actor))
            return false;
    return true;
}

// What a thread has on its stack before its first step is not the same in a run that is recorded: the circle begins after that.
static bool show_pick(struct states *st, struct step *next)
{
    struct strategy *s = &st->s;
    uint32_t taken = s->exec->count - st->show.from;
    struct fingerprint now;
    st->options.exact_state(st->options.state_context, &now);
    for (uint32_t i = 0; i < taken; i++) {
        uint32_t begins = st->show.from + i;
        bool same = st->show.state[i].low == now.low && st->show.state[i].high == now.high;
        if (same && all_ran(s, 0, begins) && all_ran(s, begins, s->exec->count))
            s->round = begins + 1;
    }
    int actor = next_in_turn(s);
    if (s->round || actor < 0 || taken == SHOWN_STEPS || s->exec->count + 1 >= s->exec->limit)
        return false;
    st->show.state[taken] = now;
    *next = (struct step){(uint16_t)actor, 0};
    return true;
}

static bool states_pick(struct strategy *s, struct step *next)
{
    struct states *st = self(s);
    uint32_t at = s->exec->count;
    if (st->show.under_way)
        return show_pick(st, next);
    if (at >= st->length && !plan(st, at))
        return false;
    *next = (struct step){st->levels[at].actor, st->levels[at].alternative};
    return true;
}

// ---- going back ----

// Takes in what is known of the state that event `at` led to.
static void take_in(struct states *st, struct level *level, const struct event *e)
{
    const struct left *left = &st->left;
    level->tally.events++;
    level->ends |= left->ends;
    level->leads_on |= left->leads_on;
    level->whole |= left->open; // what follows is not known yet
    if (left->open && left->low < level->low)
        level->low = left->low;
    if (!st->futures)
        return;
    uint32_t actor = e->actor, object = e->object;
    uint64_t rivals[2 * STATES_WORDS] = {0};
    states_generalise(st, &actor, &object);
    level->whole |= !futures_rivals(st->futures, left->future, actor, e->effect, object, rivals);
    for (uint32_t i = 0; i < STATES_WORDS; i++)
        level->rivals[i] |= rivals[i];
    for (uint32_t kin = 0; kin < MAX_ACTORS; kin++)
        if (states_have(rivals, KIN + kin))
            states_add_kin(st, level->rivals, KIN + kin, e->actor, false);
    level->future = futures_union(st->futures, level->future, left->future);
    level->future = futures_add(st->futures, level->future, actor, e->effect, object);
}

static bool is_empty(const uint64_t *set)
{
    return !(set[0] | set[1] | set[2] | set[3]);
}

_Static_assert(STATES_WORDS == 4, "is_empty");

// The actor under way has been tried, and with it all that are exactly like it: what they lead to is the same up to renaming, and so
// are their rivals.
static void note_tried(const struct states *st, struct level *level)
{
    level->tried[level->actor / 64] |= 1ull << (level->actor % 64);
    for (uint32_t actor = 0; st->options.likes && actor < st->s.exec->known; actor++)
        if (level->likes[actor] == level->likes[level->actor] && can_run(&st->s, actor))
            level->tried[actor / 64] |= 1ull << (actor % 64);
}

// The next option in the state that the execution now stands at; false if there is none.
static bool advance(struct states *st, struct level *level)
{
    struct strategy *s = &st->s;
    can_run(s, level->actor); // brings the number of outcomes up to date
    if (level->alternative + 1u < s->exec->actors[level->actor].pending.alternatives) {
        level->alternative++;
        return true;
    }
    note_tried(st, level);
    if (st->reduction == WITHOUT_EFFECT && op_table[s->exec->actors[level->actor].pending.kind].at_most != EFFECT_NONE)
        level->whole = true;
    bool alone = !level->whole && !st->graph && is_empty(level->rivals);
    for (uint32_t i = 0; i < STATES_WORDS; i++) {
        level->needed[i] |= level->rivals[i];
        level->rivals[i] = 0;
    }
    int actor = alone ? -1 : states_next_choice(st, level);
    if (actor < 0)
        return false;
    level->actor = (uint16_t)actor;
    level->alternative = 0;
    return true;
}

// A state at the bound on steps was entered, but nothing was tried from it.
static void leave_untried(struct states *st, uint32_t at)
{
    struct level *level = &st->levels[at];
    level->ends = true;
    level->future = FUTURE_ANY;
    states_leave(st, level);
}

static bool go_on_alike(struct states *st)
{
    struct account *a = &st->s.account;
    st->to_be_audited = false;
    a->unlike = !state_audit_same(st->audit, &st->s, st->reached, &a->unlike_in);
    return !a->unlike;
}

static void tell_counts(struct states *st)
{
    struct account *a = &st->s.account;
    const struct closed_states *closed = st->options.closed;
    a->states =
        st->table.entered; // of a search that is shared: its own, to be held against how often it came to a known one
    a->forgotten = closed ? closed_states_dropped(closed) : st->table.forgotten;
    a->state_bytes = st->table.slots * sizeof *st->table.table + (closed ? closed_states_bytes(closed) : 0);
}

// What was kept says nothing any more: begins where it began.
static void renew(struct states *st)
{
    uint64_t bytes = st->options.memory;
    state_table_free(&st->table);
    state_table_init(&st->table, bytes);
    if (st->audit)
        state_audit_renew(st->audit);
    st->open_count = 0;
    st->length = st->options.root;
    st->before = (struct state_tally){0};
    st->age = st->options.closed ? st->options.age(st->options.state_context) : 0;
    if (st->options.exchange)
        far_states_note_age(st);
    st->show.under_way = st->to_be_audited = false;
    st->s.round = 0;
    st->s.account.stood_for = 0;
    st->known = 0;
    st->s.account.known = st->s.account.most_open = st->s.account.endless = 0;
}

// Searches from the beginning: states mean something else now, or this is a process that has just been forked.
static bool begin_anew(struct states *st, uint32_t *depth)
{
    renew(st);
    st->s.target->restart(st->s.target, st->options.root);
    *depth = st->options.root;
    return !st->s.target->lost;
}

// Whether this is a process that begins.
static bool has_just_come(struct states *st)
{
    uint32_t who = st->options.spread(st->options.state_context);
    if (who)
        st->who = who;
    return who;
}

// Everything was tried. Unless somebody has found in the meantime that more belongs to states, it is over for all.
static bool finish(struct states *st, uint32_t *depth)
{
    if (st->options.closed && st->options.grown(st->options.state_context))
        return begin_anew(st, depth);
    if (far_states_are_shared(st) && !far_states_agree(st) && st->options.grown(st->options.state_context))
        return begin_anew(st, depth);
    if (st->options.closed && !far_states_are_shared(st))
        closed_states_finish(st->options.closed, st->age, &st->before);
    tell_counts(st);
    return false;
}

static bool states_next(struct strategy *s, uint32_t *depth)
{
    struct states *st = self(s);
    uint32_t from = s->exec->count;
    if (far_states_are_shared(st))
        far_states_listen(st);
    if (far_states_are_shared(st) && st->options.exchange->over) {
        tell_counts(st);
        return false;
    }
    if (st->options.grown && st->options.grown(st->options.state_context))
        return begin_anew(st, depth);
    if (st->options.closed && closed_states_is_finished(st->options.closed, st->age)) {
        tell_counts(st);
        return false;
    }
    if (st->options.closed)
        states_count_end(st, st->show.under_way ? st->show.from : from);
    if (st->options.closed && has_just_come(st))
        return begin_anew(st, depth);
    if (st->show.under_way) {
        from = st->show.from;
        s->target->restart(s->target, from);
        st->show.under_way = false;
        s->round = 0;
    } else if (st->length > from) {
        leave_untried(st, from);
    }
    if (st->to_be_audited && !go_on_alike(st))
        return false;
    for (uint32_t at = from; at-- > st->options.root;) {
        struct level *level = &st->levels[at];
        take_in(st, level, &s->exec->events[at]);
        s->target->restart(s->target, at);
        if (s->target->lost)
            return false;
        bool closed = states_was_closed_elsewhere(st, level);
        if (!closed && advance(st, level)) {
            level->tally.executions++;
            st->length = at + 1;
            *depth = at;
            tell_counts(st);
            return true;
        }
        if (!closed)
            states_leave(st, level);
        if (level->passed)
            states_add_tally(states_tally_above(st, at), &level->tally);
        if (st->show.wanted) {
            st->show.wanted = false;
            st->show.under_way = true;
            st->show.from = *depth = at;
            return true;
        }
    }
    return finish(st, depth);
}

static void states_free(struct strategy *s)
{
    struct states *st = self(s);
    mem_release(st->levels, (s->exec->limit + 1ull) * sizeof *st->levels);
    mem_release(st->open, (size_t)UINT32_MAX * sizeof *st->open);
    mem_release(st->show.state, SHOWN_STEPS * sizeof *st->show.state);
    state_table_free(&st->table);
    if (st->futures)
        futures_free(st->futures);
    if (st->graph)
        op_graph_free(st->graph);
    if (st->audit)
        state_audit_free(st->audit);
    mem_release(st, sizeof *st);
}

static struct strategy *make(struct target *target, const struct strategy_options *options, const char *name,
                             enum reduction reduction)
{
    struct states *st = mem_reserve(sizeof *st);
    st->s = (struct strategy){.name = name,
                              .target = target,
                              .exec = target->exec,
                              .pick = states_pick,
                              .next = states_next,
                              .free = states_free};
    st->options = *options;
    if (!st->options.exact_state)
        st->options.exact_state = st->options.state;
    st->reduction = reduction;
    st->levels = mem_reserve((target->exec->limit + 1ull) * sizeof *st->levels);
    st->open = mem_reserve((size_t)UINT32_MAX * sizeof *st->open);
    st->show.state = mem_reserve(SHOWN_STEPS * sizeof *st->show.state);
    state_table_init(&st->table, options->memory);
    if (reduction == BY_GRAPH)
        st->graph = op_graph_new();
    else if (reduction != ALL_ACTORS)
        st->futures = futures_new();
    if (options->ignored)
        st->audit = state_audit_new(options);
    if (st->audit || st->graph) // what these know is not shared
        st->options.closed = NULL;
    if (!st->options.closed)
        st->options.exchange = NULL;
    if (st->options.closed)
        st->age = options->age(options->state_context);
    if (st->options.exchange)
        far_states_note_age(st);
    st->length = options->root;
    for (uint32_t i = 0; i < options->root; i++)
        st->levels[i] =
            (struct level){.actor = options->prefix[i].actor, .alternative = options->prefix[i].alternative};
    return &st->s;
}

struct strategy *states_new(struct target *target, const struct strategy_options *options)
{
    return make(target, options, "states", ALL_ACTORS);
}

struct strategy *spor_new(struct target *target, const struct strategy_options *options)
{
    return make(target, options, "spor", WITHOUT_EFFECT);
}

struct strategy *dlspor_new(struct target *target, const struct strategy_options *options)
{
    return make(target, options, "dlspor", BY_FUTURE);
}

struct strategy *sdpor_new(struct target *target, const struct strategy_options *options)
{
    return make(target, options, "sdpor", BY_GRAPH);
}
