#include "build/assembly/assembly_liveness.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "build/assembly/assembly_effects.h"

enum { NOWHERE = -1, NAME = EFFECTS_NAME, KEPT = EFFECTS_KEPT };
// ANSWER is rax as what a call returned: another call does not read that, although rax may hold an argument.
enum { RAX = 1, ANSWER = LIVE_ALL + 1, EVERYTHING = LIVE_ALL | ANSWER };

struct live_node {
    uint32_t uses, kills, live;  // `live`: right before it
    bool falls;                  // control can go on to the next one
    bool assembly, call, starts; // `starts` a function
    bool fresh;                  // it can be reached from the function's start without a call in between
    char target[NAME];           // label that it may go to; empty if there is none
    long to;                     // that label's node
    size_t function;
};

struct live_label {
    char name[NAME];
    long node;
};

struct live_function {
    char name[NAME];
    uint32_t mentions; // registers that it names anywhere
    bool jumps_anywhere;
    bool calls_others;      // and not only hooks
    bool calls, uses_below; // a function that calls others leaves what is below its stack pointer to them
};

struct liveness {
    struct live_node *nodes;
    size_t count, room;
    struct live_label *labels;
    size_t label_count, label_room;
    struct live_function *functions; // the first one is what stands outside of all
    size_t function_count, function_room, current;
    bool starts;      // the next instruction is the first of its function
    size_t *assembly; // nodes of inline assembly
    size_t assembly_count, assembly_room;
};

struct liveness *liveness_new(void)
{
    struct liveness *l = alloc_zeroed(1, sizeof *l);
    liveness_function(l, "");
    return l;
}

void liveness_free(struct liveness *l)
{
    if (!l)
        return;
    free(l->nodes);
    free(l->labels);
    free(l->functions);
    free(l->assembly);
    free(l);
}

void liveness_function(struct liveness *l, const char *name)
{
    char base[NAME];
    size_t length = strcspn(name, ".");
    l->starts = true;
    snprintf(base, sizeof base, "%.*s", (int)length, name);
    for (size_t i = 0; name[length] && i < l->function_count; i++) {
        if (!strcmp(l->functions[i].name, base)) {
            l->current = i;
            return;
        }
    }
    l->functions = alloc_grow(l->functions, l->function_count, &l->function_room, sizeof *l->functions);
    l->current = l->function_count++;
    l->functions[l->current] = (struct live_function){0};
    memcpy(l->functions[l->current].name, base, sizeof base);
}

void liveness_label(struct liveness *l, const char *name, size_t length)
{
    l->labels = alloc_grow(l->labels, l->label_count, &l->label_room, sizeof *l->labels);
    struct live_label *label = &l->labels[l->label_count++];
    snprintf(label->name, NAME, "%.*s", (int)length, name);
    label->node = (long)l->count;
}

static void read_node(struct live_node *n, const char *text)
{
    struct effects e;
    effects_read(&e, text);
    n->call = e.call;
    n->falls = e.falls;
    n->uses = e.uses | (e.call ? KEPT : 0);
    n->kills = e.kills;
    memcpy(n->target, e.target, sizeof n->target);
    if (n->assembly && (e.call || !e.known)) {
        n->uses = LIVE_ALL;
        n->kills = e.call ? 0 : n->kills;
    }
    n->uses |= n->uses & RAX && !e.call ? ANSWER : 0;
    n->kills |= n->kills & RAX ? ANSWER : 0;
}

// Whether an operand lies below the stack pointer.
static bool names_below(const char *text)
{
    for (const char *at = text; (at = strstr(at, "(%rsp")); at++) {
        const char *start = at;
        while (start > text && !strchr(" \t,", start[-1]))
            start--;
        if (memchr(start, '-', (size_t)(at - start)))
            return true;
    }
    return false;
}

// To another function, perhaps.
static bool jumps_out(const struct live_node *n)
{
    return n->target[0] && strncmp(n->target, ".L", 2) != 0;
}

static void note_function(struct live_function *f, const struct live_node *n, const char *text)
{
    f->jumps_anywhere |= text && !n->falls && n->uses == EVERYTHING;
    f->mentions |= text ? effects_registers(text, strlen(text)) | LIVE_FLAGS : LIVE_ALL;
    f->calls |= n->call && !n->assembly;
    f->calls_others |= (n->call && !(text && strstr(text, "__tsan_"))) || jumps_out(n);
    f->uses_below |= !text || names_below(text);
}

