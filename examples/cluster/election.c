// Leader election in the way of ZooKeeper (fast leader election): every node votes for the node it knows to be best, by
// (epoch, last transaction, id), and tells everybody when it changes its mind; a node that sees a quorum behind its vote
// takes up its role. Followers then join the leader and say which epoch they have accepted; once a quorum has joined, the
// leader asks them to accept the next epoch, and leads when a quorum has. Whoever loses its leader, or its quorum, looks
// again in a new round.
//
//   heddle cluster --crashes 1 election.c
//
//   -DZK1419       ZooKeeper's bug of this number: votes are not compared by a total order, since the id decides between
//                  votes of different epochs. An election can go on for ever.
//   -DZK1075       ZooKeeper's bug of this number: a node that comes back believes those who have a leader only if they
//                  elected it in the same round, which need not be so. It never joins.
//   -DZK790        ZooKeeper's bug of this number: a node that was elected takes the next epoch for its own before a
//                  quorum has joined it. If nobody comes, it knows better than every leader there can be.
//   -DZK975        ZooKeeper's bug of this number: a node that has heard of everybody decides for its own vote, whatever
//                  the others vote for. It leads though another one does.
//   -DOBSERVERS=N  the last N nodes only observe: they follow, but nobody counts them
//   -DZK1492       ZooKeeper's bug of this number (with observers): a leader does count them, and leads without a quorum
//   -DCOUNTS_GONE  a leader goes on counting followers that are gone, and leads without a quorum
//   -DSEED_RULES   the seed's rules (Table 4.1) instead of right ones: for comparison with its figures
//   -DWRONG_RULE   a rule that `--policy samc --audit` finds out: see message_rule
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

#ifndef OBSERVERS
#define OBSERVERS 0
#endif

enum { MAX = 9, PATIENCE = 0 };

enum role { LOOKING, FOLLOWING, LEADING };

struct vote {
    int leader, transaction, epoch;
};

struct notification {
    enum { NOTIFY, JOIN, WELCOME, ACCEPT, REFUSE } kind;
    enum role role;
    int round;
    int epoch; // that the sender has accepted
    struct vote vote;
};

struct state {
    enum role role;
    bool established; // of a leader: a quorum has accepted its epoch; of a follower: it has
    bool asked;       // a leader has asked for that
    int round, joined, accepted;
    int highest; // of the epochs that those who joined had accepted
    int support; // how many voted for the leader when this node took its role
    struct vote vote;
    bool is_member[MAX], has_accepted[MAX];
    // For the rules, of what is not in the members above:
    int self, kept;       // the epoch on disk
    unsigned heard;       // a digest of what was heard
    bool is_settled[MAX]; // known to have a leader
};

static struct state me;
static struct vote own;
static int accepted; // the epoch that is on disk
static struct {
    bool known;
    enum role role;
    int round;
    struct vote vote;
} heard[MAX], outside[MAX]; // in this round; of those who do not look

static bool is_observer(int node)
{
    return node >= heddle_nodes() - OBSERVERS;
}

static bool is_quorum(int count)
{
    return count > (heddle_nodes() - OBSERVERS) / 2;
}

static bool is_better(const struct vote *new, const struct vote *old)
{
#ifdef ZK1419
    return new->epoch > old->epoch || (new->epoch == old->epoch &&new->transaction > old->transaction) ||
           (new->transaction == old->transaction &&new->leader > old->leader);
#else
    return new->epoch > old->epoch ||
           (new->epoch == old->epoch && (new->transaction > old->transaction ||
                                         (new->transaction == old->transaction &&new->leader > old->leader)));
#endif
}

static void tell(int to, int kind)
{
    struct notification n;
    memset(&n, 0, sizeof n);
    n.kind = kind;
    n.role = me.role;
    n.round = me.round;
    n.epoch = accepted;
    n.vote = me.vote;
    heddle_send(to, &n, sizeof n);
}

static void tell_all(void)
{
    for (int i = 0; i < heddle_nodes(); i++)
        if (i != heddle_self())
            tell(i, NOTIFY);
}

