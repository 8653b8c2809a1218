// What nodes read and write: accesses to their heap and to the message at hand are looked at before they happen.
//
// Protocols are compiled with the compiler's own hooks for checked memory (-fsanitize=kernel-address, all calls, no red zones
// around variables), which lead here, and calls of memcpy and the like are wrapped. It detects uses of freed heap
// blocks, overruns, and accesses beyond the end of a message, or after the callback that got it. Global variables and stacks are not watched.
//
// A table says how many of each 16 bytes of the heap may be touched. It is made anew from the headers of blocks when a
// node's memory is brought to its place.
#ifndef NODES_ACCESS_H
#define NODES_ACCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// There is a heap at `start`, of which nothing may be touched at first, and what messages contain is at `messages`.
void access_open(uint8_t *start, size_t room, const uint8_t *messages, size_t messages_room);
void access_close(void);

// Nothing of the heap may be touched.
void access_forget(void);

// A block was given out with this size, or changed it; and was freed. Blocks begin at multiples of ACCESS_UNIT from the start.
enum { ACCESS_UNIT = 16 };
void access_allow(const void *block, size_t size);
void access_forbid(const void *block, size_t size);

// The message that the callback at hand was given; null: none.
void access_message(const uint8_t *message, size_t size);

// A call of heddle's own reads or writes (`verb`) memory of the node for it, at this place of its code. What it must not touch is its
// failure, and ends the callback.
void access_look(const void *address, size_t size, const char *verb, const void *where);

#endif
