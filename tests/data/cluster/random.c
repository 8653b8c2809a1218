// A protocol whose behaviour is drawn from the number in FUZZ_SEED: for fuzz_cluster. Nodes have a small state, count
// towards a quorum, compare ids, keep one value on disk and have a timer; what they do with a message is decided by a hash.
// With -DOBSERVED somebody looks on, and the request waits until a node has no votes. With -DBROKEN they have an invariant that does not hold.
// With -DDRAWN nodes choose now and then, and every choice counts. With -DRANDOM_RULES the rules are drawn as well, most of them wrong. With -DSYMMETRIC who is who does not matter: ids are stored and told apart, nothing else.
// With -DFORGETS they count what nothing depends on, and forget who was best once it does not matter; with -DFORGETS_WRONG also what does.
#include <heddle/node.h>
#include <stdlib.h>
#include <string.h>

struct state {
    unsigned value, votes, best;
};

static struct state me;
static unsigned seed;
static unsigned *note; // on the heap
static unsigned handled; // messages: nobody asks

static unsigned draw(unsigned a, unsigned b)
{
    unsigned x = seed * 2654435761u ^ a * 40503u ^ b * 2246822519u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

// Whether nodes choose at this one of the places where they may.
static bool chooses(unsigned place)
{
#ifdef DRAWN
    return draw(place, 31) % 3 == 0;
#else
    (void)place;
    return false;
#endif
}

// One of `n`.
static unsigned choose(unsigned place, int n)
{
    return chooses(place) ? (unsigned)heddle_choose(n) : 0;
}

#ifdef SYMMETRIC
static void tell(unsigned kind, unsigned hops)
{
    unsigned message[2] = {kind % 5, hops};
    if (draw(kind, hops + 77) % 2 && (int)me.best != heddle_self())
        heddle_send((int)me.best, message, sizeof message);
    else if (hops < 2)
        heddle_broadcast(message, sizeof message);
}

static bool is_new(int from)
{
    return (unsigned)from != me.best;
}

static unsigned name_of(int node)
{
    (void)node;
    return 1;
}
#else
static void tell(unsigned kind, unsigned hops)
{
    unsigned message[2] = {kind % 5, hops};
    unsigned to = draw(kind, hops + 77) % (unsigned)heddle_nodes();
    if ((int)to != heddle_self())
        heddle_send((int)to, message, sizeof message);
}

static bool is_new(int from)
{
    return (unsigned)from > me.best;
}

static unsigned name_of(int node)
{
    return (unsigned)node;
}
#endif

static void boot(int self, int nodes)
{
    (void)nodes;
    seed = (unsigned)atoi(getenv("FUZZ_SEED"));
    note = calloc(1, sizeof *note);
    me.best = (unsigned)self;
    if (heddle_read("value", &me.value, sizeof me.value) >= 0) {
        tell(me.value, 2);
        return;
    }
    for (unsigned i = 0; i < 1 + draw(name_of(self), 5) % 2; i++)
        tell(draw(name_of(self), i), 0);
    me.value += choose(1, 2);
    if (draw(name_of(self), 9) % 2)
        heddle_set_timer(0);
}

static void message(int from, const void *data, size_t size)
{
    unsigned m[2];
    memcpy(m, data, size);
#ifdef FORGETS
    handled += 1 + (unsigned)from;
#else
    (void)handled;
#endif
    if (choose(2 + m[0], 2) && choose(20, 2))
        me.votes++;
    switch (draw(m[0], 3) % 6) {
    case 0: // discarded unless it is larger
        if (is_new(from)) {
            me.best = (unsigned)from;
            if (m[1] < 2)
                tell(m[0] + 1, m[1] + 1);
        }
        break;
    case 1: // a quorum
        if (++me.votes == 2 && m[1] < 2)
            tell(3, m[1] + 1);
        break;
    case 2:
        me.value = 7;
        break;
    case 3:
        me.value = me.value * 3 + m[0];
        break;
    case 4:
        heddle_write("value", &m[0], sizeof m[0]);
        if (draw(m[0], 4) % 2)
            heddle_sync();
        break;
    default:
        if (m[1] < 2)
            tell(me.value + m[0], m[1] + 1);
        ++*note;
        break;
    }
}

static void timer(int number)
{
    me.value ^= (unsigned)number + 1;
    tell(me.value + choose(10, 3), 1);
}

static void down(int peer)
{
    me.votes += name_of(peer) + choose(11, 2);
}

static void request(int number)
{
    me.value += (unsigned)number + choose(12, 2);
}

static void report(void *state)
{
    *(struct state *)state = me;
}

// Right for every message: only what certainly changes nothing is called so, and only where nothing else looks at it.
// Rules are asked outside a node, where its variables are not.
static unsigned rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    unsigned m[2];
    memcpy(m, data, size);
    unsigned kept = seed;
    seed = (unsigned)atoi(getenv("FUZZ_SEED"));
    unsigned what = draw(m[0], 3) % 6;
    bool may_vote = chooses(2 + m[0]) && chooses(20);
    seed = kept;
    if (what == 0 && (unsigned)from <= s->best && !may_vote)
        return HEDDLE_DISCARD;
    if (what == 2)
        return HEDDLE_CONSTANT;
#ifdef WRONG_RULE
    return HEDDLE_INCREMENT;
#else
    return HEDDLE_MODIFY;
#endif
}

