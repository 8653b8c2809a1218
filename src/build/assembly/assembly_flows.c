#include "build/assembly/assembly_flows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "build/assembly/assembly_await.h"
#include "build/assembly/assembly_detour.h"
#include "build/assembly/assembly_effects.h"
#include "build/assembly/assembly_hooks.h"
#include "build/assembly/assembly_taint.h"
#include "model/flow.h"

// What may hold at a label.
struct label_taint {
    bool reached;
    struct taint taint;
};

struct flows {
    const struct unseen_walk *walk;
    struct label_taint *at; // of each label of the listing
    uint8_t *read;          // of each item: see taint_function
    uint64_t *stored;
    uint64_t *escapes; // of each item that is a hook: of its function
    uint64_t *waits;
    bool *awaits;   // of each item that is a hook: its value is awaited
    uint32_t *site; // of each item: its site's number, plus 1
    uint16_t *function;
    size_t sites, functions;
};

// The function that is gone through.
struct flowing {
    struct flows *flows;
    size_t first, end;
    struct taint taint;
    struct taint_function f;
    bool reachable;
};

static const struct listing_item *item_at(const struct flows *flows, size_t i)
{
    return &flows->walk->listing.item[i];
}

static bool is_hook(const struct flows *flows, size_t i)
{
    char name[256];
    const char *text = effects_instruction(item_at(flows, i)->text);
    if (item_at(flows, i)->kind != ITEM_INSTRUCTION || !text_begins(text, "call"))
        return false;
    call_name(text + strcspn(text, " \t"), name, sizeof name);
    return call_kind_of(name) == CALL_HOOK && !strstr(name, "func_exit");
}

// ---- the flow of control ----

static void join_taint(struct flowing *w, struct label_taint *to)
{
    uint64_t *into = (uint64_t *)&to->taint;
    const uint64_t *from = (const uint64_t *)&w->taint;
    w->f.changed |= !to->reached;
    to->reached = true;
    for (size_t i = 0; i < sizeof to->taint / sizeof *into; i++) {
        w->f.changed |= (into[i] | from[i]) != into[i];
        into[i] |= from[i];
    }
}

static struct label_taint *taint_at(const struct flowing *w, const struct listing_label *label)
{
    return &w->flows->at[label - w->flows->walk->listing.label];
}

static bool is_inside(const struct flowing *w, const struct listing_label *label)
{
    return label && label->item >= w->first && label->item < w->end;
}

static struct listing_label *label_named(const struct flowing *w, const char *name)
{
    return listing_find_label(&w->flows->walk->listing, name);
}

// The branch decides nothing but which registers the side that comes round has overwritten.
static void take_detour(struct flowing *w, const struct detour *d)
{
    uint64_t reads = w->taint.flags;
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (d->written >> i & 1)
            w->taint.reg[i] |= reads;
    for (uint32_t i = 0; d->vectors && i < TAINT_VECTORS; i++)
        w->taint.vector[i] |= reads;
    if (d->waits && (w->f.waits | reads) != w->f.waits) {
        w->f.waits |= reads;
        w->f.changed = true;
    }
}

// Where nothing but the value of one read lets the thread go on.
static void note_awaited(struct flowing *w, const struct detour *d, size_t branch, size_t item, size_t join)
{
    size_t hook = d->waits ? await_hook(d, branch, item, join) : d->end;
    if (hook < d->end && w->flows->read[hook] && d->reads == 1ull << (w->flows->read[hook] - 1))
        w->flows->awaits[hook] = true;
}

static void decide_branch(struct flowing *w, size_t branch, size_t target)
{
    size_t fall = branch + 1;
    struct detour d = {.walk = w->flows->walk,
                       .first = w->first,
                       .end = w->end,
                       .reads = w->taint.flags,
                       .fresh = w->taint.flags & ~w->taint.stale,
                       .read = w->flows->read};
    if (!d.reads || detour_gives_up(&d, fall) || detour_gives_up(&d, target))
        return;
    bool by_falling = detour_comes_round(&d, fall, target);
    if (!by_falling && !detour_comes_round(&d, target, fall)) {
        taint_escape(&w->f, d.reads);
        return;
    }
    take_detour(w, &d);
    note_awaited(w, &d, branch, by_falling ? fall : target, by_falling ? target : fall);
}

