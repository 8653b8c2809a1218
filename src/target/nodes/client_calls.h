// What clients of the nodes called, and what came back: a part of the world that is about what people see of it.
//
// Which of two calls came first matters only if one was over before the other began; that is all that the hash tells.
//
// With a model, events of different nodes are compared like those of one node.
#ifndef NODES_CLIENT_CALLS_H
#define NODES_CLIENT_CALLS_H

#include <stdbool.h>
#include <stdint.h>

enum { CLIENT_CALLS = 32, CLIENT_NAME = 16 };

struct client_call {
    char name[CLIENT_NAME];
    int64_t argument[2], result;
    int32_t invoked, returned;
    uint32_t client;
    bool is_over;
};

struct client_calls {
    struct client_call call[CLIENT_CALLS];
    uint32_t count;
    int32_t now;
};

uint64_t client_calls_hash(const struct client_calls *calls);

// For the judge.
const char *client_model(void); // or null
uint32_t client_call_count(void);
const struct client_call *client_call(uint32_t index);
void client_fail(const char *format, const char *what);

#endif
