#include "cli/assembly_symbolic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TERMS = 4 };

enum node_kind { NODE_FRESH, NODE_SYMBOL, NODE_SUM, NODE_OPERATION };

struct term {
    uint32_t node;
    int64_t factor;
};

// Equal nodes are the same one.
struct node {
    enum node_kind kind;
    uint32_t traits;
    uint32_t next;           // with the same hash
    uint32_t terms;          // NODE_SUM
    struct term term[TERMS]; // by rising node
    struct symbolic a, b;    // NODE_OPERATION
    char *name;              // of the symbol or of the operation
};

enum { BUCKETS = 4096 };

struct symbolics {
    struct node *nodes; // the first one stands for numbers
    uint32_t count, room;
    uint32_t bucket[BUCKETS];
    int64_t place, sequence;
};

static _Noreturn void no_memory(void)
{
    fputs("heddle: out of memory.\n", stderr);
    exit(2);
}

struct symbolics *symbolics_new(void)
{
    struct symbolics *v = calloc(1, sizeof *v);
    if (!v || !(v->nodes = calloc(1, sizeof *v->nodes)))
        no_memory();
    v->count = v->room = 1;
    return v;
}

void symbolics_free(struct symbolics *v)
{
    if (!v)
        return;
    for (uint32_t i = 0; i < v->count; i++)
        free(v->nodes[i].name);
    free(v->nodes);
    free(v);
}

static uint32_t add_node(struct symbolics *v, const struct node *node)
{
    if (v->count == v->room) {
        v->room = 2 * v->room + 256;
        if (!(v->nodes = realloc(v->nodes, v->room * sizeof *v->nodes)))
            no_memory();
    }
    v->nodes[v->count] = *node;
    return v->count++;
}

static uint64_t mix(uint64_t hash, uint64_t more)
{
    return (hash ^ more) * 0x9e3779b97f4a7c15ull;
}

static uint32_t hash_of(const struct node *n)
{
    uint64_t hash = mix(n->kind, n->terms);
    for (uint32_t i = 0; i < n->terms; i++)
        hash = mix(mix(hash, n->term[i].node), (uint64_t)n->term[i].factor);
    hash = mix(mix(hash, n->a.base), (uint64_t)n->a.offset);
    hash = mix(mix(hash, n->b.base), (uint64_t)n->b.offset);
    for (const char *c = n->name ? n->name : ""; *c; c++)
        hash = mix(hash, (unsigned char)*c);
    return (uint32_t)(hash >> 40) % BUCKETS;
}

static bool same_node(const struct node *a, const struct node *b)
{
    if (a->kind != b->kind || a->traits != b->traits || a->terms != b->terms || !symbolic_same(a->a, b->a) ||
        !symbolic_same(a->b, b->b) || !a->name != !b->name || (a->name && strcmp(a->name, b->name) != 0))
        return false;
    for (uint32_t i = 0; i < a->terms; i++)
        if (a->term[i].node != b->term[i].node || a->term[i].factor != b->term[i].factor)
            return false;
    return true;
}

// Owns the node's name from here on.
static uint32_t find_or_add(struct symbolics *v, struct node *node)
{
    uint32_t hash = hash_of(node);
    for (uint32_t i = v->bucket[hash]; i; i = v->nodes[i].next)
        if (same_node(&v->nodes[i], node)) {
            free(node->name);
            return i;
        }
    node->next = v->bucket[hash];
    return v->bucket[hash] = add_node(v, node);
}

struct symbolic symbolic_number(int64_t number)
{
    return (struct symbolic){SYMBOLIC_NUMBER, number};
}

