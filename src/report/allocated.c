#include "report/allocated.h"

#include <dwarf.h>

#include "report/types.h"

struct allocation_search {
    uint64_t size;
    enum allocated result;
    Dwarf_Die type, bare;
};

// Takes names and qualifiers off, as far as that leaves a structure or union.
static bool is_record(Dwarf_Die *type, Dwarf_Die *bare)
{
    if (dwarf_peel_type(type, bare))
        return false;
    int tag = dwarf_tag(bare);
    return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

static void consider(struct allocation_search *s, Dwarf_Die *die)
{
    Dwarf_Die type, target, bare;
    if (!types_of(die, &type) || !types_pointee(&type, &target) || !is_record(&target, &bare) ||
        types_size(&bare) != s->size)
        return;
    if (s->result == ALLOCATED_FOUND && bare.addr != s->bare.addr)
        s->result = ALLOCATED_AMBIGUOUS;
    if (s->result != ALLOCATED_UNKNOWN)
        return;
    s->result = ALLOCATED_FOUND;
    s->type = target;
    s->bare = bare;
}

static void walk(struct allocation_search *s, Dwarf_Die *parent, int depth)
{
    Dwarf_Die die;
    if (depth > 64 || dwarf_child(parent, &die))
        return;
    do {
        int tag = dwarf_tag(&die);
        if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
            consider(s, &die);
        else if (tag == DW_TAG_lexical_block)
            walk(s, &die, depth + 1);
    } while (dwarf_siblingof(&die, &die) == 0);
}

// Where an inlined function is written all its variables are listed, also those that are nowhere when it runs.
static void look_into(struct allocation_search *s, Dwarf_Die *function)
{
    Dwarf_Attribute attribute;
    Dwarf_Die origin;
    if (dwarf_attr(function, DW_AT_abstract_origin, &attribute) && dwarf_formref_die(&attribute, &origin))
        function = &origin;
    walk(s, function, 0);
    if (s->result == ALLOCATED_UNKNOWN)
        consider(s, function); // its result
}

enum allocated allocated_type(struct function_index *index, Dwarf_Die *unit, uint64_t pc, uint64_t size,
                              Dwarf_Die *type)
{
    enum { DEEPEST = 64 };
    struct allocation_search s = {.size = size};
    Dwarf_Die functions[DEEPEST];
    size_t count = function_index_find(index, unit, pc, functions, DEEPEST);
    for (size_t i = 0; i < count && s.result == ALLOCATED_UNKNOWN; i++)
        look_into(&s, &functions[i]);
    *type = s.type;
    return s.result;
}
