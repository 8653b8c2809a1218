#include "predict/prediction_choice.h"

#include <stdlib.h>
#include <string.h>

#include "predict/prediction_groups.h"

// ---- idioms ----

static bool same_line(const struct recording *r, uint32_t a, uint32_t b)
{
    uint32_t p = r->records[a].place, q = r->records[b].place;
    if (p == NOT_RECORDED || q == NOT_RECORDED || !r->places[p].file || !r->places[q].file)
        return p != NOT_RECORDED && p == q;
    return r->places[p].line == r->places[q].line && !strcmp(r->places[p].file, r->places[q].file);
}

// Whether all writes of the thread that others could be surprised by follow a read of the same line. What it did before there was
// another thread is its initialisation.
static bool only_adds(const struct recording *r, const struct access_line *line, uint32_t from)
{
    for (uint32_t i = 0; i < line->count; i++) {
        const struct record *e = &r->records[line->records[i]];
        if (!record_writes(e) || line->records[i] < from || e->kind == RECORD_ATOMIC_RMW)
            continue;
        if (!i || record_writes(&r->records[line->records[i - 1]]) ||
            !same_line(r, line->records[i - 1], line->records[i]))
            return false;
    }
    return true;
}

// Whether whatever the thread writes is written at *place, which is found first if it is NOT_RECORDED.
static bool writes_only_at(const struct recording *r, const struct access_line *line, uint32_t from, uint32_t *place)
{
    for (uint32_t i = 0; i < line->count; i++) {
        const struct record *e = &r->records[line->records[i]];
        if (!record_writes(e) || line->records[i] < from)
            continue;
        if (*place == NOT_RECORDED)
            *place = e->place;
        if (e->place != *place)
            return false;
    }
    return true;
}

static enum prediction_idiom idiom_of(const struct hunt *h, const struct prediction *p, uint32_t from)
{
    uint32_t count, place = NOT_RECORDED;
    if (p->kind != PREDICT_RACE)
        return IDIOM_NONE;
    const struct access_line *lines = accesses_lines(&h->accesses, h->r->records[p->records[0]].object, &count);
    bool statistic = true, flag = true;
    for (uint32_t i = 0; i < count; i++) {
        statistic &= only_adds(h->r, &lines[i], from);
        flag &= writes_only_at(h->r, &lines[i], from, &place);
    }
    // A flag that is written where it is read as well is neither.
    return statistic ? IDIOM_STATISTIC : flag ? IDIOM_FLAG : IDIOM_NONE;
}

static uint32_t first_creation(const struct recording *r)
{
    uint32_t i = 0;
    while (i < r->count && r->records[i].kind != RECORD_CREATE)
        i++;
    return i;
}

// ---- order ----

static int rank_of(const struct prediction *p)
{
    static const int ranks[] = {[CONFIRMED] = 2, [UNCONFIRMED] = 3, [UNKNOWN] = 4, [INFEASIBLE] = 5};
    return p->harmful ? 0 : p->differs ? 1 : ranks[p->confirmed];
}

static int rank_of_kind(const struct prediction *p)
{
    static const int ranks[PREDICTION_KINDS] = {
        [PREDICT_DEADLOCK] = 0, [PREDICT_FREED] = 1,         [PREDICT_EARLY] = 2,     [PREDICT_ONE_VARIABLE] = 3,
        [PREDICT_RACE] = 4,     [PREDICT_TWO_VARIABLES] = 5, [PREDICT_LOST_WAKE] = 0, [PREDICT_TRY] = 2};
    return p->idiom ? PREDICTION_KINDS + (int)p->idiom : p->handed ? PREDICTION_KINDS : ranks[p->kind];
}

static int telling_first(const void *a, const void *b)
{
    const struct prediction *p = a, *q = b;
    int difference = rank_of(p) - rank_of(q);
    if (!difference && !p->harmful)
        difference = rank_of_kind(p) - rank_of_kind(q);
    return difference ? difference : (p->number > q->number) - (p->number < q->number);
}

// ---- choice ----

static void count_beyond(struct prediction_choice *choice, const struct prediction *p, bool stands)
{
    choice->beyond++;
    choice->beyond_groups += stands;
    choice->beyond_statistics += p->idiom == IDIOM_STATISTIC;
    choice->beyond_flags += p->idiom == IDIOM_FLAG;
}

struct prediction_choice predictions_choose(struct hunt *h, bool tried, bool all, uint32_t only)
{
    struct prediction_choice choice = {0};
    struct predictions *found = &h->found;
    uint32_t from = first_creation(h->r), harmless = 0;
    for (uint32_t i = 0; i < found->count; i++)
        found->list[i].idiom = idiom_of(h, &found->list[i], from);
    if (found->count)
        qsort(found->list, found->count, sizeof *found->list, telling_first);
    predictions_group(h);
    for (uint32_t i = 0; i < found->count; i++) {
        struct prediction *p = &found->list[i];
        bool counts = !tried || p->confirmed == CONFIRMED, stands = p->group == i;
        bool meant = tried && p->handed && !p->harmful && !p->differs;
        p->shown =
            all || p->number + 1 == only || (counts && stands && !meant && (p->harmful || harmless++ < MOST_HARMLESS));
        choice.shown += p->shown;
        if (p->shown)
            continue;
        if (!counts && p->confirmed == INFEASIBLE)
            choice.infeasible++;
        else if (!counts && p->confirmed == UNCONFIRMED)
            choice.untried++;
        else if (!counts)
            choice.unconfirmed++;
        else if (found->list[p->group].shown)
            choice.alike++;
        else if (meant)
            choice.meant++;
        else
            count_beyond(&choice, p, stands);
        if (p->confirmed == UNKNOWN)
            choice.why = p->reason;
    }
    return choice;
}
