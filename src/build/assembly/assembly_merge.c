// Where paths meet: what holds at a label is what all ways to it have in common.
//
// Where only one jump leads to a label, and nothing falls into it, what holds there is what held at the jump. If the jump comes
// later in the text, that is what it was in the last round. Every cycle passes a label that more than one way leads to, and
// what differs there once, differs for good; so the others settle as well.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "build/assembly/assembly_walk.h"

// What holds at a label.
struct label_state {
    uint32_t stack,
        merged; // registers that point into the frame, however one gets here: by the last round, and by this one
    uint32_t different;  // registers that hold different values when one gets here
    bool known, flowed;  // `in` and `next` are set
    bool fallen;         // control falls into it from above, in some round
    struct machine in;   // by the last round
    struct machine next; // by this one
};

void walk_apply_rule(struct unseen_walk *u)
{
    if (u->cfi.rule.known)
        u->m.reg[u->cfi.rule.reg] = symbolic_add(u->values, u->frame, symbolic_number(-u->cfi.rule.offset));
}

uint32_t walk_stack_registers(const struct unseen_walk *u)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (walk_is_stack(u, u->m.reg[i]))
            found |= 1u << i;
    return found;
}

// What is known of the label; only within the function that is looked at.
static struct label_state *state_of(struct listing_label *label)
{
    if (!label->state)
        label->state = alloc_zeroed(1, sizeof *label->state);
    return label->state;
}

// Jumps that lead there, but for those after a failure, from which nothing flows (assembly_unseen.c).
static uint32_t jumps_to(const struct listing_label *label)
{
    return label->jumps - label->returns;
}

static bool is_single(const struct listing_label *label)
{
    return jumps_to(label) == 1 && !label->anywhere && !label->addressed && !label->state->fallen;
}

void walk_flow_to(struct unseen_walk *u, struct listing_label *label)
{
    struct label_state *s = state_of(label);
    s->merged &= walk_stack_registers(u);
    if (!s->flowed) {
        s->next = u->m;
        s->flowed = true;
        return;
    }
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (!symbolic_same(s->next.reg[i], u->m.reg[i]))
            s->different |= 1u << i;
    machine_keep_common_slots(&s->next, &u->m);
}

// Here control comes from several places: what holds is what all have in common.
static void merge(struct unseen_walk *u, struct listing_label *label)
{
    struct symbolic top = u->m.reg[MACHINE_RSP], pointer = u->m.reg[MACHINE_RBP];
    const struct label_state *s = state_of(label);
    const struct machine *base = s->known ? &s->in : s->flowed ? &s->next : NULL;
    bool unknown = label->anywhere || u->pessimistic || !base;
    uint32_t stack = label->anywhere ? s->stack & u->anywhere : base ? s->stack : 0;
    uint32_t different = unknown ? 0xffff : is_single(label) ? 0 : s->different;
    machine_reset(&u->m, 0, 0);
    stack = (u->pessimistic ? 0 : stack) | 1u << MACHINE_RSP;
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++) {
        uint32_t traits =
            (stack >> i & 1 ? SYMBOLIC_STACK : 0) | (i == MACHINE_RAX || i == MACHINE_RDX ? SYMBOLIC_RESULT : 0);
        u->m.reg[i] = different >> i & 1 ? symbolic_named(u->values, (int64_t)label->item, i, traits) : base->reg[i];
    }
    if (!unknown) {
        memcpy(u->m.slot, base->slot, sizeof u->m.slot);
        u->m.slots = base->slots;
    }
    if (!u->cfi.rule.known) { // no directives: compilers keep the depth the same on all paths
        u->m.reg[MACHINE_RSP] = top;
        if (walk_is_stack(u, pointer))
            u->m.reg[MACHINE_RBP] = pointer;
    }
}

void walk_pass_label(struct unseen_walk *u, const char *name)
{
    struct listing_label *label = listing_find_label(&u->listing, name);
    bool target = label && (jumps_to(label) || ((label->anywhere || label->addressed) && u->entered));
    if (!label || (!target && u->reachable))
        return;
    struct label_state *s = state_of(label);
    if (u->reachable) {
        s->fallen = true;
        walk_flow_to(u, label);
    }
    if (!s->flowed && !s->known && !label->anywhere && !u->final)
        return;
    u->announced.size = u->left = 0;
    if (is_single(label) && s->flowed)
        u->m = s->next;
    else
        merge(u, label);
    walk_apply_rule(u);
    u->reachable = true;
}

static bool holds_the_same(const struct machine *a, const struct machine *b)
{
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (!symbolic_same(a->reg[i], b->reg[i]))
            return false;
    struct machine common = *a;
    return a->slots == b->slots && !machine_keep_common_slots(&common, b);
}

// Whether the last round told something else. What differs once, differs for good, so that this comes to an end.
void walk_settle_label(struct unseen_walk *u, struct listing_label *label)
{
    struct label_state *s = state_of(label);
    u->changed |= s->stack != s->merged;
    s->stack = s->merged;
    s->merged = 0xffff;
    if (!s->flowed)
        return;
    s->flowed = false;
    if (!s->known) {
        s->in = s->next;
        s->known = u->changed = true;
        return;
    }
    if (is_single(label)) {
        u->changed |= !holds_the_same(&s->in, &s->next);
        s->in = s->next;
        return;
    }
    uint32_t before = s->different;
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (!symbolic_same(s->next.reg[i], s->in.reg[i]))
            s->different |= 1u << i;
    u->changed |= s->different != before;
    u->changed |= machine_keep_common_slots(&s->in, &s->next);
}

void walk_open_label(struct unseen_walk *u, struct listing_label *label)
{
    (void)u;
    struct label_state *s = state_of(label);
    s->stack = s->merged = 0xffff;
}

void walk_close_label(struct unseen_walk *u, struct listing_label *label)
{
    (void)u;
    free(label->state);
    label->state = NULL;
}
