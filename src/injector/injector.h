// The injector, which `heddle inject` loads into a program that runs natively. Functions of injected_*.c stand in front of those
// that can be given a fault: each asks `injector_asks` first, and does what the plan says (model/injection.h).
//
// Nothing here allocates by malloc, which is the program's. What a thread has for itself is touched by it alone.
#ifndef INJECTOR_H
#define INJECTOR_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/paths.h"
#include "model/injection.h"

#define PUBLIC __attribute__((visibility("default")))
#define HERE __builtin_return_address(0)

struct injector_thread {
    uint32_t number;   // in injection_block.threads
    uint32_t children; // that it has created
    uint32_t forks;    // that it has made
    uint64_t path;
    bool known;
    const void *allocates_at; // who calls operator new, while that calls malloc …
    bool allocates_nothing;   // … which is to fail
    const void *planned_at;   // the call of the plan's point
};

extern __thread struct injector_thread injector_self;
extern struct injection_block *injector_block; // null: the program runs as if there were no injector
extern uint64_t injector_watched;              // bits by injection_call

// The rare part of injector_asks.
enum injection_way injector_look(enum injection_call call, const void *pc);

// What is to happen at this call, which the program makes at `pc`.
static IN_PLACE enum injection_way injector_asks(enum injection_call call, const void *pc)
{
    return unlikely(injector_watched >> call & 1) ? injector_look(call, pc) : INJECT_NOTHING;
}

// Its number in injection_block.module; UINT32_MAX: it is the system's, or heddle's.
uint32_t injector_module(const char *path);

// The fault has happened, which stands in the trace. It is told only once it has, so that a plan that could not be carried out
// is not taken for one.
void injector_done(void);

uint32_t injector_bit(void); // that the plan has

// As pthread_create, for the call by that name at `pc`.
int injector_create(enum injection_call call, pthread_t *handle, const pthread_attr_t *attributes,
                    void *(*start)(void *), void *argument, const void *pc);

// Sets errno as the way says, and returns true if the way is an error at all.
bool injector_fails(enum injection_way way);

// The next definition of this function behind the injector's. It must exist.
void *injector_next(const char *name);
#define NEXT(name)                                                                                                     \
    ({                                                                                                                 \
        static __typeof__(&name) next_##name;                                                                          \
        if (unlikely(!next_##name))                                                                                    \
            next_##name = (__typeof__(&name))injector_next(#name);                                                     \
        next_##name;                                                                                                   \
    })

#endif
