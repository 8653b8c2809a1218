#include "check/bug.h"

#include <string.h>

const char *const bug_names[BUG_KINDS] = {
    [BUG_NONE] = "none",
    [BUG_ASSERTION] = "assertion",
    [BUG_ABORT] = "abort",
    [BUG_SIGNAL] = "signal",
    [BUG_DEADLOCK] = "deadlock",
    [BUG_LIVELOCK] = "livelock",
    [BUG_RACE] = "race",
    [BUG_USE_AFTER_FREE] = "use-after-free",
    [BUG_DOUBLE_FREE] = "double-free",
    [BUG_BAD_FREE] = "bad-free",
    [BUG_LOCK_MISUSE] = "lock-misuse",
    [BUG_THREAD_MISUSE] = "thread-misuse",
    [BUG_LEAK] = "leak",
    [BUG_EXIT] = "exit",
    [BUG_NOT_LINEARIZABLE] = "not-linearizable",
    [BUG_NOT_WAIT_FREE] = "not-wait-free",
    [BUG_USE_AFTER_UNMAP] = "use-after-unmap",
};

uint64_t bug_signature(const struct bug *bug)
{
    uint64_t mixed = bug->kind * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ bug->pc) * 0xbf58476d1ce4e5b9u;
    if (bug->kind == BUG_RACE || bug->kind == BUG_LEAK) // either of two places may come second: the memory tells
        mixed = ((uint64_t)bug->size * BUG_KINDS + bug->kind + 1) * 0x94d049bb133111ebu ^
                bug->address * 0x9e3779b97f4a7c15u;
    if (bug->kind == BUG_DEADLOCK || bug->kind == BUG_LIVELOCK) // whoever waits first may be a bystander
        mixed = (bug->kind + 1) * 0x9e3779b97f4a7c15u ^ bug->number * 0x94d049bb133111ebu;
    return mixed ^ (mixed >> 29);
}

// Where exactly a stack is full depends on how much of it heddle itself needs, and that is more in a recorded run.
static bool is_overflow(const struct bug *bug)
{
    static const char begins[] = "stack overflow";
    return !strncmp(bug->text, begins, sizeof begins - 1);
}

bool bug_same(const struct bug *a, const struct bug *b, bool by_place)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind == BUG_RACE)
        return a->address == b->address && a->size == b->size && (!by_place || a->pc == b->pc);
    if (a->kind == BUG_DEADLOCK || a->kind == BUG_LIVELOCK)
        return a->number == b->number;
    if (a->kind == BUG_SIGNAL && is_overflow(a) && is_overflow(b))
        return true;
    return a->pc == b->pc;
}
