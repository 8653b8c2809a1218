#define _GNU_SOURCE
#include "target/threads/library/framework_failures.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "model/framework.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/library/function_name.h"
#include "target/threads/library/imports.h"
#include "target/threads/library/last_words.h"
#include "target/threads/library/library_calls.h"
#include "target/threads/library/sentence.h"
#include "target/threads/memory/memory_room.h"

enum { DEPTH = 64, PRINTED = 2048 };

void heddle_framework_failed(const char *text, const char *file, int line);
void heddle_framework_cannot(const char *what);
void heddle_framework_expects(int number, int status);
int heddle_selects_test(const char *name);

static const struct framework_traits *here(void)
{
    return framework_traits(engine.rules.framework);
}

void framework_prepare(void)
{
    if (engine.rules.framework)
        unwind_prepare();
}

bool framework_trusts(const char *name, const char *library)
{
    return engine.rules.framework &&
           (library_is_listed(here()->trusted, name) || library_is_listed(here()->trusted, library));
}

// ---- where ----

static bool is_inside(uint64_t address)
{
    char symbol[256], start[64];
    if (!function_symbol(address, symbol, sizeof symbol))
        return false;
    for (const char *at = here()->inside; at && *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        snprintf(start, sizeof start, "%.*s", (int)length, at);
        if (text_begins(symbol, start))
            return true;
        at += length;
    }
    return false;
}

static const void *place_of_assertion(const void *otherwise)
{
    static uint64_t address[DEPTH];
    uint32_t count = unwind_callers(address, DEPTH);
    for (uint32_t i = 0; i < count; i++) {
        const char *library;
        if (home_of(address[i], &library) == HOME_PROGRAM && !is_inside(address[i] - 1))
            return (const void *)(uintptr_t)address[i];
    }
    return otherwise;
}

// ---- what ----

static _Noreturn void fail_assertion(struct thread *t, const char *file, int length, int line, const char *text,
                                     const void *pc)
{
    static char sentence[BUG_TEXT];
    engine.running = NULL;
    sentence_put(sentence, sizeof sentence, text);
    const void *place = place_of_assertion(pc);
    engine.running = t;
    if (line)
        fail_and_stop(t, BUG_ASSERTION, 0, place, "assertion failed in a test at %.*s:%d: %s", length, file, line,
                      sentence);
    fail_and_stop(t, BUG_ASSERTION, 0, place, "assertion failed in a test: %s", sentence);
}

// "FILE:LINE: …": how long the file's name is, and the line; 0 if there is none. `rest` is what follows.
static int split_place(const char *text, int *line, const char **rest)
{
    for (const char *colon = text; (colon = strchr(colon, ':')); colon++) {
        char *end;
        long number = strtol(colon + 1, &end, 10);
        if (end == colon + 1 || number <= 0 || *end != ':')
            continue;
        *line = (int)number;
        *rest = end + 1;
        return (int)(colon - text);
    }
    *line = 0;
    *rest = text;
    return 0;
}

static const char *skip(const char *text, const char *start)
{
    text = text_skip_blanks(text);
    return text_begins(text, start) ? text + strlen(start) : text;
}

// ---- how it shows ----

static const char *thrown_text(const void *exception)
{
    const char *text = ((const char *const *)exception)[1]; // std::runtime_error's
    return engine.rules.framework == FRAMEWORK_GTEST ? text : last_words_line();
}

void framework_throws(struct thread *t, const void *exception, const void *type)
{
    const char *name = ((const char *const *)type)[1], *rest;
    int line;
    name += *name == '*';
    engine.running = NULL; // what follows is heddle's own doing
    bool fails = here()->thrown && !strcmp(name, here()->thrown);
    engine.running = fails ? NULL : t;
    if (!fails)
        return;
    const char *text = thrown_text(exception);
    int length = split_place(text, &line, &rest);
    rest = skip(skip(rest, "Failure"), "failed:");
    fail_assertion(t, text, length, line, rest, NULL);
}

// cmocka prints what failed, and then where.
void framework_aborts(struct thread *t, const void *pc)
{
    const char *library, *rest;
    int line;
    engine.running = NULL;
    bool own = home_of((uint64_t)(uintptr_t)pc, &library) == HOME_OTHER && library_is_listed(here()->trusted, library);
    engine.running = t;
    if (!own)
        return;
    static char where[PRINTED];
    engine.running = NULL; // what follows is heddle's own doing
    snprintf(where, sizeof where, "%s", last_words_line());
    const char *place = strstr(where, "--- ");
    place = place ? place + 4 : where;
    int length = split_place(place, &line, &rest);
    const char *text = last_words_line();
    const char *what = strstr(text, "--- ");
    fail_assertion(t, place, length, line, what ? what + 4 : text, pc);
}

PUBLIC void heddle_framework_failed(const char *text, const char *file, int line)
{
    struct thread *t = engine.running;
    if (t && engine.rules.framework)
        fail_assertion(t, file, (int)plain_length(file, BUG_TEXT), line, text, __builtin_return_address(0));
}

// ---- ends that are expected ----

static uint64_t expected_signal, expected_status;

PUBLIC void heddle_framework_expects(int number, int status)
{
    if (!engine.running)
        return;
    undo_save_word(&engine.undo, &expected_signal);
    undo_save_word(&engine.undo, &expected_status);
    expected_signal = (uint32_t)number;
    expected_status = number ? 0 : (uint8_t)status;
}

bool framework_expects_signal(int number)
{
    return expected_signal && expected_signal == (uint32_t)number;
}

bool framework_judges_status(struct thread *t, uint32_t status, const void *pc)
{
    if (expected_signal)
        fail(t, BUG_EXIT, 0, pc, "the process ends with status %u, and the test was to end by signal %u", status,
             (uint32_t)expected_signal);
    else if (expected_status && status != expected_status)
        fail(t, BUG_EXIT, 0, pc, "the process ends with status %u, and the test was to end with %u", status,
             (uint32_t)expected_status);
    return expected_signal || expected_status;
}

// ---- which test ----

static void list_test(const char *path, const char *name)
{
    FILE *file = fopen(path, "a");
    if (!file)
        return;
    fprintf(file, "%s\n", name);
    fclose(file);
}

PUBLIC int heddle_selects_test(const char *name)
{
    struct thread *t = engine.running;
    engine.running = NULL; // heddle's own doing
    const char *list = getenv(FRAMEWORK_LIST_VARIABLE), *wanted = getenv(FRAMEWORK_TEST_VARIABLE);
    if (list && !t)
        list_test(list, name);
    int selected = !(list && !t) && (!wanted || !strcmp(wanted, name));
    engine.running = t;
    return selected;
}

PUBLIC void heddle_framework_cannot(const char *what)
{
    if (engine.running)
        unsupported(engine.running, what);
}
