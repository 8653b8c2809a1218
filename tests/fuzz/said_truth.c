#include "fuzz/said_truth.h"

#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "fuzz/program.h"

struct edge {
    uint32_t to; // or NO_NODE: an assertion fails
    uint8_t thread;
    uint8_t bug;
};

struct node {
    struct said_state state;
    uint32_t first, edges;
    uint8_t deadlock; // number of the bug plus 1
};

enum { NO_NODE = UINT32_MAX };

struct said_graph {
    struct node *nodes;
    uint32_t count, limit;
    struct edge *edges;
    uint32_t edge_count, edge_room;
    uint32_t *table; // node plus 1
    uint32_t slots;
};

struct said_state said_start(const struct said_program *p)
{
    struct said_state s;
    (void)p;
    memset(&s, 0, sizeof s);
    s.thread[0].phase = SAID_READY;
    return s;
}

static bool holds(const struct said_state *s, uint32_t thread, const struct said_instr *in)
{
    return !in->guarded || s->thread[thread].reg[in->guard] == in->equal;
}

const struct said_instr *said_at(const struct said_program *p, const struct said_state *s, uint32_t thread)
{
    uint32_t phase = s->thread[thread].phase, pc = s->thread[thread].pc;
    if (phase == SAID_ABSENT || phase == SAID_GONE)
        return NULL;
    while (phase == SAID_READY && !holds(s, thread, &p->code[thread][pc]))
        pc++;
    return &p->code[thread][pc];
}

bool said_sleeps(const struct said_state *s, uint32_t thread)
{
    return s->thread[thread].phase == SAID_ASLEEP || s->thread[thread].phase == SAID_LEAVING;
}

bool said_leaves(const struct said_state *s, uint32_t thread)
{
    return s->thread[thread].phase == SAID_LEAVING || s->thread[thread].phase == SAID_LEAVING_WOKEN;
}

static uint32_t sleepers(const struct said_program *p, const struct said_state *s)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < p->threads; t++)
        n += said_sleeps(s, t);
    return n;
}

uint32_t said_outcomes(const struct said_program *p, const struct said_state *s, uint32_t thread)
{
    const struct said_instr *in = said_at(p, s, thread);
    if (!in || s->over)
        return 0;
    uint32_t phase = s->thread[thread].phase, waiting = sleepers(p, s);
    if (phase == SAID_ASLEEP)
        return 0;
    if (said_leaves(s, thread))
        return 1;
    if (phase == SAID_WOKEN || in->code == SAID_LOCK)
        return !s->owner[in->object];
    if (in->code == SAID_JOIN)
        return s->thread[in->object].phase == SAID_GONE;
    if (in->code == SAID_CHOOSE)
        return in->value;
    return in->code == SAID_SIGNAL && waiting ? waiting : 1;
}

static void wake(const struct said_program *p, struct said_state *s, uint32_t nth)
{
    for (uint32_t t = 0; t < p->threads; t++)
        if (said_sleeps(s, t) && !nth--)
            s->thread[t].phase = s->thread[t].phase == SAID_LEAVING ? SAID_LEAVING_WOKEN : SAID_WOKEN;
}

static void access_cell(struct said_state *s, const struct said_instr *in, uint8_t *reg)
{
    uint8_t *cell = &s->cell[in->object], before = *cell;
    switch (in->code) {
    case SAID_LOAD:
        reg[in->reg] = before;
        break;
    case SAID_STORE:
        *cell = in->value;
        break;
    case SAID_ADD:
        reg[in->reg] = before;
        *cell = (uint8_t)(before + in->value);
        break;
    case SAID_CAS:
        reg[in->reg] = before == in->other;
        if (before == in->other)
            *cell = in->value;
        break;
    }
}

bool said_step(const struct said_program *p, struct said_state *s, uint32_t thread, uint32_t outcome)
{
    const struct said_instr *in = said_at(p, s, thread);
    uint8_t *reg = s->thread[thread].reg, *phase = &s->thread[thread].phase;
    s->thread[thread].pc = (uint8_t)(in - p->code[thread]);
    if (*phase == SAID_WOKEN) {
        s->owner[in->object] = (uint8_t)(thread + 1);
        *phase = SAID_READY;
        s->thread[thread].pc++;
        return false;
    }
    if (said_leaves(s, thread)) {
        s->owner[in->object] = 0;
        *phase = *phase == SAID_LEAVING ? SAID_ASLEEP : SAID_WOKEN;
        return false;
    }
    switch ((enum said_code)in->code) {
    case SAID_LOAD:
    case SAID_STORE:
    case SAID_ADD:
    case SAID_CAS:
        access_cell(s, in, reg);
        break;
    case SAID_LOCK:
        s->owner[in->object] = (uint8_t)(thread + 1);
        break;
    case SAID_UNLOCK:
        s->owner[in->object] = 0;
        break;
    case SAID_TRYLOCK:
        reg[in->reg] = !s->owner[in->object];
        if (!s->owner[in->object])
            s->owner[in->object] = (uint8_t)(thread + 1);
        break;
    case SAID_TRYUNLOCK:
        if (reg[in->reg])
            s->owner[in->object] = 0;
        break;
    case SAID_WAIT:
        *phase = SAID_LEAVING;
        return false; // it stays where it is until it has the mutex again
    case SAID_SIGNAL:
        wake(p, s, outcome);
        break;
    case SAID_BROADCAST:
        while (sleepers(p, s))
            wake(p, s, 0);
        break;
    case SAID_CHOOSE:
        reg[in->reg] = (uint8_t)outcome;
        break;
    case SAID_ASSERT:
        if (reg[in->reg] == in->value) {
            s->over = 1;
            return true;
        }
        break;
    case SAID_CREATE:
        s->thread[in->object].phase = SAID_READY;
        break;
    case SAID_JOIN:
        break;
    case SAID_EXIT:
        s->over = 1;
        break;
    case SAID_RETURN:
        *phase = SAID_GONE;
        s->over = !thread;
        return false;
    }
    s->thread[thread].pc++;
    return false;
}

