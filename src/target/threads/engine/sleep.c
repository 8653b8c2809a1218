#include "target/threads/engine/sleep.h"

bool would_sleep(const struct thread *t)
{
    const struct request *r = &t->request;
    if (op_table[r->kind].on_descriptor)
        return fd_would_sleep(r);
    if (r->kind == OP_RDLOCK_QUEUED || r->kind == OP_WRLOCK_QUEUED)
        return rwqueue_would_sleep(t);
    return r->kind == OP_FUTEX_WAIT && futex_would_sleep(r);
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
    thread_wake(sleeper);
    if (engine.record)
        record_silent(sleeper, SILENT_WOKEN, object, by->actor, 0, NULL);
}
