#include "target/threads/memory/flows.h"

#include "base/mem.h"

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"

// Units tell of themselves in constructors, which run again in each execution that begins with `main`. So the table is no part of
// the program's state, and a site that is there already is the same one.
enum { FLOWS = 1 << 17, MOST_FLOWS = FLOWS / 2, MOST_UNITS = 4096 };

static struct {
    struct flow *table;
    const struct flow_unit *unit[MOST_UNITS];
    uint32_t units, functions, count;
} flows;

static struct flow *flows_slot(uint64_t pc)
{
    uint32_t at = (uint32_t)(pc * 0x9e3779b97f4a7c15u >> 47);
    while (flows.table[at].pc && flows.table[at].pc != pc)
        at = (at + 1) % FLOWS;
    return &flows.table[at];
}

static void flows_add(const struct flow_site *site)
{
    uint64_t pc = (uint64_t)((int64_t)(uintptr_t)&site->pc + site->pc);
    struct flow *flow = flows_slot(pc);
    if (flow->pc || flows.count == MOST_FLOWS) // what has no room is not known
        return;
    flows.count++;
    *flow = (struct flow){.pc = pc,
                          .stored = site->stored,
                          .function = flows.functions + site->function,
                          .flags = site->flags,
                          .read = site->read};
}

PUBLIC void __heddle_flows(const struct flow_unit *unit)
{
    for (uint32_t i = 0; i < flows.units; i++)
        if (flows.unit[i] == unit)
            return;
    if (flows.units == MOST_UNITS)
        return;
    flows.unit[flows.units++] = unit;
    if (!flows.table)
        flows.table = mem_reserve(FLOWS * sizeof *flows.table);
    for (uint32_t i = 0; i < unit->sites; i++)
        flows_add(&unit->site[i]);
    flows.functions += unit->functions;
}

const struct flow *flows_find(uint64_t pc)
{
    const struct flow *flow = flows.table ? flows_slot(pc) : NULL;
    return flow && flow->pc ? flow : NULL;
}
