// Sockets with names: TCP, UDP and Unix sockets by which threads of the program connect to each other. What flows then is in
// channels, as of socket pairs; here is what comes before: names, who listens, and connections that nobody has accepted yet.
//
// Only threads of the program are there. A name nobody listens at refuses; addresses of other machines are refused as something
// that heddle does not follow.
//
// Everything that happens to such sockets is one object to the search: who connects may meet any listener, and a socket that is
// used by one thread may be connected by another. Connecting passes on what the connecting thread did to the one that accepts,
// and listening to the one that connects.
#ifndef TARGET_ENDPOINTS_H
#define TARGET_ENDPOINTS_H

#include <sys/socket.h>

#include "target/threads/descriptor/descriptors.h"

enum { MOST_PATH = 108, MOST_WAITING = 16 };

enum endpoint_state { ENDPOINT_NEW, ENDPOINT_LISTENS, ENDPOINT_CONNECTED };

struct endpoint_name {
    uint32_t family;
    uint32_t port;   // of TCP, as the machine has it; 0: none
    uint32_t length; // of the path of a Unix socket; 0: none
    char path[MOST_PATH];
};

struct endpoint {
    uint32_t state;     // enum endpoint_state
    uint32_t announced; // connect has said that it is connected; of datagrams: there is a peer
    uint32_t at_path;   // its own name is a path that is there, also once it is closed (fd_paths.c)
    uint32_t shut;      // of datagrams: what was shut down (fd_datagrams.c)
    struct endpoint_name own, peer;
    uint32_t room; // for connections that nobody has accepted yet
    uint32_t waiting;
    uint32_t queue[MOST_WAITING]; // their files, oldest first
};

struct endpoint *endpoint_of(const struct file *f); // null: a socket of a pair
bool is_tcp(const struct file *f);
void keep_endpoint(struct endpoint *e);
uint32_t endpoint_new(struct thread *t, const struct endpoint_name *own); // number, for the file
uint32_t endpoint_free_port(struct thread *t);
struct file *endpoint_named(const struct endpoint_name *name,
                            int type);                           // an open socket that has this name; null: none
struct file *endpoint_at_path(const struct endpoint_name *name); // a socket, open or closed, to which the path leads
bool endpoint_is_path(const struct endpoint_name *name);         // not one of the names that are no files

// fd_sockets.c: an address of the program's is read, and given. The first answers 0, or an error number; EADDRNOTAVAIL: that of
// another machine.
int endpoint_read_name(const struct sockaddr *address, socklen_t size, struct endpoint_name *name, const void *pc);
void endpoint_give_name(const struct endpoint_name *name, struct sockaddr *to, socklen_t *size, const void *pc);

// fd_datagrams.c
bool is_datagram(const struct file *f); // with an endpoint
void datagram_begin(struct file *f);
bool datagram_gets_lost(int fd, const void *pc); // whether what is sent there next does, which may be explored
bool datagram_has_room(struct fd_call *call, struct file *f);
long datagram_send(struct fd_call *call, struct thread *t, struct file *f);
long datagram_error(struct fd_call *call, struct file *f); // which is told once
long datagram_connect(struct fd_call *call, struct thread *t, struct file *f, const struct endpoint_name *name);
long datagram_shutdown(struct fd_call *call, struct thread *t, struct file *f);
uint32_t datagram_events(const struct file *f);
const struct channel *datagram_outlet(const struct file *f); // whose room it waits for; null: none

void endpoint_end(struct thread *t, struct file *f); // its last descriptor is closed
uint32_t endpoint_events(const struct file *f);      // of one that is not connected
bool endpoints_hold(uint64_t address);
void endpoint_mix(struct fingerprint *f, const struct endpoint *e);

// fd_make.c: connects two sockets by channels.
void sockets_join(struct file *one, struct file *other);
uint32_t make_socket(struct thread *t, uint64_t object, int type, int flags);

#endif
