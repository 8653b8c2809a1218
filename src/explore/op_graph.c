#include "explore/op_graph.h"

#include "base/fail.h"
#include "base/mem.h"

enum { NODES = 1 << 12, WORDS = NODES / 64, SLOTS = NODES * 2 };

struct op_graph {
    struct op_node nodes[NODES];
    uint32_t slots[SLOTS]; // number + 1
    uint32_t count;
    uint64_t follows[NODES][WORDS];
    uint64_t marked[WORDS];
    uint32_t left[NODES]; // marked, and not yet looked at
};

struct op_graph *op_graph_new(void)
{
    return mem_reserve(sizeof(struct op_graph));
}

void op_graph_free(struct op_graph *g)
{
    mem_release(g, sizeof *g);
}

uint32_t op_graph_node(struct op_graph *g, uint32_t actor, enum op_kind kind, uint32_t object)
{
    enum effect effect = op_table[kind].at_most;
    uint64_t at = ((uint64_t)object << 32 | actor << 8 | effect) * 0x9e3779b97f4a7c15u >> 40;
    for (at %= SLOTS; g->slots[at]; at = (at + 1) % SLOTS) {
        const struct op_node *node = &g->nodes[g->slots[at] - 1];
        if (node->actor == actor && node->object == object && node->effect == effect)
            return g->slots[at] - 1;
    }
    require_room(g->count < NODES, "different operations of the program's threads (4096)");
    g->nodes[g->count] = (struct op_node){actor, object, effect};
    g->slots[at] = ++g->count;
    return g->count - 1;
}

void op_graph_follow(struct op_graph *g, uint32_t earlier, uint32_t later)
{
    g->follows[earlier][later / 64] |= 1ull << (later % 64);
}

void op_graph_unmark(struct op_graph *g)
{
    for (uint32_t i = 0; i < WORDS; i++)
        g->marked[i] = 0;
}

void op_graph_mark(struct op_graph *g, uint32_t node)
{
    uint32_t waiting = 0;
    if (g->marked[node / 64] >> (node % 64) & 1)
        return;
    g->marked[node / 64] |= 1ull << (node % 64);
    g->left[waiting++] = node;
    while (waiting) {
        const uint64_t *follows = g->follows[g->left[--waiting]];
        for (uint32_t word = 0; word * 64 < g->count; word++) {
            uint64_t fresh = follows[word] & ~g->marked[word];
            g->marked[word] |= fresh;
            for (; fresh; fresh &= fresh - 1)
                g->left[waiting++] = word * 64 + (uint32_t)__builtin_ctzll(fresh);
        }
    }
}

void op_graph_each(struct op_graph *g, void (*tell)(void *context, const struct op_node *node), void *context)
{
    for (uint32_t word = 0; word * 64 < g->count; word++)
        for (uint64_t bits = g->marked[word]; bits; bits &= bits - 1)
            tell(context, &g->nodes[word * 64 + (uint32_t)__builtin_ctzll(bits)]);
}
