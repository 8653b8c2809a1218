// Descriptors between threads of one process: pipes, socket pairs, event counters, and what waits for them. They are made
// of the engine's own memory, which the log of changes puts back; the kernel knows nothing of them.
//
// As in the kernel, a *descriptor* is a number, and a *file* what one or more numbers stand for. Pipes and socket pairs
// are two files and one or two *channels* between them. A number is given out once in an execution and depends only on
// who asks for it and how often it has asked, so that creating needs no event. Whatever happens to the files of one pipe
// or pair is a visible operation on one object; once the program waits for several at a time, all are one object.
#ifndef TARGET_DESCRIPTORS_H
#define TARGET_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "check/race.h"
#include "target/threads/descriptor/descriptor_room.h"
#include "target/threads/engine/engine.h"
#include "model/fault.h"
#include "target/threads/pthread/surface.h"

enum { CHANNEL_BYTES = 65536, ATOMIC_BYTES = 4096 };

enum { OPTION_ABORTS = 2048 }; // of a socket: closing it resets the connection, whatever was read

enum file_kind {
    FILE_NONE,
    FILE_PIPE_READ,
    FILE_PIPE_WRITE,
    FILE_SOCKET,
    FILE_EVENT,
    FILE_TIMER,
    FILE_EPOLL,
    FILE_SIGNALS
};

// What flows in one direction.
struct channel {
    uint32_t head, fill; // of the bytes
    uint32_t capacity;
    uint32_t first, pieces; // of the pieces that were written; a message is one piece
    uint32_t messages;      // keeps boundaries
    uint32_t most;          // pieces, if it keeps boundaries
    uint32_t refuses;       // error number of writing: the reader is gone, or it was shut down
    uint32_t ended;         // nothing more will come
    uint32_t orphaned;      // of TCP: the reader is gone, which the writer learns after the next thing it writes
    uint32_t index;
    uint64_t written, drained; // change when something arrives and when there is room again: edges for epoll
    struct release closing;    // what closing it passes on
};

struct file {
    uint32_t kind; // enum file_kind
    uint32_t type; // of a socket
    uint32_t references;
    uint32_t flags;            // O_NONBLOCK
    uint32_t in, out;          // channels + 1; 0: none
    uint32_t peer;             // of a socket: file + 1
    uint32_t reset;            // error number that is still to be told: the peer closed without having read everything
    uint32_t semaphore;        // of an event counter
    uint32_t options;          // of a socket: see fd_options.c
    uint32_t endpoint;         // of a socket that may have a name: its number (endpoints.h)
    uint32_t epoll;            // its list of interest + 1
    uint32_t timer;            // its number, from 1
    uint64_t counter;          // of a signalfd: the signals that it tells of
    uint64_t written, drained; // as of a channel
    uint64_t object;           // address that stands for it and those it is connected with
    struct release release;    // of an event counter; of a socket: what listening or connecting passes on
};

// One call. It stands on the caller's stack; its request points to it, so it is tried as often as needed.
struct fd_call {
    bool (*ready)(struct fd_call *call);                 // false: it would have to wait
    long (*act)(struct fd_call *call, struct thread *t); // result, or the negated error number
    int fd;
    uint32_t file; // + 1, once it has been looked up: a call under way keeps its file
    bool held;     // it sleeps, and counts as a reference
    bool nonblocking;
    bool obeys;          // O_NONBLOCK of the file counts, as it is at the first try
    bool sampled;        // that has been
    bool changed;        // filled in by `act`: others can tell
    bool lasting;        // filled in: and more has changed than timers
    bool peeks;          // it is only asked whether it would be ready: nothing is to be left behind
    bool looks_at_timer; // whether its file, if that is a timer, has expired
    bool raises;         // filled in: SIGPIPE
    int unready;         // error number if it would have to wait and is nonblocking; 0: the answer is 0
    int flags;
    uint64_t number; // what else there is to say, by the kind of call
    const struct iovec *parts;
    bool own_parts; // they and what they point to are heddle's own
    size_t count, total, done;
    size_t most;   // bytes, if it is not 0, whatever the parts have room for
    bool lost;     // a datagram that does not arrive
    uint32_t from; // of a datagram: the sender's file, + 1
    int truncated; // filled in: bytes of the message that found no room
    void *more;
    uint64_t patience; // nanoseconds until its time runs out, if it is nonblocking
    // Of one that waits for several: tells of each file that it would look at.
    void (*each_file)(const struct fd_call *call, void (*each)(struct file *f, void *to), void *to);
};

