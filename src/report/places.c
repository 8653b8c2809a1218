#include "report/places.h"

#include <ctype.h>
#include <string.h>

#include "base/buffer.h"
#include "base/text.h"

enum { MOST_DEPTH = 64, MOST_INLINED = 8, THIN = 192 };

// The Makefile compiles src/openmp so that this is where its files seem to be.
static bool in_openmp(const struct symbols_place *place)
{
    return place->file && text_begins(place->file, "/heddle-openmp/");
}

static bool has_one_in(const char *text, const char *const *words)
{
    for (; *words; words++)
        if (strstr(text, *words))
            return true;
    return false;
}

// Frameworks and C++'s library, where they are linked into the program or built with it.
static bool in_test_framework(const struct symbols_place *place)
{
    static const char *const names[] = {"testing::", "Catch::", "std::", NULL};
    static const char *const files[] = {
        "/heddle-frameworks/", "/gtest/", "/gmock/", "/googletest/", "/googlemock/", "/catch2/", "/catch.hpp",
        "/catch_amalgamated.", NULL};
    if (place->file)
        return has_one_in(place->file, files);
    return place->function && has_one_in(place->function, names);
}

bool places_is_system(const struct symbols_place *place)
{
    if (in_test_framework(place))
        return true;
    if (!place->file)
        return place->library;
    return text_begins(place->file, "/usr/include/") || text_begins(place->file, "/usr/lib/") ||
           text_begins(place->file, "/usr/local/include/") || strstr(place->file, "/include/c++/") ||
           strstr(place->file, "/heddle/cxx/") || in_openmp(place);
}

// Whether the last word of a name is one of these, in whatever way the name is written: my_mutex_lock, MutexLock, Lock.
static bool ends_with(const char *name, const char *const *words)
{
    size_t length = strlen(name);
    for (; *words; words++) {
        size_t size = strlen(*words);
        if (size > length || strncasecmp(name + length - size, *words, size))
            continue;
        if (size == length || name[length - size - 1] == '_' || isupper((unsigned char)name[length - size]))
            return true;
    }
    return false;
}

static bool has_one_of(const char *name, const char *const *words)
{
    for (; *words; words++)
        if (strcasestr(name, *words))
            return true;
    return false;
}

// A function that is called for one operation on a lock and does nothing else: it says so by its name, and either names what
// it operates on or is very short.
static bool is_wrapper(const struct symbols_place *place)
{
    static const char *const verbs[] = {"lock",      "unlock",  "trylock", "rdlock",    "wrlock",
                                        "acquire",   "release", "wait",    "timedwait", "signal",
                                        "broadcast", "post",    "enter",   "leave",     NULL};
    static const char *const things[] = {"mutex", "mtx",     "rwlock", "rwl",       "spinlock",
                                         "cond_", "condvar", "sem_",   "semaphore", NULL};
    if (!place->function || !ends_with(place->function, verbs))
        return false;
    return has_one_of(place->function, things) || (place->size && place->size <= THIN);
}

// Operations that programs have functions of their own for.
static bool may_be_wrapped(const struct trace_entry *e)
{
    return trace_uses(e) ||
           (e->record.type == TRACE_SILENT && (e->record.kind == SILENT_BLOCKED || e->record.kind == SILENT_WOKEN));
}

size_t places_stack(const struct names *n, size_t entry, bool own, struct symbols_place *places, size_t room)
{
    uint64_t stack[MOST_DEPTH];
    size_t depth = n->symbols ? names_stack(n, &n->trace->entries[entry], stack, MOST_DEPTH) : 0, count = 0;
    for (size_t i = 0; i < depth; i++) {
        if (i == 1 && stack[1] == stack[0]) // an adaptor of a test framework was called from there
            continue;
        struct symbols_place inlined[MOST_INLINED] = {0};
        size_t here = symbols_places(n->symbols, stack[i], inlined, MOST_INLINED);
        if (!here && !own && count < room)
            places[count++] = (struct symbols_place){.library = true, .address = stack[i]};
        for (size_t k = 0; k < here && count < room; k++)
            if (!own || !places_is_system(&inlined[k]))
                places[count++] = inlined[k];
    }
    return count || !own ? count : places_stack(n, entry, false, places, room);
}

static bool same_callers(const struct trace_entry *a, const struct trace_entry *b)
{
    uint32_t n = a->record.frames;
    return a->record.actor == b->record.actor && n && n == b->record.frames &&
           !memcmp(a->frames + 1, b->frames + 1, (n - 1) * sizeof *a->frames);
}

// Called by a library, whose functions are on no call stack: what the thread did before in the same function tells which that
// is, but not where in it.
static bool function_before(const struct names *n, size_t entry, struct symbols_place *place)
{
    struct symbols_place all[MOST_DEPTH];
    for (size_t i = entry; i-- > 0;) {
        if (!same_callers(&n->trace->entries[i], &n->trace->entries[entry]))
            continue;
        if (!places_stack(n, i, true, all, MOST_DEPTH) || places_is_system(&all[0]))
            continue;
        *place = all[0];
        place->line = 0;
        return true;
    }
    return false;
}

bool places_own(const struct names *n, size_t entry, struct symbols_place *place)
{
    struct symbols_place all[MOST_DEPTH];
    size_t count = entry < n->trace->count ? places_stack(n, entry, true, all, MOST_DEPTH) : 0, at = 0;
    if (!count)
        return false;
    if (places_is_system(&all[0]) && !all[0].file && function_before(n, entry, place))
        return true;
    if (may_be_wrapped(&n->trace->entries[entry]))
        while (at + 1 < count && is_wrapper(&all[at]))
            at++;
    *place = all[at];
    return place->function || place->file;
}

bool places_name(const struct names *n, size_t entry, struct buffer *out)
{
    struct symbols_place place;
    if (!n->trace || !places_own(n, entry, &place))
        return false;
    if (place.file && place.line)
        buffer_add(out, "%s:%d", place.file, place.line);
    else
        buffer_add(out, "%s", place.function ? place.function : place.file);
    return true;
}

bool places_is_foreign(const struct names *n, size_t entry)
{
    struct symbols_place first;
    return n->symbols && places_stack(n, entry, true, &first, 1) && places_is_system(&first);
}

bool places_is_framework(const struct names *n, size_t entry)
{
    struct symbols_place all[MOST_INLINED];
    const struct trace_entry *e = &n->trace->entries[entry];
    size_t count = n->symbols ? places_stack(n, entry, false, all, MOST_INLINED) : 0, at = 0;
    bool locks = trace_uses(e) && e->record.kind != OP_ONCE; // threads start and end in libraries, too
    while (at < count && !locks && places_is_system(&all[at]) && !in_test_framework(&all[at]))
        at++;
    return at < count && in_test_framework(&all[at]);
}

bool places_is_openmp(const struct names *n, uint64_t pc)
{
    struct symbols_place first;
    return n->symbols && symbols_places(n->symbols, pc, &first, 1) && in_openmp(&first);
}
