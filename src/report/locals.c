#include "report/locals.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/types.h"

enum { FRAME_POINTER = 6, STACK_POINTER = 7 }; // in DWARF's numbering of x86-64

static bool register_value(const struct symbols_frame *frame, uint64_t number, uint64_t *value)
{
    *value = number == STACK_POINTER ? frame->sp : frame->fp;
    return number == STACK_POINTER || number == FRAME_POINTER;
}

// What a location that is one register, or a register and an offset, comes to.
static bool evaluate(const Dwarf_Op *op, const struct symbols_frame *frame, uint64_t *value)
{
    uint64_t offset = 0, number;
    if (op->atom == DW_OP_bregx) {
        number = op->number;
        offset = op->number2;
    } else if (op->atom >= DW_OP_breg0 && op->atom <= DW_OP_breg31) {
        number = op->atom - DW_OP_breg0;
        offset = op->number;
    } else if (op->atom >= DW_OP_reg0 && op->atom <= DW_OP_reg31) {
        number = op->atom - DW_OP_reg0;
    } else {
        return false;
    }
    if (!register_value(frame, number, value))
        return false;
    *value += offset;
    return true;
}

// The stack pointer as it was before the call, which frames are measured from.
static bool frame_address(Dwfl_Module *module, const struct symbols_frame *frame, uint64_t *address)
{
    Dwarf_Addr bias;
    Dwarf_CFI *rules = dwfl_module_eh_cfi(module, &bias);
    Dwarf_Frame *at = NULL;
    Dwarf_Op *ops;
    size_t count;
    if (!rules || dwarf_cfi_addrframe(rules, frame->pc - 1 - bias, &at))
        return false;
    bool good = !dwarf_frame_cfa(at, &ops, &count) && count == 1 && evaluate(ops, frame, address);
    free(at);
    return good;
}

static bool frame_base(Dwfl_Module *module, Dwarf_Die *function, const struct symbols_frame *frame, uint64_t *base)
{
    Dwarf_Attribute attribute;
    Dwarf_Op *ops;
    size_t count;
    if (!dwarf_attr_integrate(function, DW_AT_frame_base, &attribute) || dwarf_getlocation(&attribute, &ops, &count) ||
        count != 1)
        return false;
    return ops->atom == DW_OP_call_frame_cfa ? frame_address(module, frame, base) : evaluate(ops, frame, base);
}

struct local_search {
    uint64_t base, address, pc; // the frame's; the one looked for; where the call is, in the file's own addresses
    uint64_t pointer;           // the frame pointer, from which clang measures where it optimises
    bool everywhere;            // also in blocks that the call is not in
    bool several;               // different variables are there
    struct variable *found;     // its name is null: none so far
};

// Whether the variable is on the stack at some time, and has the address then.
static bool holds(const struct local_search *s, Dwarf_Die *die, uint64_t size, uint64_t *start)
{
    Dwarf_Attribute attribute;
    Dwarf_Addr base, from, to;
    Dwarf_Op *ops;
    size_t count;
    ptrdiff_t next = 0;
    if (!dwarf_attr(die, DW_AT_location, &attribute))
        return false;
    while ((next = dwarf_getlocations(&attribute, next, &base, &from, &to, &ops, &count)) > 0) {
        bool by_pointer = ops->atom == DW_OP_breg0 + FRAME_POINTER;
        *start = (by_pointer ? s->pointer : s->base) + ops->number;
        if (count == 1 && (by_pointer || ops->atom == DW_OP_fbreg) && s->address - *start < size)
            return true;
    }
    return false;
}

static void consider(struct local_search *s, Dwarf_Die *die, const char *function)
{
    Dwarf_Die type;
    uint64_t start;
    const char *name = dwarf_diename(die);
    if (!name || !types_of(die, &type))
        return;
    uint64_t size = types_size(&type);
    if (!holds(s, die, size, &start))
        return;
    s->several |= s->found->name && strcmp(s->found->name, name);
    *s->found = (struct variable){start, size, name, function, type};
}

static void walk(struct local_search *s, Dwarf_Die *parent, const char *function, int depth)
{
    Dwarf_Die die;
    if (depth > 64 || dwarf_child(parent, &die))
        return;
    do {
        switch (dwarf_tag(&die)) {
        case DW_TAG_variable:
        case DW_TAG_formal_parameter:
            consider(s, &die, function);
            break;
        case DW_TAG_lexical_block:
        case DW_TAG_inlined_subroutine:
            if (s->everywhere || dwarf_haspc(&die, s->pc) == 1)
                walk(s, &die, dwarf_tag(&die) == DW_TAG_lexical_block ? function : dwarf_diename(&die), depth + 1);
            break;
        default:
            break;
        }
    } while (dwarf_siblingof(&die, &die) == 0);
}

// The function whose code this is.
static bool find_function(struct function_index *index, Dwarf_Die *unit, uint64_t pc, Dwarf_Die *function)
{
    enum { DEEPEST = 64 };
    Dwarf_Die around[DEEPEST];
    size_t count = function_index_find(index, unit, pc, around, DEEPEST);
    if (count)
        *function = around[count - 1];
    return count > 0;
}

bool locals_find(struct function_index *index, Dwfl_Module *module, Dwarf_Die *unit, uint64_t bias,
                 const struct symbols_frame *frame, uint64_t address, struct variable *found)
{
    Dwarf_Die function;
    struct local_search s = {.address = address, .pc = frame->at - 1 - bias, .pointer = frame->fp, .found = found};
    if (!find_function(index, unit, frame->pc - 1 - bias, &function) || !frame_base(module, &function, frame, &s.base))
        return false;
    found->name = NULL;
    if (frame->at && dwarf_haspc(&function, s.pc) == 1)
        walk(&s, &function, dwarf_diename(&function), 0);
    if (!found->name) {
        s.everywhere = true;
        walk(&s, &function, dwarf_diename(&function), 0);
    }
    return found->name && !s.several;
}

// "main" of "main._omp_fn.0"; null if the function is none of these.
static char *function_around(Dwarf_Die *function)
{
    const char *name = dwarf_diename(function), *end = name ? strstr(name, "._omp_fn") : NULL;
    return end ? alloc_copy_part(name, (size_t)(end - name)) : NULL;
}

// What the only argument points or refers to.
static bool argument_target(Dwarf_Die *function, Dwarf_Die *target)
{
    Dwarf_Die argument, type;
    if (dwarf_child(function, &argument) || dwarf_tag(&argument) != DW_TAG_formal_parameter ||
        !types_of(&argument, &type))
        return false;
    for (int tag = dwarf_tag(&type); tag == DW_TAG_const_type || tag == DW_TAG_restrict_type; tag = dwarf_tag(&type))
        if (!types_of(&type, &type))
            return false;
    bool refers = dwarf_tag(&type) == DW_TAG_pointer_type || dwarf_tag(&type) == DW_TAG_reference_type;
    return refers && types_of(&type, target);
}

bool locals_shared(struct function_index *index, Dwarf_Die *unit, uint64_t pc, Dwarf_Die *type, char **around)
{
    Dwarf_Die function;
    if (!find_function(index, unit, pc, &function) || !argument_target(&function, type))
        return false;
    *around = function_around(&function);
    return *around != NULL;
}
