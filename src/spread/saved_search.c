#include "spread/saved_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/shared_lock.h"
#include "spread/sights.h"

static size_t answer_bytes(const struct answer *answer)
{
    return offsetof(struct answer, bug) + answer->bugs * sizeof *answer->bug;
}

void legacy_copy(struct legacy *legacy, const struct answer *answer, const struct step *steps, uint32_t steps_used)
{
    legacy->answer = alloc_array(answer_bytes(answer), 1);
    memcpy(legacy->answer, answer, answer_bytes(answer));
    legacy->steps = alloc_array(steps_used + 1, sizeof *legacy->steps);
    memcpy(legacy->steps, steps, steps_used * sizeof *legacy->steps);
    legacy->steps_used = steps_used;
}

void legacy_free(struct legacy *legacy)
{
    free(legacy->answer);
    free(legacy->steps);
    *legacy = (struct legacy){0};
}

void saved_free(struct saved_search *f)
{
    legacy_free(&f->before);
    for (size_t i = 0; i < f->legacies; i++)
        legacy_free(&f->legacy[i]);
    for (size_t i = 0; i < f->units; i++)
        free(f->unit[i].part);
    free(f->legacy);
    free(f->unit);
    free(f->context);
    *f = (struct saved_search){0};
}

void saved_bequeath(struct saved_search *f, const struct told *told, const struct step *steps)
{
    uint32_t known = f->before.answer ? f->before.answer->bugs : 0;
    for (size_t i = 0; i < f->legacies && told->answer.bugs == known; i++) {
        if (f->legacy[i].answer->bugs != known)
            continue;
        answer_gather_sights(f->legacy[i].answer, &told->answer);
        return;
    }
    f->legacy = alloc_grow(f->legacy, f->legacies, &f->legacy_room, sizeof *f->legacy);
    legacy_copy(&f->legacy[f->legacies++], &told->answer, steps, told->steps_used);
}

// What becomes of a unit of the ledger: it is among the executions of this one, after so many others.
struct place {
    uint32_t unit;
    uint64_t after;
};

struct saved_unit *saved_add_unit(struct saved_search *f, const struct counts *counts, const struct search_part *part)
{
    f->unit = alloc_grow(f->unit, f->units, &f->unit_room, sizeof *f->unit);
    struct saved_unit *unit = &f->unit[f->units++];
    unit->counts = *counts;
    if (part) {
        unit->part = alloc_array(part_bytes(part), 1);
        memcpy(unit->part, part, part_bytes(part));
    }
    return unit;
}

void saved_begin(struct saved_search *f)
{
    saved_add_unit(f, &(struct counts){0}, &(struct search_part){.whole = 1});
    f->last = NO_UNIT;
    f->share = share_unknown;
}

// Units in their order, from one of which something is left to the next.
static struct place *take_units(struct saved_search *f, const struct ledger *l)
{
    struct place *places = alloc_array(l->units + 1, sizeof *places);
    struct counts sum = {0};
    bool open = false;
    for (uint32_t i = l->units ? 0 : NO_UNIT; i != NO_UNIT; i = l->unit[i].next) {
        const struct search_part *part = ledger_part(l, i);
        places[i] = (struct place){(uint32_t)f->units, sum.executions};
        counts_add(&sum, &l->unit[i].kept);
        open = !part;
        if (!part)
            continue;
        saved_add_unit(f, &sum, part);
        sum = (struct counts){0};
    }
    if (open || !f->units)
        saved_add_unit(f, &sum, NULL);
    return places;
}

static void rename_units(struct legacy *legacy, const struct place *places)
{
    for (uint32_t i = 0; i < legacy->answer->bugs; i++) {
        struct job_bug *bug = &legacy->answer->bug[i];
        bug->in_unit += places[bug->unit].after;
        bug->unit = places[bug->unit].unit;
    }
}

void saved_take(struct saved_search *f, struct ledger *l, struct job *const *jobs)
{
    shared_lock(&l->lock);
    f->share = ledger_share(l);
    f->threads.count = l->identities.count;
    for (uint32_t i = 0; i < f->threads.count; i++)
        f->threads.thread[i] = (struct job_thread){l->identities.actor[i].parent, l->identities.actor[i].number};
    for (uint32_t i = 0; i < l->workers; i++) {
        const struct told *told = &l->told[i][l->valid[i]];
        if (told->steps_used || told->answer.finished || told->answer.counts.executions)
            saved_bequeath(f, told, jobs[i]->steps);
    }
    struct place *places = take_units(f, l);
    f->last = l->last == NO_UNIT ? NO_UNIT : places[l->last].unit;
    for (size_t i = 0; i < f->legacies; i++)
        rename_units(&f->legacy[i], places);
    shared_unlock(&l->lock);
    free(places);
}

bool saved_put(const struct saved_search *f, struct ledger *l)
{
    for (size_t i = 0; i < f->units; i++)
        if (!ledger_put(l, &f->unit[i].counts, f->unit[i].part))
            return false;
    return true;
}

struct counts saved_counts(const struct saved_search *f)
{
    struct counts sum = {0};
    for (size_t i = 0; i < f->units; i++)
        counts_add(&sum, &f->unit[i].counts);
    return sum;
}

size_t saved_left(const struct saved_search *f)
{
    size_t left = 0;
    for (size_t i = 0; i < f->units; i++)
        left += f->unit[i].part != NULL;
    return left;
}

static bool is_known(const struct saved_search *f, size_t legacy, uint32_t number)
{
    const struct bug *bug = &f->legacy[legacy].answer->bug[number].bug;
    for (size_t i = 0; i <= legacy; i++) {
        const struct answer *answer = f->legacy[i].answer;
        uint32_t bugs = i < legacy ? answer->bugs : number;
        for (uint32_t k = 0; k < bugs; k++)
            if (bug_same(&answer->bug[k].bug, bug, false))
                return true;
    }
    return false;
}

