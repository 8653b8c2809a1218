#include "check/shadow.h"

#include "base/fail.h"
#include "base/mem.h"

enum { TABLE = 1 << 20, MOST_PAGES = TABLE / 2, PAGE_WORDS = 512 };

static const uint64_t low_cells = SHADOW_LOW_END / 8;

void shadow_init(struct shadow *shadow)
{
    shadow->low = mem_reserve(low_cells * sizeof *shadow->low);
    shadow->pages = mem_reserve(TABLE * sizeof *shadow->pages);
    shadow->elsewhere = mem_reserve((uint64_t)MOST_PAGES * PAGE_WORDS * sizeof *shadow->elsewhere);
    shadow->used = 0;
}

// Where a page stands in the table, or would.
static struct shadow_page *find(const struct shadow *shadow, uint64_t page)
{
    uint32_t at = (uint32_t)(page * 0x9e3779b97f4a7c15u >> 44) % TABLE;
    while (shadow->pages[at].page && shadow->pages[at].page != page)
        at = (at + 1) % TABLE;
    return &shadow->pages[at];
}

struct cell *shadow_elsewhere(struct shadow *shadow, uint64_t address)
{
    struct shadow_page *found = find(shadow, address >> 12);
    if (!found->page) {
        require_room(shadow->used < MOST_PAGES, "pages that one search accesses above 8 GiB (524288)");
        found->page = address >> 12;
        found->cells = shadow->elsewhere + (uint64_t)shadow->used++ * PAGE_WORDS;
    }
    return found->cells + (address >> 3) % PAGE_WORDS;
}

bool shadow_knows(const struct shadow *shadow, uint64_t address)
{
    return address >> SHADOW_LOW_BITS == 0 || find(shadow, address >> 12)->page;
}

bool shadow_holds(const struct shadow *shadow, uint64_t address)
{
    return address - (uint64_t)(uintptr_t)shadow->low < low_cells * sizeof *shadow->low ||
           address - (uint64_t)(uintptr_t)shadow->elsewhere <
               (uint64_t)MOST_PAGES * PAGE_WORDS * sizeof *shadow->elsewhere;
}