// Node 0 is not counted when it is lost, unless nodes choose whether it is.
static unsigned down_rule(const void *state, int peer, const void *peer_state)
{
    (void)state;
    (void)peer_state;
    unsigned kept = seed;
    seed = (unsigned)atoi(getenv("FUZZ_SEED"));
    bool counts = name_of(peer) || chooses(11);
    seed = kept;
    return counts ? HEDDLE_GLOBAL : HEDDLE_LOCAL;
}

#ifdef RANDOM_RULES
// Draws outside a node, where its variables are not.
static unsigned draw_rule(unsigned a, unsigned b)
{
    unsigned kept = seed;
    seed = (unsigned)atoi(getenv("FUZZ_SEED"));
    unsigned drawn = draw(a + 1000, b);
    seed = kept;
    return drawn;
}

static unsigned random_pattern(const void *state, unsigned about)
{
    static const unsigned patterns[] = {HEDDLE_DISCARD, HEDDLE_INCREMENT, HEDDLE_CONSTANT | HEDDLE_OF(1),
                                        HEDDLE_MODIFY,  HEDDLE_TURN,      HEDDLE_STALE,
                                        HEDDLE_MODIFY,  HEDDLE_MODIFY,    HEDDLE_TURN};
    return patterns[draw_rule(about, ((const struct state *)state)->votes) % (sizeof patterns / sizeof *patterns)];
}

static unsigned random_message_rule(const void *state, int from, const void *data, size_t size)
{
    unsigned m[2];
    (void)from;
    memcpy(m, data, size);
    return random_pattern(state, m[0]);
}

static unsigned random_number_rule(const void *state, int number)
{
    return random_pattern(state, 10 + (unsigned)number);
}

// Some of what there is.
static size_t random_peer_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *p = peer_state;
    unsigned all[] = {s->value, s->votes, s->best,        p->value,
                      p->votes, p->best,  (unsigned)peer, (unsigned)heddle_in_flight(peer)};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (!(draw_rule(50, i) % 3))
            all[i] = 0;
    memcpy(abstract, all, sizeof all);
    return sizeof all;
}

static const struct heddle_rules random_rules = {.message = random_message_rule,
                                                 .request = random_number_rule,
                                                 .timer = random_number_rule,
                                                 .down = down_rule,
                                                 .recovery = random_peer_rule,
                                                 .reboot = random_peer_rule};
#endif

#ifdef SYMMETRIC
static void rename_memory(const int *to)
{
    me.best = (unsigned)to[me.best];
}

static void rename_state(void *state, const int *to)
{
    struct state *s = state;
    s->best = (unsigned)to[s->best];
}

static const struct heddle_renaming renaming = {.nodes = ~0u, .memory = rename_memory, .state = rename_state};
#endif

#ifdef OBSERVED
// Remembers who was the first with a value, how many had one at most, and the last one whose node had votes then.
struct seen {
    int first, most, last;
};

static const char *observe(const struct heddle_view *v, int node, void *memory)
{
    struct seen *seen = memory;
    int with = 0;
    for (int i = 0; i < v->nodes; i++)
        with += v->up[i] && ((const struct state *)v->state[i])->value != 0;
    if (!seen->first && node >= 0 && ((const struct state *)v->state[node])->value)
        seen->first = node + 1;
    if (with > seen->most)
        seen->most = with;
    if (node >= 0 && ((const struct state *)v->state[node])->votes && with)
        seen->last = node + 1;
    return NULL;
}

static bool may_request(const void *state, int number)
{
    (void)number;
    return ((const struct state *)state)->votes == 0;
}
#endif

#ifdef FORGETS
static void forget(void *state)
{
    struct state *reported = state;
    if (me.votes > 2)
        me.votes = reported->votes = 2;
    *note = 0;
#ifdef FORGETS_WRONG
    me.value = reported->value = 0;
#endif
}

static const struct heddle_region auxiliary[] = {{&handled, sizeof handled}, {NULL, 0}};
#endif

#ifdef BROKEN
// Fails in some executions of most protocols.
static const char *check(const struct heddle_view *v)
{
    unsigned sum = 0;
    for (int i = 0; i < v->nodes; i++)
        sum += ((const struct state *)v->state[i])->value + ((const struct state *)v->state[i])->votes;
    return sum > 4 && sum % 3 == 0 ? "the sum is a multiple of three" : NULL;
}
#endif

static const struct heddle_rules rules = {.message = rule, .down = down_rule};
static const struct heddle_request requests[] = {{0, 5}};

const struct heddle_protocol heddle_protocol = {
    .name = "random",
    .boot = boot,
    .message = message,
    .timer = timer,
    .down = down,
    .request = request,
    .requests = requests,
    .request_count = 1,
    .state_size = sizeof(struct state),
    .report = report,
#ifdef BROKEN
    .check = check,
#endif
#ifdef OBSERVED
    .observe = observe,
    .observer_size = sizeof(struct seen),
    .may_request = may_request,
#endif
#ifdef RANDOM_RULES
    .rules = &random_rules,
#else
    .rules = &rules,
#endif
#ifdef SYMMETRIC
    .renaming = &renaming,
#endif
#ifdef FORGETS
    .auxiliary = auxiliary,
    .forget = forget,
#endif
};