size_t saved_bugs(const struct saved_search *f)
{
    size_t bugs = f->legacies ? 0 : f->before.answer->bugs;
    for (size_t i = 0; i < f->legacies; i++)
        for (uint32_t k = 0; k < f->legacy[i].answer->bugs; k++)
            bugs += !is_known(f, i, k);
    return bugs;
}

void saved_write_block(struct buffer *out, const void *bytes, uint64_t length)
{
    buffer_append(out, (const char *)&length, sizeof length);
    buffer_append(out, bytes, length);
}

static void write_legacy(struct buffer *out, const struct legacy *legacy)
{
    saved_write_block(out, legacy->answer, answer_bytes(legacy->answer));
    saved_write_block(out, legacy->steps, legacy->steps_used * sizeof *legacy->steps);
}

void saved_write(const struct saved_search *f, struct buffer *out)
{
    const uint64_t legacies = f->legacies, units = f->units;
    saved_write_block(out, &f->seconds, sizeof f->seconds);
    saved_write_block(out, &f->share, sizeof f->share);
    saved_write_block(out, &f->last, sizeof f->last);
    saved_write_block(out, &f->learnt, sizeof f->learnt);
    saved_write_block(out, &f->threads, sizeof f->threads);
    saved_write_block(out, f->context, f->context_bytes);
    write_legacy(out, &f->before);
    saved_write_block(out, &legacies, sizeof legacies);
    for (size_t i = 0; i < f->legacies; i++)
        write_legacy(out, &f->legacy[i]);
    saved_write_block(out, &units, sizeof units);
    for (size_t i = 0; i < f->units; i++) {
        saved_write_block(out, &f->unit[i].counts, sizeof f->unit[i].counts);
        saved_write_block(out, f->unit[i].part, f->unit[i].part ? part_bytes(f->unit[i].part) : 0);
    }
}

struct reading {
    const char *at;
    size_t left;
    bool wrong;
};

// The next block, in memory of its own; null if it is empty or there is none.
static void *read_block(struct reading *r, uint64_t *length)
{
    *length = 0;
    if (r->wrong || r->left < sizeof *length)
        r->wrong = true;
    else
        memcpy(length, r->at, sizeof *length);
    if (r->wrong || *length > r->left - sizeof *length) {
        r->wrong = true;
        *length = 0;
        return NULL;
    }
    void *block = *length ? alloc_array(*length, 1) : NULL;
    if (block)
        memcpy(block, r->at + sizeof *length, *length);
    r->at += sizeof *length + *length;
    r->left -= sizeof *length + *length;
    return block;
}

// A block of exactly this length.
static void read_exactly(struct reading *r, void *into, size_t size)
{
    uint64_t length;
    void *block = read_block(r, &length);
    if (length == size && block)
        memcpy(into, block, size);
    else
        r->wrong = true;
    free(block);
}

static void read_legacy(struct reading *r, struct legacy *legacy)
{
    uint64_t length, steps;
    legacy->answer = read_block(r, &length);
    legacy->steps = read_block(r, &steps);
    legacy->steps_used = (uint32_t)(steps / sizeof *legacy->steps);
    if (!legacy->answer || length < offsetof(struct answer, bug) || legacy->answer->bugs > JOB_BUGS ||
        length != answer_bytes(legacy->answer)) {
        legacy_free(legacy);
        r->wrong = true;
        return;
    }
    for (uint32_t i = 0; i < legacy->answer->bugs; i++)
        r->wrong |= (uint64_t)legacy->answer->bug[i].start + legacy->answer->bug[i].steps > legacy->steps_used;
}

static void read_unit(struct reading *r, struct saved_search *f)
{
    uint64_t length;
    f->unit = alloc_grow(f->unit, f->units, &f->unit_room, sizeof *f->unit);
    struct saved_unit *unit = &f->unit[f->units++];
    read_exactly(r, &unit->counts, sizeof unit->counts);
    unit->part = read_block(r, &length);
    r->wrong |= unit->part && !part_is_sound(unit->part, length);
}

static bool units_exist(const struct saved_search *f)
{
    for (size_t i = 0; i < f->legacies; i++)
        for (uint32_t k = 0; k < f->legacy[i].answer->bugs; k++)
            if (f->legacy[i].answer->bug[k].unit >= f->units)
                return false;
    return true;
}

bool saved_read(struct saved_search *f, const char *bytes, size_t length)
{
    struct reading r = {bytes, length, false};
    uint64_t count = 0;
    *f = (struct saved_search){0};
    read_exactly(&r, &f->seconds, sizeof f->seconds);
    read_exactly(&r, &f->share, sizeof f->share);
    read_exactly(&r, &f->last, sizeof f->last);
    read_exactly(&r, &f->learnt, sizeof f->learnt);
    read_exactly(&r, &f->threads, sizeof f->threads);
    f->context = read_block(&r, &count);
    f->context_bytes = count;
    read_legacy(&r, &f->before);
    read_exactly(&r, &count, sizeof count);
    for (uint64_t i = 0; i < count && !r.wrong; i++) {
        f->legacy = alloc_grow(f->legacy, f->legacies, &f->legacy_room, sizeof *f->legacy);
        read_legacy(&r, &f->legacy[f->legacies]);
        f->legacies += f->legacy[f->legacies].answer != NULL;
    }
    read_exactly(&r, &count, sizeof count);
    for (uint64_t i = 0; i < count && !r.wrong; i++)
        read_unit(&r, f);
    if (!r.wrong && !r.left && f->units && f->threads.count <= MAX_ACTORS && units_exist(f))
        return true;
    saved_free(f);
    return false;
}
