#include "history/reason.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"
#include "history/own_model.h"

enum { NONE = UINT32_MAX, TRIES = 200000, STATE_SECONDS = 2, PATIENCE = 1 /* second */ };

enum fate { KEPT, OPTIONAL, LEFT_OUT };

struct reason_shrinking {
    struct linearizer *z;
    const struct spec *spec;
    struct judge_options options;
    struct operation *ops; // of the part, up to the end
    uint32_t *origin, count;
    enum fate *fate;
    bool *reads; // of each: it leaves every state as it is
    struct operation *trial;
    bool gave_up;   // some trial was not decided
    int64_t before; // the last event: what is shown has to be right up to there; 0 if there is none
    uint32_t last;  // the operation that returns then
};

// Whether what is kept still fails.
static bool fails(struct reason_shrinking *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->fate[i] == LEFT_OUT)
            continue;
        s->trial[count] = s->ops[i];
        if (s->fate[i] == OPTIONAL) {
            s->trial[count].returned = OPERATION_NEVER;
            s->trial[count].known = false;
        }
        count++;
    }
    enum verdict verdict = judge_part(s->z, s->spec, s->trial, count, &s->options).verdict;
    s->gave_up = s->gave_up || verdict == VERDICT_UNKNOWN;
    return verdict == VERDICT_NO;
}

// Whether what is shown still is a reason: it fails, and is right until the last event comes. What fails before that lacks
// something that others depend on.
static bool is_reason(struct reason_shrinking *s)
{
    uint32_t count = 0;
    if (!fails(s))
        return false;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->fate[i] == KEPT)
            s->trial[count++] = s->ops[i];
    if (!s->before)
        return true;
    count = history_prefix(s->trial, count, s->before, s->trial);
    return judge_part(s->z, s->spec, s->trial, count, &s->options).verdict == VERDICT_YES;
}

// Operations that are kept, by the group they belong to; groups without any are left out.
struct groups {
    uint32_t *start, *members; // by group: its first place in `members`; one more at the end
    uint32_t count;
};

// Numbers the groups that are in turn anew. What belongs to the last event stays, and so does an operation of group NONE.
static void gather_groups(const struct reason_shrinking *s, const uint32_t *group, uint32_t groups, struct groups *to)
{
    uint32_t *room = alloc_ended((size_t)groups + 1, sizeof *room);
    uint32_t never = NONE;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->origin[i] == s->last)
            never = group[i];
    for (uint32_t i = 0; i < s->count; i++)
        if (s->fate[i] == KEPT && group[i] != NONE && group[i] != never)
            room[group[i]]++;
    *to = (struct groups){alloc_ended((size_t)groups + 1, sizeof *to->start),
                          alloc_ended(s->count, sizeof *to->members), 0};
    for (uint32_t g = 0; g < groups; g++) {
        if (!room[g])
            continue;
        to->start[to->count + 1] = to->start[to->count] + room[g];
        room[g] = to->start[to->count++];
    }
    for (uint32_t i = 0; i < s->count; i++)
        if (s->fate[i] == KEPT && group[i] != NONE && group[i] != never)
            to->members[room[group[i]]++] = i;
    free(room);
}

static void give_fate(struct reason_shrinking *s, const struct groups *g, uint32_t first, uint32_t end, enum fate fate)
{
    for (uint32_t m = g->start[first]; m < g->start[end]; m++)
        s->fate[g->members[m]] = fate;
}

// Groups that could not be given the fate; those that could are forgotten.
static void forget_groups(const struct reason_shrinking *s, struct groups *g)
{
    uint32_t kept_groups = 0, kept_members = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        uint32_t first = g->start[i], end = g->start[i + 1];
        if (s->fate[g->members[first]] != KEPT)
            continue;
        g->start[kept_groups++] = kept_members;
        for (uint32_t m = first; m < end; m++)
            g->members[kept_members++] = g->members[m];
    }
    g->start[kept_groups] = kept_members;
    g->count = kept_groups;
}

