// Random numbers and clocks of nodes: the protocol's calls of the C library come here, since it is linked with --wrap. Both are
// part of a node's state, so that the same events always lead to the same.
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "target/nodes/draws.h"
#include "target/nodes/world.h"

enum { CLOCK_START = 1000000000 }; // of every node

int heddle_node_rand(void) __asm__("__wrap_rand");
long heddle_node_random(void) __asm__("__wrap_random");
void heddle_node_srand(unsigned seed) __asm__("__wrap_srand");
void heddle_node_srandom(unsigned seed) __asm__("__wrap_srandom");
time_t heddle_node_time(time_t *into) __asm__("__wrap_time");
int heddle_node_clock_gettime(clockid_t clock, struct timespec *into) __asm__("__wrap_clock_gettime");
int heddle_node_gettimeofday(struct timeval *into, void *zone) __asm__("__wrap_gettimeofday");

// Random numbers of a node are where its seed and its earlier draws have led, and part of its state; or with --draws some numbers
// that are all tried. What looks at all nodes has none.
long heddle_node_random(void)
{
    if (world.self < 0)
        return 0;
    return world.options.draws > 1 ? draws_rand_value(draws_take(world.options.draws, true)) : draws_seeded();
}

int heddle_node_rand(void)
{
    return (int)heddle_node_random();
}

void heddle_node_srandom(unsigned seed)
{
    if (world.self >= 0)
        node_local(world.self)->random = seed;
}

void heddle_node_srand(unsigned seed)
{
    heddle_node_srandom(seed);
}

// A node's clock goes on by a second whenever one of its timers runs out.
time_t heddle_node_time(time_t *into)
{
    time_t now = CLOCK_START + (world.self < 0 ? 0 : (time_t)node_local(world.self)->seconds);
    if (into)
        *into = now;
    return now;
}

int heddle_node_clock_gettime(clockid_t clock, struct timespec *into)
{
    (void)clock;
    *into = (struct timespec){.tv_sec = heddle_node_time(NULL)};
    return 0;
}

int heddle_node_gettimeofday(struct timeval *into, void *zone)
{
    (void)zone;
    *into = (struct timeval){.tv_sec = heddle_node_time(NULL)};
    return 0;
}
