// Cluster management in the way of Hadoop's YARN. Node 0 is the resource manager; the last node is a client, which submits
// a job of one task; those in between are node managers. The resource manager keeps the job in its state store, has an
// application master started for it on a node, and allots that a container on the node with most room. The application
// master has the task run there and asks again if the task fails, or if the node is lost. A node on which tasks fail
// repeatedly is on its blacklist: it gives back a container there. When the task is done it unregisters, the resource
// manager takes the job out of the store, and the client hears of it.
// A resource manager that comes back has every node stop what runs there, and starts the jobs in its store again.
//
//   heddle cluster --nodes 4 --crashes 1 --reboots 1 hadoop_cluster.c
//
//   -DMR5489  MapReduce's bug of this number: the application master does not tell its blacklist. The node where tasks
//             fail is the one with most room, and is allotted for ever.
//   -DMR5505  MapReduce's bug of this number: the client is told that the job has succeeded before it is unregistered. If
//             the resource manager crashes in between, it runs the job again.
//
// A node that crashes while a task runs comes back with a local directory in which nothing can be started, as if its disk
// had gone bad; it does not notice. Left out: limits on how often a task or a job is tried, and messages that are lost
// while both ends are up.
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

enum { MANAGER = 0, NODES = 9, FAILURES = 2, HEARTBEAT = 0 };

enum job { NONE, SUBMITTED, DONE };

enum kind {
    SUBMIT,
    ACCEPTED,
    STATUS,
    SUCCEEDED, // to the client
    REGISTER,
    RESYNC,
    START_MASTER,
    ASK, // for a container, instead of the one named
    ALLOTTED,
    LOST, // the container, with its node
    START_TASK,
    WORK, // to itself: the task takes its time
    TASK_DONE,
    TASK_FAILED,
    UNREGISTER,
    REMOVE, // to itself: the store is a queue further on
    UNREGISTERED
};

struct message {
    enum kind kind;
    int attempt; // of the job
    int container;
    int node; // ALLOTTED: of the container; WORK: of the application master
    int life; // of the sender
    bool blacklist[NODES];
};

struct state {
    int self, life; // life: how often this node has started
    struct {
        enum job job;
        int attempt, container;
        int master, task; // nodes of the application master and of the container, or 0
        bool asked;       // for a container
        bool is_leaving;  // the job is about to leave the store
        bool is_up[NODES], blacklist[NODES];
    } manager;
    struct {
        int attempt, container, node, failures[NODES];
        bool is_done, blacklist[NODES];
    } master; // attempt 0: there is none here
    struct {
        int attempt, container; // container 0: none runs
        bool is_bad;
    } task;
    struct {
        bool is_accepted;
        int told; // of which attempt it knows that it has succeeded
    } client;
};

static struct state me;

static int client(void)
{
    return heddle_nodes() - 1;
}

static void tell(int to, enum kind kind, int attempt, int container)
{
    struct message m;
    memset(&m, 0, sizeof m);
    m.kind = kind;
    m.attempt = attempt;
    m.container = container;
    m.life = me.life;
    if (kind == ALLOTTED)
        m.node = me.manager.task;
#ifndef MR5489
    if (kind == ASK)
        memcpy(m.blacklist, me.master.blacklist, sizeof m.blacklist);
#endif
    heddle_send(to, &m, sizeof m);
}

// The resource manager.

static void keep_job(void)
{
    int job[] = {(int)me.manager.job, me.manager.attempt};
    heddle_write("job", job, sizeof job);
    heddle_sync();
}

// The node with most room, or 0.
static int pick_node(const bool *blacklist)
{
    int best = 0, least = 3;
    for (int i = 1; i < client(); i++) {
        int load = (me.manager.master == i) + (me.manager.task == i);
        if (me.manager.is_up[i] && !(blacklist && blacklist[i]) && load < least) {
            best = i;
            least = load;
        }
    }
    return best;
}

// Gives what is asked for, if there is a node for it.
static void schedule(void)
{
    int node = pick_node(NULL);
    if (me.manager.job == SUBMITTED && !me.manager.is_leaving && !me.manager.master && node) {
        me.manager.master = node;
        me.manager.attempt++;
        keep_job();
        tell(node, START_MASTER, me.manager.attempt, 0);
    }
    node = pick_node(me.manager.blacklist);
    if (me.manager.asked && node) {
        me.manager.asked = false;
        me.manager.task = node;
        me.manager.container++;
        tell(me.manager.master, ALLOTTED, me.manager.attempt, me.manager.container);
    }
}

