#include "worker/client_search.h"

#include <stdio.h>

#include "target/threads/engine/engine_room.h"
#include "worker/clients.h"
#include "worker/halt.h"
#include "worker/matching.h"
#include "worker/orders.h"

bool client_search_counts_steps(void)
{
    for (uint32_t i = 0; client_run.job && i < client_run.job->object.operations; i++)
        if (client_run.job->object.operation[i].steps)
            return true;
    return false;
}

static bool search_must_stop(void *context)
{
    struct worker *w = context;
    engine.progress++;
    return halt_cannot_go_on(w) || halt_out_of_time(w);
}

// Whether states of clients may be matched. All writes to memory have to be known for that, and everything by which threads learn
// of each other. (Who collects executions wants all of them.)
static bool may_match(const struct job *job)
{
    return job->client.match != MATCH_NEVER && engine.undoing && !engine.forking && !engine.record &&
           job->task.runs_fd < 0 && (job->task.strategy == STRATEGY_OPTIMAL || job->task.strategy == STRATEGY_DPOR);
}

static void note_states(struct client_answer *clients, uint64_t states)
{
    clients->matched++;
    clients->states += states;
    clients->most_states = states > clients->most_states ? states : clients->most_states;
}

// Searches the client in this way, for at most `room` executions. False if it did not come to an end in them.
static bool search_client(struct worker *w, enum strategy_kind strategy, uint64_t room)
{
    struct job *job = w->job;
    uint64_t done = w->search.executions, limit = job->task.max_executions, states = 0;
    if (client_search_counts_steps() && strategy == STRATEGY_OPTIMAL)
        strategy = STRATEGY_DPOR; // `optimal` relies on threads that stop for good
    if (job->client.most && limit > job->client.most)
        limit = job->client.most;
    searching_prepare(w, strategy);
    if (w->matching)
        state_prepare(engine.check_races && !w->only_watching ? ORDER_FRESH : ORDER_NONE, false);
    clients_start();
    if (w->matching)
        matching_begin();
    searching_run(w, strategy, room < limit - done ? done + room : limit);
    if (w->matching)
        states = matching_end();
    w->redundant += w->search.strategy->redundant;
    w->search.strategy->free(w->search.strategy);
    w->search.strategy = NULL;
    if (job->answer.end == JOB_EXECUTIONS && w->search.executions < limit) {
        job->answer.end = JOB_RUNNING;
        return false;
    }
    if (w->matching && !w->only_watching && job->answer.end != JOB_AGAIN)
        note_states(&job->client.answer, states);
    return true;
}

// Goes through the states of a client once more, if there are few, to see who blocks whom. Letting a lock go has to be a step
// for that, or nobody would ever stand still with a lock.
static void watch_states(struct worker *w)
{
    enum { CALLS = 3, ROOM = 20000 };
    struct job *job = w->job;
    const struct search before = w->search;
    const struct counts counts = job->answer.counts;
    bool unlock_visible = engine.unlock_visible;
    if (!job->client.watch || !may_match(job) || job->answer.end != JOB_DONE || client_run.client->calls > CALLS)
        return;
    job->answer.end = JOB_RUNNING;
    w->only_watching = engine.unlock_visible = true;
    job->client.answer.watched += search_client(w, STRATEGY_CLIENT_STATES, ROOM) && job->answer.end == JOB_DONE;
    w->only_watching = false;
    engine.unlock_visible = unlock_visible;
    w->search = before;
    job->answer.counts = counts; // these executions are those of the client once more
    if (job->answer.end == JOB_RUNNING || job->answer.end == JOB_EXECUTIONS)
        job->answer.end = JOB_DONE;
}

// A client may have few executions or few states, and which it is shows only by trying: each is given ever more room.
static void explore_executions(struct worker *w)
{
    const struct job *job = w->job;
    uint64_t few = 2000, more = 1 << 16;
    if (!may_match(job))
        search_client(w, job->task.strategy, UINT64_MAX);
    else if (job->client.match == MATCH_ALWAYS)
        search_client(w, STRATEGY_CLIENT_STATES, UINT64_MAX);
    else
        while (!search_client(w, job->task.strategy, few) && !search_client(w, STRATEGY_CLIENT_STATES, more)) {
            few = more;
            more *= 16;
        }
    watch_states(w);
}

static void explore_client(struct worker *w)
{
    struct job *job = w->job;
    bool too_many;
    client_run.client = &job->client.client[job->client.answer.at];
    if (clients_find_orders(search_must_stop, w, job->task.max_steps, &too_many)) {
        searching_begin_recording(w);
        explore_executions(w);
        if (job->answer.end != JOB_AGAIN)
            job->client.answer.outcomes += orders_outcomes();
    } else if (too_many) {
        snprintf(job->answer.reason, sizeof job->answer.reason,
                 "the client has more orders of calls than heddle keeps (131072)");
        halt_search(w, JOB_UNSUPPORTED);
    } else if (!halt_cannot_go_on(w)) {
        halt_search(w, JOB_TIME);
    }
}

// What may have kept executions of this client from being seen. An attempt that begins anew goes on with the next client, so this
// is not forgotten with its counts.
static void note_doubts(const struct worker *w, struct client_answer *answer)
{
    if (w->job->answer.end == JOB_AGAIN)
        return;
    answer->cut |= w->search.cut != 0;
    if (!answer->doubtful && (w->search.cut || w->job->answer.unseen_calls))
        answer->doubtful = answer->at + 1;
}

void client_search_run(struct worker *w)
{
    struct client_job *clients = &w->job->client;
    for (;;) {
        explore_client(w);
        note_doubts(w, &clients->answer);
        if (w->job->answer.end == JOB_EXECUTIONS && clients->most) {
            clients->answer.unfinished[clients->answer.at] = 1;
            clients->answer.left++;
            w->job->answer.end = JOB_DONE;
        }
        if (w->job->answer.end != JOB_DONE || clients->answer.at + 1 >= clients->clients)
            return;
        clients->answer.executions += w->search.executions;
        clients->answer.events += w->search.events;
        w->search.executions = w->search.events = 0;
        clients->answer.at = clients->answer.at + 1;
        w->job->answer.end = JOB_RUNNING;
    }
}
