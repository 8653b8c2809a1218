#include "transactions/room.h"

#include <stdlib.h>

#include "base/fail.h"

void *room_zeroed(size_t count, size_t size)
{
    void *memory = calloc(count + 1, size);
    require_room(memory, "memory");
    return memory;
}

void *room_grow(void *array, size_t wanted, size_t *room, size_t size)
{
    if (wanted <= *room)
        return array;
    *room = 2 * wanted + 64;
    array = reallocarray(array, *room, size);
    require_room(array, "memory");
    return array;
}