static void submit(int from)
{
    if (me.manager.job == NONE) {
        me.manager.job = SUBMITTED;
        keep_job();
    }
    tell(from, ACCEPTED, 0, 0);
    schedule();
}

static void hear_master(const struct message *m)
{
    if (m->attempt != me.manager.attempt || !me.manager.master)
        return;
    if (m->kind == UNREGISTER) {
        me.manager.is_leaving = true;
        tell(MANAGER, REMOVE, m->attempt, 0);
        return;
    }
    if (m->container == me.manager.container)
        me.manager.task = 0;
    memcpy(me.manager.blacklist, m->blacklist, sizeof m->blacklist);
    me.manager.asked = true;
    schedule();
}

static void remove_job(const struct message *m)
{
    if (m->life != me.life) // of before a crash
        return;
    me.manager.job = DONE;
    keep_job();
    if (me.manager.master)
        tell(me.manager.master, UNREGISTERED, m->attempt, 0);
    me.manager.master = me.manager.task = 0;
}

static void lose(int node)
{
    me.manager.is_up[node] = false;
    if (me.manager.master == node) {
        me.manager.master = me.manager.task = 0;
        me.manager.asked = false;
    }
    if (me.manager.task == node) {
        me.manager.task = 0;
        tell(me.manager.master, LOST, me.manager.attempt, me.manager.container);
    }
    schedule();
}

static void manage(int from, const struct message *m)
{
    if (m->kind == SUBMIT) {
        submit(from);
    } else if (m->kind == STATUS && me.manager.job == DONE) {
        tell(from, SUCCEEDED, me.manager.attempt, 0);
    } else if (m->kind == REGISTER) {
        me.manager.is_up[from] = true;
        schedule();
    } else if (m->kind == ASK || m->kind == UNREGISTER) {
        hear_master(m);
    } else if (m->kind == REMOVE) {
        remove_job(m);
    }
}

// The application master.

static void start_master(int attempt)
{
    memset(&me.master, 0, sizeof me.master);
    me.master.attempt = attempt;
    tell(MANAGER, ASK, attempt, 0);
}

static void take_container(const struct message *m)
{
    me.master.container = m->container;
    me.master.node = m->node;
    if (me.master.blacklist[m->node])
        heddle_set_timer(HEARTBEAT); // and give it back then
    else
        tell(m->node, START_TASK, m->attempt, m->container);
}

static void fail_task(const struct message *m)
{
    if (++me.master.failures[me.master.node] >= FAILURES) {
        me.master.blacklist[me.master.node] = true;
        heddle_say("node %d is on the blacklist", me.master.node);
    }
    tell(MANAGER, ASK, m->attempt, m->container);
}

static void finish(const struct message *m)
{
    me.master.is_done = true;
#ifdef MR5505
    tell(client(), SUCCEEDED, m->attempt, 0);
#endif
    tell(MANAGER, UNREGISTER, m->attempt, 0);
}

static void end_master(const struct message *m)
{
#ifndef MR5505
    tell(client(), SUCCEEDED, m->attempt, 0);
#else
    (void)m;
#endif
    memset(&me.master, 0, sizeof me.master);
}

static void lead(const struct message *m)
{
    if (m->attempt != me.master.attempt)
        return;
    if (m->kind == ALLOTTED)
        take_container(m);
    else if (m->kind == UNREGISTERED)
        end_master(m);
    else if (m->container != me.master.container || me.master.is_done)
        return;
    else if (m->kind == TASK_DONE)
        finish(m);
    else if (m->kind == TASK_FAILED)
        fail_task(m);
    else if (m->kind == LOST)
        tell(MANAGER, ASK, m->attempt, m->container);
}

// The node manager.

static void keep_directory(bool in_use)
{
    heddle_write("directory", &in_use, sizeof in_use);
    heddle_sync();
}

