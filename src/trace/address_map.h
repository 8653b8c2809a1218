// A number for each 4 bytes of the address space; 0 where none was set.
#ifndef TRACE_ADDRESS_MAP_H
#define TRACE_ADDRESS_MAP_H

#include <stddef.h>
#include <stdint.h>

struct address_page;

// Zero-initialised is empty.
struct address_map {
    struct address_page *pages; // a hash table
    size_t count, room;
};

// A range of more than ADDRESS_MAP_LARGEST bytes gets no number: it is one that a program reserves and hardly uses.
enum { ADDRESS_MAP_LARGEST = 1 << 28 };
void address_map_set(struct address_map *map, uint64_t address, uint64_t size, uint32_t number);
uint32_t address_map_get(const struct address_map *map, uint64_t address);
void address_map_free(struct address_map *map);

// Each 4 bytes of the range get another number: what `change` makes of the one they had.
void address_map_change(struct address_map *map, uint64_t address, uint64_t size,
                        uint32_t (*change)(uint32_t before, uint32_t argument), uint32_t argument);

#endif
