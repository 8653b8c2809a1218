#include "check/shadow.h"

#include "base/fail.h"
#include "base/mem.h"

enum { TABLE = 1 << 16, PAGE_WORDS = 512 };

void shadow_init(struct shadow *shadow)
{
    shadow->low = mem_reserve((1ull << 29) * sizeof *shadow->low);
    shadow->pages = mem_reserve(TABLE * sizeof *shadow->pages);
    shadow->used = 0;
}

struct cell *shadow_elsewhere(struct shadow *shadow, uint64_t address)
{
    uint64_t page = address >> 12;
    uint32_t at = (uint32_t)(page * 0x9e3779b97f4a7c15u >> 48) % TABLE;
    while (shadow->pages[at].page != page) {
        if (!shadow->pages[at].page) {
            require(++shadow->used < TABLE / 2);
            shadow->pages[at].page = page;
            shadow->pages[at].cells = mem_reserve(PAGE_WORDS * sizeof(struct cell));
            break;
        }
        at = (at + 1) % TABLE;
    }
    return shadow->pages[at].cells + (address >> 3) % PAGE_WORDS;
}
