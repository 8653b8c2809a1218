// Speculative execution in the way of Hadoop's MapReduce. Node 0 is the application master of a job of one map and one
// reduce; the others run attempts of these tasks. If an attempt takes long, the master starts another on the next node,
// takes the first that succeeds and kills the other. A reduce has to ask before it commits its output: one attempt may.
// An attempt that is lost with its node, or whose node does not answer, is replaced.
//
// A task is a state machine: an event that its state does not know is an internal error, and the job dies of it.
//
//   heddle cluster --timeouts 1 hadoop_speculation.c      (a time-out: the attempt that runs is a straggler)
//
//   -DMR4748  MapReduce's bug of this number: a task that has succeeded does not know that another attempt of it may
//             succeed, or want to commit, before the kill gets there.
//
// Left out: the output of a map is never lost once it is made, attempts fail only with their nodes, and messages are lost
// only with a node.
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

enum { MASTER = 0, NODES = 9, TASKS = 2, ATTEMPTS = 8, PATIENCE = 0 };
enum { MAP, REDUCE };

enum kind { LAUNCH, GO, KILL, WORK, REGISTER, LAUNCHED, COMMIT_PENDING, SUCCEEDED, KILLED };
static const char *const kind_names[] = {"launch",   "go",      "kill",          "work",  "register",
                                         "launched", "pending", "has succeeded", "killed"};

struct message {
    enum kind kind;
    int job; // how often the master had started when it made the attempt
    int task, attempt;
};

enum job_state { JOB_NONE, JOB_RUNNING, JOB_SUCCEEDED, JOB_ERROR };
enum task_state { TASK_NEW, TASK_SCHEDULED, TASK_RUNNING, TASK_SUCCEEDED };
static const char *const job_names[] = {"none", "running", "succeeded", "error"};
static const char *const task_names[] = {"new", "scheduled", "running", "succeeded"};

struct task {
    enum task_state state;
    int attempts, committing; // committing: the attempt that may commit, or -1
    struct {
        bool is_live;
        int node;
    } attempt[ATTEMPTS];
};

enum progress { NOTHING, RUNNING, PENDING, ENDED };

struct state {
    int job;
    // of the master
    enum job_state job_state;
    struct task task[TASKS];
    bool is_up[NODES];
    // of the others
    enum progress progress[TASKS][ATTEMPTS];
    bool committed; // it has written the output of the job
};

static struct state me;

static void tell(int to, enum kind kind, int job, int task, int attempt)
{
    struct message m = {kind, job, task, attempt};
    heddle_send(to, &m, sizeof m);
}

// The master: tasks.

static int live_attempts(const struct task *t)
{
    int count = 0;
    for (int i = 0; i < t->attempts; i++)
        count += t->attempt[i].is_live;
    return count;
}

// On the next node that is up, after the one that had the last attempt.
static void add_attempt(struct task *t)
{
    int number = t->attempts, node = number ? t->attempt[number - 1].node : MASTER;
    for (int i = 1; i < heddle_nodes() && number < ATTEMPTS; i++) {
        int next = 1 + (node - 1 + i) % (heddle_nodes() - 1);
        if (!me.is_up[next])
            continue;
        t->attempt[number].is_live = true;
        t->attempt[number].node = next;
        t->attempts++;
        tell(next, LAUNCH, me.job, (int)(t - me.task), number);
        return;
    }
}

static void schedule(struct task *t)
{
    t->state = TASK_SCHEDULED;
    t->committing = -1;
    heddle_set_timer(PATIENCE);
    add_attempt(t);
}

static void ignore(struct task *t, int attempt)
{
    (void)t;
    (void)attempt;
}

static void run(struct task *t, int attempt)
{
    (void)attempt;
    t->state = TASK_RUNNING;
    heddle_set_timer(PATIENCE);
}

static void speculate(struct task *t, int attempt)
{
    (void)attempt;
    heddle_say("the attempt is slow: start another");
    add_attempt(t);
}

static void may_commit(struct task *t, int attempt)
{
    if (t->committing < 0)
        t->committing = attempt;
    tell(t->attempt[attempt].node, t->committing == attempt ? GO : KILL, me.job, (int)(t - me.task), attempt);
}

static void succeed(struct task *t, int attempt)
{
    t->state = TASK_SUCCEEDED;
    t->attempt[attempt].is_live = false;
    heddle_clear_timer(PATIENCE);
    for (int i = 0; i < t->attempts; i++)
        if (t->attempt[i].is_live)
            tell(t->attempt[i].node, KILL, me.job, (int)(t - me.task), i);
    if (t == &me.task[MAP])
        schedule(&me.task[REDUCE]);
    else
        me.job_state = JOB_SUCCEEDED;
}

static void forget(struct task *t, int attempt)
{
    t->attempt[attempt].is_live = false;
}

