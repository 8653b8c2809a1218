// Errands: work that processes of the command do beside each other. Each is a copy of the command as it was when the errand began, and
// puts what it comes to on a shelf (shelf.h).
//
// What an errand says on standard error is kept until errand_say, so that it does not depend on who was quicker. It must print nothing on
// standard output. Its temporary files lie in a folder of their own, which goes away with the errand. A signal that asks the command to
// end reaches all errands. They end when the command ends, however it does.
#ifndef SUPERVISE_ERRAND_H
#define SUPERVISE_ERRAND_H

#include <stdbool.h>
#include <stdint.h>

#include "supervise/shelf.h"

struct errand;

struct errands {
    uint32_t most; // workers at the same time …
    uint32_t busy; // … and those of the errands that are under way
    int ended[2];  // a pipe: a byte of each that has ended
    bool told;     // that the user wants an end
    struct errand *first;
};

// Returns what the work came to: from 0 to 255, but not ERRAND_DIED.
typedef int errand_work(void *context, struct shelf *shelf);

enum { ERRAND_DIED = 128 };

// 0, or 2 after one sentence.
int errands_open(struct errands *all, uint32_t most);

// Ends all that are still under way.
void errands_close(struct errands *all);

// Whether another one with so many workers of its own may begin. One may in any case if none is under way.
bool errands_have_room(const struct errands *all, uint32_t workers);

// Null after one sentence if there is no process or no memory for it.
struct errand *errand_begin(struct errands *all, uint32_t workers, errand_work *work, void *context);

// Waits until one of them ends, but not for long.
void errands_wait(struct errands *all);

bool errand_is_over(const struct errand *errand);

// Of one that is over: what it came to, or ERRAND_DIED. And its shelf, which stays until errand_free.
int errand_status(const struct errand *errand);
struct shelf *errand_shelf(const struct errand *errand);

// Says on standard error what it has said.
void errand_say(struct errand *errand);

// Ends it if it is still under way.
void errand_free(struct errands *all, struct errand *errand);

#endif
