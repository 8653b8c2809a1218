// expect: verified options: --cflags -DBUG=0
// expect: bug not-linearizable options: --cflags -DBUG=0 --judge linearizable
// expect: bug not-linearizable options: --cflags -DBUG=1
//
// A balancer in front of two cells that give out even and odd numbers: a counting network of width two. A slow thread may get a
// smaller number than one that came after it, but whenever nobody is under way all numbers up to some point have been given.
//
// BUG=1: the balancer is read and written in two steps.
#include <stdatomic.h>
#include <stdlib.h>

#include <heddle/lin.h>
#include <heddle/relaxed.h>

struct network {
    atomic_int balancer, cell[2];
};

static void *create(void)
{
    return calloc(1, sizeof(struct network));
}

static int64_t next(void *object, const int64_t *argument)
{
    struct network *n = object;
    int side;
    (void)argument;
    if (BUG == 1) {
        side = atomic_load(&n->balancer) % 2;
        atomic_store(&n->balancer, side + 1);
    } else {
        side = atomic_fetch_add(&n->balancer, 1) % 2;
    }
    return 2 * atomic_fetch_add(&n->cell[side], 1) + side;
}

HEDDLE_TICKETS(tickets, "next");

heddle_lin(.model = &tickets, .judge = HEDDLE_QUIESCENT, .create = create, .destroy = free, .operations = {{"next", next}});
