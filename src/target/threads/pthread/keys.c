// Thread-specific data: values by key and thread, with destructors when a thread ends.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "target/threads/library/library_room.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

enum { KEYS = PTHREAD_KEYS_MAX, ROUNDS = PTHREAD_DESTRUCTOR_ITERATIONS };

static struct {
    struct key {
        uint64_t used;
        void (*destructor)(void *);
    } keys[KEYS];
    void *values[MAX_ACTORS][KEYS];
    uint64_t used; // keys from here on were never created in this execution: threads need not look at them
} specific;

static void set_word(void *where, uint64_t value)
{
    undo_save_word(&engine.undo, where);
    *(uint64_t *)where = value;
}

void keys_copy(const struct thread *from, const struct thread *to)
{
    for (unsigned i = 0; i < specific.used; i++)
        set_word(&specific.values[to->actor][i], (uint64_t)(uintptr_t)specific.values[from->actor][i]);
}

static bool is_key(pthread_key_t key)
{
    return key < KEYS && specific.keys[key].used;
}

// Which number a key gets depends on which others there are.
int key_create(pthread_key_t *key, void (*destructor)(void *), const void *pc)
{
    settings_change("pthread_key_create", &specific, pc);
    for (unsigned i = 0; i < KEYS; i++) {
        if (specific.keys[i].used)
            continue;
        set_word(&specific.keys[i].used, 1);
        if (specific.used <= i)
            set_word(&specific.used, i + 1);
        set_word(&specific.keys[i].destructor, (uint64_t)(uintptr_t)destructor);
        for (uint32_t actor = 0; actor < engine.exec.known; actor++)
            if (specific.values[actor][i])
                set_word(&specific.values[actor][i], 0);
        access_write(key, sizeof *key, pc);
        *key = i;
        return 0;
    }
    return EAGAIN;
}

// Libraries have made keys before main. Those have the same numbers here as in the C library.
int key_adopt(int error, const pthread_key_t *key, void (*destructor)(void *))
{
    if (!error && early_is_now() && *key < KEYS) {
        specific.keys[*key] = (struct key){1, destructor};
        specific.used = specific.used > *key ? specific.used : *key + 1;
    }
    return error;
}

int key_adopt_value(int error, pthread_key_t key, const void *value)
{
    if (!error && early_is_now() && key < KEYS)
        specific.values[0][key] = (void *)(uintptr_t)value;
    return error;
}

int key_adopt_end(int error, pthread_key_t key)
{
    if (!error && early_is_now() && key < KEYS) {
        specific.keys[key].used = 0;
        specific.values[0][key] = NULL;
    }
    return error;
}

PUBLIC int pthread_key_create(pthread_key_t *key, void (*destructor)(void *))
{
    return engine.running ? key_create(key, destructor, HERE)
                          : key_adopt(NATIVE(pthread_key_create)(key, destructor), key, destructor);
}

// A thread that ends later does not run the destructor any more.
int key_delete(pthread_key_t key, const void *pc)
{
    settings_change("pthread_key_delete", &specific, pc);
    if (!is_key(key))
        return EINVAL;
    set_word(&specific.keys[key].used, 0);
    return 0;
}

PUBLIC int pthread_key_delete(pthread_key_t key)
{
    return engine.running ? key_delete(key, HERE) : key_adopt_end(NATIVE(pthread_key_delete)(key), key);
}

void *key_get(pthread_key_t key)
{
    return is_key(key) ? specific.values[engine.running->actor][key] : NULL;
}

PUBLIC void *pthread_getspecific(pthread_key_t key)
{
    return engine.running ? key_get(key) : NATIVE(pthread_getspecific)(key);
}

int key_set(pthread_key_t key, const void *value)
{
    if (!is_key(key))
        return EINVAL;
    set_word(&specific.values[engine.running->actor][key], (uint64_t)(uintptr_t)value);
    return 0;
}

PUBLIC int pthread_setspecific(pthread_key_t key, const void *value)
{
    return engine.running ? key_set(key, value) : key_adopt_value(NATIVE(pthread_setspecific)(key, value), key, value);
}

// Keys that the C library does not have yet. It gives out the lowest number that is free, which some of them leave out.
static void keys_make_natively(void)
{
    pthread_key_t holes[KEYS];
    uint32_t hole_count = 0;
    for (pthread_key_t key; !NATIVE(pthread_key_create)(&key, NULL);) {
        if (key >= specific.used) {
            NATIVE(pthread_key_delete)(key);
            break;
        }
        if (!specific.keys[key].used) {
            holes[hole_count++] = key;
            continue;
        }
        NATIVE(pthread_key_delete)(key);
        NATIVE(pthread_key_create)(&key, specific.keys[key].destructor);
    }
    while (hole_count)
        NATIVE(pthread_key_delete)(holes[--hole_count]);
}

void keys_hand_over(const struct thread *t)
{
    if (!specific.used)
        return;
    keys_make_natively();
    for (unsigned i = 0; i < specific.used; i++)
        if (specific.keys[i].used)
            NATIVE(pthread_setspecific)(i, specific.values[t->actor][i]);
}

void keys_begin(struct thread *t)
{
    if (!t->actor) // it has what libraries gave it before main
        return;
    for (unsigned i = 0; i < specific.used; i++)
        if (specific.values[t->actor][i])
            set_word(&specific.values[t->actor][i], 0);
}

// Whether a destructor is to be called: keys that were deleted have none.
static bool is_destroyed(const struct thread *t, unsigned key)
{
    return specific.values[t->actor][key] && specific.keys[key].used && specific.keys[key].destructor;
}

// A thread looks for the next key with a destructor at a definite moment: another may delete one before or after that.
static unsigned key_to_destroy(const struct thread *t, unsigned from)
{
    unsigned key = from;
    while (key < specific.used && !is_destroyed(t, key))
        key++;
    if (key == specific.used || !imported.key_deletion)
        return key;
    settings_look("destructor of a key", &specific, NULL);
    return is_destroyed(t, key) ? key : key_to_destroy(t, key + 1);
}

void keys_destroy(struct thread *t)
{
    bool any = specific.used;
    for (int round = 0; any && round < ROUNDS; round++) {
        any = false;
        for (unsigned i = 0; (i = key_to_destroy(t, i)) < specific.used; i++) {
            void *value = specific.values[t->actor][i];
            any = true;
            set_word(&specific.values[t->actor][i], 0);
            specific.keys[i].destructor(value);
        }
    }
}

ALSO(__pthread_key_create, pthread_key_create);
ALSO(__pthread_getspecific, pthread_getspecific);
ALSO(__pthread_setspecific, pthread_setspecific);
