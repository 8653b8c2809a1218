// Asks Z3 whether one event of a trace can come before another (seed 000, section 5.3), where clocks leave it open
// (inject/comparable.h). An integer for each event that orders others; sections of one mutex do not overlap. The library is looked for
// when it is needed: without it everything works, and pairs stay open.
#ifndef INJECT_ORDER_SOLVER_H
#define INJECT_ORDER_SOLVER_H

#include "inject/comparable.h"

struct order_solver;

enum order_answer { ORDER_POSSIBLE, ORDER_IMPOSSIBLE, ORDER_UNKNOWN };

// Null, with a reason: there is no libz3, or the trace has too many sections for it.
struct order_solver *order_solver_open(const struct order_thread *threads, uint32_t count, const char **why);
void order_solver_close(struct order_solver *solver);

// Whether `second` can come before `first`: a thread and its event.
struct order_place {
    uint32_t thread;
    size_t event;
};
enum order_answer order_solver_ask(struct order_solver *solver, struct order_place first, struct order_place second);

#endif
