#include "target/threads/engine/sleep.h"
#include "target/threads/engine/record.h"
#include "target/threads/engine/times.h"
#include "target/threads/descriptor/descriptor_room.h"

#include "target/threads/engine/operations.h"

bool would_sleep(const struct thread *t)
{
    bool (*sleeps)(const struct thread *) = operations[t->request.kind].sleeps;
    return sleeps && sleeps(t);
}

void wake_sleeper(struct thread *by, struct thread *sleeper, bool again)
{
    struct request *r = &sleeper->request;
    undo_save(&engine.undo, sleeper, sizeof *sleeper);
    sleeper->asleep = 0;
    uint64_t object = r->address;
    if (!again) // an operation that concerns nobody
        ask(sleeper, OP_YIELD, 0, 0, r->pc);
    exec_learn(&engine.exec, sleeper->actor, engine.exec.actors[by->actor].clock);
    times_learn(sleeper, by->now);
    thread_wake(sleeper);
    if (engine.record)
        record_silent(sleeper, SILENT_WOKEN, object, by->actor, 0, NULL);
}
