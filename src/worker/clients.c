#include "worker/clients.h"

#include <stdio.h>

#include "explore/search.h"
#include "target/threads/engine/engine_room.h"
#include "worker/ending.h"
#include "worker/orders.h"

// The program from its beginning, whichever way executions go back.
static void start_over(bool one_at_a_time)
{
    bool undoing = engine.undoing;
    client_run.one_at_a_time = one_at_a_time;
    engine.undoing = false;
    engine.target.restart(&engine.target, 0);
    engine.undoing = undoing;
}

static bool is_stuck(const struct bug *bug)
{
    return bug_traits(bug->kind)->shape == BUG_OF_WAITING;
}

// Whether a thread was stopped by its own failure: what its calls would have given is not known.
static bool somebody_failed(void)
{
    for (uint32_t i = 0; i < engine.failure_count; i++)
        if (!bug_traits(engine.failures[i].kind)->goes_on && !is_stuck(&engine.failures[i]))
            return true;
    return false;
}

// ---- one at a time ----

struct order_search {
    bool (*stop)(void *context);
    void *context;
    bool too_many;
};

static bool on_order(void *context, bool whole)
{
    struct order_search *o = context;
    bool blocked = !whole || ending_judge() != ENDING_WHOLE;
    if (!blocked && !somebody_failed())
        o->too_many = !orders_note();
    engine.failure_count = 0; // found again when the client is explored
    return !o->too_many && !o->stop(o->context);
}

bool clients_find_orders(bool (*stop)(void *context), void *context, uint32_t max_steps, bool *too_many)
{
    struct order_search o = {.stop = stop, .context = context};
    struct strategy_options options = {0};
    bool late = engine.joins_late, stops = engine.spin_stops;
    engine.joins_late = engine.spin_stops = true;
    orders_begin();
    start_over(true);
    struct search search = {.strategy = strategy_new(STRATEGY_OPTIMAL, &engine.target, &options),
                            .max_executions = UINT64_MAX,
                            .max_steps = max_steps,
                            .leaf = on_order,
                            .context = &o};
    bool found = search_run(&search) == SEARCH_DONE;
    search.strategy->free(search.strategy);
    engine.joins_late = late;
    engine.spin_stops = stops;
    *too_many = o.too_many;
    return found;
}

// ---- the client itself ----

// "T1: push(1) = nil, pop() = 2; T2: pop() = 2", as far as they have come.
static void show_calls(char *text, size_t room)
{
    size_t at = 0;
    uint32_t thread = UINT32_MAX;
    for (uint32_t i = 0; i < client_run.client->calls && at + 1 < room; i++) {
        char call[160];
        uint32_t state = client_run.ran[i].state, of = client_run.client->call[i].thread;
        if (state == CALL_NOT_BEGUN)
            continue;
        client_show_call(i, state == CALL_RETURNED, call, sizeof call);
        const char *between = thread == UINT32_MAX ? "" : of == thread ? ", " : "; ";
        if (of == thread || of == CLIENT_BEFORE || of == CLIENT_AFTER)
            at += (size_t)snprintf(text + at, room - at, "%s%s%s", between,
                                   of == thread          ? ""
                                   : of == CLIENT_BEFORE ? "before: "
                                                         : "after: ",
                                   call);
        else
            at += (size_t)snprintf(text + at, room - at, "%sT%u: %s", between, of, call);
        thread = of;
    }
}

static void fail_client(uint32_t actor)
{
    static const char *const orders[] = {
        [CLIENT_LINEARIZABLE] = "no order of the calls that keeps to the order in which they were seen",
        [CLIENT_SEQUENTIAL] = "no order of the calls that keeps to the order in each thread",
        [CLIENT_QUIESCENT] = "no order of the calls that keeps to the moments at which nothing was under way",
    };
    static char text[BUG_TEXT];
    show_calls(text, sizeof text);
    fail(&engine.threads[actor], BUG_NOT_LINEARIZABLE, 0, NULL, "%s gives these results: %s",
         orders[client_run.job->judgement], text);
}

static void on_return(uint32_t call, const void *pc)
{
    (void)pc;
    struct thread *running = engine.running;
    engine.running = NULL;
    if (!orders_explain_prefix())
        fail_client(client_run.ran[call].actor);
    engine.running = running;
}

void clients_start(void)
{
    if (engine.record)
        client_run.returned = on_return;
    start_over(false);
}

static bool some_call_waits(void)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (client_run.ran[i].state == CALL_BEGUN)
            return true;
    return false;
}

bool clients_judge(bool as_run, struct step *steps)
{
    bool stuck = engine.failure_count && is_stuck(&engine.failures[engine.failure_count - 1]);
    if (somebody_failed() || (stuck && !some_call_waits()))
        return false;
    if (!orders_explain(as_run, steps)) {
        if (!stuck)
            fail_client(0);
        return true;
    }
    client_run.job->answer.histories += orders_new_histories();
    if (stuck) {
        engine.failure_count--;
        client_run.job->answer.stuck++;
    }
    return false;
}
