#include "target/threads/engine/stops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "target/threads/library/library_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/real.h"

enum { NAME = 16 }; // what the kernel keeps of a thread's name

static struct {
    struct bug expected;
    bool failed;
    char names[MAX_ACTORS][NAME];
} stops;

// What gdb reads. An event is `pending` while it is about to be done.
PUBLIC uint32_t heddle_gdb_event, heddle_gdb_pending, heddle_gdb_done;
PUBLIC const char *heddle_gdb_thread = "main", *heddle_gdb_operation = "", *heddle_gdb_failure = "";
PUBLIC uint64_t heddle_gdb_object, heddle_gdb_pc;
PUBLIC uint32_t heddle_gdb_inlined; // pc stands in a function of heddle.h that is always inlined
// What gdb writes: the event to stop at.
PUBLIC uint32_t heddle_gdb_stop = UINT32_MAX;

// Two functions that do different things, lest the linker make one of them.
PUBLIC __attribute__((noinline)) void heddle_stop_at_event(void)
{
    __asm__ volatile("# a breakpoint of gdb: event" ::: "memory");
}

PUBLIC __attribute__((noinline)) void heddle_stop_at_failure(void)
{
    __asm__ volatile("nop # a breakpoint of gdb: failure" ::: "memory");
}

void stops_expect(const struct bug *bug)
{
    stops.expected = *bug;
    const char *event = getenv("HEDDLE_STOP_EVENT");
    if (event)
        heddle_gdb_stop = (uint32_t)strtoul(event, NULL, 10);
}

// "T2.1": the first thread that the second one of main created.
static size_t put_path(uint32_t actor, char *text, size_t room)
{
    const struct actor *a = &engine.exec.actors[actor];
    size_t used = a->parent ? put_path(a->parent, text, room) : (size_t)snprintf(text, room, "T");
    if (used >= room)
        return used;
    return used + (size_t)snprintf(text + used, room - used, a->parent ? ".%u" : "%u", a->number + 1);
}

const char *stops_thread_name(const struct thread *t)
{
    char *name = stops.names[t->actor], function[NAME];
    if (!t->actor)
        return "main";
    size_t used = put_path(t->actor, name, NAME);
    if (used < NAME && function_name((uint64_t)(uintptr_t)t->start, function, NAME))
        snprintf(name + used, NAME - used, " %s", function);
    return name;
}

static void stop_at_event(void *nothing)
{
    (void)nothing;
    heddle_stop_at_event();
}

static void stop_at_failure(void *nothing)
{
    (void)nothing;
    heddle_stop_at_failure();
}

// Where things stand; `pc` is a return address on the stack of the thread that stops, or 0.
static void stops_tell(uint64_t pc, bool inlined)
{
    heddle_gdb_inlined = inlined;
    heddle_gdb_pc = pc;
    heddle_gdb_done = engine.exec.count;
}

void stops_event(struct thread *t)
{
    const struct request *r = &t->request;
    stops_tell((uint64_t)(uintptr_t)r->pc, r->kind == OP_CHOOSE);
    heddle_gdb_event = engine.exec.count;
    heddle_gdb_thread = t->actor ? stops.names[t->actor] : "main";
    heddle_gdb_operation = op_table[r->kind].name;
    heddle_gdb_object = r->address;
    heddle_gdb_pending = 1;
    if (heddle_gdb_stop == heddle_gdb_event)
        real_call(t, stop_at_event, NULL);
    heddle_gdb_pending = 0;
    heddle_gdb_done = engine.exec.count + 1;
}

static bool is_expected(const struct bug *bug)
{
    const struct bug *e = &stops.expected;
    if (bug->kind != e->kind || bug->actor != e->actor || bug->event != e->event)
        return false;
    // a thread has one signal; where its stack is at an end depends on how much of it the recording of a run needs
    return bug_traits(bug->kind)->may_move || (bug->pc == e->pc && bug->address == e->address);
}

void stops_failure(const struct bug *bug)
{
    if (stops.failed || !is_expected(bug))
        return;
    static const char own[] = "heddle_assert(";
    stops.failed = true;
    struct thread *t = &engine.threads[bug->actor];
    stops_tell(bug->pc, bug_traits(bug->kind)->quotes_condition &&
                            plain_differ(bug->text, own, sizeof own - 1) == sizeof own - 1);
    heddle_gdb_failure = stops.expected.text;
    real_call(t, stop_at_failure, NULL);
}

bool stops_failed(void)
{
    return stops.failed;
}
