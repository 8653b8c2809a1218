#include "build/assembly/assembly_symbolic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/table.h"

enum { TERMS = 4 };

enum symbolic_node_kind { NODE_NUMBER, NODE_FRESH, NODE_SYMBOL, NODE_SUM, NODE_OPERATION };

struct symbolic_term {
    uint64_t node;
    int64_t factor;
};

// Equal nodes are the same one: a node is a key of the table, and so it has no padding.
struct symbolic_node {
    uint64_t kind, traits;
    uint64_t name;                    // of the symbol or of the operation: its number plus 1
    uint64_t terms;                   // NODE_SUM
    struct symbolic_term term[TERMS]; // by rising node
    struct symbolic a, b;             // NODE_OPERATION
};

_Static_assert(sizeof(struct symbolic_node) == (4 + 2 * TERMS + 4) * sizeof(uint64_t), "padding");

struct symbolics {
    struct table nodes; // the first one stands for numbers
    struct table names;
    int64_t place, sequence;
};

struct symbolics *symbolics_new(void)
{
    static const struct symbolic_node number = {.kind = NODE_NUMBER};
    struct symbolics *v = alloc_zeroed(1, sizeof *v);
    table_add(&v->nodes, &number, sizeof number, NULL);
    return v;
}

void symbolics_free(struct symbolics *v)
{
    if (!v)
        return;
    table_free(&v->nodes);
    table_free(&v->names);
    free(v);
}

static const struct symbolic_node *node_at(const struct symbolics *v, uint64_t base)
{
    return table_key(&v->nodes, (uint32_t)base, NULL);
}

static uint64_t find_or_add(struct symbolics *v, const struct symbolic_node *node)
{
    return table_add(&v->nodes, node, sizeof *node, NULL);
}

struct symbolic symbolic_number(int64_t number)
{
    return (struct symbolic){SYMBOLIC_NUMBER, number};
}

struct symbolic symbolic_named(struct symbolics *v, int64_t place, int64_t number, uint32_t traits)
{
    struct symbolic_node node = {
        .kind = NODE_FRESH, .traits = traits, .a = symbolic_number(place), .b = symbolic_number(number)};
    return (struct symbolic){find_or_add(v, &node), 0};
}

void symbolics_at(struct symbolics *v, int64_t place)
{
    v->place = place;
    v->sequence = 0;
}

struct symbolic symbolic_fresh(struct symbolics *v, uint32_t traits)
{
    return symbolic_named(v, v->place, v->sequence++, traits);
}

struct symbolic symbolic_symbol(struct symbolics *v, const char *name, size_t length)
{
    struct symbolic_node node = {.kind = NODE_SYMBOL, .name = table_add(&v->names, name, length, NULL) + 1ull};
    return (struct symbolic){find_or_add(v, &node), 0};
}

uint32_t symbolic_traits(const struct symbolics *v, struct symbolic value)
{
    return (uint32_t)node_at(v, value.base)->traits;
}

// The terms of a value, without its offset.
static uint32_t terms_of(const struct symbolics *v, struct symbolic value, struct symbolic_term *terms)
{
    if (value.base == SYMBOLIC_NUMBER)
        return 0;
    const struct symbolic_node *node = node_at(v, value.base);
    if (node->kind == NODE_SUM) {
        memcpy(terms, node->term, node->terms * sizeof *terms);
        return (uint32_t)node->terms;
    }
    terms[0] = (struct symbolic_term){value.base, 1};
    return 1;
}

static uint32_t merge_terms(struct symbolic_term *sum, const struct symbolic_term *a, uint32_t as,
                            const struct symbolic_term *b, uint32_t bs)
{
    uint32_t n = 0, i = 0, j = 0;
    while (i < as || j < bs) {
        struct symbolic_term next;
        if (j == bs || (i < as && a[i].node < b[j].node)) {
            next = a[i++];
        } else if (i == as || b[j].node < a[i].node) {
            next = b[j++];
        } else {
            next = (struct symbolic_term){a[i].node, (int64_t)((uint64_t)a[i].factor + (uint64_t)b[j].factor)};
            i++;
            j++;
        }
        if (next.factor)
            sum[n++] = next;
    }
    return n;
}

