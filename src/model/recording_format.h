// A native run as it is recorded: what the recorder inside the program hands to the command (`recording_ring`), and what the
// command writes to disk (`recording_file_header` and frames).
//
// Each thread writes *units* of 16 bytes into a chunk of its own, and never looks at those of others. What orders them is one
// number, `recording_ring.number`: every synchronisation takes the next one at a moment when it holds what it is about (after
// a lock is taken, before it is let go). Plain accesses take none. They follow a stamp, which says what the number was at some
// moment between the thread's previous record and the access. So an access with stamp s belongs after everything numbered
// below s. If two accesses are ordered by synchronisation, they are in the same order by stamps: the first is followed in its
// thread by a number n, and the second has a stamp above n. A thread that finds that another one has touched a word since
// takes a number for its stamp, so unsynchronised conflicts stand roughly as they happened, too.
//
// In a chunk, a number or stamp stands as its difference from the one before it, and the first as it is: differences are small and
// often the same, which is what can be compressed. A difference that fits into 16 bits stands in the first unit of its record,
// which is *short* then (RECORDING_SHORT): a plain access has its stamp with it, and a synchronisation needs no second unit.
//
// A chunk is zeroed before it is filled, and a record's first unit is written last: what a process that was killed leaves
// behind is whole records up to the first zero.
#ifndef MODEL_RECORDING_FORMAT_H
#define MODEL_RECORDING_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum recording_op {
    RECORDING_NOTHING,
    // One unit; `size` bytes at `address`.
    RECORDING_READ,
    RECORDING_WRITE,
    // One unit: neighbouring accesses by one instruction, from `address` upwards. The size is 8 times that of all of them, and
    // the logarithm of that of one.
    RECORDING_READ_RUN,
    RECORDING_WRITE_RUN,
    // One unit; its place is the stamp of what follows.
    RECORDING_STAMP,
    // Two units, the second a struct recording_extra with a number. The size is made of enum recording_flag. If it is short: one
    // unit, and the value stands above the flags.
    RECORDING_LOCK,        // value: an enum recording_lock
    RECORDING_LOCK_SHARED, // the same
    RECORDING_UNLOCK,      // the same
    RECORDING_WAIT_BEGIN,  // value: the mutex
    RECORDING_WAIT_END,    // value: the mutex
    RECORDING_SIGNAL,
    RECORDING_BROADCAST,
    RECORDING_BARRIER_INIT, // value: how many threads open it
    RECORDING_BARRIER_ENTER,
    RECORDING_BARRIER_LEAVE,  // value: 1 for the one thread of each round that the C library singles out
    RECORDING_SEMAPHORE_INIT, // value: what it is at first
    RECORDING_POST,
    RECORDING_TAKE,
    RECORDING_ONCE_BEGIN,
    RECORDING_ONCE_END,
    RECORDING_ONCE_PASS,
    RECORDING_CREATE, // value: the new thread's number
    RECORDING_JOIN,   // value: the number of the thread that has ended
    RECORDING_DETACH, // the same
    RECORDING_BEGIN,  // value: the number of the thread's creator plus 1; 0: unknown
    RECORDING_END,
    RECORDING_STACK,    // of this thread, value bytes
    RECORDING_ALLOCATE, // value: bytes
    RECORDING_RELEASE,
    RECORDING_MAP,    // value: bytes
    RECORDING_UNMAP,  // value: bytes
    RECORDING_FENCE,  // value: its memory order
    RECORDING_FORGET, // the synchronisation object is destroyed, or initialised anew
    // Three units: the third is what was there before, and what is there now. value: bytes · 256 + memory order
    RECORDING_ATOMIC_LOAD,
    RECORDING_ATOMIC_STORE,
    RECORDING_ATOMIC_RMW,
    RECORDING_ATOMIC_CAS, // with RECORDING_FAILED it only read
    // Two units, then as many as value bytes of text fill.
    RECORDING_MODULE, // address: what was added to the addresses in it; text: its build id or "-", a blank, its path
    RECORDING_THREAD_NAME,
    // Two units, then value more: as many calls as the number says have returned, and then these have been made, outermost first.
    // Each is where it returns to, and a place in the function that was called.
    RECORDING_CALLS,
    // Two units with a number.
    RECORDING_REGION, // value: 0 where a region begins that is meant to be atomic, 1 where it ends
    // Two units: plain accesses of up to 8 bytes, and in the second unit what was there before, and what is there now.
    RECORDING_READ_VALUE,
    RECORDING_WRITE_VALUE,
    RECORDING_WRITE_UNSEEN, // what is there now is not known
    RECORDING_OPS
};

