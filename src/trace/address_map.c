#include "trace/address_map.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

enum { PAGE_BITS = 16, GRAIN_BITS = 2, GRAINS = 1 << (PAGE_BITS - GRAIN_BITS) };

struct address_page {
    uint64_t key;     // address >> PAGE_BITS, plus 1; 0: free
    uint32_t whole;   // the number of all of it, …
    uint32_t *number; // … unless they have numbers of their own
};

static struct address_page *find_slot(const struct address_map *map, uint64_t key)
{
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15ull >> 32) & (map->room - 1);
    while (map->pages[at].key && map->pages[at].key != key)
        at = (at + 1) & (map->room - 1);
    return &map->pages[at];
}

static void grow(struct address_map *map)
{
    struct address_map larger = {alloc_zeroed(map->room ? 2 * map->room : 64, sizeof *map->pages), map->count,
                                 map->room ? 2 * map->room : 64};
    for (size_t i = 0; i < map->room; i++)
        if (map->pages[i].key)
            *find_slot(&larger, map->pages[i].key) = map->pages[i];
    free(map->pages);
    *map = larger;
}

static struct address_page *page_for(struct address_map *map, uint64_t address)
{
    uint64_t key = (address >> PAGE_BITS) + 1;
    if (2 * map->count >= map->room)
        grow(map);
    struct address_page *page = find_slot(map, key);
    if (!page->key) {
        page->key = key;
        map->count++;
    }
    return page;
}

static uint32_t *numbers_of(struct address_page *page)
{
    if (!page->number) {
        page->number = alloc_array(GRAINS, sizeof *page->number);
        for (uint32_t i = 0; i < GRAINS; i++)
            page->number[i] = page->whole;
    }
    return page->number;
}

static uint32_t grain_of(uint64_t address)
{
    return (uint32_t)(address >> GRAIN_BITS) & (GRAINS - 1);
}

void address_map_change(struct address_map *map, uint64_t address, uint64_t size,
                        uint32_t (*change)(uint32_t before, uint32_t argument), uint32_t argument)
{
    uint64_t last = address + (size ? size - 1 : 0);
    for (uint64_t at = address; at <= last; at = (at | ((1 << PAGE_BITS) - 1)) + 1) {
        uint64_t end = at | ((1 << PAGE_BITS) - 1);
        struct address_page *page = page_for(map, at);
        bool all = grain_of(at) == 0 && last >= end;
        if (all && !page->number) {
            page->whole = change(page->whole, argument);
            continue;
        }
        uint32_t *number = numbers_of(page);
        for (uint32_t i = grain_of(at); i <= grain_of(last < end ? last : end); i++)
            number[i] = change(number[i], argument);
    }
}

static uint32_t replace(uint32_t before, uint32_t number)
{
    (void)before;
    return number;
}

// Takes away the numbers of a range of any size.
static void clear_pages(struct address_map *map, uint64_t address, uint64_t size)
{
    for (size_t i = 0; i < map->room; i++) {
        struct address_page *page = &map->pages[i];
        if (page->key && ((page->key - 1) << PAGE_BITS) - address < size) {
            free(page->number);
            page->number = NULL;
            page->whole = 0;
        }
    }
}

void address_map_set(struct address_map *map, uint64_t address, uint64_t size, uint32_t number)
{
    if (size <= ADDRESS_MAP_LARGEST)
        address_map_change(map, address, size, replace, number);
    else
        clear_pages(map, address, size);
}

uint32_t address_map_get(const struct address_map *map, uint64_t address)
{
    if (!map->room)
        return 0;
    const struct address_page *page = find_slot(map, (address >> PAGE_BITS) + 1);
    if (!page->key)
        return 0;
    return page->number ? page->number[grain_of(address)] : page->whole;
}

void address_map_free(struct address_map *map)
{
    for (size_t i = 0; i < map->room; i++)
        free(map->pages[i].number);
    free(map->pages);
    *map = (struct address_map){0};
}
