// The rules of broadcast.c, for `--policy lmi,cmi,crs,rss`; with -DSEED_RULES in the seed's form, which is wrong.
#ifndef BROADCAST_RULES_H
#define BROADCAST_RULES_H

#include <string.h>

#include "broadcast_state.h"

#ifndef SEED_RULES
// A vote that is no better is only noted. Of those who have a leader the one that makes a quorum decides; if neither of two
// does alone, both lead to the same in either order.
static unsigned looking_rule(const struct state *s, int from, const struct packet *p)
{
    if (p->kind == SETTLED) {
        int settled = 1;
        for (int i = 0; i < MAX; i++)
            settled += i != from && s->is_settled[i];
        return is_quorum(settled) ? HEDDLE_TURN : HEDDLE_CONSTANT | HEDDLE_OF(p->round * 9 + p->vote.leader);
    }
    if (p->kind != VOTE && p->kind != JOIN)
        return p->kind == SYNC || p->kind == REFUSE ? HEDDLE_DISCARD : HEDDLE_STALE;
    if (p->kind == JOIN || p->round < s->round)
        return HEDDLE_DISCARD;
    return p->round > s->round || !is_better(&s->vote, &p->vote) ? HEDDLE_TURN : HEDDLE_DISCARD;
}

// It answers votes and requests to join, always the same.
static unsigned following_rule(const struct state *s, int from, const struct packet *p)
{
    bool is_leader = from == s->vote.leader, answers = p->joined == s->round && !s->writing && !s->synced;
    if (p->kind == VOTE)
        return is_leader && (s->established || p->round > s->round) ? HEDDLE_TURN : HEDDLE_DISCARD;
    if (p->kind == WRITTEN)
        return s->synced ? HEDDLE_DISCARD : HEDDLE_MODIFY;
    if (p->kind == SYNCED || p->kind == LOGGED)
        return HEDDLE_STALE;
    if (!is_leader || p->kind == SETTLED || p->kind == JOIN)
        return HEDDLE_DISCARD;
    if (p->kind == SYNC || p->kind == REFUSE)
        return !answers ? HEDDLE_DISCARD : p->kind == SYNC && p->epoch >= s->accepted ? HEDDLE_MODIFY : HEDDLE_TURN;
    return s->writing || s->synced ? HEDDLE_MODIFY : HEDDLE_DISCARD;
}

// Who is only counted, or brought in line, does not get into the way of others. Acknowledgements of one length commit the
// same in every order.
static unsigned leading_rule(const struct state *s, int from, const struct packet *p)
{
    if (p->kind == VOTE && s->is_member[from])
        return s->begun && !is_quorum(s->joined - 1) ? HEDDLE_TURN : HEDDLE_MODIFY;
    if (p->kind == VOTE)
        return HEDDLE_INCREMENT;
    struct vote mine = {.epoch = s->history.epoch, .last = last_of(&s->history)}, theirs = p->vote;
    theirs.leader = mine.leader;
    if (p->kind == JOIN && s->begun)
        return p->epoch > s->accepted ? HEDDLE_TURN : is_better(&theirs, &mine) ? HEDDLE_MODIFY : HEDDLE_INCREMENT;
    if (p->kind == JOIN)
        return p->epoch <= s->highest ? HEDDLE_CONSTANT : HEDDLE_TURN;
    if ((p->kind != SYNCED && p->kind != LOGGED) || !s->is_member[from])
        return HEDDLE_DISCARD;
    if (p->kind == SYNCED)
        return (s->established ? p->count > s->committed : s->waiting) ? HEDDLE_MODIFY : HEDDLE_INCREMENT;
    return p->count > s->committed ? HEDDLE_CONSTANT | HEDDLE_OF(p->count) : HEDDLE_INCREMENT;
}

// Discarding in a state is no promise for the next: what makes a node look, follow or lead is a turn.
static unsigned message_rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    struct packet p;
    memcpy(&p, data, size);
    switch (s->role) {
    case LOOKING:
        return looking_rule(s, from, &p);
    case FOLLOWING:
        return following_rule(s, from, &p);
    case LEADING:
        return leading_rule(s, from, &p);
    default:
        return HEDDLE_DISCARD;
    }
}

// What a client wants waits until the node leads.
static unsigned request_rule(const void *state, int number)
{
    (void)number;
    return ((const struct state *)state)->role == LEADING ? HEDDLE_MODIFY : HEDDLE_STALE;
}
#else
#define request_rule NULL

static unsigned message_rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    struct packet p;
    memcpy(&p, data, size);
    bool for_followers = p.kind == SYNC || p.kind == PROPOSE || p.kind == START || p.kind == COMMIT || p.kind == REFUSE;
    if (s->role == BROKEN || (s->role == LEADING && for_followers && from != s->vote.leader))
        return HEDDLE_DISCARD;
    if (p.kind == SYNCED || p.kind == LOGGED)
        return HEDDLE_INCREMENT;
    if (p.kind == VOTE && (s->role == FOLLOWING || (p.round <= s->round && !is_better(&p.vote, &s->vote))))
        return HEDDLE_DISCARD;
    return HEDDLE_MODIFY;
}
#endif

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
    return s->is_member[peer] ? 0 : HEDDLE_LOCAL;
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

static const struct heddle_rules rules = {.message = message_rule,
                                          .request = request_rule,
                                          .down = down_rule,
                                          .recovery = recovery_rule,
                                          .reboot = reboot_rule};

#endif
