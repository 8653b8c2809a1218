// A regular register on base objects that may fail, in the manner of Attiya, Bar-Noy and Dolev (JACM 1995): one writer, one reader.
//
//     heddle cluster --nodes 5 register.c           three base objects; --nodes 6, 7: four, five
//
// Written for this tree, after Table 4 of seed 000. The writer sends each value with its number to all base objects and is done when a
// majority has answered; the reader asks all and takes the newest of a majority's answers. The register is regular if a read gives
// the last value that was written before it began, or one that was being written meanwhile. The observer watches that; there are
// no rounds, so the quorum tree has no part in this.
//
// -DTURNS=2:  two writes and two reads, each one after the other; not one of each.
// -DBUG=1:  the observer asks for too much: what was written before the read ended.
// -DBUG=2:  the writer waits for one base object.
// -DBUG=3:  the reader waits for one base object.
//
// What does not matter any more is no part of a state, and base objects may change places; with -DWHOLE everything counts.
#include <heddle/node.h>
#include <stdio.h>

#ifndef BUG
#define BUG 0
#endif
#ifndef TURNS
#define TURNS 1
#endif

enum { WRITER, READER, OBJECTS };
enum kind { WRITE, WRITTEN, READ, VALUE };

struct message {
    enum kind kind;
    int number, value; // of the operation; the newest value is that of the last write
};

struct state {
    int begun, done, value; // operations of the writer or reader; what the last read gave
};

static struct state me;
static int stored;       // of a base object: the newest value, which is the number of its write
static unsigned answers; // a bit for each base object
static int newest;

static bool is_quorum(int wanted)
{
    return __builtin_popcount(answers) >= wanted;
}

static int majority(void)
{
    return (heddle_nodes() - OBJECTS) / 2 + 1;
}

static void begin(void)
{
    struct message m = {heddle_self() == WRITER ? WRITE : READ, ++me.begun, 0};
    answers = 0;
    newest = 0;
    for (int to = OBJECTS; to < heddle_nodes(); to++)
        heddle_send(to, &m, sizeof m);
}

static void finish(int value)
{
    me.done++;
    me.value = value;
    heddle_reached(heddle_self() == WRITER ? "a write is over"
                   : value                 ? "a new value is read"
                                           : "the old value is read");
}

static void boot(int self, int nodes)
{
    (void)self;
    (void)nodes;
}

static void request(int number)
{
    (void)number;
    begin();
}

static void serve(int from, const struct message *m)
{
    if (m->kind == WRITE && m->number > stored)
        stored = m->number;
    struct message reply = {m->kind == WRITE ? WRITTEN : VALUE, m->number, stored};
    heddle_send(from, &reply, sizeof reply);
}

static void collect(int from, const struct message *m)
{
    int wanted = (m->kind == WRITTEN && BUG == 2) || (m->kind == VALUE && BUG == 3) ? 1 : majority();
    if (m->number != me.begun || me.done == me.begun)
        return;
    answers |= 1u << from;
    if (m->value > newest)
        newest = m->value;
    if (is_quorum(wanted))
        finish(newest);
}

static void message(int from, const void *data, size_t size)
{
    const struct message *m = data;
    (void)size;
    if (m->kind == WRITE || m->kind == READ)
        serve(from, m);
    else
        collect(from, m);
}

// One operation after the other.
static bool may_request(const void *state, int number)
{
    const struct state *s = state;
    return s->begun == s->done && s->begun == number;
}

static void report(void *state)
{
    *(struct state *)state = me;
}

struct seen {
    int begun, done; // of the reader
    int written;     // writes that were over when the read began
};

static const char *observe(const struct heddle_view *v, int node, void *memory)
{
    struct seen *seen = memory;
    const struct state *writer = v->state[WRITER], *reader = v->state[READER];
    (void)node;
    if (reader->begun > seen->begun || BUG == 1)
        seen->written = writer->done;
    seen->begun = reader->begun;
    bool is_over = reader->done > seen->done;
    seen->done = reader->done;
    if (is_over && reader->value < seen->written)
        return "a read gave a value older than the last one that was written before it began";
    return is_over && reader->value > writer->begun ? "a read gave a value that was never written" : NULL;
}

#ifndef WHOLE
// The answers to what is over; and what it gave, which the observer has seen.
static void forget(void *state)
{
    struct state *reported = state;
    me.value = reported->value = 0;
    if (me.begun == me.done)
        answers = 0, newest = 0;
}

static void rename_memory(const int *to)
{
    unsigned renamed = 0;
    for (int i = 0; i < heddle_nodes(); i++)
        renamed |= (answers >> i & 1) << to[i];
    answers = renamed;
}

static void rename_observer(void *memory, const int *to)
{
    (void)memory; // it names no base object
    (void)to;
}

static const struct heddle_renaming renaming = {
    .nodes = ~0u << OBJECTS, .memory = rename_memory, .observer = rename_observer};
#endif

static void show(const void *data, size_t size, char *text, size_t room)
{
    static const char *const names[] = {"write", "written", "read", "value of read"};
    const struct message *m = data;
    (void)size;
    snprintf(text, room, m->kind == VALUE ? "%s %d: %d" : "%s %d", names[m->kind], m->number, m->value);
}

static const struct heddle_request requests[] = {{WRITER, 0}, {READER, 0}, {WRITER, 1}, {READER, 1}};
static const char *const goals[] = {"a write is over", "a new value is read", "the old value is read", NULL};
_Static_assert(TURNS <= 2, "there are requests for two turns");

const struct heddle_protocol heddle_protocol = {
    .name = "register",
    .boot = boot,
    .message = message,
    .request = request,
    .requests = requests,
    .request_count = 2 * TURNS,
    .may_request = may_request,
    .state_size = sizeof(struct state),
    .report = report,
    .observer_size = sizeof(struct seen),
    .observe = observe,
    .show_message = show,
#ifndef WHOLE
    .forget = forget,
    .renaming = &renaming,
#endif
    .goals = goals,
};
