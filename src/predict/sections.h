// Sections of locks: from where a thread takes one to where it lets it go. Two of one lock are never under way at the same time, unless
// both share it; which comes first is open.
//
// A wait on a condition variable lets its mutex go and takes it again. A lock that is taken again by its holder counts from the first
// time to the last. Calls that failed begin nothing. A semaphore may be a lock as well (semaphore_locks.h).
#ifndef PREDICT_SECTIONS_H
#define PREDICT_SECTIONS_H

#include "trace/recording.h"

// It is held after the thread has done `from` + 1 records and until it has done more than `to`.
struct section {
    uint32_t lock;     // object
    uint32_t from, to; // positions of its beginning and its end in the thread; NOT_RECORDED: it never ends
    uint32_t held;     // node of what the thread held when it began
    bool shared;
};

// Persistent lists of the sections that are under way.
struct held {
    uint32_t section;
    uint32_t below; // NOT_RECORDED: none
};

// Since the thread has done `since` records it has held this.
struct held_change {
    uint32_t since, node;
};

enum { SECTIONS_STRETCH = 64 };

struct section_line {
    struct section *sections; // in the order of their beginnings
    uint32_t count;
    size_t room;
    struct held *held;
    uint32_t held_count;
    size_t held_room;
    struct held_change *changes;
    uint32_t change_count;
    size_t change_room;
    uint32_t *known; // for each stretch of SECTIONS_STRETCH records: how many changes there are up to its first one
};

struct sections {
    const struct recording *r;
    struct section_line *lines; // by thread
};

void sections_make(struct sections *s, const struct recording *r);
void sections_free(struct sections *s);

// The newest section that is under way once the thread has done `done` records, as a node of its line; NOT_RECORDED: none. The
// others follow by `below`.
uint32_t sections_held(const struct sections *s, uint32_t thread, uint32_t done);

// Up to how many records the thread holds what it holds once it has done `done`.
uint32_t sections_unchanged(const struct sections *s, uint32_t thread, uint32_t done);

// Whether the two exclude each other.
static inline bool sections_exclude(const struct section *a, const struct section *b)
{
    return a->lock == b->lock && !(a->shared && b->shared);
}

// Whether the section is under way throughout, from `first` to `last` records done.
static inline bool section_spans(const struct section *s, uint32_t first, uint32_t last)
{
    return s->from < first && last <= s->to;
}

// A lock that excludes each from the other at these numbers of records done; NOT_RECORDED: there is none.
uint32_t sections_common(const struct sections *s, uint32_t thread, uint32_t done, uint32_t other, uint32_t other_done);

#endif