struct symbolic symbolic_named(struct symbolics *v, int64_t place, int64_t number, uint32_t traits)
{
    struct node node = {
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
    struct node node = {.kind = NODE_SYMBOL, .name = strndup(name, length)};
    if (!node.name)
        no_memory();
    return (struct symbolic){find_or_add(v, &node), 0};
}

uint32_t symbolic_traits(const struct symbolics *v, struct symbolic value)
{
    return v->nodes[value.base].traits;
}

// The terms of a value, without its offset.
static uint32_t terms_of(const struct symbolics *v, struct symbolic value, struct term *terms)
{
    if (value.base == SYMBOLIC_NUMBER)
        return 0;
    const struct node *node = &v->nodes[value.base];
    if (node->kind == NODE_SUM) {
        memcpy(terms, node->term, node->terms * sizeof *terms);
        return node->terms;
    }
    terms[0] = (struct term){value.base, 1};
    return 1;
}

static uint32_t merge_terms(struct term *sum, const struct term *a, uint32_t as, const struct term *b, uint32_t bs)
{
    uint32_t n = 0, i = 0, j = 0;
    while (i < as || j < bs) {
        struct term next;
        if (j == bs || (i < as && a[i].node < b[j].node)) {
            next = a[i++];
        } else if (i == as || b[j].node < a[i].node) {
            next = b[j++];
        } else {
            next = (struct term){a[i].node, (int64_t)((uint64_t)a[i].factor + (uint64_t)b[j].factor)};
            i++;
            j++;
        }
        if (next.factor)
            sum[n++] = next;
    }
    return n;
}

// A pointer into the frame stays one when something is added to it.
static uint32_t traits_of_terms(const struct symbolics *v, const struct term *term, uint32_t terms)
{
    uint32_t traits = 0;
    for (uint32_t i = 0; i < terms; i++)
        if (term[i].factor == 1)
            traits |= v->nodes[term[i].node].traits & SYMBOLIC_STACK;
    return traits;
}

static struct symbolic of_terms(struct symbolics *v, const struct term *terms, uint32_t count, int64_t offset)
{
    if (!count)
        return symbolic_number(offset);
    if (count == 1 && terms[0].factor == 1)
        return (struct symbolic){terms[0].node, offset};
    struct node node = {.kind = NODE_SUM, .terms = count, .traits = traits_of_terms(v, terms, count)};
    memcpy(node.term, terms, count * sizeof *terms);
    return (struct symbolic){find_or_add(v, &node), offset};
}

struct symbolic symbolic_add(struct symbolics *v, struct symbolic a, struct symbolic b)
{
    struct term as[TERMS], bs[TERMS], sum[2 * TERMS];
    uint32_t count = merge_terms(sum, as, terms_of(v, a, as), bs, terms_of(v, b, bs));
    int64_t offset = (int64_t)((uint64_t)a.offset + (uint64_t)b.offset);
    if (count > TERMS)
        return symbolic_of_operation(v, "+", a, b);
    return of_terms(v, sum, count, offset);
}

struct symbolic symbolic_scale(struct symbolics *v, struct symbolic a, int64_t factor)
{
    struct term terms[TERMS];
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
    struct node node = {.kind = NODE_OPERATION, .a = a, .b = b, .name = strdup(name)};
    if (!node.name)
        no_memory();
    node.traits = (v->nodes[a.base].traits | v->nodes[b.base].traits) & (SYMBOLIC_RESULT | SYMBOLIC_GIVEN);
    return (struct symbolic){find_or_add(v, &node), 0};
}

static bool is_zero_extended(const struct symbolics *v, struct symbolic a)
{
    const struct node *node = &v->nodes[a.base];
    return node->kind == NODE_OPERATION && !a.offset && !strcmp(node->name, "zero-extended");
}

struct symbolic symbolic_zero_extended(struct symbolics *v, struct symbolic a)
{
    if (a.base == SYMBOLIC_NUMBER)
        return symbolic_number((int64_t)(uint32_t)a.offset);
    if (v->nodes[a.base].kind == NODE_SYMBOL || is_zero_extended(v, a))
        return a;
    return symbolic_of_operation(v, "zero-extended", a, symbolic_number(0));
}

struct symbolic symbolic_sign_extended(struct symbolics *v, struct symbolic a)
{
    if (a.base == SYMBOLIC_NUMBER)
        return symbolic_number((int32_t)a.offset);
    if (is_zero_extended(v, a))
        a = v->nodes[a.base].a;
    return symbolic_of_operation(v, "sign-extended", a, symbolic_number(0));
}

bool symbolic_is_simple(const struct symbolics *v, struct symbolic value)
{
    return v->nodes[value.base].kind != NODE_SUM;
}
