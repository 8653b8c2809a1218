// What the families of calls need of each other: the calls themselves with the place they were called from, for those
// that are made of others (C11 threads, timed variants).
//
// Rules that several families keep:
//
// - A wait on a condition variable with a time-out, one that may be woken spuriously, and one that may be cancelled
//   begin with a choice, since they let their mutex go and others may signal: the thread is never among the waiters if
//   it was not signalled. An execution that chose to wait and waits for ever is *blocked*: it is the other choice once
//   more. (Other timed calls are tries: see below.)
// - Cancellation and the order of signal masks are events only in programs that have pthread_cancel or pthread_kill in
//   them.
// - State of a thread that only one family needs stands in an array of that family, by actor. It is kept in the undo
//   log whenever it changes, and thread_begin puts it to its beginning.
#ifndef TARGET_SURFACE_H
#define TARGET_SURFACE_H

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

#include "target/threads/engine/engine.h"
#include "target/threads/library/imported.h"

#define HERE __builtin_return_address(0)

// pthreads.c
pthread_t handle_of(uint32_t actor);
struct thread *thread_of(pthread_t handle); // NULL if there is no such thread
int thread_create(struct thread *t, pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                  void *argument, const void *pc);
int thread_unknown(pthread_t handle, const char *does, const void *pc); // it is no thread's: a bug, and an error
int thread_detach(pthread_t handle, const void *pc);
int thread_join(struct thread *t, pthread_t handle, void **value, const void *pc);
int thread_tryjoin(struct thread *t, pthread_t handle, void **value, const void *pc); // EBUSY if it has not ended

// mutexes.c
void mutex_begin(const pthread_mutex_t *m); // once the C library has initialised it
// The mutex as an object, after checking that it may be used; `how` says in the report what is done with it ("locks"). 0 if it was
// destroyed, and that is tolerated.
uint32_t mutex_object(struct thread *t, const pthread_mutex_t *m, const char *how, const void *pc);
int mutex_type(const pthread_mutex_t *m);
int mutex_destroy(struct thread *t, pthread_mutex_t *m, const void *pc);
int mutex_lock(struct thread *t, pthread_mutex_t *m, const void *pc);
int mutex_try(struct thread *t, pthread_mutex_t *m, const void *pc); // EBUSY if somebody has it
int mutex_let_go(struct thread *t, uint32_t number, const void *pc); // held once, by this thread
int mutex_unlock(struct thread *t, pthread_mutex_t *m, const void *pc);

// Ends in a report if another process uses the object too and `for_several` is not so. `how` does what to it ("locks a mutex"),
// and `by` says how it would have been made for several.
void check_processes(struct thread *t, uint32_t number, bool for_several, const char *how, const char *by,
                     const void *pc);

// conditions.c
// Until no thread waits at the condition variable or barrier. (An execution in which it looks too early is cut.)
void await_nobody(struct thread *t, struct place *place, const void *pc);
int cond_init(pthread_cond_t *c, const pthread_condattr_t *attributes, const void *pc);
int cond_destroy(struct thread *t, pthread_cond_t *c, const void *pc);
int cond_wait(struct thread *t, pthread_cond_t *c, pthread_mutex_t *m, const void *pc);
int cond_timedwait(struct thread *t, pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                   const struct timespec *until, const void *pc);
int cond_wake(struct thread *t, enum op_kind kind, const pthread_cond_t *c, const void *pc);

// robust.c
static inline bool mutex_is_robust(const pthread_mutex_t *m)
{
    enum { ROBUST = 16 }; // in the mutex's own kind, as the C library puts it there
    return m->__data.__kind & ROBUST;
}
int robust_taken(struct thread *t, const pthread_mutex_t *m, uint32_t number, const void *pc); // what a lock answers
void robust_leaving(uint32_t number); // just before a robust one is let go
extern uint64_t robust_count;         // how many were locked in this execution
void robust_abandon_some(struct thread *t);
static inline void robust_abandon(struct thread *t) // which ends with all it holds
{
    if (unlikely(robust_count))
        robust_abandon_some(t);
}

// once.c
bool once_first(struct thread *t, uint64_t address, const void *pc);
void once_done(uint64_t address);
void once_undone(uint64_t address);                  // it did not come to its end: somebody else is to run it
void once_left(struct thread *t, const void *frame); // the same for all whose stack lies below the frame
int once_call(struct thread *t, void *control, void (*routine)(void), const void *pc);

// cxx.c
extern uint64_t thread_locals; // thread-local variables that are to be destroyed, of all threads; few programs have any
void thread_locals_destroy_some(struct thread *t);
static inline void thread_locals_destroy(struct thread *t) // of a thread that ends
{
    if (unlikely(thread_locals))
        thread_locals_destroy_some(t);
}
bool cxx_does_nothing(void (*function)(void *)); // a destructor that heddle stands in for
void cxx_prepare_streams(void);                  // before the first execution: in none of them anything is left to do

