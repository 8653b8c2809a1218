// The library's messages as bytes.
#ifndef WIRE_H
#define WIRE_H

#include <raft.h>

#include "bytes.h"

void wire_put(struct bytes *b, const struct raft_message *m);
void wire_get(struct bytes *b, struct raft_message *m); // what it points to is the library's

// For people.
void wire_show(const void *data, size_t size, char *text, size_t room);

#endif
