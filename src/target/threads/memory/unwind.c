#include "target/threads/memory/unwind.h"

#include <dlfcn.h>
#include <unwind.h>

static __typeof__(&_Unwind_Backtrace) backtrace_by;
static __typeof__(&_Unwind_GetIP) address_of;

void unwind_prepare(void)
{
    void *library = dlopen("libgcc_s.so.1", RTLD_NOW);
    if (!library)
        return;
    backtrace_by = (__typeof__(backtrace_by))(uintptr_t)dlsym(library, "_Unwind_Backtrace");
    address_of = (__typeof__(address_of))(uintptr_t)dlsym(library, "_Unwind_GetIP");
}

struct callers {
    uint64_t pc;
    bool found; // the frame of pc: all before it are heddle's own
    uint32_t count;
    uint64_t address[CALL_DEPTH]; // innermost first
};

static _Unwind_Reason_Code add_caller(struct _Unwind_Context *context, void *result)
{
    struct callers *c = result;
    uint64_t address = address_of(context);
    if (c->found && address && c->count < CALL_DEPTH)
        c->address[c->count++] = address;
    c->found |= address == c->pc;
    return c->count < CALL_DEPTH ? _URC_NO_REASON : _URC_END_OF_STACK;
}

// At the end of a stack is heddle's own function that called main or the thread's.
static bool is_heddles(uint64_t address)
{
    Dl_info here, there;
    return dladdr(&engine, &here) && dladdr((void *)(uintptr_t)address, &there) && here.dli_fbase == there.dli_fbase;
}

void unwind_calls(struct thread *t, uint64_t pc)
{
    static struct callers c;
    struct thread *running = engine.running;
    if (!backtrace_by || !address_of)
        return;
    c.pc = pc;
    c.found = false;
    c.count = 0;
    engine.running = NULL; // heddle's own doing
    backtrace_by(add_caller, &c);
    while (c.count && is_heddles(c.address[c.count - 1]))
        c.count--;
    engine.running = running;
    t->depth = c.count;
    for (uint32_t i = 0; i < c.count; i++)
        engine.calls[t->actor][i] = c.address[c.count - 1 - i];
}

struct caller_list {
    uint64_t *address;
    uint32_t count, room;
};

static _Unwind_Reason_Code list_caller(struct _Unwind_Context *context, void *result)
{
    struct caller_list *list = result;
    uint64_t address = address_of(context);
    if (address && list->count < list->room && !is_heddles(address))
        list->address[list->count++] = address;
    return list->count < list->room ? _URC_NO_REASON : _URC_END_OF_STACK;
}

uint32_t unwind_callers(uint64_t *addresses, uint32_t room)
{
    struct thread *running = engine.running;
    struct caller_list list = {addresses, 0, room};
    if (!backtrace_by || !address_of)
        return 0;
    engine.running = NULL; // heddle's own doing
    backtrace_by(list_caller, &list);
    engine.running = running;
    return list.count;
}
