#include "report/variables.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "report/types.h"

// A location that is one fixed address; anything else (registers, the stack, thread-local) has no name for us.
static bool fixed_address(Dwarf_Die *die, uint64_t *address)
{
    Dwarf_Attribute attribute, operand;
    Dwarf_Op *expression;
    size_t length;
    Dwarf_Addr found;
    if (!dwarf_attr(die, DW_AT_location, &attribute) || dwarf_getlocation(&attribute, &expression, &length) ||
        length != 1)
        return false;
    if (expression[0].atom == DW_OP_addr) {
        *address = expression[0].number;
        return true;
    }
    if (expression[0].atom != DW_OP_addrx || dwarf_getlocation_attr(&attribute, expression, &operand) ||
        dwarf_formaddr(&operand, &found))
        return false;
    *address = found;
    return true;
}

static void add_variable(struct variables *v, Dwarf_Die *die, const char *function, uint64_t bias)
{
    uint64_t address;
    Dwarf_Die type;
    const char *name = dwarf_diename(die);
    if (!name || !fixed_address(die, &address) || !types_of(die, &type))
        return;
    uint64_t size = types_size(&type);
    if (size == 0)
        return;
    v->list = alloc_grow(v->list, v->count, &v->room, sizeof *v->list);
    v->list[v->count++] = (struct variable){address + bias, size, name, function, type};
}

static void walk(struct variables *v, Dwarf_Die *parent, const char *function, uint64_t bias, int depth)
{
    Dwarf_Die die;
    if (depth > 64 || dwarf_child(parent, &die))
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
            add_variable(v, &die, function, bias);
            break;
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
            walk(v, &die, dwarf_diename(&die), bias, depth + 1);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_namespace:
            walk(v, &die, function, bias, depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

static int by_start(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

void variables_read(struct variables *v, Dwarf *dwarf, uint64_t bias)
{
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0)
        if (dwarf_tag(&die) == DW_TAG_compile_unit)
            walk(v, &die, NULL, bias, 0);
    if (v->count)
        qsort(v->list, v->count, sizeof *v->list, by_start);
}

void variables_free(struct variables *v)
{
    free(v->list);
    *v = (struct variables){0};
}

struct variable *variables_find(const struct variables *v, uint64_t address)
{
    size_t low = 0, high = v->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v->list[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return NULL;
    struct variable *found = &v->list[low - 1];
    return address - found->start < found->size ? found : NULL;
}
