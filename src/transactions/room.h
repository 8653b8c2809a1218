// Memory of the analysis of transactions: checked, zeroed, given back by free.
#ifndef TRANSACTIONS_ROOM_H
#define TRANSACTIONS_ROOM_H

#include <stddef.h>

// Never null.
void *room_zeroed(size_t count, size_t size);

// Room for at least `wanted` elements in an array that has room for `*room`; what is new is not zeroed. Never null.
void *room_grow(void *array, size_t wanted, size_t *room, size_t size);

#endif
