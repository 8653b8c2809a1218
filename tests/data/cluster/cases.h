// What fuzz_cases draws for each kind of protocol: read by the protocol, which behaves so, and by the test, which knows what
// must come of it.
#ifndef TESTS_CLUSTER_CASES_H
#define TESTS_CLUSTER_CASES_H

enum case_kind { CASE_SETTLE, CASE_OWN_MESSAGE, CASE_UNFAIR, CASE_MEMORY, CASE_KINDS };

enum { CASE_NODES = 3, CASE_STEPS = 8, CASE_BLOCKS = 3 };

struct case_access {
    unsigned char what, block, size,
        at; // what: 0 allocate, 1 free, 2 write, 3 read; at: never as far as in the next block
};

struct drawn_case {
    enum case_kind kind;
    int nodes;
    // CASE_SETTLE: each node gets `messages`, each worth `gain`, and its timer runs out up to `rings` times, each worth `tick`.
    // Nodes are content after `wants`; more than `limit` is wrong.
    int messages[CASE_NODES], gain[CASE_NODES], rings[CASE_NODES], tick[CASE_NODES], wants[CASE_NODES],
        limit[CASE_NODES];
    // CASE_OWN_MESSAGE: so many, by way of another node or not.
    int tokens;
    int by_peer;
    // CASE_UNFAIR: messages go to and fro so many times, or for ever.
    int bounces, endless;
    // CASE_MEMORY
    struct case_access access[CASE_STEPS];
};

static unsigned case_draw(unsigned *state, unsigned bound)
{
    unsigned x = *state += 0x9e3779b9u;
    x = (x ^ x >> 16) * 0x85ebca6bu;
    x = (x ^ x >> 13) * 0xc2b2ae35u;
    return (x ^ x >> 16) % bound;
}

static void case_draw_settle(struct drawn_case *c, unsigned *s)
{
    for (int i = 0; i < CASE_NODES; i++) {
        c->messages[i] = (int)case_draw(s, 3);
        c->gain[i] = (int)case_draw(s, 3);
        c->rings[i] = 1 + (int)case_draw(s, 4);
        c->tick[i] = (int)case_draw(s, 4) - 1;
        c->wants[i] = (int)case_draw(s, (unsigned)c->rings[i] + 1);
        c->limit[i] = (int)case_draw(s, 9);
    }
}

static void case_draw_accesses(struct drawn_case *c, unsigned *s)
{
    for (int i = 0; i < CASE_STEPS; i++)
        c->access[i] =
            (struct case_access){(unsigned char)(i < 2 ? 0 : case_draw(s, 4)), (unsigned char)case_draw(s, CASE_BLOCKS),
                                 (unsigned char)(1 + case_draw(s, 40)), (unsigned char)case_draw(s, 32)};
}

static struct drawn_case draw_case(enum case_kind kind, unsigned seed)
{
    struct drawn_case c = {.kind = kind};
    unsigned state = seed * 2654435761u + (unsigned)kind;
    c.nodes = kind == CASE_OWN_MESSAGE || kind == CASE_UNFAIR ? 2 + (int)case_draw(&state, 2)
                                                              : 1 + (int)case_draw(&state, CASE_NODES);
    c.tokens = 1 + (int)case_draw(&state, 2);
    c.by_peer = (int)case_draw(&state, 2);
    c.bounces = 1 + (int)case_draw(&state, 30);
    c.endless = !case_draw(&state, 3);
    case_draw_settle(&c, &state);
    case_draw_accesses(&c, &state);
    return c;
}

#endif
