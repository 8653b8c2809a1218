// What total order multicast with memberships promises (extended virtual synchrony), told of the records of all nodes:
//
// - Rings: two nodes that were told of the ring with one name were told the same members, and rings of a node have greater and
//   greater numbers.
// - Messages: a node delivers a message at most once, and only one that somebody was asked to send.
// - Order: of two members of a ring, what one has delivered there is the beginning of what the other has, for as long as both are in it.
// - Virtual synchrony: two that go on together from one ring to the next have delivered the same on the way, in the same order.
//
// A node that crashed and came back is a new one: what it was told before is forgotten.
#include <stdio.h>

#include "node.h"

// What a node delivered between two configurations.
struct stretch {
    const struct record *begin;  // the regular configuration
    const struct record *passed; // the transitional one by which it was left, or null
    const struct record *next;   // the regular one that came then, or null
    unsigned char value[RECORDS_MOST];
    unsigned count, before; // messages, and those of them before the transitional configuration
};

// The stretch that begins at the record.
static void read_stretch(const struct node_state *s, unsigned at, struct stretch *stretch)
{
    *stretch = (struct stretch){.begin = &s->record[at]};
    for (unsigned i = at + 1; i < s->count && !stretch->next; i++) {
        const struct record *r = &s->record[i];
        if (r->kind == DELIVERED)
            stretch->value[stretch->count++] = r->value;
        else if (r->kind == REGULAR)
            stretch->next = r;
        else
            stretch->passed = r;
        if (!stretch->passed)
            stretch->before = stretch->count;
    }
}

static bool is_same_ring(const struct record *a, const struct record *b)
{
    return a->rep == b->rep && a->seq == b->seq;
}

static const char *compare_stretches(const struct stretch *a, const struct stretch *b)
{
    unsigned both = a->before < b->before ? a->before : b->before;
    if (a->begin->members != b->begin->members)
        return "two nodes are in one ring and know different members of it";
    for (unsigned i = 0; i < both; i++)
        if (a->value[i] != b->value[i])
            return "two members of a ring deliver messages in different orders";
    bool together = a->next && b->next && is_same_ring(a->next, b->next) && a->passed && b->passed &&
                    a->passed->members == b->passed->members;
    if (!together)
        return NULL;
    if (a->count != b->count)
        return "two nodes go on to the next ring together, and one of them has not delivered what the other has";
    for (unsigned i = 0; i < a->count; i++)
        if (a->value[i] != b->value[i])
            return "two nodes go on to the next ring together, and have delivered in different orders";
    return NULL;
}

static const char *compare_nodes(const struct node_state *a, const struct node_state *b)
{
    const char *wrong = NULL;
    for (unsigned i = 0; i < a->count && !wrong; i++) {
        if (a->record[i].kind != REGULAR)
            continue;
        for (unsigned k = 0; k < b->count && !wrong; k++) {
            if (b->record[k].kind != REGULAR || !is_same_ring(&a->record[i], &b->record[k]))
                continue;
            struct stretch one, other;
            read_stretch(a, i, &one);
            read_stretch(b, k, &other);
            wrong = compare_stretches(&one, &other);
        }
    }
    return wrong;
}

static const char *look_at_node(const struct node_state *s, unsigned asked)
{
    unsigned seen = 0, seq = 0;
    for (unsigned i = 0; i < s->count; i++) {
        const struct record *r = &s->record[i];
        if (r->kind == DELIVERED && seen >> r->value & 1)
            return "a node delivers a message twice";
        if (r->kind == DELIVERED && !(asked >> r->value & 1))
            return "a node delivers a message that nobody was asked to send";
        seen |= r->kind == DELIVERED ? 1u << r->value : 0;
        if (r->kind == REGULAR && r->seq <= seq)
            return "a node is told of a ring that is not newer than its last";
        seq = r->kind == REGULAR ? r->seq : seq;
    }
    return NULL;
}

static unsigned asked_in_all(const struct heddle_view *v)
{
    unsigned asked = 0;
    for (int i = 0; i < v->nodes; i++)
        asked |= ((const struct node_state *)v->state[i])->asked;
    return asked;
}

const char *claims_hold(const struct heddle_view *v)
{
    const char *wrong = NULL;
    unsigned asked = asked_in_all(v);
    for (int i = 0; i < v->nodes && !wrong; i++) {
        wrong = look_at_node(v->state[i], asked);
        for (int k = 0; k < i && !wrong; k++)
            wrong = compare_nodes(v->state[i], v->state[k]);
    }
    return wrong;
}

static const struct record *last_ring(const struct node_state *s)
{
    const struct record *last = NULL;
    for (unsigned i = 0; i < s->count; i++)
        if (s->record[i].kind == REGULAR)
            last = &s->record[i];
    return last;
}

static bool has_delivered(const struct node_state *s, unsigned value)
{
    for (unsigned i = 0; i < s->count; i++)
        if (s->record[i].kind == DELIVERED && s->record[i].value == value)
            return true;
    return false;
}

// In the end all that are up are in one ring, and each has delivered what it was itself asked to send.
const char *claims_hold_in_the_end(const struct heddle_view *v)
{
    const struct record *ring = NULL;
    unsigned up = 0;
    for (int i = 0; i < v->nodes; i++)
        up |= v->up[i] ? 1u << i : 0;
    for (int i = 0; i < v->nodes; i++) {
        const struct node_state *s = v->state[i];
        const struct record *last = last_ring(s);
        if (!v->up[i])
            continue;
        if (!last || last->members != up || (ring && !is_same_ring(ring, last)))
            return "the nodes that are up are not in one ring";
        ring = last;
        for (unsigned value = 0; value < 8; value++)
            if (s->owed >> value & 1 && !has_delivered(s, value))
                return "a node has not delivered a message of its own";
    }
    return NULL;
}