enum recording_flag {
    RECORDING_FAILED = 1,    // a try or timed call that did not get what it wanted
    RECORDING_NO_VALUES = 2, // what the atomic operation found and left is not known
    RECORDING_TRIED = 2      // of a lock, a wait or a semaphore: by a try or timed call, which does not wait for ever
};

enum recording_lock { RECORDING_MUTEX, RECORDING_SPINLOCK, RECORDING_RWLOCK };

// From the lowest bit: 48 of the address, 8 of the op, the 8 lower ones of the size; 48 of the place, 16 upper ones of the size, or
// of a short record the difference.
struct recording_unit {
    uint64_t what, where;
};

struct recording_extra {
    uint64_t number, value;
};

_Static_assert(sizeof(struct recording_unit) == 16 && sizeof(struct recording_extra) == 16, "units are 16 bytes");

#define RECORDING_ADDRESS ((1ull << 48) - 1)

enum { RECORDING_LARGEST = (1 << 24) - 1 }; // size
enum { RECORDING_SHORT = 0x80 };            // in the byte of the op
// What fits into a short record: differences, sizes of accesses, and values of synchronisation, all below these.
enum { SHORT_DIFFERENCES = 1 << 16, SHORT_SIZES = 1 << 8, SHORT_VALUES = 1 << 6, SHORT_FLAG_BITS = 2 };

static inline struct recording_unit recording_unit_of(enum recording_op op, uint64_t address, uint64_t size,
                                                      uint64_t place)
{
    return (struct recording_unit){(address & RECORDING_ADDRESS) | (uint64_t)op << 48 | size << 56,
                                   (place & RECORDING_ADDRESS) | size >> 8 << 48};
}

static inline struct recording_unit recording_short_unit(enum recording_op op, uint64_t address, uint64_t size,
                                                         uint64_t place, uint64_t difference)
{
    return (struct recording_unit){(address & RECORDING_ADDRESS) | (uint64_t)(op | RECORDING_SHORT) << 48 | size << 56,
                                   (place & RECORDING_ADDRESS) | difference << 48};
}

static inline enum recording_op recording_op_of(struct recording_unit unit)
{
    return (enum recording_op)(unit.what >> 48 & (RECORDING_SHORT - 1));
}

static inline bool recording_is_short(struct recording_unit unit)
{
    return unit.what >> 48 & RECORDING_SHORT;
}

static inline uint32_t recording_size_of(struct recording_unit unit)
{
    uint64_t upper = recording_is_short(unit) ? 0 : unit.where >> 48;
    return (uint32_t)(unit.what >> 56 | upper << 8);
}

static inline bool recording_is_plain(enum recording_op op)
{
    return (op >= RECORDING_READ && op <= RECORDING_WRITE_RUN) ||
           (op >= RECORDING_READ_VALUE && op <= RECORDING_WRITE_UNSEEN);
}

static inline bool recording_is_run(enum recording_op op)
{
    return op == RECORDING_READ_RUN || op == RECORDING_WRITE_RUN;
}

// Whether it takes a number.
static inline bool recording_is_numbered(enum recording_op op)
{
    return op > RECORDING_STAMP && op != RECORDING_CALLS && op < RECORDING_READ_VALUE;
}

// Of a short record.
static inline uint64_t recording_difference_of(struct recording_unit unit)
{
    return unit.where >> 48;
}

// How many units the record has that begins with these two; 0: there is no such record.
static inline uint64_t recording_units(struct recording_unit first, const struct recording_extra *second)
{
    enum recording_op op = recording_op_of(first);
    if (op == RECORDING_NOTHING || op >= RECORDING_OPS)
        return 0;
    if (op >= RECORDING_READ_VALUE)
        return 2;
    if (recording_is_short(first))
        return op <= RECORDING_WRITE || (op > RECORDING_STAMP && op < RECORDING_ATOMIC_LOAD) || op == RECORDING_REGION;
    if (op <= RECORDING_STAMP)
        return 1;
    if (op < RECORDING_ATOMIC_LOAD || op == RECORDING_REGION)
        return 2;
    if (op < RECORDING_MODULE)
        return 3;
    uint64_t more = second->value > 1 << 20 ? 1 << 20 : second->value;
    return 2 + (op == RECORDING_CALLS ? more : (more + 15) / 16);
}

