// Checks the monitor of quorum trees against a plain reading of Theorem 8, on random sequences of events: some of any events, some
// that are right, some that were right before something was changed. The first event that is wrong has to be the same, and what is
// said of it has to be so. Where all is right, every round has the status that Lemma 8 gives it, another order of the same events
// leaves the same hash, and going back in the middle and taking another way gives what that way alone gives.
//
//     fuzz_qtree [count [first seed]]
//
// A sequence on which they differ is printed in the format of `heddle qtree`.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/undo.h"
#include "fuzz/history_random.h"
#include "fuzz/qtree_naive.h"

enum { MOST_EVENTS = 160, MOST_FAILURES = 5, UNDO_ROOM = 1 << 22 };

struct sequence {
    struct naive_rules rules;
    struct qtree_event event[MOST_EVENTS];
    int count;
    int instances, rounds, indices, values; // how many there are to choose from
};

struct tally {
    unsigned long long right, wrong, events, faults[QTREE_FAULTS], statuses[QTREE_STATUSES], orders;
};

static struct undo undo;

static int below(uint64_t *seed, int n)
{
    return (int)(random_next(seed) % (uint64_t)n);
}

static struct qtree_round random_round(uint64_t *seed, const struct sequence *s, int least)
{
    int term = least + below(seed, s->rounds + 1 - least);
    return (struct qtree_round){(uint64_t)term, term ? (uint64_t)below(seed, s->indices) : 0};
}

// An add that was there, or null.
static const struct qtree_event *random_add(uint64_t *seed, const struct sequence *s)
{
    const struct qtree_event *e = s->count ? &s->event[below(seed, s->count)] : NULL;
    return e && !e->is_commit ? e : NULL;
}

// Mostly something that fits to what is there.
static struct qtree_event random_event(uint64_t *seed, const struct sequence *s)
{
    const struct qtree_event *old = below(seed, 4) ? random_add(seed, s) : NULL;
    struct qtree_event e = {.is_commit = !below(seed, 3),
                            .instance = (uint64_t)below(seed, s->instances) * 7,
                            .round = random_round(seed, s, below(seed, 20) ? 1 : 0),
                            .parent = random_round(seed, s, 0),
                            .value = (uint64_t)below(seed, s->values)};
    if (below(seed, 3) == 0)
        e.parent = (struct qtree_round){0, 0};
    if (old && e.is_commit)
        e.round = old->round;
    if (old && !e.is_commit) {
        e.parent = old->round;
        e.value = below(seed, 8) ? old->value : e.value;
    }
    if (old)
        e.instance = old->instance;
    return e;
}

static void append(struct sequence *s, struct qtree_event e)
{
    e.origin = (uint64_t)s->count + 1;
    s->event[s->count++] = e;
}

static void random_sequence(uint64_t *seed, struct sequence *s)
{
    bool is_long = !below(seed, 200);
    *s = (struct sequence){.instances = 1 + !below(seed, 3),
                           .rounds = is_long ? 120 : 2 + below(seed, 8),
                           .indices = below(seed, 2) ? 1 : 3,
                           .values = 1 + below(seed, 3)};
    s->rules.values = below(seed, 2) ? QTREE_SAME_VALUES : QTREE_ANY_VALUES;
    s->rules.witnesses = !below(seed, 3);
    int wanted = is_long ? MOST_EVENTS - 1 : 2 + below(seed, 22), how = below(seed, 5);
    for (int tries = 0; s->count < wanted && tries < 8 * wanted; tries++) {
        append(s, random_event(seed, s));
        if (how && !naive_is_right(&s->rules, s->event, s->count))
            s->count--;
    }
}

