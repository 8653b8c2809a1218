// The client that the supervisor chose, run on the object of the program under test.
//
// A call begins with an event of its own that depends on nothing (OP_CALL), so that a schedule can put it right in front of
// what the call does first. It returns as part of the step of its last event: so every execution shows calls as short as
// they can be.
//
// One at a time: every call is made under one mutex, so that the search finds all orders of whole calls. What the calls give
// then is what they may give. A call that waits keeps the mutex, and with it everybody else: a stuck order.
//
// With a model its `step` stands in for the object, and outcomes and spurious failures are choices.
#include "target/threads/engine/client.h"

#include <stdio.h>

#include "heddle/lin.h"
#include "target/threads/engine/operations.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/engine/failure.h"
#include "target/threads/engine/perform.h"
#include "target/threads/engine/record.h"

enum { MODEL_STATE = 1 << 16 };

struct client_run client_run;

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static uint8_t model_state[MODEL_STATE] __attribute__((aligned(16))),
    model_trial[MODEL_STATE] __attribute__((aligned(16)));

struct subject {
    const struct heddle_lin_object *type;
    void *object;
};

static struct subject subject; // the same in every thread; set before there are others

static const struct client_call *call_at(uint32_t call)
{
    return &client_run.client->call[call];
}

static bool same_text(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

enum effect do_call(struct thread *t, struct place *none)
{
    (void)t;
    (void)none;
    return EFFECT_NONE;
}

// ---- words ----

static size_t show_value(int64_t value, char *text, size_t room)
{
    const char *word = value == HEDDLE_NIL     ? "nil"
                       : value == HEDDLE_TRUE  ? "true"
                       : value == HEDDLE_FALSE ? "false"
                                               : NULL;
    int n = word ? snprintf(text, room, "%s", word) : snprintf(text, room, "%lld", (long long)value);
    return n < 0 || (size_t)n >= room ? 0 : (size_t)n;
}

void client_show_call(uint32_t call, bool with_result, char *text, size_t room)
{
    const struct client_call *c = call_at(call);
    bool observes = c->operation == CLIENT_OBSERVE;
    const struct client_operation *op = &client_run.job->object.operation[observes ? 0 : c->operation];
    size_t at = (size_t)snprintf(text, room, "%s(", observes ? "state" : op->name);
    for (uint32_t i = 0; !observes && i < op->arguments; i++) {
        at += (size_t)snprintf(text + at, room - at, i ? ", " : "");
        at += show_value(c->argument[i], text + at, room - at);
    }
    at += (size_t)snprintf(text + at, room - at, with_result ? ") = " : ")");
    if (with_result)
        show_value(client_run.ran[call].result, text + at, room - at);
}

static void record_return(struct thread *t, uint32_t call, const void *pc)
{
    char text[160];
    engine.running = NULL;
    client_show_call(call, true, text, sizeof text);
    record_text(t, TRACE_SILENT, SILENT_RETURN, pc, text);
    engine.running = t;
    if (client_run.returned)
        client_run.returned(call, pc);
}

// ---- one call ----

static void keep_call(uint32_t call)
{
    undo_save(&engine.undo, &client_run.ran[call], sizeof client_run.ran[call]);
}

static void call_begins(struct thread *t, uint32_t call, const void *pc)
{
    const struct actor *actor = &engine.exec.actors[t->actor];
    if (client_run.one_at_a_time)
        mutex_lock(t, &turn, pc);
    else
        ask(t, OP_CALL, call, 0, pc), visible(t);
    keep_call(call);
    client_run.ran[call] =
        (struct ran_call){.state = CALL_BEGUN, .actor = t->actor, .first = actor->events, .called = actor->last};
}

// Steps that go round and round are few: those who spin wait until there is something new (spin.h). They are seen as blocked.
static void check_steps(struct thread *t, uint32_t call, const void *pc)
{
    const struct client_call *c = call_at(call);
    uint32_t steps = engine.exec.actors[t->actor].events - client_run.ran[call].first;
    if (client_run.one_at_a_time || c->operation == CLIENT_OBSERVE)
        return;
    const struct client_operation *op = &client_run.job->object.operation[c->operation];
    if (op->progress == PROGRESS_WAIT_FREE && steps > op->steps)
        fail_and_stop(t, BUG_NOT_WAIT_FREE, 0, pc, "a call of %s made %u steps, and it promises to need at most %u",
                      op->name, steps, op->steps);
}

static void call_returns(struct thread *t, uint32_t call, int64_t result, const void *pc)
{
    check_steps(t, call, pc);
    keep_call(call);
    client_run.ran[call].state = CALL_RETURNED;
    client_run.ran[call].result = result;
    client_run.ran[call].last = engine.exec.actors[t->actor].last;
    undo_save_word(&engine.undo, &client_run.order[client_run.ended]);
    undo_save_word(&engine.undo, &client_run.ended);
    client_run.order[client_run.ended++] = call;
    if (engine.record)
        record_return(t, call, pc);
    if (client_run.one_at_a_time)
        mutex_unlock(t, &turn, pc);
}

static uint32_t client_choose(struct thread *t, uint32_t n, const void *pc)
{
    if (n < 2)
        return 0;
    return search_chooses(t, CHOICE_OF_PROGRAM, n, pc);
}

// ---- the model in place of the object ----

static int model_call(const struct heddle_model *model, const char *name)
{
    for (int i = 0; model->calls[i].name; i++)
        if (same_text(model->calls[i].name, name))
            return i;
    return -1;
}

static void model_begins(const struct heddle_model *model)
{
    undo_save(&engine.undo, model_state, model->state_size);
    plain_fill(model_state, 0, model->state_size);
    if (model->init)
        model->init(model_state);
}

static uint32_t count_outcomes(const struct heddle_model *model, const struct heddle_operation *op)
{
    for (uint32_t n = 0; n < UINT16_MAX; n++) {
        int64_t ignored = HEDDLE_NIL;
        undo_save(&engine.undo, model_trial, model->state_size);
        plain_move(model_trial, model_state, model->state_size);
        if (!model->step(model_trial, op, (int)n, &ignored))
            return n;
    }
    return UINT16_MAX;
}

static int64_t run_model(struct thread *t, const struct client_call *c, const char *name, const void *pc)
{
    const struct heddle_model *model = subject.type->model;
    int64_t result = HEDDLE_NIL;
    struct heddle_operation op = {.call = model_call(model, name),
                                  .argument = {c->argument[0], c->argument[1], c->argument[2]},
                                  .process = model->uses_process ? c->thread : HEDDLE_NIL};
    uint32_t outcomes = count_outcomes(model, &op);
    if (!outcomes)
        thread_stop(t, ACTOR_STOPPED); // it has to wait, and here nobody else ever goes on
    undo_save(&engine.undo, model_state, model->state_size);
    model->step(model_state, &op, (int)client_choose(t, outcomes, pc), &result);
    return result;
}

// ---- the client ----

// Calls before and after the threads overlap nobody.
static bool may_fail_here(const struct client_operation *op, const struct client_call *c)
{
    bool in_thread = c->thread != CLIENT_BEFORE && c->thread != CLIENT_AFTER;
    return op->may_fail == FAILS_ALWAYS || (op->may_fail == FAILS_OVERLAPPED && in_thread);
}

static int64_t client_excuse(uint32_t call, const struct client_operation *op)
{
    keep_call(call);
    client_run.ran[call].excused = true;
    return op->failure;
}

static void run_call(uint32_t call)
{
    struct thread *t = engine.running;
    const struct client_call *c = call_at(call);
    bool observes = c->operation == CLIENT_OBSERVE, modelled = client_run.one_at_a_time && subject.type->model;
    const struct heddle_lin_operation *op = &subject.type->operations[observes ? 0 : c->operation];
    const struct client_operation *known = &client_run.job->object.operation[observes ? 0 : c->operation];
    const void *pc = observes ? (const void *)(uintptr_t)subject.type->observe : (const void *)(uintptr_t)op->run;
    pc = (const char *)pc + 1; // a return address inside the function
    int64_t result;
    call_begins(t, call, pc);
    if (observes)
        result = subject.type->observe(subject.object);
    else if (client_run.one_at_a_time && may_fail_here(known, c) && client_choose(t, 2, pc))
        result = client_excuse(call, known);
    else
        result = modelled ? run_model(t, c, op->name, pc) : op->run(subject.object, c->argument);
    call_returns(t, call, result, pc);
}

static void run_part(uint8_t thread)
{
    for (uint32_t i = 0; i < client_run.client->calls; i++)
        if (call_at(i)->thread == thread)
            run_call(i);
}

static void *thread_of_client(void *thread)
{
    run_part((uint8_t)(uintptr_t)thread);
    return NULL;
}

static void *thread_of_call(void *call)
{
    run_call((uint32_t)(uintptr_t)call);
    return NULL;
}

static void run_threads(struct thread *t, const void *pc)
{
    pthread_t handles[CLIENT_CALLS];
    uint32_t count = 0;
    const struct client *client = client_run.client;
    bool apart = client_run.one_at_a_time && client_run.job->judgement == CLIENT_QUIESCENT; // then any order will do
    for (uint32_t i = 0; apart && i < client->calls; i++)
        if (call_at(i)->thread != CLIENT_BEFORE && call_at(i)->thread != CLIENT_AFTER)
            thread_create(t, &handles[count++], NULL, thread_of_call, (void *)(uintptr_t)i, pc);
    for (uint32_t i = 1; !apart && i <= client->threads; i++)
        thread_create(t, &handles[count++], NULL, thread_of_client, (void *)(uintptr_t)i, pc);
    for (uint32_t i = 0; i < count; i++)
        thread_join(t, handles[i], NULL, pc);
}

static void forget_last_execution(void)
{
    undo_save(&engine.undo, client_run.ran, sizeof client_run.ran);
    undo_save_word(&engine.undo, &client_run.ended);
    plain_fill(client_run.ran, 0, sizeof client_run.ran);
    client_run.ended = 0;
}

static void run_client(const struct heddle_lin_object *type, const void *pc)
{
    struct thread *t = engine.running;
    bool modelled = client_run.one_at_a_time && type->model;
    forget_last_execution();
    undo_save(&engine.undo, &subject, sizeof subject);
    subject.type = type;
    if (modelled)
        model_begins(type->model);
    else
        subject.object = type->create();
    run_part(CLIENT_BEFORE);
    run_threads(t, pc);
    run_part(CLIENT_AFTER);
    if (!modelled && type->destroy)
        type->destroy(subject.object);
}

// ---- what the object is like ----

static const char *trouble_with_operation(const struct heddle_lin_operation *op)
{
    for (int a = 0; a < CLIENT_ARGUMENTS; a++) {
        const struct heddle_lin_values *takes = &op->takes[a];
        if (takes->kind < 0 || takes->kind > ARGUMENT_MADE)
            return "an argument of an operation of heddle_lin has values of an unknown kind";
        if (takes->kind > ARGUMENT_FRESH && takes->least > takes->most)
            return "an argument of an operation of heddle_lin has no values";
        if (takes->kind == ARGUMENT_MADE && (!takes->make || takes->most >= CLIENT_MADE))
            return "HEDDLE_MADE_BY takes a function and a number of values from 1 to 32";
    }
    if (op->may_fail < 0 || op->may_fail > FAILS_OVERLAPPED)
        return "may_fail of an operation of heddle_lin is neither HEDDLE_ALWAYS nor HEDDLE_OVERLAPPED";
    if (op->progress < 0 || op->progress > PROGRESS_WAIT_FREE)
        return "an operation of heddle_lin promises an unknown progress";
    if ((op->progress == PROGRESS_WAIT_FREE) != (op->steps > 0))
        return "HEDDLE_WAIT_FREE goes with .steps, the most visible operations that a call makes";
    return NULL;
}

static const char *trouble_with(const struct heddle_lin_object *type, uint32_t count)
{
    const struct heddle_model *model = type->model;
    if (!type->create)
        return "the object of heddle_lin has no create";
    if (!count)
        return "the object of heddle_lin has no operations";
    if (model && (!model->calls || !model->step || !model->state_size || model->state_size > MODEL_STATE))
        return "the model of heddle_lin needs calls, step and a state of 1 to 65536 bytes";
    if (model && type->observe)
        return "an object of heddle_lin with a model has no observe: make it an operation of both";
    for (uint32_t i = 0; i < count; i++) {
        if (!type->operations[i].run)
            return "an operation of heddle_lin has no function";
        if (plain_length(type->operations[i].name, CLIENT_NAME) >= CLIENT_NAME)
            return "the name of an operation of heddle_lin is longer than 39 characters";
        if (model && model_call(model, type->operations[i].name) < 0)
            return "the model of heddle_lin lacks one of the object's operations";
        const char *trouble = trouble_with_operation(&type->operations[i]);
        if (trouble)
            return trouble;
    }
    return type->judge < 0 || type->judge > CLIENT_QUIESCENT ? "the object of heddle_lin has an unknown judge" : NULL;
}

static void describe_operation(const struct heddle_lin_operation *from, struct client_operation *to)
{
    plain_move(to->name, from->name, plain_length(from->name, CLIENT_NAME - 1));
    for (uint32_t i = 0; i < CLIENT_ARGUMENTS && from->takes[i].kind; i++) {
        const struct heddle_lin_values *takes = &from->takes[i];
        to->takes[i] =
            (struct client_argument){.kind = (uint32_t)takes->kind, .least = takes->least, .most = takes->most};
        for (int64_t n = 0; takes->kind == ARGUMENT_MADE && n <= takes->most; n++)
            to->takes[i].made[n] = takes->make(n);
        to->arguments = i + 1;
    }
    to->may_fail = (uint32_t)from->may_fail;
    to->failure = from->failure;
    to->by = (uint32_t)from->by;
    to->rough = from->rough != 0;
    to->progress = (uint32_t)from->progress;
    to->steps = (uint32_t)from->steps;
}

static void client_describe(const struct heddle_lin_object *type)
{
    struct client_object *object = &client_run.job->object;
    uint32_t n = 0;
    while (n < CLIENT_OPERATIONS && type->operations[n].name)
        n++;
    const char *trouble = trouble_with(type, n);
    if (trouble)
        unsupported(engine.running, trouble);
    for (uint32_t i = 0; i < n; i++)
        describe_operation(&type->operations[i], &object->operation[i]);
    object->operations = n;
    object->observes = type->observe != NULL;
    object->has_model = type->model != NULL;
    object->judges = (uint32_t)type->judge;
    object->described = 1;
}

PUBLIC int heddle_lin_run(const struct heddle_lin_object *type)
{
    if (!engine.running || !client_run.job) {
        fputs("this object is checked by `heddle lin`\n", stderr);
        return 2;
    }
    if (client_run.job->mode == CLIENT_DESCRIBE)
        client_describe(type);
    else
        run_client(type, HERE);
    return 0;
}