// keys.c
void keys_begin(struct thread *t);   // a new thread has no values, main what libraries gave it
void keys_destroy(struct thread *t); // runs the destructors of a thread that ends
// To the copy of a thread in a process that it forks.
void keys_copy(const struct thread *from, const struct thread *to);
void keys_hand_over(const struct thread *t); // the process goes on by itself: its keys become those of the C library
int key_create(pthread_key_t *key, void (*destructor)(void *), const void *pc);
int key_delete(pthread_key_t key, const void *pc);
void *key_get(pthread_key_t key);
int key_set(pthread_key_t key, const void *value);
int key_adopt(int error, const pthread_key_t *key,
              void (*destructor)(void *)); // made before main; the error is returned
int key_adopt_value(int error, pthread_key_t key, const void *value);
int key_adopt_end(int error, pthread_key_t key);

// timed.c
//
// A call that waits at most until some time is a try that the search may put off: it gets what it wants if that is there
// when it is its turn, and its time runs out if not. So both are explored wherever both are possible, and a time never
// runs out where nobody would have to wait.
bool is_clock(clockid_t clock); // one that a time may be given by
int timed_lock(struct thread *t, pthread_mutex_t *m, clockid_t clock, const struct timespec *until, const void *pc);
int timed_out(struct thread *t, clockid_t clock, const struct timespec *until, const void *pc); // ETIMEDOUT or EINVAL

// A try could see when something is let go or ends: from now on that is visible.
void see_letting_go(struct thread *t);

// barriers.c
void barrier_arrived(struct thread *last, struct place *barrier);

// semaphores.c
void semaphore_begin(sem_t *s, unsigned value, bool for_several);
void semaphore_end(sem_t *s); // whoever uses it from now on misuses it

// named_semaphores.c
void named_semaphores_prepare(void); // gives them their place

// process_settings.c
//
// The calling thread looks at something that the thread library keeps for all threads, or changes it: who comes first makes a
// difference. `kept` stands for it.
void settings_look(const char *call, const void *kept, const void *pc);
void settings_change(const char *call, const void *kept, const void *pc);
bool settings_of_new_thread(size_t *stack_size, int *detached); // by default; false: the program has set none

// identity.c
void identity_begin(struct thread *t, const struct thread *creator);
bool identity_can_be(const pthread_attr_t *attributes); // whether the policy that they ask for has such a priority
void identity_as_asked(const struct thread *child, const pthread_attr_t *attributes);

// signals.c
void signals_begin(struct thread *t, const struct thread *creator);
bool signals_block(const struct thread *t, int number);
bool signals_all_block(const struct thread *but, int number); // all threads, but perhaps one
uint64_t signals_pending(const struct thread *t);             // for a thread, or for the process if it is NULL
void signals_add_pending(const struct thread *t, int number);
int signals_take(const struct thread *t, uint64_t wanted, bool *of_process); // the thread's own first; 0: there is none
bool signals_are_handled(int number);                             // the program has said what the signal does
void signal_self(struct thread *t, int number, const void *pc);   // the running thread gets it, or it stays pending
int signal_process(struct thread *t, int number, const void *pc); // the running thread sends it to the process
void signal_look(int number, const void *pc); // before what it does is looked up, which others may change meanwhile
void signals_set_mask_of_new(const struct thread *t, const sigset_t *blocked); // as its attributes say
// What the running thread blocks, in a set that the kernel fills with what the worker blocks, or from there.
void signals_keep_mask(const struct thread *t, void *beside);
void signals_restore_mask(struct thread *t, const void *beside, const void *pc);
bool signal_ends_process(const struct thread *t, int number); // what it would do to the running thread

// refused.c
_Noreturn void refuse(struct thread *t, const char *name, const char *instead);

// cancel.c
void cancel_begin(struct thread *t);
void cancel_point_perhaps(struct thread *t, const void *pc);
static inline void cancel_point(struct thread *t, const void *pc) // the running thread ends if it was asked to
{
    if (unlikely(imported.cancel))
        cancel_point_perhaps(t, pc);
}
// At a call that may end the thread if it was asked to, or leave that to a later one: both are tried.
void cancel_point_if_it_likes(struct thread *t, const void *pc);
bool cancel_deafen(struct thread *t, bool deaf); // whether it is to end when asked to; says what was before
void cancel_wait(struct thread *t, pthread_mutex_t *m, const void *pc); // the same for a wait that lets a mutex go
bool cancel_ends_wait(const struct thread *t);                          // what it waits for it need not get

// leave.c
_Noreturn void thread_leave(struct thread *t, void *value); // runs the running thread's clean-up handlers, and ends it
_Noreturn void thread_end(struct thread *t, void *value);
void leave_begin(struct thread *t);

// libc_system.c
bool is_random_descriptor(int fd); // what the program has open as /dev/urandom or /dev/random

#endif