static void look(void)
{
    me.role = LOOKING;
    me.established = me.asked = false;
    me.joined = me.accepted = 0;
    memset(me.is_member, 0, sizeof me.is_member);
    memset(me.has_accepted, 0, sizeof me.has_accepted);
    memset(heard, 0, sizeof heard);
    memset(outside, 0, sizeof outside);
    me.round++;
    me.vote = own;
    heddle_set_timer(PATIENCE);
    tell_all();
}

static void take_role(int leader, int support)
{
    me.vote.leader = leader;
    me.role = leader == heddle_self() ? LEADING : FOLLOWING;
    me.established = false;
    me.joined = me.accepted = me.role == LEADING;
    me.highest = own.epoch;
    me.support = support;
    heddle_set_timer(PATIENCE);
    if (me.role == FOLLOWING)
        tell(leader, JOIN);
#ifdef ZK790
    else
        own.epoch++;
#endif
}

static void boot(int self, int nodes)
{
    (void)nodes;
    own = (struct vote){.leader = is_observer(self) ? -1 : self};
    heddle_read("epoch", &accepted, sizeof accepted);
    own.epoch = accepted;
    look();
}

// How many of those heard in this round, this node among them, are for its vote.
static int supporters(void)
{
    int count = !is_observer(heddle_self());
    for (int i = 0; i < heddle_nodes() - OBSERVERS; i++)
        count += heard[i].known && heard[i].vote.leader == me.vote.leader && heard[i].vote.epoch == me.vote.epoch;
    return count;
}

#ifdef ZK975
static bool has_heard_all(void)
{
    int count = 1;
    for (int i = 0; i < heddle_nodes(); i++)
        count += heard[i].known;
    return count == heddle_nodes();
}
#endif

static void hear_looking(int from, const struct notification *n)
{
    if (is_observer(from) || n->round < me.round) {
        tell(from, NOTIFY);
        return;
    }
    if (n->round > me.round) {
        me.round = n->round;
        memset(heard, 0, sizeof heard);
        me.vote = is_better(&n->vote, &own) ? n->vote : own;
        tell_all();
    } else if (is_better(&n->vote, &me.vote)) {
        me.vote = n->vote;
        tell_all();
    }
    heard[from].known = true;
    heard[from].vote = n->vote;
    bool is_decided = is_quorum(supporters());
#ifdef ZK975
    is_decided |= has_heard_all();
#endif
    if (is_decided)
        take_role(me.vote.leader, supporters());
}

// Whether the leader that the others name is one: it says so itself; or it is this node, and they are of its round.
static bool is_confirmed(int leader, int round)
{
    if (leader != heddle_self())
        return outside[leader].known && outside[leader].role == LEADING;
    return round == me.round;
}

static void hear_settled(int from, const struct notification *n)
{
    outside[from].known = true;
    outside[from].role = n->role;
    outside[from].round = n->round;
    outside[from].vote = n->vote;
    int count = 0;
    for (int i = 0; i < heddle_nodes() - OBSERVERS; i++) {
        bool agrees =
            outside[i].known && outside[i].vote.leader == n->vote.leader && outside[i].vote.epoch == n->vote.epoch;
#ifdef ZK1075
        agrees = agrees && outside[i].round == n->round;
#endif
        count += agrees;
    }
    if (is_quorum(count) && is_confirmed(n->vote.leader, n->round)) {
        me.round = n->round;
        me.vote = n->vote;
        take_role(n->vote.leader, count);
    }
}

static void accept_epoch(int epoch)
{
    accepted = own.epoch = me.vote.epoch = epoch;
    heddle_write("epoch", &accepted, sizeof accepted);
    heddle_sync();
}

// Whether a member counts towards the quorum that a leader needs.
static bool counts(int member)
{
#ifdef ZK1492
    (void)member;
    return true;
#else
    return !is_observer(member);
#endif
}

