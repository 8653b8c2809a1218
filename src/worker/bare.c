#include "worker/bare.h"

#include <string.h>

#include "target/threads/engine/engine_room.h"

// What exec has to look like before the first event: the only thing of it that a bare execution changes.
struct start {
    struct actor actors[MAX_ACTORS];
    uint32_t live, logged, clocks;
    uint64_t parked[MAX_ACTORS / 64];
};

static void keep_start(struct start *s)
{
    const struct exec *x = &engine.exec;
    memcpy(s->actors, x->actors, x->known * sizeof *x->actors);
    memcpy(s->parked, x->parked, sizeof s->parked);
    s->live = x->live;
    s->logged = x->logged;
    s->clocks = x->clocks.count;
}

static void go_to_start(const struct start *s)
{
    struct exec *x = &engine.exec;
    undo_to(&engine.undo, engine.marks[0].undo);
    engine.races.clocks.count = engine.marks[0].clocks;
    memcpy(x->actors, s->actors, x->known * sizeof *x->actors);
    memcpy(x->parked, s->parked, sizeof s->parked);
    x->live = s->live;
    x->logged = s->logged;
    x->clocks.count = s->clocks;
    x->count = x->under_way = x->unlearnt_count = 0;
    engine.over = false;
    update_alone();
}

uint64_t bare_repeat(uint64_t times)
{
    static struct start start;
    uint32_t events = engine.exec.count;
    struct target *target = &engine.target;
    target->restart(target, 0);
    keep_start(&start);
    engine.bare = true;
    engine.check_races = false;
    for (uint64_t i = 0; i < times; i++) {
        for (uint32_t at = 0; at < events; at++)
            target->step(target, engine.steps[at].actor, engine.steps[at].alternative & ~(uint32_t)STEP_ALONE);
        go_to_start(&start);
    }
    return times * events;
}