static void pass_branch(struct flowing *w, size_t i, const char *text)
{
    struct effects e;
    effects_read(&e, text);
    struct listing_label *to = e.target[0] ? label_named(w, e.target) : NULL;
    if (!to || !is_inside(w, to)) {
        w->f.unknown = text;
        return;
    }
    decide_branch(w, i, to->item);
    join_taint(w, taint_at(w, to));
}

// Through a table, or by a pointer to another function.
static void pass_indirect_jump(struct flowing *w, const char *text)
{
    uint32_t named = effects_registers(text, strlen(text));
    for (uint32_t i = 0; i < MACHINE_GENERAL; i++)
        if (named >> i & 1)
            taint_escape(&w->f, w->taint.reg[i]);
    taint_tail_call(&w->taint, &w->f, "*");
    for (size_t i = w->first; i < w->end; i++) {
        struct listing_label *label =
            item_at(w->flows, i)->kind == ITEM_LABEL ? label_named(w, item_at(w->flows, i)->text) : NULL;
        if (label && label->addressed)
            join_taint(w, taint_at(w, label));
    }
}

static void pass_jump(struct flowing *w, const char *text)
{
    struct effects e;
    effects_read(&e, text);
    struct listing_label *to = e.target[0] ? label_named(w, e.target) : NULL;
    w->reachable = false;
    if (strchr(text, '*'))
        pass_indirect_jump(w, text);
    else if (is_inside(w, to))
        join_taint(w, taint_at(w, to));
    else
        taint_tail_call(&w->taint, &w->f, text + strcspn(text, " \t"));
}

// Whether a call orders nothing: a hook of a plain access, or a signal.
static bool orders_nothing(const char *name)
{
    return (text_begins(name, "__tsan_") && !strstr(name, "atomic")) || !strcmp(name, "pthread_cond_signal") ||
           !strcmp(name, "pthread_cond_broadcast");
}

// Which reads are stale after a call.
static void pass_order(struct flowing *w, size_t i, const char *text)
{
    char name[256];
    call_name(text + strcspn(text, " \t"), name, sizeof name);
    if (w->flows->read[i])
        w->taint.stale &= ~(1ull << (w->flows->read[i] - 1));
    else if (!orders_nothing(name))
        w->taint.stale = UINT64_MAX;
}

static void pass_instruction(struct flowing *w, size_t i)
{
    const char *text = effects_instruction(item_at(w->flows, i)->text);
    if (!*text || !w->reachable)
        return;
    if (text_begins(text, "call"))
        pass_order(w, i, text);
    switch (taint_step(&w->taint, &w->f, text, &w->flows->walk->operand[i])) {
    case TAINT_BRANCHES:
        pass_branch(w, i, text);
        break;
    case TAINT_JUMPS:
        pass_jump(w, text);
        break;
    case TAINT_ENDS:
        w->reachable = false;
        break;
    case TAINT_GOES_ON:
        break;
    }
}

static void pass_label(struct flowing *w, const char *name)
{
    struct listing_label *label = label_named(w, name);
    if (!label || !listing_is_target(label))
        return;
    if (label->anywhere)
        w->f.unknown = name;
    struct label_taint *at = taint_at(w, label);
    if (w->reachable)
        join_taint(w, at);
    if (at->reached) {
        w->taint = at->taint;
        w->reachable = true;
    }
}

static void pass_all(struct flowing *w)
{
    w->taint = (struct taint){.stale = UINT64_MAX};
    memset(w->flows->awaits + w->first, 0, (w->end - w->first) * sizeof *w->flows->awaits); // the last round decides
    w->reachable = true;
    for (size_t i = w->first; i < w->end && !w->f.unknown; i++) {
        if (item_at(w->flows, i)->kind == ITEM_INSTRUCTION)
            pass_instruction(w, i);
        else if (item_at(w->flows, i)->kind == ITEM_LABEL)
            pass_label(w, item_at(w->flows, i)->text);
        else if (item_at(w->flows, i)->kind == ITEM_ASSEMBLY)
            w->f.unknown = item_at(w->flows, i)->text;
    }
}

// ---- functions ----

