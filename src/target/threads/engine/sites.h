// Where in the program each event of the execution stands: the functions under way, and which of them are still those of
// the thread's event before.
#ifndef TARGET_SITES_H
#define TARGET_SITES_H

#include "target/threads/engine/engine.h"

enum { SITE_FRAMES = 30 };

struct site {
    uint16_t frames, kept;
    uint32_t block;              // the first event of the block it belongs to (blocks.h); itself if it belongs to none
    uint64_t frame[SITE_FRAMES]; // return addresses, outermost first
};

// From the beginning of the program on, or not at all.
void sites_follow(void);

// The event that the thread is about to have.
void sites_note(struct thread *t, uint32_t event);

const struct site *site_of(uint32_t event);

// The place of the thread's request.
void site_look(const struct thread *t, struct site *site);

#endif
