// What other rooms may use of descriptors between threads. Its operations stand in the engine's table, like those of all families.
#ifndef TARGET_DESCRIPTOR_ROOM_H
#define TARGET_DESCRIPTOR_ROOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/fingerprint.h"

struct request;
struct release;
struct thread;

uint32_t fd_more_objects(const struct request *r); // that it waits for besides its own

// How many outcomes the thread's call has now: a timer that it looks at may have expired or not.
uint32_t timers_outcomes(struct thread *t);

// What timers are, as far as they matter to a loop that waits for them: which are set, for how long, and which have expired.
uint64_t timers_state(void);
bool timers_go_round(struct thread *t, uint32_t since); // the circle is no circle: to be gone round once more

// To be called before the program starts a process that is not followed, which could use what it inherits: if there are pipes,
// socket pairs or event counters, the search begins anew, with the kernel's own.
void descriptors_are_inherited(struct thread *t);

// Whether a number is that of a descriptor between threads; and what dprintf does there with its text. True if it was written.
bool is_descriptor(int fd);

// Where lseek is on a descriptor between threads: on what is no stream of bytes it stays at 0. Unknown: it is none, or closed.
enum file_position { POSITION_UNKNOWN, POSITION_NONE, POSITION_ALWAYS_0 };
enum file_position descriptor_position(int fd);

bool descriptor_print(int fd, const char *text, size_t size, const void *pc);
enum { MOST_PRINTED = 4096 }; // of dprintf: the C library writes that much at a time

// Paths of Unix sockets (fd_paths.c): a call that removes the path, or only needs it to be there. False: it is none of those, and the
// call is to be done. Otherwise it is done, and *result is 0 or the negated error number.
bool socket_path_call(struct thread *t, const char *path, bool removes, long *result, const void *pc);
void socket_path_is_file(struct thread *t, const char *path); // it is about to be changed in another way

// Signals in a program where several threads may take one, since it has a signalfd or sends signals to the process
// (fd_signals.c says what is different there).
bool signals_are_shared(void);
void signals_share(struct thread *t); // the search begins anew, unless they are
enum sent {
    SENT_PENDING,
    SENT_TO_CALLER,
    SENT_TO_OTHERS
}; // who does not block it: nobody, only the caller, others too
enum sent signal_send(struct thread *t, const struct thread *to, int number, const void *pc); // NULL: to the process
int signal_await(struct thread *t, uint64_t wanted, bool waits, bool *of_process, const void *pc); // 0: none was there
void signals_remask(struct thread *t, const void *pc); // it is about to change its mask, or looks at what is pending

// For states of the program (fd_state.c). Whether it is memory of descriptors: what they are is mixed into states by descriptors_mix,
// except for what reading from them or finding them closed passes on.
bool descriptors_own(uint64_t address);
void descriptors_mix(struct fingerprint *f);

// Each thing that may pass on what threads did: a name that two states have in common if it is the same to readers, and what
// it passes on.
typedef void passed_on(uint32_t name, const struct release *release);
void descriptors_each_passed(passed_on *each);

// Adds the threads that cannot take each other's places, since they have made descriptors, or a pointer to their memory
// is in a pipe or kept by an epoll.
void descriptors_pin(uint64_t *pinned);

#endif
