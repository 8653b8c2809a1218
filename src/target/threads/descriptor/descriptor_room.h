// What other rooms may use of descriptors between threads. Its operations stand in the engine's table, like those of all families.
#ifndef TARGET_DESCRIPTOR_ROOM_H
#define TARGET_DESCRIPTOR_ROOM_H

#include <stdbool.h>
#include <stdint.h>

struct request;

uint32_t fd_more_objects(const struct request *r); // that it waits for besides its own

// To be called before something is printed to a descriptor that is not the standard output or error: comes back only if that is the
// kernel's.
void descriptor_print(int fd);

#endif
