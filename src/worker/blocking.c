// If only one thread can go on, and it is in the middle of a call, then whoever waits is lost if that thread stops there. A
// thread that stops elsewhere and blocks others leads to such a state: the others run until they end or wait.
//
// A call that waits for a lock, or spins, is kept waiting. One that waits for a signal is not: it would wait as well if the
// other call had not begun.
#include "worker/blocking.h"

#include "target/threads/engine/client.h"
#include "target/threads/engine/engine.h"

// The call under way in the thread; CLIENT_CALLS if there is none.
static uint32_t call_of(uint32_t actor)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (client_run.ran[i].state == CALL_BEGUN && client_run.ran[i].actor == actor)
            return i;
    return CLIENT_CALLS;
}

static bool is_kept_waiting(uint32_t actor)
{
    const struct thread *t = &engine.threads[actor];
    uint32_t kind = t->request.kind;
    return t->spinning_since || kind == OP_LOCK || kind == OP_RDLOCK || kind == OP_RDLOCK_SEEN ||
           kind == OP_WRLOCK || kind == OP_ONCE;
}

static void note(uint32_t blocker, uint32_t blocked, uint64_t pc)
{
    struct client_job *job = client_run.job;
    uint32_t first = client_run.client->call[blocker].operation, second = client_run.client->call[blocked].operation;
    for (uint32_t i = 0; i < job->blockings; i++)
        if (job->blocking[i].blocker == first && job->blocking[i].blocked == second)
            return;
    if (job->blockings < CLIENT_BLOCKINGS)
        job->blocking[job->blockings++] = (struct client_blocking){first, second, pc};
}

void blocking_look(void)
{
    uint32_t only = MAX_ACTORS;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        if (!exec_is_parked(&engine.exec, actor) || !engine.target.ready(&engine.target, actor))
            continue;
        if (only != MAX_ACTORS)
            return;
        only = actor;
    }
    uint32_t blocker = only == MAX_ACTORS ? CLIENT_CALLS : call_of(only);
    for (uint32_t actor = 0; blocker != CLIENT_CALLS && actor < engine.exec.known; actor++) {
        uint32_t blocked = call_of(actor);
        if (actor != only && blocked != CLIENT_CALLS && exec_is_parked(&engine.exec, actor) && is_kept_waiting(actor))
            note(blocker, blocked, (uint64_t)(uintptr_t)engine.threads[only].request.pc);
    }
}
