// What is replicated: a map from numbers to numbers. It changes only by commands, in the order of the log, so every server
// that has applied the same commands has the same map.
//
// A client that gets no answer sends its command again. The map remembers the last command of each client, so that a command
// which is in the log twice is done once.
#ifndef STORE_H
#define STORE_H

#include <stdbool.h>

enum { STORE_PAIRS = 16, STORE_CLIENTS = 8 };

enum call { PUT, GET, REMOVE };

#define NO_VALUE (-__LONG_MAX__ - 1) // what `get` gives of a key that is not there

struct command {
    int client, number; // the client's first command is number 1
    enum call call;
    int key;
    long value;
};

struct store {
    int pairs;
    struct {
        int key;
        long value;
    } pair[STORE_PAIRS];
    struct {
        int number; // of the client's last command …
        long result;
    } client[STORE_CLIENTS];
};

// Whether the store has room for it; every server says the same.
bool store_accepts(const struct store *s, const struct command *c);

// Whether it is the client's last command; and what its result was.
bool store_has_done(const struct store *s, const struct command *c);
long store_result(const struct store *s, const struct command *c);

// The result: of `remove`, whether the key was there.
long store_apply(struct store *s, const struct command *c);
long store_get(const struct store *s, int key);

#endif