static void replace(struct task *t, int attempt)
{
    forget(t, attempt);
    if (t->committing == attempt)
        t->committing = -1;
    if (!live_attempts(t))
        schedule(t);
}

enum event { T_LAUNCHED, T_COMMIT_PENDING, T_SUCCEEDED, T_KILLED, T_ADD_SPECULATIVE, EVENTS };
static const char *const event_names[] = {"launched", "commit pending", "succeeded", "killed",
                                          "add speculative attempt"};

typedef void transition(struct task *task, int attempt);

static transition *const transitions[][EVENTS] = {
    [TASK_NEW] = {NULL},
    [TASK_SCHEDULED] = {[T_LAUNCHED] = run, [T_KILLED] = replace},
    [TASK_RUNNING] = {[T_LAUNCHED] = ignore,
                      [T_COMMIT_PENDING] = may_commit,
                      [T_SUCCEEDED] = succeed,
                      [T_KILLED] = replace,
                      [T_ADD_SPECULATIVE] = speculate},
    [TASK_SUCCEEDED] = {[T_LAUNCHED] = ignore,
#ifndef MR4748
                        [T_COMMIT_PENDING] = ignore,
                        [T_SUCCEEDED] = forget,
#endif
                        [T_KILLED] = forget,
                        [T_ADD_SPECULATIVE] = ignore},
};

static void handle(struct task *t, enum event event, int attempt)
{
    transition *arc = transitions[t->state][event];
    if (arc) {
        arc(t, attempt);
        return;
    }
    heddle_say("invalid event: %s at %s", event_names[event], task_names[t->state]);
    me.job_state = JOB_ERROR;
}

// Whether the message is of an attempt that has an end, or of an earlier start of the master.
static bool is_over(const struct state *s, const struct message *m)
{
    return m->job != s->job || !s->task[m->task].attempt[m->attempt].is_live;
}

static void hear(const struct message *m)
{
    if (!is_over(&me, m) && me.job_state == JOB_RUNNING)
        handle(&me.task[m->task], (enum event)(m->kind - LAUNCHED), m->attempt);
}

static void joins(int node)
{
    me.is_up[node] = true;
    for (int i = 0; i < TASKS; i++)
        if (me.task[i].state == TASK_SCHEDULED && !live_attempts(&me.task[i]))
            schedule(&me.task[i]);
}

static void down(int peer)
{
    if (heddle_self() != MASTER)
        return;
    me.is_up[peer] = false;
    for (int i = 0; i < TASKS; i++)
        for (int k = 0; k < me.task[i].attempts; k++)
            if (me.task[i].attempt[k].is_live && me.task[i].attempt[k].node == peer && me.job_state == JOB_RUNNING)
                handle(&me.task[i], T_KILLED, k);
}

// An attempt takes long. If it runs the speculator wants another, unless there is one; if it has not begun its node does
// not answer.
static void timer(int number)
{
    (void)number;
    for (int i = 0; i < TASKS; i++) {
        struct task *t = &me.task[i];
        if (t->state == TASK_RUNNING && live_attempts(t) == 1)
            handle(t, T_ADD_SPECULATIVE, -1);
        else if (t->state == TASK_SCHEDULED && live_attempts(t))
            handle(t, T_KILLED, t->attempts - 1);
    }
}

// The others: attempts.

static void launch(const struct message *m)
{
    me.progress[m->task][m->attempt] = RUNNING;
    tell(MASTER, LAUNCHED, m->job, m->task, m->attempt);
    tell(heddle_self(), WORK, m->job, m->task, m->attempt);
}

static void finish(const struct message *m)
{
    me.progress[m->task][m->attempt] = ENDED;
    tell(MASTER, SUCCEEDED, m->job, m->task, m->attempt);
}

static void commit(const struct message *m)
{
    me.committed = true;
    heddle_write("output", &me.committed, sizeof me.committed);
    heddle_sync();
    finish(m);
}

static void attend(const struct message *m)
{
    enum progress *progress = &me.progress[m->task][m->attempt];
    if (m->kind == LAUNCH) {
        if (m->job > me.job)
            memset(me.progress, 0, sizeof me.progress);
        me.job = m->job > me.job ? m->job : me.job;
    }
    if (m->job != me.job)
        return;
    if (m->kind == LAUNCH) {
        launch(m);
    } else if (m->kind == WORK && *progress == RUNNING && m->task == MAP) {
        finish(m);
    } else if (m->kind == WORK && *progress == RUNNING) {
        *progress = PENDING;
        tell(MASTER, COMMIT_PENDING, m->job, m->task, m->attempt);
    } else if (m->kind == GO && *progress == PENDING) {
        commit(m);
    } else if (m->kind == KILL && (*progress == RUNNING || *progress == PENDING)) {
        *progress = ENDED;
        tell(MASTER, KILLED, m->job, m->task, m->attempt);
    }
}