// One change of a sequence that was right.
static void change(uint64_t *seed, struct sequence *s)
{
    if (s->count < 2)
        return;
    int i = below(seed, s->count), k = below(seed, s->count);
    struct qtree_event *e = &s->event[i], other = s->event[k];
    switch (below(seed, 8)) {
    case 0:
        s->event[k] = *e;
        *e = other;
        break;
    case 1:
        e->parent = random_round(seed, s, 0);
        break;
    case 2:
        e->round = random_round(seed, s, 0);
        break;
    case 3:
        e->value = (uint64_t)below(seed, s->values);
        break;
    case 4:
        memmove(e, e + 1, (size_t)(--s->count - i) * sizeof *e);
        break;
    case 5:
        *e = other;
        break;
    default:
        *e = (struct qtree_event){.is_commit = true, .instance = other.instance, .round = other.round};
        break;
    }
    for (int n = 0; n < s->count; n++)
        s->event[n].origin = (uint64_t)n + 1;
}

static void print_round(struct qtree_round r)
{
    printf(r.index ? " %llu:%llu" : " %llu", (unsigned long long)r.term, (unsigned long long)r.index);
}

static void print_sequence(const struct sequence *s)
{
    printf("# --values %s%s\n", s->rules.values == QTREE_SAME_VALUES ? "same" : "any",
           s->rules.witnesses ? " --witnesses" : "");
    for (int i = 0; i < s->count; i++) {
        const struct qtree_event *e = &s->event[i];
        printf("%s %llu", e->is_commit ? "commit" : "add", (unsigned long long)e->instance);
        print_round(e->round);
        if (!e->is_commit) {
            printf(" %llu", (unsigned long long)e->value);
            print_round(e->parent);
        }
        puts("");
    }
}

static bool is_different(uint64_t number, const struct sequence *s, const char *what, int at)
{
    printf("seed %llu: %s at event %d\n", (unsigned long long)number, what, at + 1);
    print_sequence(s);
    return false;
}

static void keep(const void *what, size_t size)
{
    undo_save(&undo, what, size);
}

static struct qtree open_tree(const struct sequence *s, bool goes_back)
{
    struct qtree tree;
    struct qtree_options options = {.values = s->rules.values, .witnesses = s->rules.witnesses};
    if (goes_back) {
        options.most_nodes = 4 * MOST_EVENTS;
        options.keep = keep;
    }
    qtree_open(&tree, &options);
    return tree;
}

// Takes events from `from` on; returns the first wrong one, or how many there are.
static int take(struct qtree *tree, const struct sequence *s, int from, struct qtree_violation *v)
{
    for (int i = from; i < s->count; i++)
        if (qtree_take(tree, &s->event[i], v) != QTREE_FINE)
            return i;
    return s->count;
}

static int naive_wrong(const struct sequence *s)
{
    for (int i = 0; i < s->count; i++)
        if (!naive_is_right(&s->rules, s->event, i + 1))
            return i;
    return s->count;
}

// The node of the round that is added at this event, or QTREE_NOBODY.
static uint32_t node_of(const struct qtree *tree, const struct qtree_event *e)
{
    for (uint32_t i = 1; i < tree->counts.nodes; i++)
        if (tree->instance[tree->node[i].instance].number == e->instance &&
            qtree_same_round(tree->node[i].round, e->round))
            return i;
    return QTREE_NOBODY;
}

static bool are_statuses_right(const struct qtree *tree, const struct sequence *s, struct tally *tally)
{
    for (int i = 0; i < s->count; i++) {
        if (s->event[i].is_commit)
            continue;
        enum qtree_status status = qtree_status(&tree->node[node_of(tree, &s->event[i])]);
        tally->statuses[status]++;
        if (status != naive_status(s->event, s->count, i))
            return false;
    }
    return true;
}

// Another order of the same events that is right leaves the same hash.
static bool is_hash_the_same(uint64_t *seed, const struct qtree *tree, const struct sequence *s, struct tally *tally)
{
    struct sequence other = *s;
    struct qtree_violation v;
    for (int i = other.count - 1; i > 0; i--) {
        int k = i - below(seed, i < 3 ? i + 1 : 3);
        struct qtree_event e = other.event[i];
        other.event[i] = other.event[k];
        other.event[k] = e;
    }
    struct qtree shuffled = open_tree(&other, false);
    bool right = take(&shuffled, &other, 0, &v) == other.count;
    bool same = !right || qtree_hash(&shuffled) == qtree_hash(tree);
    tally->orders += right;
    qtree_close(&shuffled);
    return same;
}

