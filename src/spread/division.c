#include "spread/division.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/time.h"

static struct item *new_item(struct division *d, const struct saved_unit *unit, struct item *next)
{
    struct item *item = alloc_zeroed(1, sizeof *item);
    *item = (struct item){.next = next,
                          .state = unit->part ? ITEM_WAITS : ITEM_DONE,
                          .number = d->numbers++,
                          .counts = unit->counts,
                          .part = unit->part};
    return item;
}

// Units in the place of `at`, which end with `next`. They have the numbers that follow.
static void insert_units(struct division *d, struct item **at, struct saved_unit *units, size_t count,
                         struct item *next)
{
    for (size_t i = 0; i < count; i++) {
        *at = new_item(d, &units[i], NULL);
        at = &(*at)->next;
    }
    *at = next;
}

void division_open(struct division *d, struct saved_search *search)
{
    *d = (struct division){.search = *search};
    insert_units(d, &d->first, search->unit, search->units, NULL);
    free(search->unit);
    *search = (struct saved_search){0};
    d->search.unit = NULL;
    d->search.units = d->search.unit_room = 0;
}

static void copy_common(const struct division *d, struct saved_search *to)
{
    const struct legacy *before = &d->search.before;
    *to = (struct saved_search){.seconds = d->search.seconds,
                                .share = share_unknown,
                                .last = NO_UNIT,
                                .learnt = d->search.learnt,
                                .threads = d->search.threads};
    legacy_copy(&to->before, before->answer, before->steps, before->steps_used);
}

bool division_hand_out(struct division *d, int holder, struct saved_search *unit)
{
    struct item *item = d->first;
    while (item && item->state != ITEM_WAITS)
        item = item->next;
    if (!item)
        return false;
    item->state = ITEM_AWAY;
    item->holder = holder;
    item->since = time_now();
    copy_common(d, unit);
    saved_add_unit(unit, &item->counts, item->part);
    return true;
}

// Whether one list of actors begins with the other.
static bool agree(const struct job_threads *a, const struct job_threads *b)
{
    uint32_t common = a->count < b->count ? a->count : b->count;
    for (uint32_t i = 0; i < common; i++)
        if (a->thread[i].parent != b->thread[i].parent || a->thread[i].number != b->thread[i].number)
            return false;
    return true;
}

static void drop_after(struct item *last)
{
    for (struct item *item = last->next, *next; item; item = next) {
        next = item->next;
        free(item->part);
        free(item);
    }
    last->next = NULL;
}

// The bugs that were found name units of the result: `item` and those that follow it now.
static void take_legacies(struct division *d, const struct item *item, struct saved_search *result)
{
    uint32_t *number = alloc_array(result->units + 1, sizeof *number);
    for (size_t i = 0; i < result->units && item; i++, item = item->next)
        number[i] = item->number;
    for (size_t i = 0; i < result->legacies; i++) {
        struct legacy *legacy = &result->legacy[i];
        for (uint32_t k = 0; k < legacy->answer->bugs; k++)
            legacy->answer->bug[k].unit = number[legacy->answer->bug[k].unit];
        d->search.legacy =
            alloc_grow(d->search.legacy, d->search.legacies, &d->search.legacy_room, sizeof *d->search.legacy);
        d->search.legacy[d->search.legacies++] = *legacy;
    }
    result->legacies = 0;
    free(number);
}

static struct item *held_by(const struct division *d, int holder)
{
    struct item *item = d->first;
    while (item && (item->state != ITEM_AWAY || item->holder != holder))
        item = item->next;
    return item;
}