static void message(int from, const void *data, size_t size)
{
    struct message m;
    memcpy(&m, data, size);
    if (m.kind == REGISTER)
        joins(from);
    else if (heddle_self() == MASTER)
        hear(&m);
    else
        attend(&m);
}

// A master that comes back starts the job again; another node that comes back says so.
static void boot(int self, int nodes)
{
    int starts = 0;
    heddle_read("output", &me.committed, sizeof me.committed);
    heddle_read("starts", &starts, sizeof starts);
    starts++;
    heddle_write("starts", &starts, sizeof starts);
    heddle_sync();
    if (self != MASTER) {
        if (starts > 1)
            tell(MASTER, REGISTER, 0, 0, 0);
        return;
    }
    me.job = starts;
    me.job_state = JOB_RUNNING;
    for (int i = 1; i < nodes; i++)
        me.is_up[i] = true;
    schedule(&me.task[MAP]);
}

static void report(void *state)
{
    memcpy(state, &me, sizeof me);
}

static const char *check(const struct heddle_view *view)
{
    const struct state *master = view->state[MASTER];
    int outputs = 0;
    for (int i = 1; i < view->nodes; i++)
        outputs += ((const struct state *)view->state[i])->committed;
    if (outputs > 1 && master->job == 1)
        return "two attempts have committed their output";
    return master->job_state == JOB_ERROR ? "the job has died of an internal error" : NULL;
}

static const char *quiet(const struct heddle_view *view)
{
    const struct state *master = view->state[MASTER];
    bool some_up = false;
    for (int i = 1; i < view->nodes; i++)
        some_up |= view->up[i];
    return view->up[MASTER] && some_up && master->job_state != JOB_SUCCEEDED ? "the job does not come to an end" : NULL;
}

static void show_message(const void *data, size_t size, char *text, size_t room)
{
    struct message m;
    memcpy(&m, data, size);
    if (m.kind == REGISTER)
        snprintf(text, room, "register");
    else
        snprintf(text, room, "%s %d %s", m.task == MAP ? "map" : "reduce", m.attempt, kind_names[m.kind]);
}

static void show_state(const void *state, char *text, size_t room)
{
    const struct state *s = state;
    if (s->job_state)
        snprintf(text, room, "job %s, map %s, reduce %s", job_names[s->job_state], task_names[s->task[MAP].state],
                 task_names[s->task[REDUCE].state]);
    else
        snprintf(text, room, "%s", s->committed ? "has committed" : "no output");
}

// The rules.

// The master does nothing about an attempt that has ended, nor about a launch when its task runs already.
static unsigned message_rule(const void *state, int from, const void *data, size_t size)
{
    const struct state *s = state;
    struct message m;
    (void)from;
    memcpy(&m, data, size);
    if (s->job_state == JOB_NONE || m.kind == REGISTER)
        return HEDDLE_MODIFY;
    if (s->job_state != JOB_RUNNING || is_over(s, &m))
        return HEDDLE_DISCARD;
    return m.kind == LAUNCHED && s->task[m.task].state >= TASK_RUNNING ? HEDDLE_DISCARD : HEDDLE_MODIFY;
}

// Only the master cares; and not any more when the job is done.
static unsigned down_rule(const void *state, int peer, const void *peer_state)
{
    const struct state *s = state;
    (void)peer;
    (void)peer_state;
    return s->job_state == JOB_RUNNING ? HEDDLE_GLOBAL : HEDDLE_LOCAL;
}

// What the loss of a node means to the master: which attempts go with it, and what is left; and who has written output.
static size_t recovery_rule(const void *state, int peer, const void *peer_state, void *abstract)
{
    const struct state *s = state, *lost = peer_state;
    struct {
        enum job_state job;
        enum task_state task[TASKS];
        int lost[TASKS], live[TASKS], committing[TASKS];
        bool committed, lost_committed, lost_committing;
    } matters = {.job = s->job_state, .committed = s->committed, .lost_committed = lost->committed};
    matters.lost_committing = lost->job_state && lost->task[REDUCE].state && lost->task[REDUCE].committing >= 0;
    for (int i = 0; i < TASKS; i++) {
        const struct task *t = &s->task[i];
        matters.task[i] = t->state;
        matters.live[i] = live_attempts(t);
        matters.committing[i] = t->committing >= 0;
        for (int k = 0; k < t->attempts; k++)
            matters.lost[i] += t->attempt[k].is_live && t->attempt[k].node == peer;
    }
    memcpy(abstract, &matters, sizeof matters);
    return sizeof matters;
}

// What became of the job, and who has written its output.
static size_t outcome(const void *state, void *abstract)
{
    const struct state *s = state;
    int seen[] = {(int)s->job_state, s->committed};
    memcpy(abstract, seen, sizeof seen);
    return sizeof seen;
}

static const struct heddle_rules rules = {
    .message = message_rule, .down = down_rule, .recovery = recovery_rule, .outcome = outcome};

const struct heddle_protocol heddle_protocol = {
    .name = "speculative execution",
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
