#define _GNU_SOURCE
#include "target/threads/library/stream_effects.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_calls.h"
#include "target/threads/libc/libc_room.h"

enum { STATE = 40, BUFFER_AT = 232 }; // of std::ios: what formatting and reading change, and where it has its buffer

enum { VIRTUAL_UNDERFLOW = 9, VIRTUAL_OVERFLOW = 13 };

struct area { // null pointers: there is none
    char *start, *next, *end;
};

struct buffer { // std::streambuf
    const uint64_t *functions;
    struct area get, put;
};

static void *cxx_stream_pointer(uint64_t value)
{
    return (void *)(uintptr_t)value;
}

// It lies at a distance that stands in front of the stream's table of virtual functions.
uint64_t cxx_stream_ios_of(uint64_t stream)
{
    const char *table = *(const char **)cxx_stream_pointer(stream);
    return stream + (uint64_t) * (const int64_t *)(table - 24);
}

static bool is_standard_stream(uint64_t ios)
{
    static const char *const names[] = {"_ZSt4cout",  "_ZSt4cerr",  "_ZSt4clog",  "_ZSt3cin",
                                        "_ZSt5wcout", "_ZSt5wcerr", "_ZSt5wclog", "_ZSt4wcin"};
    static uint64_t
        streams[sizeof names / sizeof *names]; // without a table of functions if the program does not use them
    bool found = false;
    struct thread *t = engine.running;
    engine.running = NULL; // heddle's own doing
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!streams[i])
            streams[i] = (uint64_t)(uintptr_t)dlsym(RTLD_DEFAULT, names[i]);
        found |= streams[i] && *(uint64_t *)cxx_stream_pointer(streams[i]) && cxx_stream_ios_of(streams[i]) == ios;
    }
    engine.running = t;
    return found;
}

static void cxx_stream_access(void *address, size_t size, bool write, const void *pc)
{
    if (write)
        access_write(address, size, pc);
    else
        access_read(address, size, pc);
}

void cxx_stream_use(uint64_t ios, bool write, const void *pc)
{
    if (!is_standard_stream(ios))
        cxx_stream_access(cxx_stream_pointer(ios), STATE, write, pc);
}

static bool begins_with(const char *name, const char *start)
{
    return !strncmp(name, start, strlen(start));
}

// What this side does when its area does not suffice: a function of the program's, which has hooks, or that of
// std::streambuf itself, which does nothing.
static bool is_of_program(const struct buffer *b, enum side side)
{
    const char *name = library_function_at(b->functions[side == SIDE_PUT ? VIRTUAL_OVERFLOW : VIRTUAL_UNDERFLOW]);
    return !name || begins_with(name, "_ZNSt15basic_streambufI");
}

static bool goes_on_to_stdio(const struct buffer *b)
{
    const char *name = library_function_at(b->functions[VIRTUAL_OVERFLOW]);
    return name && begins_with(name, "_ZN9__gnu_cxx18stdio_sync_filebufI");
}

static void use_side(struct buffer *b, enum side side, bool write, const void *pc)
{
    struct area *area = side == SIDE_PUT ? &b->put : &b->get;
    if (is_of_program(b, side))
        cxx_stream_access(area, sizeof *area, write && area->end > area->start, pc);
    else
        cxx_stream_access(&b->get, sizeof b->get + sizeof b->put, write, pc);
}

void cxx_stream_use_buffer(uint64_t buffer, enum side side, bool write, const void *pc)
{
    struct buffer *b = cxx_stream_pointer(buffer);
    if (!b || goes_on_to_stdio(b))
        return;
    if (side & SIDE_PUT)
        use_side(b, SIDE_PUT, write, pc);
    if (side & SIDE_GET)
        use_side(b, SIDE_GET, write, pc);
}

void cxx_stream_use_pointers(uint64_t buffer, enum side side, bool write, const void *pc)
{
    struct buffer *b = cxx_stream_pointer(buffer);
    cxx_stream_access(side == SIDE_PUT ? &b->put : &b->get, sizeof(struct area), write, pc);
}

void cxx_stream_use_through(uint64_t stream, enum side side, bool write, const void *pc)
{
    uint64_t ios = cxx_stream_ios_of(stream);
    cxx_stream_use(ios, write, pc);
    cxx_stream_use_buffer(*(uint64_t *)cxx_stream_pointer(ios + BUFFER_AT), side, write, pc);
}