// Gives this fate to as many groups as it can, first to all, then to ever smaller pieces of what is left. Where that takes
// long, a round in which nothing was gained is the last: what is left is not going to be small.
static void reduce(struct reason_shrinking *s, const uint32_t *group, uint32_t groups, enum fate fate)
{
    struct groups g;
    double start_time = time_now();
    gather_groups(s, group, groups, &g);
    for (uint32_t size = g.count; size; size = size < g.count ? size / 2 : g.count / 2) {
        for (uint32_t start = 0; start < g.count; start += size) {
            uint32_t end = g.count - start < size ? g.count : start + size;
            give_fate(s, &g, start, end, fate);
            if (!is_reason(s))
                give_fate(s, &g, start, end, KEPT);
            if (lin_late(s->options.deadline)) {
                s->gave_up = true;
                size = 1;
                break;
            }
        }
        uint32_t before = g.count;
        forget_groups(s, &g);
        if (g.count == before && size < before && size > 1 && time_now() > start_time + PATIENCE) {
            s->gave_up = true;
            break;
        }
    }
    free(g.start);
    free(g.members);
}

// What is left out never comes back: without it every trial is as short as what it tries.
static void forget_left_out(struct reason_shrinking *s)
{
    uint32_t kept_count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (s->fate[i] == LEFT_OUT)
            continue;
        s->ops[kept_count] = s->ops[i];
        s->origin[kept_count] = s->origin[i];
        s->reads[kept_count] = s->reads[i];
        s->fate[kept_count++] = s->fate[i];
    }
    s->count = kept_count;
}

// Each operation that only reads, or may fail as it likes, on its own.
static void drop_reads(struct reason_shrinking *s)
{
    uint32_t *group = alloc_ended(s->count, sizeof *group), groups = 0;
    for (uint32_t i = 0; i < s->count; i++)
        group[i] = s->reads[i] ? groups++ : NONE;
    reduce(s, group, groups, LEFT_OUT);
    free(group);
    forget_left_out(s);
}

// Whether values could get in each other's way: a failed swap or a removal tells what is not there, and a result that is
// not known may be of any value.
static bool minds_values(const struct reason_shrinking *s, uint32_t number)
{
    const struct operation *op = &s->ops[number];
    enum spec_result kind = s->spec->calls[op->call].result;
    if (operation_pending(op))
        return false;
    if (kind == SPEC_TRUTH || (kind == SPEC_DONE && op->result != VALUE_TRUE))
        return true;
    return kind != SPEC_VOID && !op->known && !s->reads[number];
}

static bool project(struct reason_shrinking *s)
{
    enum fate *before = alloc_ended(s->count, sizeof *before);
    bool others = false;
    memcpy(before, s->fate, s->count * sizeof *before);
    for (uint32_t i = 0; s->spec->by_value && i < s->count; i++) {
        if (s->fate[i] != KEPT || !minds_values(s, i))
            continue;
        others = others || !s->reads[i] || s->origin[i] == s->last;
        s->fate[i] = LEFT_OUT;
    }
    bool free_of_them = s->spec->by_value && !others && is_reason(s);
    if (!free_of_them)
        memcpy(s->fate, before, s->count * sizeof *before);
    free(before);
    return free_of_them;
}

static uint32_t root(uint32_t *parent, uint32_t at)
{
    while (parent[at] != at)
        at = parent[at] = parent[parent[at]];
    return at;
}

struct mention {
    int64_t value;
    uint32_t op;
};

static int compare_mentions(const void *a, const void *b)
{
    const struct mention *x = a, *y = b;
    return x->value < y->value ? -1 : x->value > y->value;
}

// The values an operation is about; a map's key is not one of them.
static uint32_t mentions_of(const struct reason_shrinking *s, uint32_t op, struct mention *to)
{
    const struct operation *o = &s->ops[op];
    uint32_t count = 0;
    for (uint32_t a = s->spec->by_argument; a < s->spec->calls[o->call].arguments; a++)
        to[count++] = (struct mention){o->argument[a], op};
    if (o->known && s->spec->calls[o->call].result == SPEC_VALUE && o->result != VALUE_NIL)
        to[count++] = (struct mention){o->result, op};
    return count;
}