void division_take_back(struct division *d, int holder, struct saved_search *result)
{
    struct item *item = held_by(d, holder);
    if (!item) { // it comes after a unit that ended the search
        saved_free(result);
        return;
    }
    item->state = ITEM_WAITS;
    if (!agree(&d->search.threads, &result->threads)) {
        d->refused++;
        saved_free(result);
        return;
    }
    if (result->threads.count > d->search.threads.count)
        d->search.threads = result->threads;
    free(item->part);
    item->part = result->unit[0].part;
    item->counts = result->unit[0].counts;
    item->state = item->part ? ITEM_WAITS : ITEM_DONE;
    insert_units(d, &item->next, result->unit + 1, result->units - 1, item->next);
    take_legacies(d, item, result);
    for (uint32_t i = 0; result->last != NO_UNIT && i < result->last; i++)
        item = item->next;
    if (result->last != NO_UNIT) {
        item->state = ITEM_LAST;
        drop_after(item);
    }
    result->units = 0; // the parts belong to the items
    saved_free(result);
}

void division_end_with(struct division *d, int holder)
{
    struct item *item = held_by(d, holder);
    if (!item)
        return;
    item->state = ITEM_LAST;
    drop_after(item);
}

bool division_has(const struct division *d, int holder)
{
    return held_by(d, holder) != NULL;
}

void division_give_up(struct division *d, int holder)
{
    struct item *item = held_by(d, holder);
    if (item)
        item->state = ITEM_WAITS;
}

// The unit of which most is left to be divided further: the first one, which has the most behind it.
void division_divide(struct division *d, size_t wanted)
{
    size_t waiting = division_count(d, ITEM_WAITS);
    for (struct item *item = d->first; item && waiting < wanted; item = item->next) {
        while (item->state == ITEM_WAITS && waiting < wanted) {
            struct saved_unit unit = {.part = alloc_array(part_bytes(item->part), 1)};
            if (!part_divide(item->part, unit.part)) {
                free(unit.part);
                break;
            }
            item->next = new_item(d, &unit, item->next);
            waiting++;
        }
    }
}

size_t division_count(const struct division *d, enum item_state state)
{
    size_t count = 0;
    for (const struct item *item = d->first; item; item = item->next)
        count += item->state == state;
    return count;
}

int division_slowest(const struct division *d, double *since)
{
    int holder = -1;
    for (const struct item *item = d->first; item; item = item->next) {
        if (item->state != ITEM_AWAY || (holder >= 0 && item->since >= *since))
            continue;
        holder = item->holder;
        *since = item->since;
    }
    return holder;
}

// Units that are done are added to the next one; those of a search are told apart by their places.
void division_collect(const struct division *d, struct saved_search *search)
{
    struct place {
        uint32_t unit;
        uint64_t after;
    } *places = alloc_zeroed(d->numbers + 1, sizeof *places);
    struct counts sum = {0};
    bool ended = division_count(d, ITEM_LAST) > 0;
    copy_common(d, search);
    for (uint32_t i = 0; i < d->numbers; i++)
        places[i].unit = NO_UNIT;
    for (const struct item *item = d->first; item; item = item->next) {
        places[item->number] = (struct place){(uint32_t)search->units, sum.executions};
        counts_add(&sum, &item->counts);
        if (!item->part && item->next)
            continue;
        saved_add_unit(search, &sum, item->part);
        sum = (struct counts){0};
    }
    const uint32_t beyond = (uint32_t)search->units; // for what was found in units that were dropped
    if (ended)
        saved_add_unit(search, &(struct counts){0}, NULL);
    for (size_t i = 0; i < d->search.legacies; i++) {
        const struct legacy *from = &d->search.legacy[i];
        search->legacy = alloc_grow(search->legacy, search->legacies, &search->legacy_room, sizeof *search->legacy);
        struct legacy *legacy = &search->legacy[search->legacies++];
        legacy_copy(legacy, from->answer, from->steps, from->steps_used);
        for (uint32_t k = 0; k < legacy->answer->bugs; k++) {
            struct job_bug *bug = &legacy->answer->bug[k];
            struct place place = places[bug->unit];
            bug->in_unit += place.after;
            bug->unit = place.unit == NO_UNIT ? beyond : place.unit;
        }
    }
    free(places);
}

void division_free(struct division *d)
{
    while (d->first) {
        struct item *item = d->first;
        d->first = item->next;
        free(item->part);
        free(item);
    }
    saved_free(&d->search);
}
