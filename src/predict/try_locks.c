// Try calls that would have got another answer: one that took its lock while another thread had it not yet, or not any more, and one
// that failed although it might have come before or after.
//
// The model has no branches, so what follows from the other answer is not known: it has to be run, and is told only if the run
// fails and runs in which one thread does its part first do not. That a try call fails now and then is what it is for.
// A call with a time limit counts as well. Each is held against the sections of every other thread that were the nearest.
#include "predict/prediction_hunt.h"

enum {
    SECTIONS_NEAR = 8,       // of the lock
    SECTIONS_LOOKED_AT = 256 // of all locks
};

// The first section of the line that was taken after `record`.
static uint32_t section_behind(const struct hunt *h, uint32_t thread, uint32_t record)
{
    const struct section_line *line = &h->m.sections.lines[thread];
    uint32_t low = 0, high = line->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (h->r->threads[thread].records[line->sections[middle].from] < record)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void ask(struct hunt *h, struct prediction *p)
{
    p->kind = PREDICT_TRY;
    p->lock = NOT_RECORDED;
    p->weak = true;
    uint32_t signature = hunt_signature(h, p);
    if (hunt_is_open(h, signature))
        hunt_ask(h, p, signature);
}

// A call that took the lock comes while another thread has it.
static void ask_to_fail(struct hunt *h, uint32_t call, uint32_t lock, uint32_t unlock)
{
    struct prediction p = {
        .records = {lock, call, unlock}, .record_count = 3, .wishes = {{lock, call}, {call, unlock}}, .wish_count = 2};
    ask(h, &p);
}

// A call that failed comes before the lock was taken, or after it was let go.
static void ask_to_take(struct hunt *h, uint32_t before, uint32_t after)
{
    struct prediction p = {.records = {before, after}, .record_count = 2, .wishes = {{before, after}}, .wish_count = 1};
    ask(h, &p);
}

// Whether the section is one that the call may meet.
static bool try_section(struct hunt *h, uint32_t call, uint32_t thread, const struct section *s)
{
    const struct record *e = &h->r->records[call];
    const uint32_t *records = h->r->threads[thread].records;
    if (s->lock != e->object || s->to == NOT_RECORDED || (s->shared && e->kind == RECORD_LOCK_SHARED))
        return false;
    uint32_t lock = records[s->from], unlock = records[s->to];
    if (!(e->flags & RECORD_FAILED)) {
        ask_to_fail(h, call, lock, unlock);
    } else if (lock < call && call < unlock) {
        ask_to_take(h, call, lock);
        ask_to_take(h, unlock, call);
    }
    return true;
}

static void try_call(struct hunt *h, uint32_t call)
{
    for (uint32_t t = 0; t < h->r->thread_count; t++) {
        const struct section_line *line = &h->m.sections.lines[t];
        if (t == h->r->records[call].thread || hunt_is_worn(h, PREDICT_TRY, call, call, t))
            continue;
        uint32_t up = section_behind(h, t, call), down = up, met = 0;
        for (uint32_t i = 0; i < SECTIONS_LOOKED_AT && met < SECTIONS_NEAR && (down > 0 || up < line->count); i++) {
            bool goes_up = down == 0 || (up < line->count && i % 2);
            met += try_section(h, call, t, &line->sections[goes_up ? up++ : --down]);
        }
    }
}

void hunt_try_locks(struct hunt *h)
{
    for (uint32_t i = 0; i < h->r->count; i++) {
        const struct record *e = &h->r->records[i];
        bool locks = e->kind == RECORD_LOCK || e->kind == RECORD_LOCK_SHARED || e->kind == RECORD_TAKE;
        if (locks && e->flags & RECORD_TRIED)
            try_call(h, i);
    }
}
