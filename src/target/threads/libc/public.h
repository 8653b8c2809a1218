// What the interposed C library functions (libc_*.c) share.
//
// Code of the runtime must not call memcpy and the like, which are the program's: plain_move, plain_fill and
// plain_length below are for it. Where it calls into the C library, engine.running is null, so that interposed
// functions behave as the C library's.
#ifndef TARGET_PUBLIC_H
#define TARGET_PUBLIC_H

#include <stddef.h>
#include <stdint.h>

#include "base/also.h"
#include "target/threads/memory/access.h"

// The library is built with -fvisibility=hidden; what is to stand in front of libc's symbol of the same name is PUBLIC.
#define PUBLIC __attribute__((visibility("default")))
#define HIDDEN __attribute__((visibility("hidden")))

// State of the program under test that libc would keep in its own data (strtok's place): not the engine's, so it has to
// be put back at a restart like the program's .data. It lies from __start_program_state to __stop_program_state.
#define PROGRAM_STATE __attribute__((section("program_state")))

// What the runtime knows of the process it is in (where a thread's block lies, memory it has mapped): where executions run
// in processes of their own, it is put back to what it was before the first of them. Everything else survives.
#define PROCESS_STATE __attribute__((section("process_state")))

// The place in the program that an interposed function was called from, if what it does is to be reported; else NULL.
// Only in the exported function itself.
#define CALLER() (under_control() ? __builtin_return_address(0) : NULL)

// ---- byte functions for the engine's own use ----
//
// They report nothing and bind here, where memcpy and strlen would be the interposed ones. An empty asm keeps the
// compiler from making a call of memcpy, memset or strlen out of their loops.

enum { PLAIN_REP_FROM = 512 }; // where rep movsb overtakes a loop

typedef unsigned char byte;
typedef uint64_t plain16 __attribute__((vector_size(16), may_alias, aligned(1)));
typedef uint64_t plain8 __attribute__((may_alias, aligned(1)));
typedef uint32_t plain4 __attribute__((may_alias, aligned(1)));
typedef uint16_t plain2 __attribute__((may_alias, aligned(1)));

#define PLAIN_LOOP() __asm__ volatile("")

// NOLINTBEGIN(clang-analyzer-core.uninitialized.Assign): what is moved may well not have been set
// For size <= 32: everything is loaded before anything is stored, so overlap does no harm.
static inline void plain_move_small(byte *to, const byte *from, size_t size)
{
#define MOVE_ENDS(type)                                                                                                \
    do {                                                                                                               \
        type head = *(const type *)from, tail = *(const type *)(from + size - sizeof head);                            \
        *(type *)to = head;                                                                                            \
        *(type *)(to + size - sizeof head) = tail;                                                                     \
    } while (0)
    if (size >= 16)
        MOVE_ENDS(plain16);
    else if (size >= 8)
        MOVE_ENDS(plain8);
    else if (size >= 4)
        MOVE_ENDS(plain4);
    else if (size >= 2)
        MOVE_ENDS(plain2);
    else if (size)
        *to = *from;
#undef MOVE_ENDS
}
// NOLINTEND(clang-analyzer-core.uninitialized.Assign)

// memmove
static inline void *plain_move(void *target, const void *source, size_t size)
{
    byte *to = (byte *)target;
    const byte *from = (const byte *)source;
    size_t ahead = (uintptr_t)to - (uintptr_t)from; // huge if `to` is below
    if (size <= 32) {
        plain_move_small(to, from, size);
    } else if (ahead < size) { // a forward copy would overwrite what it has yet to read
        plain16 head = *(const plain16 *)from;
        for (size_t left = size; left > 16; left -= 16) {
            *(plain16 *)(to + left - 16) = *(const plain16 *)(from + left - 16);
            PLAIN_LOOP();
        }
        *(plain16 *)to = head;
    } else if (size >= PLAIN_REP_FROM && -ahead >= size) {
        __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
    } else {
        plain16 tail = *(const plain16 *)(from + size - 16);
        for (size_t at = 0; at < size - 16; at += 16) {
            *(plain16 *)(to + at) = *(const plain16 *)(from + at);
            PLAIN_LOOP();
        }
        *(plain16 *)(to + size - 16) = tail;
    }
    return target;
}

// memset
static inline void *plain_fill(void *target, int value, size_t size)
{
    byte *to = (byte *)target;
    uint64_t word = (byte)value * 0x0101010101010101u;
    if (size >= PLAIN_REP_FROM) {
        __asm__ volatile("rep stosb" : "+D"(to), "+c"(size) : "a"(value) : "memory");
    } else if (size >= 16) {
        plain16 wide16 = {word, word};
        for (size_t at = 0; at < size - 16; at += 16) {
            *(plain16 *)(to + at) = wide16;
            PLAIN_LOOP();
        }
        *(plain16 *)(to + size - 16) = wide16;
    } else if (size >= 8) {
        *(plain8 *)to = word;
        *(plain8 *)(to + size - 8) = word;
    } else {
        for (; size; size--) {
            *to++ = (byte)value;
            PLAIN_LOOP();
        }
    }
    return target;
}

// strnlen
static inline size_t plain_length(const char *text, size_t most)
{
    size_t at = 0;
    while (at < most && text[at]) {
        at++;
        PLAIN_LOOP();
    }
    return at;
}

// Where the first difference of two ranges stands, or `size`.
static inline size_t plain_differ(const void *first, const void *second, size_t size)
{
    const byte *one = (const byte *)first, *other = (const byte *)second;
    size_t at = 0;
    for (; size - at >= 64; at += 64) {
        const plain16 *p = (const plain16 *)(one + at), *q = (const plain16 *)(other + at);
        plain16 wrong = (p[0] ^ q[0]) | (p[1] ^ q[1]) | (p[2] ^ q[2]) | (p[3] ^ q[3]);
        if (wrong[0] | wrong[1])
            break;
    }
    while (size - at >= 8 && *(const plain8 *)(one + at) == *(const plain8 *)(other + at))
        at += 8;
    while (at < size && one[at] == other[at])
        at++;
    return at;
}

// strnlen for a text of the program, its bytes and its end reported as read unless pc is NULL (libc_string.c). No other
// thread has run since the last byte was looked at.
HIDDEN size_t reported_length(const char *text, size_t most, const void *pc);

// For the X-macro list of a file's functions that go on to libc: a pointer each, and its initialisation by RTLD_NEXT.
#define NEXT_POINTER(name) static __typeof__(name) *libc_##name;
#define NEXT_RESOLVE(name) libc_##name = (__typeof__(libc_##name))dlsym(RTLD_NEXT, #name);

#endif
