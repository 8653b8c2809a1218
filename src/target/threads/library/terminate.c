#include "target/threads/library/terminate.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/function_name.h"
#include "target/threads/library/imports.h"
#include "target/threads/library/last_words.h"
#include "target/threads/library/sentence.h"
#include "target/threads/memory/memory_room.h"

enum { DEPTH = 64 };

static bool terminates; // whether the program can

void terminate_prepare(void)
{
    terminates = image_imports("__cxa_throw") || image_imports("_ZSt9terminatev");
    if (terminates)
        unwind_prepare();
}

// clang makes a function that calls std::terminate.
static bool is_compilers(uint64_t address)
{
    char symbol[64];
    return function_symbol(address - 1, symbol, sizeof symbol) && !strcmp(symbol, "__clang_call_terminate");
}

static const void *innermost_own(const void *otherwise)
{
    static uint64_t address[DEPTH];
    uint32_t count = unwind_callers(address, DEPTH);
    for (uint32_t i = 0; i < count; i++) {
        const char *library;
        if (home_of(address[i], &library) == HOME_PROGRAM && !is_compilers(address[i]))
            return (const void *)(uintptr_t)address[i];
    }
    return otherwise;
}

void terminate_aborts(struct thread *t, const void *pc)
{
    static char text[BUG_TEXT];
    const char *library = "", *said;
    if (!terminates)
        return;
    engine.running = NULL; // heddle's own doing
    bool own = home_of((uint64_t)(uintptr_t)pc, &library) == HOME_SYSTEM &&
               (text_begins(library, "libstdc++.so") || text_begins(library, "libc++"));
    said = own ? last_words_from("terminate called") : NULL;
    sentence_put(text, sizeof text, said ? said : "std::terminate was called");
    const void *place = own ? innermost_own(pc) : pc;
    engine.running = t;
    if (own)
        fail_and_stop(t, BUG_ABORT, 0, place, "%s", text);
}
