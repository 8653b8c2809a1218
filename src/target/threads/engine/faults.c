#include "target/threads/engine/faults.h"

#include <errno.h>

#include "target/threads/engine/client.h"
#include "target/threads/engine/perform.h"
#include "target/threads/engine/state.h"
#include "target/threads/library/library_room.h"

static uint32_t outcomes_of(enum fault_family family)
{
    const struct fault_budget *budget = &engine.rules.faults[family];
    bool left = engine.faults[family] < budget->most;
    return left ? 1 + (uint32_t)__builtin_popcount(budget->ways) : 1;
}

uint32_t faults_outcomes(const struct request *r)
{
    return outcomes_of((enum fault_family)r->operand);
}

int faults_way_of(const struct request *r, uint32_t outcome)
{
    const enum fault_family family = (enum fault_family)r->operand;
    return outcome ? fault_way(family, engine.rules.faults[family].ways, outcome) : 0;
}

// Asked at every call that may fail, and there are few places of these. Out of line: what the first question at a place needs of
// the caller's frame would tell states apart.
static RARE bool is_programs(const void *pc)
{
    enum { PLACES_KNOWN = 256 };
    static struct {
        const void *pc;
        bool own;
    } known[PLACES_KNOWN];
    uint32_t at = (uint32_t)((uintptr_t)pc >> 2) % PLACES_KNOWN;
    if (known[at].pc != pc) {
        const char *library;
        struct thread *running = engine.running;
        engine.running = NULL; // heddle's own doing
        enum home home = home_of((uint64_t)(uintptr_t)pc, &library);
        known[at].own = home == HOME_PROGRAM || (home == HOME_OTHER && !*library); // built by heddle or not
        known[at].pc = pc;
        engine.running = running;
    }
    return known[at].own;
}

// Of an object under test, calls may meet with faults, and what makes the object may not.
static bool is_in_call(const struct thread *t)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (client_run.ran[i].state == CALL_BEGUN && client_run.ran[i].actor == t->actor)
            return true;
    return false;
}

// Nobody is scheduled any more once the process has ended.
RARE int faults_choose(struct thread *t, enum fault_family family, const char *call, const void *pc)
{
    if (engine.over || !is_programs(pc) || (client_run.job && client_run.client && !is_in_call(t)))
        return 0;
    struct request *r = ask(t, OP_FAULT, 0, 0, pc);
    r->alternatives = (uint16_t)outcomes_of(family);
    r->operand = family;
    r->expected = (uintptr_t)call;
    uint32_t outcome = (uint32_t)visible(t);
    if (!outcome)
        return 0;
    undo_save(&engine.undo, engine.faults, sizeof engine.faults);
    engine.faults[family]++;
    return faults_way_of(r, outcome);
}

bool faults_transfer(enum fault_family family, const char *call, size_t *size, const void *pc)
{
    int way = fault_strikes(family, call, pc);
    if (way == FAULT_SHORT)
        *size = *size > 1 ? 1 : *size;
    else if (way)
        errno = way;
    return way > 0;
}