// A pointer into the frame stays one when something is added to it.
static uint32_t traits_of_terms(const struct symbolics *v, const struct symbolic_term *term, uint32_t terms)
{
    uint32_t traits = 0;
    for (uint32_t i = 0; i < terms; i++)
        if (term[i].factor == 1)
            traits |= (uint32_t)node_at(v, term[i].node)->traits & SYMBOLIC_STACK;
    return traits;
}

static struct symbolic of_terms(struct symbolics *v, const struct symbolic_term *terms, uint32_t count, int64_t offset)
{
    if (!count)
        return symbolic_number(offset);
    if (count == 1 && terms[0].factor == 1)
        return (struct symbolic){terms[0].node, offset};
    struct symbolic_node node = {.kind = NODE_SUM, .terms = count, .traits = traits_of_terms(v, terms, count)};
    memcpy(node.term, terms, count * sizeof *terms);
    return (struct symbolic){find_or_add(v, &node), offset};
}

struct symbolic symbolic_add(struct symbolics *v, struct symbolic a, struct symbolic b)
{
    struct symbolic_term as[TERMS], bs[TERMS], sum[2 * TERMS];
    uint32_t count = merge_terms(sum, as, terms_of(v, a, as), bs, terms_of(v, b, bs));
    int64_t offset = (int64_t)((uint64_t)a.offset + (uint64_t)b.offset);
    if (count > TERMS)
        return symbolic_of_operation(v, "+", a, b);
    return of_terms(v, sum, count, offset);
}

struct symbolic symbolic_scale(struct symbolics *v, struct symbolic a, int64_t factor)
{
    struct symbolic_term terms[TERMS];
    uint32_t count = terms_of(v, a, terms);
    int64_t offset = (int64_t)((uint64_t)a.offset * (uint64_t)factor);
    if (!factor)
        return symbolic_number(0);
    for (uint32_t i = 0; i < count; i++)
        terms[i].factor = (int64_t)((uint64_t)terms[i].factor * (uint64_t)factor);
    return of_terms(v, terms, count, offset);
}

struct symbolic symbolic_of_operation(struct symbolics *v, const char *name, struct symbolic a, struct symbolic b)
{
    struct symbolic_node node = {
        .kind = NODE_OPERATION, .a = a, .b = b, .name = table_add_text(&v->names, name, NULL) + 1ull};
    node.traits = (node_at(v, a.base)->traits | node_at(v, b.base)->traits) & (SYMBOLIC_RESULT | SYMBOLIC_GIVEN);
    return (struct symbolic){find_or_add(v, &node), 0};
}

static bool is_zero_extended(const struct symbolics *v, struct symbolic a)
{
    const struct symbolic_node *node = node_at(v, a.base);
    return node->kind == NODE_OPERATION && !a.offset &&
           !strcmp(table_text(&v->names, (uint32_t)node->name - 1), "zero-extended");
}

struct symbolic symbolic_zero_extended(struct symbolics *v, struct symbolic a)
{
    if (a.base == SYMBOLIC_NUMBER)
        return symbolic_number((int64_t)(uint32_t)a.offset);
    if (node_at(v, a.base)->kind == NODE_SYMBOL || is_zero_extended(v, a))
        return a;
    return symbolic_of_operation(v, "zero-extended", a, symbolic_number(0));
}

struct symbolic symbolic_sign_extended(struct symbolics *v, struct symbolic a)
{
    if (a.base == SYMBOLIC_NUMBER)
        return symbolic_number((int32_t)a.offset);
    if (is_zero_extended(v, a))
        a = node_at(v, a.base)->a;
    return symbolic_of_operation(v, "sign-extended", a, symbolic_number(0));
}

bool symbolic_is_simple(const struct symbolics *v, struct symbolic value)
{
    return node_at(v, value.base)->kind != NODE_SUM;
}
