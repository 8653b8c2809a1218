#include "check/bug.h"

#include <string.h>

const struct bug_traits bug_table[BUG_KINDS + 1] = {
    [BUG_NONE] = {"none", ""},
    [BUG_ASSERTION] = {"assertion", "An assertion fails in some interleaving.", .varies_from = " failed in ",
                       .quotes_condition = true},
    [BUG_ABORT] = {"abort", "The program aborts in some interleaving."},
    [BUG_SIGNAL] = {"signal", "The program dies of a signal in some interleaving.", .may_move = true,
                    .varies_from = " at address "},
    [BUG_DEADLOCK] = {"deadlock", "Threads wait for ever.", BUG_OF_WAITING, .of_whole_run = true},
    [BUG_LIVELOCK] = {"livelock", "Threads wait for ever, at least one of them by spinning.", BUG_OF_WAITING,
                      .of_whole_run = true},
    [BUG_RACE] = {"race", "Two threads access the same memory, at least one writes, and nothing orders the two.",
                  BUG_OF_TWO_ACCESSES, BUG_ON_MEMORY, .at_access = true, .goes_on = true, .no_decisive = true,
                  .by_object = true},
    [BUG_USE_AFTER_FREE] = {"use-after-free", "Memory is used after it was freed.", .object = BUG_ON_MEMORY,
                            .at_access = true},
    [BUG_DOUBLE_FREE] = {"double-free", "A block of memory is freed twice.", .object = BUG_ON_BLOCK,
                         .by_callers = true},
    [BUG_BAD_FREE] = {"bad-free", "What is freed is not the start of a block.", .object = BUG_ON_MEMORY,
                      .by_callers = true},
    [BUG_LOCK_MISUSE] = {"lock-misuse", "A lock or condition variable is used in a way that POSIX does not allow.",
                         .object = BUG_ON_LOCK, .by_callers = true},
    [BUG_THREAD_MISUSE] = {"thread-misuse",
                           "A thread is joined that cannot be joined: it is detached, or was joined before."},
    [BUG_LEAK] = {"leak", "Nothing points to a block of memory any more when the process ends.", .object = BUG_ON_BLOCK,
                  .of_whole_run = true, .has_no_place = true, .by_object = true},
    [BUG_EXIT] = {"exit", "The process ends with a status that says that something failed.", .of_whole_run = true},
    [BUG_NOT_LINEARIZABLE] = {"not-linearizable", "Calls of an object give results that no order of whole calls gives.",
                              .of_whole_run = true, .no_decisive = true},
    [BUG_USE_AFTER_UNMAP] = {"use-after-unmap", "Memory is used after it was unmapped.", .object = BUG_ON_MEMORY,
                             .at_access = true},
    [BUG_OUT_OF_BOUNDS] = {"out-of-bounds", "Memory outside of a block of the heap, or of a variable, is accessed.",
                           .object = BUG_ON_MEMORY, .at_access = true},
    [BUG_USE_AFTER_RETURN] = {"use-after-return",
                              "A variable is used whose function has returned, or whose thread has ended.",
                              .object = BUG_ON_MEMORY, .at_access = true},
    [BUG_NOT_WAIT_FREE] = {"not-wait-free", "A call makes more steps than its operation promises."},
    [BUG_BAD_INDEX] = {"bad-index", "An index is none of its array's."},
    [BUG_UNINITIALISED] = {"uninitialised", "A branch depends on memory that nobody has written.",
                           .object = BUG_ON_MEMORY, .at_access = true},
    [BUG_KINDS] = {"unknown", ""},
};

enum bug_kind bug_by_name(const char *name, size_t length)
{
    enum bug_kind kind = BUG_NONE + 1;
    while (kind < BUG_KINDS && (strlen(bug_table[kind].name) != length || strncmp(name, bug_table[kind].name, length)))
        kind++;
    return kind;
}

uint64_t bug_signature(const struct bug *bug)
{
    const struct bug_traits *traits = bug_traits(bug->kind);
    uint64_t mixed = bug->kind * 0x9e3779b97f4a7c15u;
    mixed = (mixed ^ bug->pc) * 0xbf58476d1ce4e5b9u;
    if (traits->by_object) // either of two places may come second: the memory tells
        mixed = ((uint64_t)bug->size * BUG_KINDS + bug->kind + 1) * 0x94d049bb133111ebu ^
                bug->address * 0x9e3779b97f4a7c15u;
    if (traits->shape == BUG_OF_WAITING) // whoever waits first may be a bystander
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
    const struct bug_traits *traits = bug_traits(a->kind);
    if (a->kind != b->kind)
        return false;
    if (traits->shape == BUG_OF_TWO_ACCESSES)
        return a->address == b->address && a->size == b->size && (!by_place || a->pc == b->pc);
    if (traits->shape == BUG_OF_WAITING)
        return a->number == b->number;
    if (traits->by_object)
        return a->address == b->address;
    if (traits->may_move && is_overflow(a) && is_overflow(b))
        return true;
    return a->pc == b->pc;
}
