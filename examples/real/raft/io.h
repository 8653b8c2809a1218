// struct raft_io for a node of `heddle cluster`: the network and the disk are heddle's, and time goes on when a timer runs out.
//
// What the library asks for is done later, in an event of its own: a message of the node to itself says that the first
// request of a queue is through. The log's requests are done in their order, as the library's own back end does, while
// snapshots are written and read beside it. What is under way when the node crashes was never done.
#ifndef IO_H
#define IO_H

#include <raft.h>
#include <stdbool.h>

enum { SHADOW_MOST = 40 };

extern struct raft_io io;
extern bool io_sends_to_nobody; // the library has sent a message that has no address

const char *io_address(raft_id id); // of a server

// The log as the library has asked for it: what is to be written counts, too.
struct shadow {
    unsigned snapshot, first, length;
    struct {
        unsigned term, type, digest; // of what the entry says
    } entry[SHADOW_MOST];
};
extern struct shadow io_log;

// Events of heddle come here. Afterwards io_settle calls the library back about what was sent, and lets heddle know what is
// under way.
void io_message(int from, const void *data, size_t size);
void io_pass(raft_time milliseconds); // time, then a tick
void io_settle(void);

void io_show(const void *data, size_t size, char *text, size_t room);

#endif
