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
    bool deep; // functions within functions are among them
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

static bool may_hold_functions(int tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
           tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_namespace;
}

// Functions below the entry; of those within others only if asked.
static void look_below(struct function_pieces *p, Dwarf_Die *entry, bool inside, bool deep)
{
    Dwarf_Die child;
    if (dwarf_child(entry, &child))
        return;
    do {
        int tag = dwarf_tag(&child);
        if (tag == DW_TAG_subprogram && inside == deep)
            add_pieces(p, &child);
        if (deep && may_hold_functions(tag))
            look_below(p, &child, true, true);
    } while (!dwarf_siblingof(&child, &child));
}

static void look_through(struct function_pieces *p, Dwarf_Die *unit, bool deep)
{
    look_below(p, unit, false, deep);
    p->deep = deep;
    if (p->count)
        qsort(p->list, p->count, sizeof *p->list, by_low);
}

static struct function_pieces *pieces_of(struct function_index *x, Dwarf_Die *unit)
{
    bool added;
    uint32_t number = table_add(&x->numbers, &unit->addr, sizeof unit->addr, &added);
    if (added) {
        x->units = alloc_grow(x->units, number, &x->room, sizeof *x->units);
        look_through(&x->units[number], unit, false);
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

// gcc describes the functions of lambdas, and those that it makes of parts of others, within the function that has them, which is only
// looked into if nothing else is there.
static const struct piece *find_piece(struct function_pieces *p, Dwarf_Die *unit, Dwarf_Addr pc)
{
    const struct piece *found = piece_with(p, pc);
    if (found || p->deep)
        return found;
    look_through(p, unit, true);
    return piece_with(p, pc);
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
    const struct piece *piece = find_piece(pieces_of(x, unit), unit, pc);
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