// Goes along one way, back to the middle and along the other: as if there had been no first.
static bool is_back_the_same(uint64_t *seed, const struct sequence *s, const struct sequence *other)
{
    struct qtree tree = open_tree(s, true), alone = open_tree(s, false);
    struct sequence joined = *s;
    struct qtree_violation v[2];
    int middle = below(seed, s->count + 1);
    undo_to(&undo, 0);
    joined.count = middle;
    bool right = take(&tree, &joined, 0, &v[0]) == middle;
    size_t mark = undo_mark(&undo);
    take(&tree, s, middle, &v[0]);
    undo_to(&undo, mark);
    for (int i = 0; i < other->count && joined.count < MOST_EVENTS; i++)
        append(&joined, other->event[i]);
    int one = right ? take(&tree, &joined, middle, &v[0]) : 0, two = right ? take(&alone, &joined, 0, &v[1]) : 0;
    bool same = one == two && (!right || qtree_hash(&tree) == qtree_hash(&alone)) &&
                (!right || one == joined.count || v[0].fault == v[1].fault);
    undo_to(&undo, 0);
    qtree_close(&tree);
    qtree_close(&alone);
    return same;
}

static bool check_sequence(uint64_t number, uint64_t *seed, const struct sequence *s, struct tally *tally)
{
    struct qtree tree = open_tree(s, false);
    struct qtree_violation v = {.fault = QTREE_FINE};
    int wrong = take(&tree, s, 0, &v), truth = naive_wrong(s);
    bool same = true;
    tally->events += (unsigned long long)s->count;
    tally->faults[v.fault]++;
    if (wrong != truth)
        same = is_different(number, s, wrong < truth ? "it is accused" : "it is called right",
                            wrong < truth ? wrong : truth);
    else if (wrong < s->count && !naive_agrees(&s->rules, s->event, wrong, &v))
        same = is_different(number, s, "what is said is not so", wrong);
    else if (wrong == s->count && !are_statuses_right(&tree, s, tally))
        same = is_different(number, s, "a status is wrong", wrong);
    else if (wrong == s->count && !is_hash_the_same(seed, &tree, s, tally))
        same = is_different(number, s, "another order has another hash", wrong);
    if (wrong == s->count)
        tally->right++;
    else
        tally->wrong++;
    qtree_close(&tree);
    return same;
}

static bool check(uint64_t number, struct tally *tally)
{
    uint64_t seed = number * 0x9e3779b97f4a7c15u + 1;
    struct sequence s, changed;
    random_sequence(&seed, &s);
    changed = s;
    for (int changes = below(&seed, 3); changes >= 0; changes--)
        change(&seed, &changed);
    if (below(&seed, 2))
        return check_sequence(number, &seed, &changed, tally);
    if (!is_back_the_same(&seed, &s, &changed))
        return is_different(number, &s, "going back does not lead back", s.count);
    return check_sequence(number, &seed, &s, tally);
}

int main(int argc, char **argv)
{
    uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000,
             first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct tally tally = {0};
    int failures = 0;
    undo_init(&undo, UNDO_ROOM);
    for (uint64_t i = 0; i < count && failures < MOST_FAILURES; i++)
        failures += !check(first + i, &tally);
    printf("%llu sequences of %llu events: %llu right, %llu wrong, %d differences; %llu other orders\n",
           (unsigned long long)count, tally.events, tally.right, tally.wrong, failures, tally.orders);
    for (int i = QTREE_FINE + 1; i < QTREE_FAULTS; i++)
        printf("%-20s %10llu\n", qtree_fault_names[i], tally.faults[i]);
    for (int i = 0; i < QTREE_STATUSES; i++)
        printf("rounds %-13s %10llu\n", qtree_status_names[i], tally.statuses[i]);
    return failures > 0;
}