void liveness_instruction(struct liveness *l, const char *text, bool assembly)
{
    l->nodes = alloc_grow(l->nodes, l->count, &l->room, sizeof *l->nodes);
    struct live_node *n = &l->nodes[l->count];
    *n = (struct live_node){
        .uses = EVERYTHING, .falls = true, .assembly = assembly, .to = NOWHERE, .function = l->current};
    if (text)
        read_node(n, text);
    note_function(&l->functions[l->current], n, text);
    n->starts = l->starts;
    l->starts = false;
    if (assembly) {
        l->assembly = alloc_grow(l->assembly, l->assembly_count, &l->assembly_room, sizeof *l->assembly);
        l->assembly[l->assembly_count++] = l->count;
    }
    l->count++;
}

static int by_name(const void *a, const void *b)
{
    const struct live_label *one = a, *other = b;
    int order = strcmp(one->name, other->name);
    return order ? order : (one->node > other->node) - (one->node < other->node);
}

// Numbers may name many labels: 1b is the last one before, 1f the first one after.
static long find_label(const struct liveness *l, const char *target, long from)
{
    char name[NAME];
    size_t digits = strspn(target, "0123456789");
    bool local = digits && (target[digits] == 'b' || target[digits] == 'f') && !target[digits + 1];
    snprintf(name, sizeof name, "%.*s", local ? (int)digits : NAME - 1, target);
    long found = NOWHERE;
    size_t low = 0, high = l->label_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (strcmp(l->labels[middle].name, name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < l->label_count && !strcmp(l->labels[low].name, name); low++) {
        long node = l->labels[low].node;
        if (!local || (target[digits] == 'b' && node <= from))
            found = node;
        else if (target[digits] == 'f' && node > from)
            return node;
    }
    return found;
}

// What is needed after a node. A jump out of the file is a call of another function.
static uint32_t live_after(const struct liveness *l, size_t i)
{
    const struct live_node *n = &l->nodes[i];
    uint32_t live = 0;
    if (n->falls)
        live |= i + 1 < l->count ? l->nodes[i + 1].live : EVERYTHING;
    if (n->target[0])
        live |= n->to != NOWHERE && (size_t)n->to < l->count ? l->nodes[n->to].live : EVERYTHING;
    return live;
}

// Goes backwards: what is needed before each node.
static void solve_live(struct liveness *l)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = l->count; i-- > 0;) {
            struct live_node *n = &l->nodes[i];
            uint32_t live = (live_after(l, i) & ~n->kills) | n->uses;
            changed |= live != n->live;
            n->live = live;
        }
    }
}

static bool make_fresh(struct liveness *l, long node)
{
    if (node == NOWHERE || (size_t)node >= l->count || l->nodes[node].fresh)
        return false;
    l->nodes[node].fresh = true;
    return true;
}

// Goes forwards: where arguments may still be in the registers that they came in.
static void solve_fresh(struct liveness *l)
{
    for (size_t i = 0; i < l->count; i++)
        l->nodes[i].fresh = l->nodes[i].starts || l->functions[l->nodes[i].function].jumps_anywhere;
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < l->count; i++) {
            const struct live_node *n = &l->nodes[i];
            if (!n->fresh || n->call)
                continue;
            changed |= n->falls && make_fresh(l, (long)i + 1);
            changed |= make_fresh(l, n->to);
        }
    }
}

void liveness_solve(struct liveness *l)
{
    if (l->label_count)
        qsort(l->labels, l->label_count, sizeof *l->labels, by_name);
    for (size_t i = 0; i < l->count; i++)
        if (l->nodes[i].target[0])
            l->nodes[i].to = find_label(l, l->nodes[i].target, (long)i);
    solve_live(l);
    solve_fresh(l);
}

// What a function never names is its callers', or an argument that passes through on its way to another function, or
// nobody's. (That is why heddle cc turns -fipa-ra off, by which callers rely on what a function does not name.)
uint32_t liveness_before(const struct liveness *l, size_t number)
{
    if (number >= l->assembly_count)
        return LIVE_ALL;
    const struct live_node *n = &l->nodes[l->assembly[number]];
    const struct live_function *f = &l->functions[n->function];
    if (!n->function)
        return LIVE_ALL;
    uint32_t live = n->fresh ? n->live : n->live & f->mentions;
    live = f->calls && !f->uses_below ? live & ~(uint32_t)LIVE_BELOW : live | LIVE_BELOW;
    return (live & LIVE_ALL) | (KEPT & ~f->mentions);
}

// What a function returns may be what a call left there, and is never named then.
bool liveness_vectors(const struct liveness *l, size_t number)
{
    if (number >= l->count)
        return true;
    const struct live_node *n = &l->nodes[number];
    const struct live_function *f = &l->functions[n->function];
    bool named = f->mentions & REGISTER_VECTORS;
    return !n->function || (n->live & REGISTER_VECTORS && (named || f->calls_others));
}

bool liveness_answer(const struct liveness *l, size_t number)
{
    return number >= l->count || l->nodes[number].live & ANSWER;
}