// ---- deadlocks ----

static uint32_t holder(const struct said_program *p, const struct said_state *s, uint32_t thread)
{
    const struct said_instr *in = said_at(p, s, thread);
    if (!in)
        return SAID_THREADS;
    if (in->code == SAID_JOIN)
        return in->object;
    bool locks = in->code == SAID_LOCK || s->thread[thread].phase == SAID_WOKEN;
    return locks && s->owner[in->object] ? s->owner[in->object] - 1u : SAID_THREADS;
}

static bool in_circle(const struct said_program *p, const struct said_state *s, uint32_t thread)
{
    uint32_t next = holder(p, s, thread);
    for (uint32_t i = 0; i < SAID_THREADS && next < SAID_THREADS; i++) {
        if (next == thread)
            return true;
        next = holder(p, s, next);
    }
    return false;
}

uint64_t said_waiting(const struct said_program *p, const struct said_state *s)
{
    uint64_t circles = 0, all = 0;
    for (uint32_t t = 0; t < p->threads; t++) {
        const struct said_instr *in = said_at(p, s, t);
        if (!in)
            continue;
        uint64_t bits = t * SAID_CODE + (uint64_t)(in - p->code[t]) + 1, place = splitmix(&bits);
        circles += in_circle(p, s, t) ? place : 0;
        all += in->code == SAID_JOIN ? 0 : place;
    }
    return circles ? circles : all;
}

// ---- all states ----

static uint32_t find_node(struct said_graph *g, const struct said_state *s, bool *fresh)
{
    uint32_t at = (uint32_t)(hash_bytes(s, sizeof *s) % g->slots);
    for (; g->table[at]; at = (at + 1) % g->slots)
        if (!memcmp(&g->nodes[g->table[at] - 1].state, s, sizeof *s))
            return g->table[at] - 1;
    if (!fresh)
        return NO_NODE;
    *fresh = true;
    g->nodes[g->count] = (struct node){.state = *s};
    g->table[at] = ++g->count;
    return g->count - 1;
}

static uint32_t bug_number(struct said_truth *truth, struct said_bug bug)
{
    for (uint32_t i = 0; i < truth->bugs; i++) {
        const struct said_bug *b = &truth->bug[i];
        if (b->deadlock == bug.deadlock && b->thread == bug.thread && b->pc == bug.pc && b->waiting == bug.waiting)
            return i;
    }
    if (truth->bugs < SAID_BUGS)
        truth->bug[truth->bugs++] = bug;
    return truth->bugs - 1;
}

static void add_edge(struct said_graph *g, struct edge edge)
{
    if (g->edge_count == g->edge_room) {
        g->edge_room = g->edge_room ? 2 * g->edge_room : 1024;
        g->edges = realloc(g->edges, g->edge_room * sizeof *g->edges);
        require(g->edges);
    }
    g->edges[g->edge_count++] = edge;
}

static void expand(struct said_truth *truth, uint32_t number)
{
    struct said_graph *g = truth->graph;
    const struct said_program *p = truth->p;
    g->nodes[number].first = g->edge_count;
    for (uint32_t t = 0; t < p->threads; t++) {
        uint32_t outcomes = said_outcomes(p, &g->nodes[number].state, t);
        for (uint32_t outcome = 0; outcome < outcomes; outcome++) {
            struct said_state next = g->nodes[number].state;
            bool fresh = false;
            struct edge edge = {.to = NO_NODE, .thread = (uint8_t)t};
            if (said_step(p, &next, t, outcome))
                edge.bug = (uint8_t)bug_number(truth, (struct said_bug){.thread = t, .pc = next.thread[t].pc});
            else
                edge.to = find_node(g, &next, &fresh);
            add_edge(g, edge);
        }
    }
    struct node *node = &g->nodes[number];
    node->edges = g->edge_count - node->first;
    if (!node->edges && !node->state.over)
        node->deadlock = (uint8_t)(1 + bug_number(truth, (struct said_bug){.deadlock = true,
                                                                           .waiting = said_waiting(p, &node->state)}));
}

