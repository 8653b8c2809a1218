#include "build/assembly/assembly_await.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "build/assembly/assembly_effects.h"
#include "build/assembly/assembly_statement.h"

// What a branch looks at: whether its jump is taken if the hook's place holds zero.
struct glance {
    size_t hook;
    bool jumps_at_zero;
};

static const char *code_at(const struct detour *d, size_t i)
{
    return effects_instruction(d->walk->listing.item[i].text);
}

// The instruction before, if control can come to this one from nowhere else; the function's end if not.
static size_t instruction_before(const struct detour *d, size_t i)
{
    while (i-- > d->first) {
        const struct listing_item *item = &d->walk->listing.item[i];
        if (item->kind == ITEM_DIRECTIVE)
            continue;
        const struct listing_label *label =
            item->kind == ITEM_LABEL ? listing_find_label(&d->walk->listing, item->text) : NULL;
        if (item->kind == ITEM_LABEL && label && !listing_is_target(label))
            continue;
        return item->kind == ITEM_INSTRUCTION ? i : d->end;
    }
    return d->end;
}

// The general register that the number-th operand is, -1 if it is none; the operand's text is left in `text`.
static int operand_register(const char *code, uint32_t which, const char **text, size_t *length)
{
    uint32_t number, size;
    bool high;
    const char *operands = code + strcspn(code, " \t");
    *text = machine_operand(operands + strspn(operands, " \t"), which, length);
    if (!*text || **text != '%' || !register_read(*text + 1, (uint32_t)*length - 1, &number, &size, &high) || high ||
        number >= MACHINE_GENERAL)
        return -1;
    return (int)number;
}

// Whether one hook has told of the operand, and control came from there straight to the instruction.
static bool is_hooked_once(const struct detour *d, size_t i, size_t *hook)
{
    const struct walked_operand *o = &d->walk->operand[i];
    *hook = o->hook[0];
    if (o->kind != OPERAND_HOOKED || o->hooks != 1)
        return false;
    while (i < d->end && i > *hook)
        if ((i = instruction_before(d, i)) < d->end && listing_is_jump(code_at(d, i)))
            return false;
    return i == *hook;
}

// Goes back from the comparison to the load of the register. `flipped` are the bits that differ from what was loaded.
static bool find_load(const struct detour *d, size_t i, int reg, uint64_t *flipped, size_t *hook)
{
    const char *text;
    size_t length;
    for (int steps = 0; steps < 3 && (i = instruction_before(d, i)) < d->end; steps++) {
        const char *code = code_at(d, i);
        bool same = operand_register(code, 1, &text, &length) == reg;
        if (!same)
            return false;
        int source = operand_register(code, 0, &text, &length);
        if (text_begins(code, "xor") && text && *text == '$')
            *flipped ^= (uint64_t)strtoll(text + 1, NULL, 0);
        else
            return text_begins(code, "mov") && source < 0 && text && *text != '$' && is_hooked_once(d, i, hook);
    }
    return false;
}

// Whether the comparison in front of a branch finds zero where the hook's place holds zero.
static bool compares_to_zero(const struct detour *d, size_t i, bool *zero, size_t *hook)
{
    const char *code = code_at(d, i), *first, *second;
    size_t length;
    uint64_t flipped = 0, mask = UINT64_MAX;
    bool test = text_begins(code, "test"), compare = text_begins(code, "cmp");
    int a = operand_register(code, 0, &first, &length), b = operand_register(code, 1, &second, &length);
    if (!first || !second || (!test && !compare))
        return false;
    bool number = *first == '$';
    if (compare && (!number || strtoll(first + 1, NULL, 0) != 0))
        return false;
    if (test && number)
        mask = (uint64_t)strtoll(first + 1, NULL, 0);
    else if (test && (a < 0 || a != b))
        return false;
    if (b < 0 && *second != '%') {
        *zero = true;
        return is_hooked_once(d, i, hook);
    }
    if (b < 0 || !find_load(d, i, b, &flipped, hook))
        return false;
    *zero = !(flipped & mask & 0xff); // what is flipped is a truth value
    return !(flipped & mask & ~0xffull) || !*zero;
}

static bool read_glance(const struct detour *d, size_t branch, struct glance *g)
{
    const char *code = code_at(d, branch);
    bool equal = text_begins(code, "je") || text_begins(code, "jz");
    bool different = text_begins(code, "jne") || text_begins(code, "jnz");
    size_t before = instruction_before(d, branch);
    bool zero;
    if ((!equal && !different) || before >= d->end || !compares_to_zero(d, before, &zero, &g->hook))
        return false;
    g->jumps_at_zero = zero == equal;
    return true;
}

// Where the branch goes on if its place is not zero; the function's end if that is not known.
static size_t way_out(const struct detour *d, size_t branch, const struct glance *g)
{
    struct effects e;
    effects_read(&e, code_at(d, branch));
    const struct listing_label *to = e.target[0] ? listing_find_label(&d->walk->listing, e.target) : NULL;
    if (!to)
        return d->end;
    return detour_next(d, g->jumps_at_zero ? branch + 1 : to->item);
}

// Whether a way that has come to this item and goes on to the join does so by a look at the hook's place.
static bool leaves_by_look(const struct detour *d, size_t i, size_t join, size_t hook)
{
    struct glance g;
    struct effects e;
    uint32_t relied = 0;
    effects_read(&e, code_at(d, i));
    const struct listing_label *to = e.target[0] ? listing_find_label(&d->walk->listing, e.target) : NULL;
    bool jumps = to && detour_next(d, to->item) == join, falls = e.falls && detour_next(d, i + 1) == join;
    if (!jumps && !falls)
        return true;
    return to && jumps != falls && read_glance(d, i, &g) && detour_same_place(d, g.hook, hook, &relied) &&
           !(relied & d->written) && way_out(d, i, &g) == join;
}

size_t await_hook(const struct detour *d, size_t branch, size_t item, size_t join)
{
    struct glance g;
    size_t passed[DETOUR_ITEMS];
    join = detour_next(d, join);
    if (!read_glance(d, branch, &g) || way_out(d, branch, &g) != join)
        return d->end;
    size_t count = detour_items(d, item, join, passed);
    for (size_t i = 0; i < count; i++)
        if (passed[i] == join ? false : !leaves_by_look(d, passed[i], join, g.hook))
            return d->end;
    return count && detour_next(d, item) != join ? g.hook : d->end;
}
