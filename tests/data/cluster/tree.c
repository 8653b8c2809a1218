// Random events of a quorum tree at three nodes, in every order: whether some order is wrong has to be found whatever the search
// leaves out. -DSEED=N: which events.
#include <heddle/node.h>

enum { REQUESTS = 5, NODES = 3 };

#ifndef SEED
#define SEED 1
#endif

static int draw(unsigned *state, int n)
{
    *state = *state * 1103515245u + 12345u;
    return (int)(*state >> 16) % n;
}

// Event number `number` of the plan: most fit together.
static void request(int number)
{
    unsigned state = SEED * 7919u;
    int rounds = 2 + draw(&state, 3);
    for (int i = 0; i < 4; i++)
        draw(&state, 2);
    for (int i = 0; i <= number; i++) {
        int commits = draw(&state, 3) == 0, round = 1 + draw(&state, rounds), parent = draw(&state, 2) ? round - 1 : 0;
        int value = draw(&state, 8) == 0, silent = draw(&state, 4) == 0;
        struct heddle_round r = {(unsigned long)round, 0}, p = {(unsigned long)parent, 0};
        if (i < number || silent)
            continue;
        if (commits)
            heddle_qtree_commit(0, r);
        else
            heddle_qtree_add(0, r, value, p);
    }
}

static void boot(int self, int nodes)
{
    (void)self;
    (void)nodes;
}

static void message(int from, const void *data, size_t size)
{
    (void)from;
    (void)data;
    (void)size;
}

static const struct heddle_request requests[REQUESTS] = {{0, 0}, {1, 1}, {2, 2}, {0, 3}, {1, 4}};

const struct heddle_protocol heddle_protocol = {
    .boot = boot,
    .message = message,
    .request = request,
    .requests = requests,
    .request_count = REQUESTS,
    .qtree = HEDDLE_WITNESSES,
};
