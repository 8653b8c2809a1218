// What other rooms may use of descriptors between threads. Its operations stand in the engine's table, like those of all families.
#ifndef TARGET_DESCRIPTOR_ROOM_H
#define TARGET_DESCRIPTOR_ROOM_H

#include <stdbool.h>
#include <stdint.h>

#include "model/fingerprint.h"

struct request;
struct release;

uint32_t fd_more_objects(const struct request *r); // that it waits for besides its own

// To be called before something is printed to a descriptor that is not the standard output or error: comes back only if that is the
// kernel's.
void descriptor_print(int fd);

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