static void start_task(int from, const struct message *m)
{
    if (m->attempt < me.task.attempt) // its master is lost
        return;
    if (me.task.is_bad) {
        tell(from, TASK_FAILED, m->attempt, m->container);
        return;
    }
    me.task.attempt = m->attempt;
    me.task.container = m->container;
    keep_directory(true);
    struct message work = *m;
    work.kind = WORK;
    work.node = from;
    work.life = me.life;
    heddle_send(heddle_self(), &work, sizeof work);
}

static void work(const struct message *m)
{
    if (m->life != me.life || m->attempt != me.task.attempt || m->container != me.task.container)
        return;
    me.task.container = 0;
    keep_directory(false);
    tell(m->node, TASK_DONE, m->attempt, m->container);
}

// Stops what was started before the resource manager crashed; it may have started other things since.
static void stop_old(int attempt)
{
    if (me.master.attempt <= attempt)
        memset(&me.master, 0, sizeof me.master);
    if (me.task.container && me.task.attempt <= attempt) {
        me.task.container = 0;
        keep_directory(false);
    }
    tell(MANAGER, REGISTER, 0, 0);
}

static void serve(int from, const struct message *m)
{
    if (m->kind == RESYNC)
        stop_old(m->attempt);
    else if (m->kind == START_MASTER)
        start_master(m->attempt);
    else if (m->kind == START_TASK)
        start_task(from, m);
    else if (m->kind == WORK)
        work(m);
    else
        lead(m);
}

// The client: submits until that was accepted, also if it had done so before it crashed, and asks until it knows.

static void wait(const struct message *m)
{
    if (m->kind == ACCEPTED)
        me.client.is_accepted = true;
    else
        me.client.told = m->attempt;
}

static void inquire(void)
{
    if (me.client.told)
        return;
    tell(MANAGER, me.client.is_accepted ? STATUS : SUBMIT, 0, 0);
    heddle_set_timer(HEARTBEAT);
}

static void timer(int number)
{
    (void)number;
    if (heddle_self() == client())
        inquire();
    else if (me.master.attempt)
        tell(MANAGER, ASK, me.master.attempt, me.master.container);
}

static void message(int from, const void *data, size_t size)
{
    struct message m;
    memcpy(&m, data, size);
    if (heddle_self() == MANAGER)
        manage(from, &m);
    else if (heddle_self() == client())
        wait(&m);
    else
        serve(from, &m);
}

static void down(int peer)
{
    if (heddle_self() == MANAGER && peer < client())
        lose(peer);
}

static void boot_manager(void)
{
    int job[2] = {NONE, 0};
    heddle_read("job", job, sizeof job);
    me.manager.job = (enum job)job[0];
    me.manager.attempt = job[1];
    for (int i = 1; i < client() && me.life > 1; i++)
        tell(i, RESYNC, me.manager.attempt, 0);
}

static void boot(int self, int nodes)
{
    me.self = self;
    heddle_read("life", &me.life, sizeof me.life);
    me.life++;
    heddle_write("life", &me.life, sizeof me.life);
    heddle_sync();
    if (self == MANAGER) {
        boot_manager();
    } else if (self == nodes - 1) {
        inquire();
    } else {
        heddle_read("directory", &me.task.is_bad, sizeof me.task.is_bad);
        tell(MANAGER, REGISTER, 0, 0);
    }
}

static void report(void *state)
{
    memcpy(state, &me, sizeof me);
}

static const char *check(const struct heddle_view *view)
{
    const struct state *manager = view->state[MANAGER], *c = view->state[view->nodes - 1];
    return c->client.told && manager->manager.attempt > c->client.told
               ? "the job runs again, and the client was told that it has succeeded"
               : NULL;
}

static const char *quiet(const struct heddle_view *view)
{
    const struct state *manager = view->state[MANAGER], *c = view->state[view->nodes - 1];
    bool can_run = false;
    for (int i = 1; i < view->nodes - 1; i++)
        can_run |= view->up[i] && !((const struct state *)view->state[i])->task.is_bad;
    if (!view->up[MANAGER] || !can_run || (manager->manager.job == NONE && !view->up[view->nodes - 1]))
        return NULL;
    if (manager->manager.job != DONE)
        return "the job does not come to an end";
    return view->up[view->nodes - 1] && !c->client.told ? "the client does not hear of the end" : NULL;
}