static void join(int from, int epoch)
{
    if (me.role != LEADING) {
        tell(from, REFUSE);
        return;
    }
    if (me.asked && epoch > accepted) { // somebody leads, or led, who knows better
        look();
        return;
    }
    me.joined += !me.is_member[from] && counts(from);
    me.is_member[from] = true;
    if (me.asked) {
        tell(from, WELCOME);
        return;
    }
    me.highest = epoch > me.highest ? epoch : me.highest;
    if (!is_quorum(me.joined))
        return;
    me.asked = true;
    accept_epoch(me.highest + 1);
    for (int i = 0; i < heddle_nodes(); i++)
        if (me.is_member[i])
            tell(i, WELCOME);
}

static void count_acceptance(int from, int epoch)
{
    if (me.role != LEADING || !me.is_member[from] || me.has_accepted[from] || epoch != accepted)
        return;
    me.has_accepted[from] = true;
    me.accepted += counts(from);
    me.established |= is_quorum(me.accepted);
}

static void hear_leader(int from, const struct notification *n)
{
    if (n->kind == REFUSE || n->epoch < own.epoch) {
        look();
        return;
    }
    me.established = true;
    me.vote.epoch = n->epoch;
    if (n->epoch == accepted) // it may have been somebody else's: no support for this leader
        return;
    accept_epoch(n->epoch);
    tell(from, ACCEPT);
}

// A member is gone, or looks again.
static void lose(int peer)
{
#ifndef COUNTS_GONE
    me.joined -= counts(peer);
    me.accepted -= me.has_accepted[peer] && counts(peer);
    me.is_member[peer] = me.has_accepted[peer] = false;
#endif
    if (me.asked && !is_quorum(me.joined))
        look();
}

static void answer(int from)
{
    if (me.role == FOLLOWING && me.established && from == me.vote.leader) {
        look(); // the leader has given up
        return;
    }
    if (me.role == LEADING && me.is_member[from])
        lose(from);
    if (me.role != LOOKING)
        tell(from, NOTIFY);
}

static void message(int from, const void *data, size_t size)
{
    struct notification n;
    memcpy(&n, data, size);
    if (n.kind == JOIN)
        join(from, n.epoch);
    else if (n.kind == ACCEPT)
        count_acceptance(from, n.epoch);
    else if (n.kind != NOTIFY && me.role == FOLLOWING && from == me.vote.leader && !me.established)
        hear_leader(from, &n);
    else if (n.kind == NOTIFY && me.role == LOOKING && n.role == LOOKING)
        hear_looking(from, &n);
    else if (n.kind == NOTIFY && me.role == LOOKING)
        hear_settled(from, &n);
    else if (n.kind == NOTIFY && n.role == LOOKING)
        answer(from);
}

// Whoever still looks says so again; nobody came, or nobody answered.
static void timer(int number)
{
    (void)number;
    if (me.role == LOOKING) {
        heddle_set_timer(PATIENCE);
        tell_all();
    } else if (!me.established) {
        look();
    }
}

static void down(int peer)
{
    heard[peer].known = outside[peer].known = false;
    if (me.role == FOLLOWING && peer == me.vote.leader)
        look();
    else if (me.role == LEADING && me.is_member[peer])
        lose(peer);
}

static unsigned digest(unsigned sum, const void *data, size_t size)
{
    const unsigned *words = data;
    for (size_t i = 0; i < size / sizeof *words; i++)
        sum = (sum ^ words[i]) * 16777619u;
    return sum;
}

static void report(void *state)
{
    size_t nodes = (size_t)heddle_nodes();
    me.self = heddle_self();
    me.kept = accepted;
    for (size_t i = 0; i < nodes; i++)
        me.is_settled[i] = outside[i].known;
    me.heard = digest(digest(2166136261u, heard, nodes * sizeof *heard), outside, nodes * sizeof *outside);
    memcpy(state, &me, sizeof me);
}

