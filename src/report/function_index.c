#include "report/function_index.h"

#include <dwarf.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

// Code of one function; a function may have several, such as one for what hardly ever runs.
struct piece {
    Dwarf_Addr low, high;
    Dwarf_Off function;
};

struct function_pieces {
    struct piece *list; // by `low`
    size_t count, room;
};

static int by_low(const void *a, const void *b)
{
    const struct piece *x = a, *y = b;
    return (x->low > y->low) - (x->low < y->low);
}

static void add_pieces(struct function_pieces *p, Dwarf_Die *function)
{
    Dwarf_Addr base, low, high;
    for (ptrdiff_t at = 0; (at = dwarf_ranges(function, at, &base, &low, &high)) > 0;) {
        if (low >= high)
            continue;
        p->list = alloc_grow(p->list, p->count, &p->room, sizeof *p->list);
        p->list[p->count++] = (struct piece){low, high, dwarf_dieoffset(function)};
    }
}

static void look_through(struct function_pieces *p, Dwarf_Die *unit)
{
    Dwarf_Die entry;
    if (dwarf_child(unit, &entry))
        return;
    do
        if (dwarf_tag(&entry) == DW_TAG_subprogram)
            add_pieces(p, &entry);
    while (!dwarf_siblingof(&entry, &entry));
    if (p->count)
        qsort(p->list, p->count, sizeof *p->list, by_low);
}

static const struct function_pieces *pieces_of(struct function_index *x, Dwarf_Die *unit)
{
    bool added;
    uint32_t number = table_add(&x->numbers, &unit->addr, sizeof unit->addr, &added);
    if (added) {
        x->units = alloc_grow(x->units, number, &x->room, sizeof *x->units);
        look_through(&x->units[number], unit);
    }
    return &x->units[number];
}

static const struct piece *piece_with(const struct function_pieces *p, Dwarf_Addr pc)
{
    size_t low = 0, high = p->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->list[middle].low <= pc)
            low = middle + 1;
        else
            high = middle;
    }
    return low && pc < p->list[low - 1].high ? &p->list[low - 1] : NULL;
}

static bool has_scopes(Dwarf_Die *entry)
{
    int tag = dwarf_tag(entry);
    return tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block || tag == DW_TAG_subprogram ||
           tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

// The part of the entry that has the address. False: none has.
static bool go_inside(Dwarf_Die *entry, Dwarf_Addr pc)
{
    Dwarf_Die child;
    if (dwarf_child(entry, &child))
        return false;
    do
        if (has_scopes(&child) && dwarf_haspc(&child, pc) == 1) {
            *entry = child;
            return true;
        }
    while (!dwarf_siblingof(&child, &child));
    return false;
}

size_t function_index_find(struct function_index *x, Dwarf_Die *unit, Dwarf_Addr pc, Dwarf_Die *functions, size_t room)
{
    enum { DEEPEST = 64 };
    Dwarf_Die found[DEEPEST], entry;
    size_t depth = 0;
    const struct piece *piece = piece_with(pieces_of(x, unit), pc);
    if (!piece || !dwarf_offdie(dwarf_cu_getdwarf(unit->cu), piece->function, &entry))
        return 0;
    do {
        int tag = dwarf_tag(&entry);
        if (tag == DW_TAG_subprogram)
            depth = 0; // a function within a function has code of its own
        if (depth < DEEPEST && tag != DW_TAG_lexical_block)
            found[depth++] = entry;
    } while (go_inside(&entry, pc));
    size_t count = 0;
    while (depth && count < room)
        functions[count++] = found[--depth];
    return count;
}

void function_index_free(struct function_index *x)
{
    for (uint32_t i = 0; i < x->numbers.count; i++)
        free(x->units[i].list);
    free(x->units);
    table_free(&x->numbers);
}