// descriptors.c
uint32_t descriptor_limit(void);            // no descriptor is that large
struct file *file_of(struct fd_call *call); // null: closed
struct file *file_at(uint32_t number);
uint32_t file_number(const struct file *f);
uint32_t file_new(struct thread *t, enum file_kind kind, uint64_t object, uint32_t flags);
int descriptor_new(struct thread *t, uint32_t file, int least, bool close_on_exec);
uint64_t descriptor_object(struct thread *t); // address for what the thread is about to make
uint64_t descriptor_file_object(int fd);      // that of the file
void descriptor_made(struct thread *t, const char *what, uint64_t object, const void *pc);
bool descriptors_of_kernel(void); // pipes, socket pairs and event counters are the kernel's, for other processes to use
uint32_t *descriptor_flags(int fd);
uint32_t open_file(int fd); // file + 1, or 0
long descriptor_close(struct fd_call *call, struct thread *t);
void file_drop(struct thread *t, struct file *f); // one reference less
long fd_operate(struct thread *t, enum op_kind kind, struct fd_call *call, const void *pc);
uint32_t fd_place(struct thread *t, uint64_t object, bool several);
int fd_control(struct thread *t, int fd, long (*act)(struct fd_call *, struct thread *), int command, uint64_t number,
               const void *pc); // a call that never waits; fd_make.c
bool ready_at_once(struct fd_call *call);

bool numbers_hold(uint64_t address); // for fd_state.c: whether it is memory of numbers and files
void numbers_mix(struct fingerprint *f);
bool has_made_descriptors(uint32_t actor);
uint32_t file_count(void);

static inline void keep_file(struct file *f)
{
    undo_save(&engine.undo, f, sizeof *f);
}

// Where `act` leaves what it read; to be taken before another thread may run.
extern uint8_t fd_bounce[CHANNEL_BYTES];

// channels.c
struct channel *channel_at(uint32_t number); // from 1; number 0: null
uint32_t channel_new(uint32_t capacity, bool messages);
bool channel_can_put(const struct channel *c, size_t size);
bool channel_can_take(const struct channel *c);
size_t channel_put(struct thread *t, struct channel *c, const struct fd_call *call); // how much
size_t channel_take(struct thread *t, struct channel *c, struct fd_call *call);
size_t channel_next(const struct channel *c); // how much the next read could get
void channel_end(struct thread *t, struct channel *c, int refuses, bool ended);
void channel_orphan(struct thread *t, struct channel *c);

bool channels_hold(uint64_t address);
uint32_t channel_count(void);
void channel_mix(struct fingerprint *f, const struct channel *c);
void channel_each_word(const struct channel *c, void (*each)(uint64_t word, uint64_t *pinned), uint64_t *pinned);
void channel_each_passed(const struct channel *c, passed_on *each);

// fd_io.c
long fd_receive(struct thread *t, struct fd_call *call, const void *pc); // how much, or the negated error number
long fd_transmit(struct thread *t, struct fd_call *call, const void *pc);
bool fd_transfer_fails(enum fault_family family, const char *name, int fd, size_t *size,
                       const void *pc); // and sets errno; if not, it may be left less to transfer

// fd_events.c
bool event_can_read(const struct fd_call *call, const struct file *f);
bool event_can_write(const struct fd_call *call, const struct file *f);
long event_read(struct fd_call *call, struct thread *t, struct file *f);
long event_write(struct fd_call *call, struct thread *t, struct file *f);

// fd_signals.c
void signals_asked_by(const struct thread *t); // whose signals a signalfd tells of, until another thread looks
bool signals_can_read(const struct fd_call *call, const struct file *f);
bool signals_are_there(const struct file *f);
long signals_read(struct fd_call *call, struct file *f);

// fd_poll.c
uint32_t file_events(const struct file *f); // what of POLLIN, POLLOUT, … holds
bool channel_writable(const struct file *f, const struct channel *c);
long fd_wait(struct thread *t, struct fd_call *call, uint64_t object, bool several, const void *pc);
uint64_t sockets_object(void);   // that stands for all sockets with names
uint64_t objects_anywhere(void); // an address that stands for no descriptor

// fd_epoll.c
bool epoll_readable(const struct file *f);
bool epolls_hold(uint64_t address);
void epoll_mix(struct fingerprint *f, const struct file *file);
void epoll_each_data(const struct file *file, void (*each)(uint64_t data, uint64_t *pinned), uint64_t *pinned);

#endif
