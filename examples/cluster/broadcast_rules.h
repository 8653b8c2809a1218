// The rules of broadcast.c, for `--policy lmi,cmi,crs,rss`; with -DSEED_RULES in the seed's form, which is wrong.
#ifndef BROADCAST_RULES_H
#define BROADCAST_RULES_H

#include <string.h>

#include "broadcast_state.h"

// A follower never listens to what only leaders are told, nor a leader to what only followers are. (Acknowledgements look
// like increments, but the one that makes a quorum commits: who is told depends on which it is.)
static unsigned message_rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    struct packet p;
    memcpy(&p, data, size);
    bool for_leaders = p.kind == SYNCED || p.kind == LOGGED;
    bool for_followers = p.kind == SYNC || p.kind == PROPOSE || p.kind == START || p.kind == COMMIT || p.kind == REFUSE;
    if (s->role == BROKEN || (s->role == LEADING && for_followers && from != s->vote.leader))
        return HEDDLE_DISCARD;
    if (s->role == LEADING && for_leaders && (!s->is_member[from] || p.epoch != s->accepted))
        return HEDDLE_DISCARD;
#ifdef SEED_RULES
    if (p.kind == SYNCED || p.kind == LOGGED)
        return HEDDLE_INCREMENT;
    if (p.kind == VOTE && (s->role == FOLLOWING || (p.round <= s->round && !is_better(&p.vote, &s->vote))))
        return HEDDLE_DISCARD;
#endif
    return HEDDLE_MODIFY;
}

// A leader that keeps its quorum only counts one less; a loss that a node has nothing to do with is not noticed.
static unsigned down_rule(const void *state, int peer, const void *peer_state)
{
    const struct state *s = state;
    (void)peer_state;
    if (s->role == FOLLOWING && peer == s->vote.leader)
        return HEDDLE_GLOBAL;
    if (s->role == LEADING && s->is_member[peer] && !is_quorum(s->joined - 1))
        return HEDDLE_GLOBAL;
#ifdef SEED_RULES
    return HEDDLE_LOCAL;
#else
    return s->role == LOOKING || s->is_member[peer] ? 0 : HEDDLE_LOCAL;
#endif
}

#ifdef SEED_RULES
// What a node will do about the loss, and with which history; and what the lost one was doing, which its disk shows.
static size_t recovery_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *lost = peer_state;
    struct number last = last_of(&s->history), gone = last_of(&lost->history);
    int matters[] = {s->role,      s->established, s->role != LOOKING && peer == s->vote.leader,
                     s->joined,    s->accepted,    last.epoch,
                     last.counter, s->committed,   compare(gone, last) > 0,
                     lost->role,   lost->writing,  lost->synced};
    memcpy(abstract, matters, sizeof matters);
    return sizeof matters;
}

// A reboot is of interest if those that are up have seen something since (seed §3.4.4).
static size_t reboot_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *back = peer_state;
    (void)peer;
    struct number last = last_of(&s->history), own = last_of(&back->history);
    int matters[] = {s->role, s->established, s->accepted, last.epoch, last.counter, s->committed, compare(own, last)};
    memcpy(abstract, matters, sizeof matters);
    return sizeof matters;
}
#else
// Votes are compared by id in the end, so who is who does matter; so does everything that an answer tells, and what the
// disk of the other one holds.
static size_t recovery_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *other = peer_state;
    struct number last = last_of(&s->history), theirs = last_of(&other->history);
    int flags = s->established | s->begun << 1 | s->is_member[peer] << 2 | s->writing << 3 | s->synced << 4 |
                s->first << 5 | s->is_synced[peer] << 6 | other->writing << 7;
    int matters[] = {s->self,
                     peer,
                     s->role,
                     s->round,
                     flags,
                     s->accepted,
                     s->joined,
                     s->highest,
                     s->committed,
                     s->waiting,
                     last.epoch,
                     last.counter,
                     s->vote.leader,
                     s->vote.epoch,
                     s->vote.last.epoch,
                     s->vote.last.counter,
                     s->history.epoch,
                     (int)s->heard,
                     theirs.epoch,
                     theirs.counter,
                     other->history.epoch,
                     other->accepted};
    memcpy(abstract, matters, sizeof matters);
    return sizeof matters;
}

#define reboot_rule recovery_rule
#endif

static const struct heddle_rules rules = {
    .message = message_rule, .down = down_rule, .recovery = recovery_rule, .reboot = reboot_rule};

#endif
