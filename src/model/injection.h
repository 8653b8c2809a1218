// Faults that are put into a native run: what `heddle inject` and the injector inside the program share.
//
// The injector stands in front of functions that can be given a fault. Each call of one is a *point* of the run: which function
// (`injection_call`), from where, by which thread (by its path in the tree of creation), the how-manieth such call. These are the
// same in every run of a program that does the same. The injector counts them in a table in shared memory, so the command
// knows which faults there can be; a plan names one point and what is to happen there.
#ifndef MODEL_INJECTION_H
#define MODEL_INJECTION_H

#include <stdbool.h>
#include <stdint.h>

#define INJECTION_VARIABLE "HEDDLE_INJECTION" // environment: the descriptor of an injection_block
#define INJECTION_MAGIC 0x31746365636a6e69ull

// What happens at a point.
enum injection_way {
    INJECT_NOTHING,
    INJECT_ENOMEM, // the call fails, with this error
    INJECT_EAGAIN,
    INJECT_EMFILE,
    INJECT_EIO,
    INJECT_EINTR,
    INJECT_ENOSPC,
    INJECT_ETIMEDOUT, // a wait with a time-out is over at once
    INJECT_SHORT,     // one byte, or one item, of what was asked for
    INJECT_DELAY,     // the thread sleeps a little first
    INJECT_FLIP,      // one bit of what is read is another (seed 000: BitFlip)
    INJECT_LARGER,    // twice as much is read or written as was asked for (FileSize)
    INJECT_SMALLER,   // half as much is allocated (MallSize)
    INJECT_ARGUMENT,  // one bit of the first argument is another (CallCorr)
    INJECT_POINTER,   // one bit of the returned pointer is another (InvalPtr)
    INJECTION_WAYS
};

// The path of a thread: of main, and of the how-manieth child of another.
static inline uint64_t injection_mix(uint64_t a, uint64_t b)
{
    uint64_t z = (a * 0xff51afd7ed558ccdu + b + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 29) * 0xbf58476d1ce4e5b9u;
    return (z ^ z >> 32) | 1;
}

static inline uint64_t injection_path(uint64_t parent, uint64_t child)
{
    return child ? injection_mix(parent, child) : injection_mix(1, 1);
}

// A group of faults, as users name them.
enum injection_group {
    GROUP_MALLOC,
    GROUP_CREATE,
    GROUP_OPEN,
    GROUP_READ,
    GROUP_WRITE,
    GROUP_TIMEOUT,
    GROUP_DELAY,
    GROUP_INTERRUPT,
    GROUP_BITFLIP,
    GROUP_FILESIZE,
    GROUP_MALLSIZE,
    GROUP_CALLCORR,
    GROUP_INVALPTR,
    INJECTION_GROUPS
};

// Functions that have points. A read of memory counts as one.
enum injection_call {
    CALL_MALLOC,
    CALL_CALLOC,
    CALL_REALLOC,
    CALL_MEMALIGN,
    CALL_NEW,
    CALL_MMAP,
    CALL_ASPRINTF,
    CALL_STRDUP,
    CALL_PTHREAD_CREATE,
    CALL_THRD_CREATE,
    CALL_OPEN,
    CALL_OPENAT,
    CALL_FOPEN,
    CALL_READ,
    CALL_PREAD,
    CALL_READV,
    CALL_RECV,
    CALL_RECVFROM,
    CALL_RECVMSG,
    CALL_FREAD,
    CALL_FGETS,
    CALL_GETLINE,
    CALL_WRITE,
    CALL_PWRITE,
    CALL_WRITEV,
    CALL_SEND,
    CALL_SENDTO,
    CALL_SENDMSG,
    CALL_FWRITE,
    CALL_FFLUSH,
    CALL_FCLOSE,
    CALL_COND_TIMEDWAIT,
    CALL_CND_TIMEDWAIT,
    CALL_MUTEX_TIMEDLOCK,
    CALL_MTX_TIMEDLOCK,
    CALL_SEM_TIMEDWAIT,
    CALL_MUTEX_LOCK,
    CALL_MTX_LOCK,
    CALL_SEM_WAIT,
    CALL_POLL,
    CALL_SELECT,
    CALL_ACCEPT,
    CALL_NANOSLEEP,
    CALL_THRD_SLEEP,
    CALL_FREE,
    CALL_MEMCPY,
    CALL_MEMSET,
    CALL_STRLEN,
    CALL_STRCMP,
    CALL_STRCPY,
    CALL_ATOI,
    CALL_LOAD,
    INJECTION_CALLS
};