// The fewest preemptions with which each state is come to, by who ran last; in rounds of equal cost.
struct reach {
    uint32_t *cost; // by node and thread
    uint32_t *now, *then;
    uint32_t now_count, then_count;
};

static void relax(struct said_truth *truth, struct reach *r, uint32_t pair, uint32_t cost)
{
    struct said_graph *g = truth->graph;
    const struct node *node = &g->nodes[pair / SAID_THREADS];
    uint32_t last = pair % SAID_THREADS;
    bool goes_on = said_outcomes(truth->p, &node->state, last) > 0;
    if (node->deadlock && cost < truth->bug[node->deadlock - 1].preemptions)
        truth->bug[node->deadlock - 1].preemptions = cost;
    for (uint32_t i = node->first; i < node->first + node->edges; i++) {
        const struct edge *edge = &g->edges[i];
        uint32_t total = cost + (goes_on && edge->thread != last);
        if (edge->to == NO_NODE) {
            struct said_bug *bug = &truth->bug[edge->bug];
            bug->preemptions = total < bug->preemptions ? total : bug->preemptions;
            continue;
        }
        uint32_t next = edge->to * SAID_THREADS + edge->thread;
        if (total >= r->cost[next])
            continue;
        r->cost[next] = total;
        if (total == cost)
            r->now[r->now_count++] = next;
        else
            r->then[r->then_count++] = next;
    }
}

static void count_preemptions(struct said_truth *truth)
{
    uint32_t pairs = truth->graph->count * SAID_THREADS;
    size_t room = (pairs + 1ull) * 4 * sizeof(uint32_t);
    struct reach r = {malloc(room), malloc(room), malloc(room), 0, 0};
    require(r.cost && r.now && r.then);
    memset(r.cost, 0xff, room);
    r.cost[0] = 0;
    r.now[r.now_count++] = 0;
    for (uint32_t cost = 0; r.now_count; cost++) {
        for (uint32_t i = 0; i < r.now_count; i++) // grows
            if (r.cost[r.now[i]] == cost)
                relax(truth, &r, r.now[i], cost);
        uint32_t *swap = r.now;
        r.now = r.then;
        r.then = swap;
        r.now_count = r.then_count;
        r.then_count = 0;
    }
    free(r.cost);
    free(r.now);
    free(r.then);
}

enum { UNKNOWN, YES, NO };

// Whether some run from here on ends without the bug. There are no circles: each step gets on.
static bool avoids(const struct said_truth *truth, uint8_t *known, uint32_t number, uint32_t bug)
{
    const struct said_graph *g = truth->graph;
    const struct node *node = &g->nodes[number];
    if (known[number])
        return known[number] == YES;
    bool yes = node->state.over || (node->deadlock && node->deadlock - 1u != bug);
    for (uint32_t i = node->first; i < node->first + node->edges && !yes; i++)
        yes = g->edges[i].to == NO_NODE ? g->edges[i].bug != bug : avoids(truth, known, g->edges[i].to, bug);
    known[number] = yes ? YES : NO;
    return yes;
}

bool said_avoidable(const struct said_truth *truth, const struct said_state *s, const struct said_bug *bug, bool *known)
{
    uint32_t number = find_node(truth->graph, s, NULL);
    *known = number != NO_NODE;
    if (!*known)
        return false;
    uint8_t *memory = calloc(truth->graph->count, 1);
    require(memory);
    bool yes = avoids(truth, memory, number, (uint32_t)(bug - truth->bug));
    free(memory);
    return yes;
}

bool said_truth_find(struct said_truth *truth, const struct said_program *p, uint32_t limit)
{
    struct said_graph *g = calloc(1, sizeof *g);
    struct said_state start = said_start(p);
    bool ignored;
    require(g);
    *truth = (struct said_truth){.p = p, .graph = g};
    g->limit = limit;
    g->slots = 4 * limit + 1;
    g->nodes = calloc(limit + 256, sizeof *g->nodes);
    g->table = calloc(g->slots, sizeof *g->table);
    require(g->nodes && g->table);
    find_node(g, &start, &ignored);
    for (uint32_t i = 0; i < g->count && g->count < limit; i++)
        expand(truth, i);
    if (g->count >= limit || truth->bugs == SAID_BUGS)
        return false;
    for (uint32_t i = 0; i < truth->bugs; i++)
        truth->bug[i].preemptions = UINT32_MAX;
    count_preemptions(truth);
    for (uint32_t i = 0; i < truth->bugs; i++) {
        bool known;
        truth->bug[i].always = !said_avoidable(truth, &start, &truth->bug[i], &known);
    }
    return true;
}

void said_truth_free(struct said_truth *truth)
{
    free(truth->graph->nodes);
    free(truth->graph->edges);
    free(truth->graph->table);
    free(truth->graph);
}