// ---- between the recorder and the command ----

#define RECORDING_VARIABLE "HEDDLE_RECORDING" // environment: the descriptor of a recording_ring
#define RECORDING_MAGIC 0x32676e6972646468ull

enum { RECORDING_STATICS = 256 };
enum { RECORDING_CHUNKS = 1024, RECORDING_CHUNK_UNITS = 4096, RECORDING_THREADS = 65000 };

enum recording_chunk_state { CHUNK_FREE, CHUNK_IN_USE, CHUNK_FULL };

struct recording_chunk {
    uint32_t state;  // the recorder's thread takes a free one; the command frees a full one
    uint32_t thread; // whose it is
    uint32_t order;  // how many chunks that thread had before
    uint32_t unused;
};

enum recording_stop { STOP_NOT, STOP_LIMIT, STOP_THREADS, STOP_FORMAT, STOP_INTERRUPTED };

enum recording_attached { RECORDING_NOT_ATTACHED, RECORDING_ATTACHED, RECORDING_NO_ROOM /* for the shadow */ };

// Writable data of modules: which addresses may have the names of variables.
struct recording_statics {
    uint32_t count; // RECORDING_STATICS of them are kept
    struct {
        uint64_t low, high;
    } data[RECORDING_STATICS];
};

struct recording_ring {
    uint64_t magic, size;
    uint32_t with_stacks, keeps_all; // options: --stacks, --full
    uint32_t attached;               // enum recording_attached
    uint32_t chunks;                 // how many may be in use
    uint32_t command;                // the process that reads this
    uint32_t with_values;            // option: --values
    uint64_t lost_in_handlers;       // records that a signal handler would have made amid another record
    _Alignas(64) uint64_t number;    // the next one; the first is 1
    _Alignas(64) uint32_t stop;      // enum recording_stop
    uint32_t freed;                  // futex: counts chunks that were freed
    uint32_t filled;                 // futex: counts chunks that became full
    uint64_t stopped_at;             // what the number was then
    struct recording_statics statics;
    _Alignas(64) struct recording_chunk chunk[RECORDING_CHUNKS];
    _Alignas(4096) struct recording_unit unit[RECORDING_CHUNKS][RECORDING_CHUNK_UNITS];
};

// ---- on disk ----
//
// A header, then frames: the first is FRAME_RUN and the last FRAME_END, and if that is missing, the file is cut. Numbers are
// little-endian.

#define RECORDING_FILE_MAGIC "heddle recording 2\n\0\0\0\0\0" // 24 characters

struct recording_file_header {
    char magic[24];
    uint64_t reserved;
};

enum recording_frame_kind {
    FRAME_RUN = 1, // words that end with a null character each: RUN_WORDS, each with a blank and its value behind it
    FRAME_UNITS,   // a chunk of a thread
    FRAME_NAMES,   // lines of text with what code and variables that occur are called (trace/recording_names.h)
    FRAME_END,     // a struct recording_end
};

struct recording_frame {
    uint32_t magic, kind;
    uint32_t thread, order; // FRAME_UNITS
    uint32_t size, stored;  // bytes of the contents, and as they follow: compressed by zstd unless these are equal
    uint64_t checksum;      // xxh3 of this header with 0 here, added to that of what follows
};

// What FRAME_RUN tells of: the program, or the sources and flags that it was built from, and its code as a number
// (trace/code_identity.h); each argument; "without hooks" if it was not built by heddle cc.
#define RUN_WORDS "heddle", "directory", "program", "source", "flag", "code", "argument", "without"

#define RECORDING_FRAME_MAGIC 0x6d726668u

enum { RECORDING_NAMES_BYTES = 1 << 19 }; // of one frame; a line may be half as long

struct recording_end {
    uint64_t records_end; // numbers from here on are not whole; UINT64_MAX: all are
    uint64_t lost_in_handlers;
    uint32_t stop;  // enum recording_stop
    int32_t status; // as waitpid gives it
    uint32_t threads, unused;
};

#endif
