#define _GNU_SOURCE
#include "target/threads/library/exceptions.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_calls.h"
#include "target/threads/memory/memory_room.h"

// What libstdc++ keeps in front of the object that was thrown. One that was thrown again from a pointer has such a header alone.
struct header {
    void *type_or_thrown; // the object, if this one was thrown again from a pointer
    void *destructor, *unexpected, *terminate;
    struct header *outer;
    int32_t handlers; // below 0 while it is being thrown again
    int32_t selected;
    const void *action, *specific, *landing;
    void *adjusted;
    uint64_t class __attribute__((aligned(16))); // of _Unwind_Exception
    void *cleanup;
    uint64_t private[2];
};
_Static_assert(sizeof(struct header) == 112, "as in the C++ ABI for x86-64");

struct thrown_in_thread {
    struct header *caught;
    uint32_t uncaught;
};

static const uint64_t cxx_class = 0x474e5543432b2b00; // "GNUCC++\0", from the first letter down

static const char release[] = "_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv";
static struct thrown_in_thread *(*of_this_thread)(void);

void exceptions_prepare(void)
{
    if (image_imports(release) && dlsym(RTLD_DEFAULT, release))
        of_this_thread = (struct thrown_in_thread * (*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "__cxa_get_globals");
}

void exceptions_let_go(struct thread *t, const void *exception, const void *pc)
{
    if (!exception)
        return;
    annotations_exchange(t, exception, "the end of a std::exception_ptr", pc);
    library_changes_unlogged(t, release); // whoever called it
}

void exceptions_let_go_of_message(struct thread *t, const char *message, const void *pc)
{
    if (*message) // all empty ones are one that stays
        annotations_exchange(t, message, "the end of an exception's message", pc);
}

void exceptions_handled(struct thread *t, const void *pc)
{
    const struct header *header = of_this_thread ? of_this_thread()->caught : NULL;
    if (!header || header->handlers != 1)
        return;
    if (header->class == cxx_class)
        annotations_exchange(t, header + 1, "the end of a handler", pc);
    else if (header->class == (cxx_class | 1))
        annotations_exchange(t, header->type_or_thrown, "the end of a handler", pc);
}
