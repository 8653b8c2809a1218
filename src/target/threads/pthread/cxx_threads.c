// std::thread: joining and detaching, in front of the library's own, which change the object unseen.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>

#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/pthread/surface.h"

// What a std::thread is: the handle of its thread, or 0.
typedef pthread_t cxx_thread;

// Programs take pointers to these members, and an odd address there would mean a virtual function.
#define MEMBER(name) __asm__(name) __attribute__((aligned(16)))
void cxx_join(cxx_thread *self) MEMBER("_ZNSt6thread4joinEv");
void cxx_detach(cxx_thread *self) MEMBER("_ZNSt6thread6detachEv");

// The library's own: it throws if there is nothing to join, and without heddle does all of it.
static void natively(const char *name, cxx_thread *self)
{
    void (*native)(cxx_thread *) = (void (*)(cxx_thread *))(uintptr_t)dlsym(RTLD_NEXT, name);
    native(self);
}

static _Noreturn void complain(int wrong)
{
    void (*native)(int) = (void (*)(int))(uintptr_t)dlsym(RTLD_DEFAULT, "_ZSt20__throw_system_errori");
    native(wrong);
    __builtin_unreachable();
}

static void cxx_threads_forget(cxx_thread *self, int wrong, const void *pc)
{
    if (wrong)
        complain(wrong);
    access_write(self, sizeof *self, pc);
    *self = 0;
}

PUBLIC void cxx_join(cxx_thread *self)
{
    const void *pc = CALLER();
    if (!pc || !*self) {
        natively("_ZNSt6thread4joinEv", self);
        return;
    }
    access_read(self, sizeof *self, pc);
    cxx_threads_forget(self, thread_join(engine.running, *self, NULL, pc), pc);
}

PUBLIC void cxx_detach(cxx_thread *self)
{
    const void *pc = CALLER();
    if (!pc || !*self) {
        natively("_ZNSt6thread6detachEv", self);
        return;
    }
    access_read(self, sizeof *self, pc);
    cxx_threads_forget(self, thread_detach(*self, pc), pc);
}

// set_value_at_thread_exit and its like. The library makes the result ready by code without hooks, so that nobody would see
// what that orders.
void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void *self);

PUBLIC void _ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv(void *self)
{
    if (engine.running)
        refuse(engine.running, "set_value_at_thread_exit of a promise", "set the value in the thread's last statement");
    NATIVE(_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv)(self);
}
