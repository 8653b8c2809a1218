// If only one thread can go on, and it is in the middle of a call, then whoever waits is lost if that thread stops there. A
// thread that stops elsewhere and blocks others leads to such a state: the others run until they end or wait.
//
// A call that waits for a lock, or spins, is kept waiting. One that waits for a signal is not: it would wait as well if the
// other call had not begun.
#include "worker/blocking.h"

#include "target/threads/engine/engine_room.h"

// The call under way in the thread; CLIENT_CALLS if there is none.
static uint32_t blocking_call_of(uint32_t actor)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (client_run.ran[i].state == CALL_BEGUN && client_run.ran[i].actor == actor)
            return i;
    return CLIENT_CALLS;
}

static bool is_kept_waiting(uint32_t actor)
{
    const struct thread *t = &engine.threads[actor];
    return t->spinning_since || op_table[t->request.kind].has_owner;
}

static void blocking_note(uint32_t blocker, uint32_t blocked, uint64_t pc)
{
    struct client_answer *answer = &client_run.job->answer;
    uint32_t first = client_run.client->call[blocker].operation, second = client_run.client->call[blocked].operation;
    for (uint32_t i = 0; i < answer->blockings; i++)
        if (answer->blocking[i].blocker == first && answer->blocking[i].blocked == second)
            return;
    if (answer->blockings < CLIENT_BLOCKINGS)
        answer->blocking[answer->blockings++] = (struct client_blocking){first, second, pc};
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
    uint32_t blocker = only == MAX_ACTORS ? CLIENT_CALLS : blocking_call_of(only);
    for (uint32_t actor = 0; blocker != CLIENT_CALLS && actor < engine.exec.known; actor++) {
        uint32_t blocked = blocking_call_of(actor);
        if (actor != only && blocked != CLIENT_CALLS && exec_is_parked(&engine.exec, actor) && is_kept_waiting(actor))
            blocking_note(blocker, blocked, (uint64_t)(uintptr_t)engine.threads[only].request.pc);
    }
}
