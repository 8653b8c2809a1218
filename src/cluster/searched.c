#include "cluster/searched.h"

#include <stdio.h>
#include <string.h>

#include "target/nodes/observer.h"

static void leave_goals(struct searchers_counts *c)
{
    c->goal_count = goal_count();
    for (uint32_t i = 0; i < c->goal_count; i++) {
        snprintf(c->goal[i].name, sizeof c->goal[i].name, "%s", goal_name(i));
        c->goal[i].times = goal_times(i);
    }
}

void searched_leave(const struct searchers *s, const struct cluster_result *r)
{
    struct searchers_counts *c = searchers_counts(s, s->me);
    const struct policy_counts *p = &r->policy;
    *c = (struct searchers_counts){.executions = r->executions ? r->executions - 1 : 0, // the first one was none
                                   .events = r->events,
                                   .redundant = r->redundant,
                                   .cut = r->cut,
                                   .compared = p->compared,
                                   .independent = p->independent,
                                   .seen = p->seen,
                                   .forced = p->forced,
                                   .skipped = p->skipped,
                                   .renamed = p->renamed,
                                   .complete = p->complete,
                                   .audited = p->audited,
                                   .deepest = p->deepest};
    memcpy(c->no_room, r->no_room, sizeof c->no_room);
    memcpy(c->wrong, p->wrong, sizeof c->wrong);
    leave_goals(c);
    __atomic_store_n(&c->is_there, true, __ATOMIC_RELEASE);
}

static void add(const struct searchers_counts *c, struct cluster_result *r)
{
    struct policy_counts *p = &r->policy;
    r->executions += c->executions;
    r->events += c->events;
    r->redundant += c->redundant;
    r->cut += c->cut;
    p->compared += c->compared;
    p->independent += c->independent;
    p->seen += c->seen;
    p->forced += c->forced;
    p->skipped += c->skipped;
    p->renamed += c->renamed;
    p->complete += c->complete;
    p->audited += c->audited;
    if (c->wrong[0] && !p->wrong[0])
        memcpy(p->wrong, c->wrong, sizeof p->wrong);
    if (c->deepest > p->deepest)
        p->deepest = c->deepest;
    if (c->no_room[0])
        memcpy(r->no_room, c->no_room, sizeof r->no_room);
    for (uint32_t i = 0; i < c->goal_count; i++)
        goal_add(c->goal[i].name, c->goal[i].times);
}

bool searched_sum(const struct searchers *s, struct cluster_result *r)
{
    bool all = true;
    for (uint32_t i = 1; i < s->members; i++) {
        const struct searchers_counts *c = searchers_counts(s, i);
        if (__atomic_load_n(&c->is_there, __ATOMIC_ACQUIRE))
            add(c, r);
        else
            all = false;
    }
    r->policy.states = shared_states_count(s->states);
    r->policy.state_bytes = shared_states_bytes(s->states);
    return all;
}