static const char *check(const struct heddle_view *view)
{
    for (int i = 0; i < view->nodes; i++) {
        const struct state *a = view->state[i];
        if (view->up[i] && a->role == LEADING && !is_quorum(a->support))
            return "a node leads that no quorum voted for";
        for (int k = 0; k < i; k++) {
            const struct state *b = view->state[k];
            if (view->up[i] && view->up[k] && a->role == LEADING && b->role == LEADING && a->established &&
                b->established && a->vote.epoch == b->vote.epoch)
                return "two nodes lead in the same epoch";
        }
    }
    return NULL;
}

// If a quorum is up, one leads and the others follow it; nobody leads without a quorum.
static const char *quiet(const struct heddle_view *view)
{
    int up = 0, leaders = 0, leader = -1, followers = 0;
    for (int i = 0; i < view->nodes; i++) {
        const struct state *s = view->state[i];
        up += view->up[i] && !is_observer(i);
        if (view->up[i] && s->role == LEADING && s->established) {
            leaders++;
            leader = i;
        }
    }
    for (int i = 0; i < view->nodes; i++) {
        const struct state *s = view->state[i];
        followers +=
            view->up[i] && !is_observer(i) && s->role == FOLLOWING && s->established && s->vote.leader == leader;
    }
    if (!is_quorum(up))
        return leaders ? "a node leads without a quorum" : NULL;
    return leaders == 1 && followers == up - 1 ? NULL : "the nodes that are up do not agree on a leader";
}

static void show_message(const void *data, size_t size, char *text, size_t room)
{
    static const char *const kinds[] = {"vote", "join", "welcome", "accept", "refuse"}, *const roles[] = {"looking",
                                                                                                          "following",
                                                                                                          "leading"};
    struct notification n;
    memcpy(&n, data, size);
    if (n.kind == NOTIFY)
        snprintf(text, room, "vote %d/%d/%d round %d %s", n.vote.epoch, n.vote.transaction, n.vote.leader, n.round,
                 roles[n.role]);
    else
        snprintf(text, room, "%s %d", kinds[n.kind], n.epoch);
}

static void show_state(const void *state, char *text, size_t room)
{
    static const char *const roles[] = {"looking", "following", "leading"};
    const struct state *s = state;
    snprintf(text, room, "%s %d%s round %d epoch %d", roles[s->role], s->vote.leader, s->established ? "!" : "",
             s->round, s->vote.epoch);
}

// The rules (SAMC, Table 4.1).

#ifndef SEED_RULES
// What a node that has a leader does about the votes of others.
static unsigned settled_rule(const struct state *s, int from, const struct notification *n)
{
    if (n->role != LOOKING)
        return HEDDLE_DISCARD;
    if (s->role == FOLLOWING) // it answers, unless it is the leader who has given up
        return s->established && from == s->vote.leader ? HEDDLE_TURN : HEDDLE_INCREMENT;
    if (!s->is_member[from])
        return HEDDLE_INCREMENT;
    return s->asked && !is_quorum(s->joined - 1) ? HEDDLE_TURN : HEDDLE_MODIFY;
}

// A vote that is no better is only noted. Of those who have a leader the one that makes a quorum decides; if neither of two
// does alone, both lead to the same in either order.
static unsigned looking_rule(const struct state *s, int from, const struct notification *n)
{
    if (n->role != LOOKING) {
        int settled = 1;
        for (int i = 0; i < MAX; i++)
            settled += i != from && s->is_settled[i];
        return is_quorum(settled) ? HEDDLE_TURN
                                  : HEDDLE_CONSTANT | HEDDLE_OF(n->round * 81 + n->vote.epoch * 9 + n->vote.leader);
    }
    if (is_observer(from) || n->round < s->round) // it answers with its vote, which changes with a turn
        return HEDDLE_DISCARD;
    bool changes = n->round > s->round || is_better(&n->vote, &s->vote) || n->vote.leader == s->vote.leader;
    return changes ? HEDDLE_TURN : HEDDLE_DISCARD;
}

