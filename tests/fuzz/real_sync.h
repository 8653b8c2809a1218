// First family of real programs: atomics, mutexes, condition variables, descriptors, choices, assumptions,
// assertions, exit.
#ifndef FUZZ_REAL_SYNC_H
#define FUZZ_REAL_SYNC_H

#include "fuzz/program.h"

// Where the generated C keeps things; it must not matter.
enum real_storage { IN_STATIC, IN_HEAP, IN_STACK, STORAGES };
enum real_regs { REGS_SHARED, REGS_LOCAL, REGS_TLS, REGS_MACHINE, REGS_KINDS };

// What threads that run one function could tell each other apart by; from TOLD_BY_NUMBER on they do.
enum real_telling {
    TOLD_NOTHING,
    UNUSED_NUMBER,
    EQUAL_CONTENT,
    TOLD_BY_NUMBER,
    TOLD_BY_CONTENT,
    TOLD_BY_PLACE,
    TOLD_BY_HANDLE,
    TOLD_BY_TLS,
    TOLD_BY_KEY,
    TELLINGS
};

// What a semaphore is in the C program: something is read from a descriptor to take it, at once or after waiting for all there is.
enum real_semaphore { BY_SOCKET, BY_POLL, BY_EPOLL, BY_PIPE, BY_EVENTS, SEMAPHORES };

struct real_sync {
    struct program program;
    enum real_semaphore semaphore[MAX_SEMS];
    enum real_storage storage;
    enum real_regs regs[MAX_THREADS];
    uint8_t parent[MAX_THREADS]; // thread that creates and joins this one, plus 1; 0: main
    uint8_t cell_size;
    enum real_telling telling;
    uint8_t told_at;    // the instruction at which they do
    bool main_is_first; // main itself runs the first thread's code
};

// What is true of it, by plain enumeration.
struct real_truth {
    struct set outcomes; // of executions that end, by main or by exit; with and without the cells
    struct set locals;   // those without
    bool deadlock;
    uint64_t failing[MAX_THREADS]; // instructions that are assertions which can fail
};

void real_sync_random(struct real_sync *s, uint32_t language, uint64_t seed, bool tls);
void real_sync_print(const struct real_sync *s, uint32_t number, FILE *out);

// False if there are more than `limit` states.
bool real_sync_truth(const struct program *p, struct real_truth *truth, uint32_t limit);

#endif
