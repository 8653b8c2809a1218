// The random sequences that the C library keeps for the whole process, in front of its own: rand and random draw from one, the
// drand48 family from another. Which thread draws which number depends on their order, so each call is an event on its sequence.
// The numbers are the C library's: its functions compute them, from state that heddle can put back.
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>

#include "target/threads/library/library_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/native.h"
#include "target/threads/libc/public.h"
#include "target/threads/pthread/pthread_room.h"

enum { STATE_BYTES = 128 }; // as much as the C library begins with

static PROGRAM_STATE struct random_data sequence = {0};
static PROGRAM_STATE int32_t first_state[STATE_BYTES / sizeof(int32_t)] = {0};
static PROGRAM_STATE struct drand48_data linear = {0};

// A call that uses what the C library keeps for all threads.
static void take_turn(const char *name, const void *shared, const void *pc)
{
    struct thread *t = engine.running;
    if (!t)
        return;
    ask(t, OP_LIBRARY, 0, place_at((uint64_t)(uintptr_t)shared), pc)->operand = (uintptr_t)name;
    visible(t);
}

// What a draw changes is kept: the places in the state, and the number it adds to.
static void keep_sequence(void)
{
    if (!engine.running)
        return;
    undo_save(&engine.undo, &sequence, sizeof sequence);
    undo_save(&engine.undo, first_state, sizeof first_state);
}

static void begin_sequence(void)
{
    if (sequence.state)
        return;
    keep_sequence();
    initstate_r(1, (char *)first_state, STATE_BYTES, &sequence);
}

// A state that the program gave is the program's memory.
static void change_given_state(const void *pc)
{
    bool own = sequence.state == first_state + 1;
    if (engine.running && !own)
        access_write(
            sequence.state - 1,
            (size_t)((char *)(sequence.end_ptr ? sequence.end_ptr : sequence.state + 1) - (char *)(sequence.state - 1)),
            pc);
}

static long libc_sequence_draw(const char *name, const void *pc)
{
    int32_t number = 0;
    take_turn(name, &sequence, pc);
    begin_sequence();
    keep_sequence();
    change_given_state(pc);
    random_r(&sequence, &number);
    return number;
}

PUBLIC int rand(void)
{
    return early_is_controlled() ? (int)libc_sequence_draw("rand", HERE) : NATIVE(rand)();
}

PUBLIC long random(void)
{
    return early_is_controlled() ? libc_sequence_draw("random", HERE) : NATIVE(random)();
}

static void seed_sequence(const char *name, unsigned seed, const void *pc)
{
    take_turn(name, &sequence, pc);
    begin_sequence();
    keep_sequence();
    change_given_state(pc);
    srandom_r(seed, &sequence);
}

PUBLIC void srand(unsigned seed)
{
    if (early_is_controlled())
        seed_sequence("srand", seed, HERE);
    else
        NATIVE(srand)(seed);
}

PUBLIC void srandom(unsigned seed)
{
    if (early_is_controlled())
        seed_sequence("srandom", seed, HERE);
    else
        NATIVE(srandom)(seed);
}

PUBLIC char *initstate(unsigned seed, char *state, size_t size)
{
    if (!early_is_controlled())
        return NATIVE(initstate)(seed, state, size);
    take_turn("initstate", &sequence, HERE);
    begin_sequence();
    keep_sequence();
    change_given_state(HERE);
    char *before = (char *)(sequence.state - 1);
    if (engine.running)
        access_write(state, size, HERE);
    return initstate_r(seed, state, size, &sequence) ? NULL : before;
}

PUBLIC char *setstate(char *state)
{
    if (!early_is_controlled())
        return NATIVE(setstate)(state);
    take_turn("setstate", &sequence, HERE);
    begin_sequence();
    keep_sequence();
    change_given_state(HERE);
    char *before = (char *)(sequence.state - 1);
    if (engine.running && state != (char *)first_state)
        access_read(state, sizeof(int32_t), HERE);
    return setstate_r(state, &sequence) ? NULL : before;
}

// ---- drand48 and its family ----

static void take_linear_turn(const char *name, const void *pc)
{
    take_turn(name, &linear, pc);
    if (engine.running)
        undo_save(&engine.undo, &linear, sizeof linear);
}

#define DRAWS(result, name)                                                                                            \
    PUBLIC result name(void)                                                                                           \
    {                                                                                                                  \
        result number = 0;                                                                                             \
        if (!early_is_controlled())                                                                                    \
            return NATIVE(name)();                                                                                     \
        take_linear_turn(#name, HERE);                                                                                 \
        name##_r(&linear, &number);                                                                                    \
        return number;                                                                                                 \
    }
DRAWS(double, drand48)
DRAWS(long, lrand48)
DRAWS(long, mrand48)

// Only lcong48 changes what these take from the process.
#define DRAWS_FROM(result, name)                                                                                       \
    PUBLIC result name(unsigned short numbers[3])                                                                      \
    {                                                                                                                  \
        result number = 0;                                                                                             \
        if (!early_is_controlled())                                                                                    \
            return NATIVE(name)(numbers);                                                                              \
        if (engine.running && image_imports("lcong48"))                                                                \
            take_turn(#name, &linear, HERE);                                                                           \
        if (engine.running) {                                                                                          \
            access_read(numbers, 3 * sizeof *numbers, HERE);                                                           \
            access_write(numbers, 3 * sizeof *numbers, HERE);                                                          \
            undo_save(&engine.undo, &linear, sizeof linear);                                                           \
        }                                                                                                              \
        name##_r(numbers, &linear, &number);                                                                           \
        return number;                                                                                                 \
    }
DRAWS_FROM(double, erand48)
DRAWS_FROM(long, nrand48)
DRAWS_FROM(long, jrand48)

PUBLIC void srand48(long seed)
{
    if (!early_is_controlled()) {
        NATIVE(srand48)(seed);
        return;
    }
    take_linear_turn("srand48", HERE);
    srand48_r(seed, &linear);
}

PUBLIC unsigned short *seed48(unsigned short numbers[3])
{
    if (!early_is_controlled())
        return NATIVE(seed48)(numbers);
    take_linear_turn("seed48", HERE);
    if (engine.running)
        access_read(numbers, 3 * sizeof *numbers, HERE);
    seed48_r(numbers, &linear);
    return linear.__old_x;
}

PUBLIC void lcong48(unsigned short numbers[7])
{
    if (!early_is_controlled()) {
        NATIVE(lcong48)(numbers);
        return;
    }
    take_linear_turn("lcong48", HERE);
    if (engine.running)
        access_read(numbers, 7 * sizeof *numbers, HERE);
    lcong48_r(numbers, &linear);
}