// Gives the hooks of the function their numbers; false if it has none.
static bool number_reads(struct flows *flows, size_t first, size_t end)
{
    uint32_t reads = 0;
    bool any = false;
    for (size_t i = first; i < end; i++) {
        if (!is_hook(flows, i))
            continue;
        any = true;
        flows->read[i] = reads < FLOW_READS ? (uint8_t)++reads : 0;
    }
    return any && reads < FLOW_READS;
}

static void keep_sites(struct flows *flows, const struct flowing *w)
{
    for (size_t i = w->first; i < w->end; i++) {
        if (!is_hook(flows, i))
            continue;
        flows->site[i] = (uint32_t)++flows->sites;
        flows->function[i] = (uint16_t)flows->functions;
        flows->escapes[i] = w->f.escapes;
        flows->waits[i] = w->f.waits;
    }
    flows->functions++;
}

static void solve_function(struct flows *flows, size_t first, size_t end)
{
    enum { ROUNDS = 200, MOST_FUNCTIONS = 60000 };
    if (!number_reads(flows, first, end) || flows->functions >= MOST_FUNCTIONS)
        return;
    struct flowing *w = alloc_zeroed(1, sizeof *w);
    *w = (struct flowing){.flows = flows, .first = first, .end = end};
    w->f.read = flows->read;
    w->f.stored = flows->stored;
    w->f.changed = true;
    for (int round = 0; w->f.changed && !w->f.unknown; round++) {
        w->f.changed = false;
        pass_all(w);
        if (round == ROUNDS)
            w->f.unknown = "too much";
    }
    if (!w->f.unknown)
        keep_sites(flows, w);
    free(w);
}

struct flows *flows_new(const struct unseen_walk *walk)
{
    const size_t items = walk->listing.items + 1;
    struct flows *flows = alloc_zeroed(1, sizeof *flows);
    flows->walk = walk;
    flows->at = alloc_zeroed(walk->listing.labels + 1, sizeof *flows->at);
    flows->read = alloc_zeroed(items, sizeof *flows->read);
    flows->stored = alloc_zeroed(items, sizeof *flows->stored);
    flows->escapes = alloc_zeroed(items, sizeof *flows->escapes);
    flows->waits = alloc_zeroed(items, sizeof *flows->waits);
    flows->awaits = alloc_zeroed(items, sizeof *flows->awaits);
    flows->site = alloc_zeroed(items, sizeof *flows->site);
    flows->function = alloc_zeroed(items, sizeof *flows->function);
    size_t first = walk->listing.items;
    for (size_t i = 0; i <= walk->listing.items; i++) {
        if (i < walk->listing.items && walk->listing.item[i].kind != ITEM_FUNCTION)
            continue;
        if (first < i)
            solve_function(flows, first, i);
        first = i;
    }
    return flows;
}

void flows_free(struct flows *flows)
{
    if (!flows)
        return;
    free(flows->at);
    free(flows->read);
    free(flows->stored);
    free(flows->escapes);
    free(flows->waits);
    free(flows->awaits);
    free(flows->site);
    free(flows->function);
    free(flows);
}

size_t flows_count(const struct flows *flows)
{
    return flows ? flows->sites : 0;
}

bool flows_label(const struct flows *flows, size_t number, char *label, size_t room)
{
    const struct listing *listing = &flows->walk->listing;
    uint32_t site = number < listing->instructions ? flows->site[listing->instruction[number]] : 0;
    if (site)
        snprintf(label, room, ".Lheddle_flow%u", site);
    return site != 0;
}

void flows_write(const struct flows *flows, struct buffer *text)
{
    buffer_add(text, "\t.balign 8\n.Lheddle_flows:\n\t.long %zu, %zu\n", flows->sites, flows->functions);
    for (size_t i = 0; i < flows->walk->listing.items; i++) {
        if (!flows->site[i])
            continue;
        uint32_t read = flows->read[i];
        uint64_t bit = read ? 1ull << (read - 1) : 0;
        int flags = (flows->escapes[i] & bit ? FLOW_ESCAPES : 0) | (flows->waits[i] & bit ? FLOW_WAITS : 0) |
                    (flows->awaits[i] ? FLOW_AWAITS : 0);
        buffer_add(text, "\t.long .Lheddle_flow%u - .\n\t.short %u\n\t.byte %d, %u\n\t.quad 0x%llx\n", flows->site[i],
                   flows->function[i], flags, read, (unsigned long long)flows->stored[i]);
    }
}
