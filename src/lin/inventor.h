// Inventing clients of an object: all up to a size, smallest first, those that are equal up to the names of threads and values
// left out; or random ones.
#ifndef LIN_INVENTOR_H
#define LIN_INVENTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/client.h"

struct client_bounds {
    uint32_t threads;    // at most
    uint32_t calls;      // of one thread, at most
    uint32_t total;      // of all threads, at most
    bool one_thread_too; // clients of a single thread, which only a model can find wrong
};

// Exactly so many calls: `before` the threads begin, and of all threads together.
struct client_size {
    uint32_t before, threads, calls;
};

// A way through all clients of a size.
struct inventor {
    const struct client_object *object;
    struct client_bounds bounds;
    struct client around; // calls before and after; goes with every client
    struct client_call *choices;
    uint32_t choice_count;
    bool rename; // values of ARGUMENT_ANY_OF are alike
    uint32_t total, threads;
    uint32_t before; // calls that set the object up, invented like the others
    uint32_t length[CLIENT_THREADS];
    uint32_t chosen[CLIENT_CALLS]; // of the calls before, then of those of threads, one after the other
    bool begun, over;
    uint64_t next, end; // inventor_next_of_size: numbers of clients, in a scattered order
    uint64_t random;
};

// `around` may be null. Null, or a sentence that says why there are no such clients.
const char *inventor_begin(struct inventor *c, const struct client_object *object, const struct client_bounds *bounds,
                           const struct client *around);
void inventor_end(struct inventor *c);

// The next client; false if there is none.
bool inventor_next(struct inventor *c, struct client *client);

// Begins with the clients of exactly this size, in whatever shapes. Those come in a scattered order: if there is no time for all,
// those that are tried differ in every call. Null, or a sentence that says why there are no such clients.
const char *inventor_begin_size(struct inventor *c, const struct client_object *object, const struct client_size *size,
                                const struct client *around);
bool inventor_next_of_size(struct inventor *c,
                           struct client *client); // false with `over`: it was given up, far from the end

// A random one of exactly this many threads and calls each. False if none was found that keeps to who may call what.
bool inventor_random(struct inventor *c, uint32_t threads, uint32_t calls, struct client *client);

// Adds the call that asks for the final state, if the object has one.
bool client_finish(struct client *client, const struct client_object *object);

// Whether operations that belong to one thread are called by one thread only, before and after left aside.
bool client_keeps_to(const struct client *client, const struct client_object *object);

// "push(1) pop() | pop()", with calls before and after in brackets: "[push(1)] pop() | pop() [pop()]".
// Null, or a sentence that says what is wrong (in `why`, which has room for it).
const char *client_parse(struct client *client, const struct client_object *object, const char *text, char *why,
                         size_t room);
void client_show(const struct client *client, const struct client_object *object, char *text, size_t room);

// The nth client that is a little smaller: a call less, or a smaller argument. False if there are not that many.
bool client_smaller(const struct client *client, const struct client_object *object, uint32_t nth,
                    struct client *smaller);

// The nth client that has one call more, in one of its threads or in one of its own; `c` has begun. False if there are not
// that many.
bool client_larger(const struct inventor *c, const struct client *client, uint32_t nth, struct client *larger);

// Whether a client has no more threads and calls than the bounds say.
bool client_is_within(const struct client *client, const struct client_bounds *bounds);

#endif
