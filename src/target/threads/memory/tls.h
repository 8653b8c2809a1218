// Thread-local storage: each fiber borrows the block of a real thread that is parked for good, so that variables of the
// program declared thread-local, and what libraries keep per thread, are its own.
//
// The thread that lends the block is started once and sleeps for ever. Switching fibers writes the FS register
// (`wrfsbase`, or `arch_prctl` where that is not allowed). If only the C library has thread-local variables, only errno
// is switched, which is cheaper.
#ifndef TARGET_TLS_H
#define TARGET_TLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Whether anything but the C library has thread-local variables, or the program calls a function of the C library that keeps
// something for each thread. If not, errno is all that fibers need, and switching is cheaper without.
bool tls_is_used(void);

// The thread pointer of an actor, its variables as a new thread finds them. Actor 0 has the process's own.
void *tls_borrow(uint32_t actor, bool again); // `again`: another thread had it before in this execution

// The variables that belong to a thread pointer.
const uint8_t *tls_block(void *thread_pointer, size_t *size);

// The current one. To the compiler __builtin_thread_pointer gives the same in all of a function, so that it may be read after
// another one was entered.
static inline void *tls_current(void)
{
    void *thread_pointer;
    __asm__ volatile("movq %%fs:0, %0" : "=r"(thread_pointer) : : "memory");
    return thread_pointer;
}

// Libraries that are opened while the program runs have no room in those blocks: the dynamic linker gives each thread a
// block of its own at its first access, which no restart would put back. Theirs lie in what the C library keeps free
// below the others, for libraries that it opens itself, and __tls_get_addr says so. tls_add_opened is told of a module while
// it is loaded, and tls_place_opened, when all are, whether they found room.
void tls_add_opened(size_t module, const void *start, size_t filled, size_t size, size_t alignment);
bool tls_place_opened(void);
bool tls_has_opened(void);            // … any variables
void tls_renew_opened(size_t module); // those of all threads are again as they were at first

// Makes it the current one.
void tls_enter(void *thread_pointer);

#endif