// Operations that share a value, directly or through others, stay or go together.
static void drop_values(struct reason_shrinking *s)
{
    uint32_t *parent = alloc_ended(s->count, sizeof *parent), *group = alloc_ended(s->count, sizeof *group);
    struct mention *mentions = alloc_ended((size_t)s->count * (OPERATION_ARGUMENTS + 1), sizeof *mentions);
    uint32_t count = 0, groups = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        parent[i] = i;
        count += mentions_of(s, i, mentions + count);
    }
    qsort(mentions, count, sizeof *mentions, compare_mentions);
    for (uint32_t m = 1; m < count; m++)
        if (mentions[m].value == mentions[m - 1].value)
            parent[root(parent, mentions[m].op)] = root(parent, mentions[m - 1].op);
    memset(group, 0xff, s->count * sizeof *group);
    for (uint32_t m = 0; m < count; m++)
        group[mentions[m].op] = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (root(parent, i) == i && group[i] != NONE)
            group[i] = groups++;
    for (uint32_t i = 0; i < s->count; i++)
        if (group[i] != NONE)
            group[i] = group[root(parent, i)];
    reduce(s, group, groups, LEFT_OUT);
    free(parent);
    free(group);
    free(mentions);
    forget_left_out(s);
}

// Each operation on its own, as one that never returned.
static void free_operations(struct reason_shrinking *s)
{
    uint32_t *group = alloc_ended(s->count, sizeof *group), groups = 0;
    for (uint32_t i = 0; i < s->count; i++)
        group[i] = s->fate[i] == KEPT && !operation_pending(&s->ops[i]) ? groups++ : NONE;
    reduce(s, group, groups, OPTIONAL);
    free(group);
}

static uint32_t kept(const struct reason_shrinking *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        count += s->fate[i] == KEPT;
    return count;
}

// Where values can be told apart, all that is left is about the same few, and is shown.
static void shrink(struct reason_shrinking *s, bool waits)
{
    bool projected = false;
    for (uint32_t before = NONE; kept(s) < before;) {
        before = kept(s);
        projected = !waits && project(s);
        if (projected)
            drop_values(s);
        drop_reads(s);
    }
    if (s->before && !projected)
        free_operations(s);
}

// What the shrinking looks at: the part up to its end, without what had no effect by decree.
static void take_operations(struct reason_shrinking *s, const struct judged *judged, const struct judged_part *part,
                            int64_t end)
{
    uint32_t waits = part->verdict.unjustified;
    for (uint32_t i = 0; i < part->count; i++) {
        struct operation op = part->ops[i];
        if ((end && op.invoked >= end) || (judged->options.stuck && operation_pending(&op) && i != waits))
            continue;
        if (end && op.returned >= end) {
            op.returned = OPERATION_NEVER;
            op.known = false;
        }
        s->ops[s->count] = op;
        s->origin[s->count++] = i;
    }
    struct lin_options options = {.may_fail = s->options.may_fail, .deadline = s->options.deadline};
    if (s->spec->own)
        own_model_reads(s->z, s->spec, s->ops, s->count, &options, s->reads);
    for (uint32_t i = 0; !s->spec->own && i < s->count; i++)
        s->reads[i] = spec_reads(s->spec, &s->ops[i]);
}

static void begin_shrinking(struct reason_shrinking *s, uint32_t count)
{
    s->ops = alloc_ended(count, sizeof *s->ops);
    s->trial = alloc_ended(count, sizeof *s->trial);
    s->origin = alloc_ended(count, sizeof *s->origin);
    s->fate = alloc_ended(count, sizeof *s->fate);
    s->reads = alloc_ended(count, sizeof *s->reads);
}

static void free_shrinking(struct reason_shrinking *s)
{
    free(s->ops);
    free(s->trial);
    free(s->origin);
    free(s->fate);
    free(s->reads);
}

// When the history has most likely failed, as a few operations show that are wrong without the others; 0 if that is not found.
// What was left out had not returned by then, perhaps, and could still have helped.
static int64_t find_late_end(struct linearizer *z, const struct judged *judged, const struct judged_part *part,
                             const struct judge_options *options)
{
    struct reason_shrinking s = {.z = z, .spec = judged->spec, .options = *options, .last = NONE};
    int64_t end = 0;
    begin_shrinking(&s, part->count);
    take_operations(&s, judged, part, 0);
    if (project(&s)) {
        drop_values(&s);
        drop_reads(&s);
        for (uint32_t i = 0; i < s.count; i++)
            if (!operation_pending(&s.ops[i]) && s.ops[i].returned >= end)
                end = s.ops[i].returned + 1;
    }
    free_shrinking(&s);
    return s.gave_up ? 0 : end;
}

