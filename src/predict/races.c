// Data races beyond the recorded order: two conflicting accesses, not both atomic, that can be next to each other.
//
// Candidates are those that hold no common lock and that order.h leaves open, which has no edges from locks: the hybrid of locksets
// and happens-before (O'Callahan and Choi, PPoPP 2003), which alone accuses too much. So for each pair of places the grid search then decides
// whether both threads can come to their accesses at the same time, with a run that shows it. Each thread's accesses are gone through
// once, and each is held against the nearest of every other thread.
#include "predict/prediction_hunt.h"

static void try_race(struct hunt *h, uint32_t a, uint32_t b)
{
    const struct record *e = h->r->records;
    if (!records_conflict(&e[a], &e[b]) || (record_table[e[a].kind].atomic && record_table[e[b].kind].atomic))
        return;
    struct prediction p = {.kind = PREDICT_RACE, .records = {a, b}, .record_count = 2, .lock = NOT_RECORDED};
    uint32_t signature = hunt_signature(h, &p);
    if (!hunt_is_open(h, signature) || hunt_is_guarded(h, a, a, b))
        return;
    p.lock = hunt_lock_around(h, a, a, b);
    if (p.lock == NOT_RECORDED)
        p.lock = hunt_lock_around(h, b, b, a);
    hunt_ask(h, &p, signature);
}

static void try_lines(struct hunt *h, const struct access_line *line, const struct access_line *other)
{
    for (uint32_t i = 0; i < line->count; i++) {
        uint32_t a = line->records[i], low, high;
        if (hunt_is_worn(h, PREDICT_RACE, a, a, other->thread))
            continue;
        hunt_range(h, other, a, a, &low, &high);
        uint32_t down = hunt_nearest(other, low, high, a), up = down;
        for (uint32_t tried = 0; tried < HUNT_NEAR && (down > low || up < high); tried++) {
            bool goes_up = down == low || (up < high && tried % 2);
            try_race(h, a, other->records[goes_up ? up++ : --down]);
        }
        h->found.left_out += (down - low) + (high - up);
    }
}

void hunt_races(struct hunt *h)
{
    for (uint32_t v = 0; v < h->r->variable_count; v++) {
        uint32_t count;
        const struct access_line *lines = accesses_lines(&h->accesses, v, &count);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = i + 1; k < count; k++)
                if (lines[i].writes || lines[k].writes)
                    try_lines(h, &lines[i], &lines[k]);
    }
}