struct injection_way_info {
    const char *name; // as faults are spelt; null: the error's own
    int error;        // 0: none
    bool takes_bit;   // "flip.17"
};

struct injection_group_info {
    const char *name;
    const char *seed; // what seed 000 calls it, or null
    const char *words;
    uint32_t ways; // bits by injection_way
};

extern const struct injection_way_info injection_ways[INJECTION_WAYS];
extern const struct injection_group_info injection_groups[INJECTION_GROUPS];
extern const char *const injection_calls[INJECTION_CALLS];

// Whether a call can be given this.
bool injection_fits(enum injection_call call, enum injection_group group, enum injection_way way);

#define INJECTION_FORKED 0x80000000u
enum { INJECTION_SLOTS = 1 << 16, INJECTION_MODULES = 64, INJECTION_THREADS = 1024, INJECTION_PATH = 512 };

struct injection_site {
    uint64_t key;    // 0: free; else never changes
    uint64_t offset; // of the place in its module, where the call returns to
    uint64_t calls;  // so far
    uint32_t module; // UINT32_MAX: not to be given faults
    uint32_t thread; // number in `threads`
    uint32_t call;   // enum injection_call
    uint32_t ready;  // the rest is filled in
};

struct injection_thread {
    uint64_t path;   // the same in every run: hash of the way from main
    uint32_t parent; // number; main is its own
    uint32_t child;  // the how-manieth of its parent, from 1 on; with INJECTION_FORKED: of the processes that it forked
    uint64_t records; // of its trace so far
};

// What is to happen. `way` INJECT_NOTHING: nothing.
struct injection_plan {
    uint64_t offset;
    char module[INJECTION_PATH]; // "": the program
    uint64_t path;
    uint32_t call, way, bit;
    uint64_t number; // of the call at this place by this thread, from 1 on
};

// Under control one thread runs at a time. Who was chosen, so many times in a row; `fires`: its wait with a time-out was over.
struct injection_turn {
    uint64_t path;
    uint32_t steps, fires;
};

enum { INJECTION_TURNS = 1 << 20 };

struct injection_block {
    uint64_t magic;
    uint32_t watched;      // groups whose points are counted: bits
    uint32_t attached;     // the program has loaded the injector
    uint32_t activated;    // the fault has happened
    uint32_t activated_by; // by this thread
    uint64_t activated_at; // after so many records of its trace
    uint32_t full;         // there was no room for some point
    uint32_t trace_fd;     // plus 1: a directory for what threads do; 0: none
    uint32_t thread_count, module_count;
    uint32_t naive;       // traces are also hashed as they are: the next two
    uint64_t as_it_is;    // addresses, numbers of threads, in the order of the run
    uint64_t in_order;    // names, in the order of the run
    uint32_t controlled;  // one thread runs at a time, and who is decided by `turns`, or drawn if there are none
    uint32_t follow;      // so many of `turns` are to be followed
    uint64_t drawn_from;  // seed
    uint32_t turn_count;  // of `turns` that were drawn
    uint32_t departed;    // 1: some turn could not be followed …
    uint32_t departed_at; // … the first of them
    uint32_t stuck;       // all threads wait for each other
    uint32_t outside;     // how often a thread blocked in a call that is not under control
    struct injection_plan plan;
    char module[INJECTION_MODULES][INJECTION_PATH]; // "": the program
    struct injection_thread threads[INJECTION_THREADS];
    struct injection_site sites[INJECTION_SLOTS];
    struct injection_turn turns[INJECTION_TURNS];
};

#endif