// Of a prefix that is right and a longer one that is wrong, the end of the shortest that is wrong; 0 if it is not found.
static int64_t find_end(struct linearizer *z, const struct judged *judged, const struct judged_part *part,
                        const struct judge_options *options)
{
    struct operation *prefix = alloc_ended(part->count, sizeof *prefix);
    int64_t right = 0, wrong = 0, late = find_late_end(z, judged, part, options);
    for (uint32_t i = 0; i < part->count; i++) {
        const struct operation *op = &part->ops[i];
        int64_t last = operation_pending(op) ? op->invoked : op->returned;
        wrong = last >= wrong ? last + 1 : wrong;
    }
    bool known = judge_part(z, judged->spec, part->ops, part->count, options).verdict == VERDICT_NO;
    late = late < wrong ? late : 0;
    for (int64_t middle = late ? late : wrong - 1; known && right + 1 < wrong;) {
        middle = middle ? middle : right + (wrong - right) / 2;
        uint32_t count = history_prefix(part->ops, part->count, middle, prefix);
        enum verdict verdict = judge_part(z, judged->spec, prefix, count, options).verdict;
        known = verdict != VERDICT_UNKNOWN;
        *(verdict == VERDICT_NO ? &wrong : &right) = middle;
        middle = verdict == VERDICT_NO && middle == late ? late - 1 : 0; // it is likely that it was just there
    }
    free(prefix);
    return known ? wrong : 0;
}

struct gathering {
    struct reason *e;
    const struct spec *spec;
    const struct values *values;
};

static bool gather(void *context, const void *state, size_t size)
{
    struct gathering *g = context;
    struct reason *e = g->e;
    char text[REASON_STATE_TEXT] = "";
    g->spec->show(g->spec, g->values, state, size, text, sizeof text);
    for (uint32_t i = 0; i < e->state_count; i++)
        if (!strcmp(e->states[i], text))
            return false;
    if (e->state_count == REASON_STATES) {
        e->more_states = true;
        return true; // enough
    }
    memcpy(e->states[e->state_count++], text, sizeof text);
    return false;
}

// Where orders of what returned before the last event lead, with what was then open or not.
static void gather_states(struct reason *e, struct reason_shrinking *s, const struct judged_part *part,
                          const struct values *values)
{
    struct gathering gathering = {e, s->spec, values};
    struct lin_options options = {.may_fail = s->options.may_fail,
                                  .max_visited = TRIES,
                                  .deadline = time_now() + STATE_SECONDS,
                                  .accept = gather,
                                  .accept_context = &gathering};
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        if (s->fate[i] == KEPT && s->origin[i] != e->last)
            s->trial[count++] = s->ops[i];
    count = history_prefix(s->trial, count, part->ops[e->last].returned, s->trial);
    e->has_states = linearize(s->z, s->spec, s->trial, count, &options) != VERDICT_UNKNOWN;
}

static int compare_numbers(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

void reason_find(struct reason *e, struct linearizer *z, const struct judged *judged, const struct judged_part *part,
                 const struct values *values, double deadline)
{
    bool waits = part->verdict.unjustified != NONE;
    struct reason_shrinking s = {.z = z, .spec = judged->spec, .options = judged->options};
    *e = (struct reason){.last = NONE};
    s.options.deadline = deadline;
    s.options.max_visited = 0;
    s.options.stuck = waits;
    if (judged->options.judgement == JUDGE_LINEARIZABLE && !waits)
        e->end = find_end(z, judged, part, &s.options);
    for (uint32_t i = 0; e->end && i < part->count; i++)
        if (part->ops[i].returned == e->end - 1)
            e->last = i;
    s.before = e->last == NONE ? 0 : e->end - 1;
    s.last = e->last;
    s.options.max_visited = TRIES + 2 * part->verdict.visited;
    begin_shrinking(&s, part->count);
    take_operations(&s, judged, part, e->end);
    if (fails(&s))
        shrink(&s, waits);
    if (e->last != NONE)
        gather_states(e, &s, part, values);
    e->smallest = !s.gave_up;
    e->ops = alloc_ended(s.count, sizeof *e->ops);
    for (uint32_t i = 0; i < s.count; i++)
        if (s.fate[i] == KEPT)
            e->ops[e->count++] = s.origin[i];
    qsort(e->ops, e->count, sizeof *e->ops, compare_numbers);
    free_shrinking(&s);
}

void reason_free(struct reason *e)
{
    free(e->ops);
    *e = (struct reason){0};
}
