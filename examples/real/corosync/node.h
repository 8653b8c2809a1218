// What the parts of a node of corosync share: ring.c runs Totem and its application, network.c and timers.c are the transport and the
// clock that Totem asks for, claims.c says what must hold.
#ifndef CORO_NODE_H
#define CORO_NODE_H

#include <heddle/node.h>
#include <stddef.h>

enum { NODES_MOST = 5, RECORDS_MOST = 40, FRAME_MOST = 1024 };

// What a node's application was told, in order. A ring is a membership: who formed it, and the number it has there.
enum record_kind { DELIVERED = 1, TRANSITIONAL, REGULAR };

struct record {
    unsigned char kind;
    unsigned char value;   // of a message
    unsigned char members; // of a configuration: a bit for each node
    unsigned char rep;     // of a ring …
    unsigned seq;          // … and its number
};

struct node_state {
    unsigned count;
    unsigned asked; // messages that this node was ever asked to multicast: a bit each …
    unsigned owed;  // … and since it booted
    struct record record[RECORDS_MOST];
};

// Totem's transport.
void network_deliver(int from, const void *data, size_t size);
void network_show(const void *data, size_t size, char *text, size_t room);

// Totem's timers, in as many kinds as a node of heddle has timers.
enum { TOKEN_LOSS = 1000, CONSENSUS = 2000, RETRANSMIT = 3000, HOLD = 4000, JOIN = 5000, MERGE = 6000 }; // milliseconds
void timers_ran_out(int kind);
void timers_settle(void); // what Totem asked for in this event becomes so

const char *claims_hold(const struct heddle_view *view);
const char *claims_hold_in_the_end(const struct heddle_view *view);

#endif
