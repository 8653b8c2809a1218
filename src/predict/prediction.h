// What may go wrong in another order of a recorded run, with an order in which it does.
#ifndef PREDICT_PREDICTION_H
#define PREDICT_PREDICTION_H

#include "predict/regions.h"
#include "predict/reordering.h"

enum prediction_kind {
    PREDICT_ONE_VARIABLE,  // records: two accesses of a region with another thread's in between
    PREDICT_TWO_VARIABLES, // records: x1 and y1 of a region, x2 and y2 of another thread: x1 before x2, y2 before y1
    PREDICT_RACE,          // records: two accesses with nothing between them
    PREDICT_DEADLOCK,      // records: each thread's lock that it waits for
    PREDICT_FREED,         // records: the release, and a use that may come after it
    PREDICT_EARLY,         // records: a read, and the first write, which may come after it
    PREDICT_LOST_WAKE, // records: a signal, and the wait that it ended, which begins after it; then a read on the way to the wait
                       // and the write by the other thread that it has to come before, and so on
    PREDICT_TRY, // records: a lock, a try call of another thread, and what lets the lock go; or the try call that failed and
                 // what it may come before, or the other way round
    PREDICTION_KINDS
};

struct prediction_info {
    const char *name;  // for machines
    const char *title; // for people
};
extern const struct prediction_info prediction_table[PREDICTION_KINDS];

enum confirmation {
    UNCONFIRMED, // was not tried
    CONFIRMED,
    INFEASIBLE, // the program went another way
    UNKNOWN,
};

// What programs often do without a lock on purpose (prediction_choice.h).
enum prediction_idiom { IDIOM_NONE, IDIOM_FLAG, IDIOM_STATISTIC };

enum { PREDICTION_RECORDS = 8 };

struct prediction {
    enum prediction_kind kind;
    uint32_t records[PREDICTION_RECORDS];
    uint32_t record_count;
    struct wish wishes[PREDICTION_RECORDS];
    uint32_t wish_count;
    char pattern[8];          // of one variable: "RWR" and so on; of two: "1" to "4" by the seed's table
    struct bound bound;       // of the first record's thread; for atomicity
    struct bound other_bound; // of two variables: the other thread's
    uint32_t lock;            // that one side holds and that would have prevented it; NOT_RECORDED: none
    struct reordering order;
    uint32_t number;               // in the order in which it was found, from 0
    uint32_t group;                // number in the list of the one that stands for it (prediction_groups.h)
    uint32_t alike, alike_harmful; // of one that stands for others: how many there are, with itself
    enum confirmation confirmed;
    bool harmful;
    bool differs; // the program printed something that it does not print otherwise
    bool shown;   // by default
    enum prediction_idiom idiom;
    bool weak;           // says nothing unless the run fails, whatever it prints
    uint32_t later_than; // the number, plus 1, of one with the same places that stands earlier in the run; 0: none
    bool loosened;       // what its atomic variable ordered is left out, since it would be read otherwise in this order
    bool forgets;        // what its first record needs of other threads is left out of the order
    bool handed;  // within the region its thread hands something over to the other one, or waits: it may well be meant
    char *reason; // why it is infeasible, unknown, harmful or not, in words; null: nothing to say
    char *schedule; // path of a file for `heddle replay`; null: none
    char *again;    // a command that tries it once more natively; null: none
};

struct predictions {
    struct prediction *list;
    uint32_t count;
    size_t room;
    uint64_t asked;     // questions to the grid search
    uint64_t possible;  // and how many of them it affirmed; the rest of those were like one that is listed
    uint64_t undecided; // … and how many it left open
    uint64_t left_out;  // candidates that were not looked at, for their number
};

void predictions_add(struct predictions *p, const struct prediction *one);
// Takes out those that are weak and not harmful.
void predictions_drop_weak(struct predictions *p);
void predictions_free(struct predictions *p);

#endif
