// Thread-specific data: values by key and thread, with destructors when a thread ends.
#define _GNU_SOURCE
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "target/threads/library/library_room.h"
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

int key_create(pthread_key_t *key, void (*destructor)(void *), const void *pc)
{
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

int key_delete(pthread_key_t key)
{
    if (!is_key(key))
        return EINVAL;
    set_word(&specific.keys[key].used, 0);
    return 0;
}

PUBLIC int pthread_key_delete(pthread_key_t key)
{
    return engine.running ? key_delete(key) : key_adopt_end(NATIVE(pthread_key_delete)(key), key);
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

void keys_begin(struct thread *t)
{
    if (!t->actor) // it has what libraries gave it before main
        return;
    for (unsigned i = 0; i < specific.used; i++)
        if (specific.values[t->actor][i])
            set_word(&specific.values[t->actor][i], 0);
}

void keys_destroy(struct thread *t)
{
    bool any = specific.used;
    for (int round = 0; any && round < ROUNDS; round++) {
        any = false;
        for (unsigned i = 0; i < specific.used; i++) {
            void *value = specific.values[t->actor][i];
            if (!value || !specific.keys[i].used || !specific.keys[i].destructor)
                continue;
            any = true;
            set_word(&specific.values[t->actor][i], 0);
            specific.keys[i].destructor(value);
        }
    }
}

ALSO(__pthread_key_create, pthread_key_create);
ALSO(__pthread_getspecific, pthread_getspecific);
ALSO(__pthread_setspecific, pthread_setspecific);
