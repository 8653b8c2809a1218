// What all hunts for predictions share: the recording with everything that is derived from it, and the questions that were asked.
//
// Long runs do the same over and over. A prediction goes by its *signature*, the places in the code that it is about: once one of a
// signature is found, others are not asked for, and neither are they after HUNT_TRIES that were not possible. The first time may be a
// special one, though, such as that in which a list is still empty. So if predictions are going to be tried, one more of each signature
// is kept, as late a one as is found by asking for the 1st, 2nd, 4th, 8th … of those that follow. Two questions are the same
// *model* if their records stand between the same synchronisations of the same threads; a model that has been denied is not
// asked again.
#ifndef PREDICT_PREDICTION_HUNT_H
#define PREDICT_PREDICTION_HUNT_H

#include "predict/accesses.h"
#include "predict/prediction.h"

enum {
    HUNT_TRIES = 32,
    HUNT_LOOKS = 256,
    HUNT_NEAR =
        48, // how many accesses of another thread are looked at, those that were the nearest in the recorded run
};

#define HUNT_POINTS (1ull << 33) // of grids, for all questions together …
enum {
    HUNT_POINTS_A_RECORD = 4096, // … and as many more for each record
    HUNT_LEAST_POINTS = 1 << 16, // for each question, even then
};

// What is known of a signature.
struct hunt_signature {
    uint32_t tries;           // HUNT_FOUND: one is listed
    uint32_t number;          // of that one
    uint32_t followers;       // how many came after it
    struct prediction *later; // the last of those that are possible; null: none
};

struct hunt {
    const struct recording *r;
    struct model m;
    struct regions regions;
    struct accesses accesses;
    struct predictions found;
    bool parted;       // only what is let go in between is looked at just now (one_variable.c)
    bool stale;        // reads are looked at that would find something older (one_variable.c)
    bool loosened;     // an atomic variable orders nothing just now (one_variable.c)
    uint64_t searched; // points of grids
    struct table signatures;
    struct hunt_signature *known; // by signature
    size_t known_room;
    bool again; // a later one of each signature is wanted, too
    struct table denied, looks;
    uint32_t *looked; // by number in `looks`: how often
    size_t look_room;
};

void hunt_begin(struct hunt *h, const struct recording *r, unsigned bounds);
void hunt_end(struct hunt *h);

// The signature of a prediction, as a number: the records' places and kinds, in order; of two variables the memory they are part of, the
// regions and the pattern.
uint32_t hunt_signature(struct hunt *h, const struct prediction *p);

// Whether accesses at these two places have been held against those of the other thread often enough (HUNT_LOOKS times), for loops
// that go round a million times. Asking counts.
bool hunt_is_worn(struct hunt *h, enum prediction_kind kind, uint32_t first, uint32_t second, uint32_t other);

// Whether something is left to be learnt about this signature. Asking counts.
bool hunt_is_open(struct hunt *h, uint32_t signature);

// Whether one with this signature is listed.
bool hunt_is_found(const struct hunt *h, uint32_t signature);

// The question that a prediction answers. False: it is about more than two threads.
bool hunt_question(const struct hunt *h, const struct prediction *p, struct question *q);

// Asks whether the prediction is possible, and lists it if so. It needs wishes, or two records that are to meet.
bool hunt_ask(struct hunt *h, struct prediction *p, uint32_t signature);

// Whether the program was made that way: within the region its thread waits for what the other one did, as in a loop around a condition
// variable.
bool hunt_is_meant(const struct hunt *h, const struct prediction *p);

// Whether within the region, which has the first wish's first record and the last wish's last one, its thread lets the other one come to
// its access (it creates it, signals, releases), or waits on a condition variable. Few such regions are meant to be atomic.
bool hunt_hands_over(const struct hunt *h, const struct prediction *p);

// Whether two conflicting accesses can race, as far as locks and atomics are concerned: then the race is what is to be told.
bool hunt_may_race(const struct hunt *h, uint32_t a, uint32_t b);

// Lists a prediction that is known to be possible, with its order.
void hunt_take(struct hunt *h, const struct prediction *p, uint32_t signature);

// Lists the later ones, behind all others. They say nothing unless the run fails.
void hunt_list_later(struct hunt *h);

// The accesses of `line` that can come after record `after` of another thread and before record `before` of that one, as far as
// order is concerned: from *low up to, but not including, *high.
void hunt_range(const struct hunt *h, const struct access_line *line, uint32_t after, uint32_t before, uint32_t *low,
                uint32_t *high);

// The first access of `line` from `low` on, and before `high`, that was recorded behind `record`.
uint32_t hunt_nearest(const struct access_line *line, uint32_t low, uint32_t high, uint32_t record);

// Whether some lock keeps the other thread's record out of the stretch between two records (or just at one, twice).
bool hunt_is_guarded(const struct hunt *h, uint32_t first, uint32_t second, uint32_t other);

// A lock that the thread holds throughout, and the other one does not hold there; NOT_RECORDED: none.
uint32_t hunt_lock_around(const struct hunt *h, uint32_t first, uint32_t second, uint32_t other);

// The hunts.
void hunt_one_variable(struct hunt *h);
// Atomicity violations that are most likely meant: they have to be tried.
void hunt_unlikely(struct hunt *h, unsigned kinds); // bits by prediction_kind
struct correlations;
void hunt_merged(struct hunt *h, const struct correlations *c);
void hunt_two_variables(struct hunt *h, const struct correlations *c);
void hunt_races(struct hunt *h);
void hunt_deadlocks(struct hunt *h);
void hunt_waiting_deadlocks(struct hunt *h);
// Of one variable: reads before the first write.
void hunt_early(struct hunt *h, uint32_t variable);
bool hunt_is_published(const struct hunt *h, uint32_t variable); // that write is atomic
void hunt_lifetimes(struct hunt *h, unsigned kinds);             // bits by prediction_kind
// `unlikely`: also those that have to be tried.
void hunt_lost_wakes(struct hunt *h, bool unlikely);
// All have to be tried.
void hunt_try_locks(struct hunt *h);

#endif