static void show_message(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"submit",     "accepted",    "status?",   "job has succeeded", "register",
                                        "resync",     "start job",   "ask",       "allotted",          "lost",
                                        "start task", "work",        "task done", "task failed",       "unregister",
                                        "remove",     "unregistered"};
    struct message m;
    memcpy(&m, data, size);
    size_t used = (size_t)snprintf(text, room, "%s", names[m.kind]);
    if (m.attempt && used < room)
        used += (size_t)snprintf(text + used, room - used, " %d", m.attempt);
    if (m.container && used < room)
        used += (size_t)snprintf(text + used, room - used, ".%d", m.container);
    if (m.kind == ALLOTTED && used < room)
        snprintf(text + used, room - used, " on node %d", m.node);
}

static void show_state(const void *state, char *text, size_t room)
{
    static const char *const jobs[] = {"none", "submitted", "done"};
    const struct state *s = state;
    if (s->manager.job)
        snprintf(text, room, "job %s, attempt %d", jobs[s->manager.job], s->manager.attempt);
    else if (s->task.is_bad)
        snprintf(text, room, "bad disk");
    else if (s->client.told)
        snprintf(text, room, "knows of success");
}

// The rules.

// What belongs to an attempt, or a container, before the present one.
static unsigned message_rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    struct message m;
    (void)from;
    memcpy(&m, data, size);
    if (m.kind == ASK || m.kind == UNREGISTER)
        return m.attempt < s->manager.attempt ? HEDDLE_DISCARD : HEDDLE_MODIFY;
    if (m.kind == TASK_DONE || m.kind == TASK_FAILED)
        return m.attempt < s->master.attempt || m.container < s->master.container || s->master.is_done ? HEDDLE_DISCARD
                                                                                                       : HEDDLE_MODIFY;
    return m.kind == WORK && m.life < s->life ? HEDDLE_DISCARD : HEDDLE_MODIFY;
}

// Only the resource manager does something about a loss.
static unsigned down_rule(const void *state, int peer, const void *peer_state)
{
    const struct state *s = state;
    (void)peer;
    (void)peer_state;
    return s->self == MANAGER ? HEDDLE_GLOBAL : HEDDLE_LOCAL;
}

static bool has_another(const struct state *manager, int peer)
{
    for (int i = 1; i < client(); i++)
        if (i != peer && manager->manager.is_up[i])
            return true;
    return false;
}

// What the resource manager has to do with the node that is lost, or comes back; or the nodes with it. What is on its way
// was sent before: by a client, say, who will not ask again.
static size_t peer_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *p = peer_state;
    if (peer != MANAGER && s->self != MANAGER)
        return 0;
    int matters[] = {peer == MANAGER        ? 1
                     : peer == client()     ? 2
                     : has_another(s, peer) ? 3
                                            : 4,
                     (int)s->manager.job * 8 + s->manager.is_leaving * 4 + s->manager.asked * 2 +
                         s->manager.is_up[peer],
                     s->manager.master ? 1 + (s->manager.master == peer) : 0,
                     s->manager.task ? 1 + (s->manager.task == peer) : 0,
                     s->manager.attempt,
                     s->master.attempt * 2 + s->master.is_done,
                     s->master.container * 2 + (s->master.node == peer),
                     s->task.container * 2 + s->task.is_bad,
                     s->client.told,
                     (int)p->manager.job,
                     p->master.is_done,
                     p->task.container != 0,
                     p->task.is_bad,
                     heddle_in_flight(s->self),
                     heddle_in_flight(peer)};
    memcpy(abstract, matters, sizeof matters);
    return sizeof matters;
}

// Whether the job is done, and the client knows.
static size_t outcome(const void *state, void *abstract)
{
    const struct state *s = state;
    int seen[] = {(int)s->manager.job, s->client.told != 0, s->task.is_bad};
    memcpy(abstract, seen, sizeof seen);
    return sizeof seen;
}

static const struct heddle_rules rules = {
    .message = message_rule, .down = down_rule, .recovery = peer_rule, .reboot = peer_rule, .outcome = outcome};

const struct heddle_protocol heddle_protocol = {
    .name = "cluster management",
    .boot = boot,
    .message = message,
    .timer = timer,
    .down = down,
    .state_size = sizeof(struct state),
    .report = report,
    .check = check,
    .quiet = quiet,
    .show_message = show_message,
    .show_state = show_state,
    .rules = &rules,
};