static unsigned leader_rule(const struct state *s, int from, const struct notification *n)
{
    if (n->kind == JOIN && s->asked)
        return n->epoch > s->kept ? HEDDLE_TURN : HEDDLE_INCREMENT;
    if (n->kind == JOIN) // those who make it begin the same epoch are alike
        return n->epoch <= s->highest ? HEDDLE_CONSTANT : HEDDLE_TURN;
    if (n->kind == ACCEPT && s->is_member[from])
        return s->asked ? HEDDLE_INCREMENT : HEDDLE_MODIFY;
    return HEDDLE_DISCARD;
}

// Discarding in a state is no promise for the next: what makes a node look, follow or lead is a turn.
static unsigned message_rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    struct notification n;
    memcpy(&n, data, size);
    if (n.kind == NOTIFY)
        return s->role == LOOKING ? looking_rule(s, from, &n) : settled_rule(s, from, &n);
    if (s->role == LEADING)
        return leader_rule(s, from, &n);
    if (n.kind == JOIN) // it says no, and who it follows
        return s->role == LOOKING ? HEDDLE_DISCARD : HEDDLE_INCREMENT;
    if (n.kind == ACCEPT)
        return HEDDLE_STALE;
    if (s->role == LOOKING || from != s->vote.leader || s->established)
        return HEDDLE_DISCARD;
#ifdef WRONG_RULE
    return HEDDLE_MODIFY;
#else
    return n.kind == REFUSE || n.epoch < s->kept ? HEDDLE_TURN : HEDDLE_MODIFY;
#endif
}
#else
static unsigned message_rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    struct notification n;
    (void)from;
    memcpy(&n, data, size);
    if (s->role == LEADING ? n.kind == WELCOME || n.kind == REFUSE : n.kind == ACCEPT)
        return HEDDLE_DISCARD;
    if (n.kind == NOTIFY && s->role != LOOKING && n.role != LOOKING)
        return HEDDLE_DISCARD;
    if (n.kind == NOTIFY && n.round <= s->round && !is_better(&n.vote, &s->vote))
        return HEDDLE_DISCARD;
    return HEDDLE_MODIFY;
}
#endif

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
// What a node does about the loss depends on its role and on that of the lost one; what it will vote for then, on its epoch.
static size_t recovery_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *lost = peer_state;
    if (s->role == LEADING && s->is_member[peer]) {
        int matters[] = {1, s->joined, s->accepted, s->asked, s->round, s->vote.epoch};
        memcpy(abstract, matters, sizeof matters);
        return sizeof matters;
    }
    int matters[] = {
        2, s->role, s->vote.leader, s->vote.epoch, s->round, peer == s->vote.leader, s->established, lost->role};
    memcpy(abstract, matters, sizeof matters);
    return sizeof matters;
}

static size_t reboot_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *back = peer_state;
    (void)peer;
    int matters[] = {s->role, s->vote.leader, s->vote.epoch, s->round, s->established, s->joined, back->vote.epoch};
    memcpy(abstract, matters, sizeof matters);
    return sizeof matters;
}
#else
// Votes are compared by id in the end, so who is who does matter, and so does everything that an answer tells.
static size_t recovery_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *lost = peer_state;
    int matters[] = {
        s->self,       s->role,   s->round,    s->kept,    s->vote.leader, s->vote.epoch,      s->established,
        s->asked,      s->joined, s->accepted, s->highest, peer,           s->is_member[peer], s->has_accepted[peer],
        (int)s->heard, lost->kept};
    memcpy(abstract, matters, sizeof matters);
    return sizeof matters;
}

#define reboot_rule recovery_rule
#endif

static const struct heddle_rules rules = {
    .message = message_rule, .down = down_rule, .recovery = recovery_rule, .reboot = reboot_rule};

const struct heddle_protocol heddle_protocol = {
    .name = "leader election",
    .network = HEDDLE_CONNECTIONS,
    .boot = boot,
    .message = message,
    .timer = timer,
    .down = down,
    .state_size = sizeof(struct state),
    .report = report,
    .check = check,
    .quiet = quiet,
    .show_message = show_message,
    .show_state = show_state,
    .rules = &rules,
};
