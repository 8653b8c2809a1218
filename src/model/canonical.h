// A canonical trace: what each thread of a native run did, in names that are the same in every run that does the same
// (seed 000, algorithms 4 and 5). A folder with a file for each thread, which is called by its path in the tree of creation
// ("main", "T2", "T2.1"), and a file "modules" with the paths of the program and its libraries.
//
// Each thread's file has its records in its own order; how threads stand to each other is left out, since that differs.
//
// An address becomes an *object*: a global variable by its offset in its module; heap memory by the thread that allocated it,
// which of its allocations it is, and the offset in it; a thread's stack by the offset from where its first frame began. The
// seed numbers objects of all threads in one order, which depends on the schedule. Everything else (memory of the C
// library, mappings) is *elsewhere*, all alike. A value of eight bytes that is an address of an object is named like one.
#ifndef MODEL_CANONICAL_H
#define MODEL_CANONICAL_H

#include <stdint.h>

enum canonical_op {
    CANONICAL_NOTHING,
    CANONICAL_READ, // object, value
    CANONICAL_WRITE,
    CANONICAL_ATOMIC,     // a read-modify-write, or an access by an atomic function: counts as both
    CANONICAL_READ_RANGE, // value: hash of what is there, object by object; size in `size`, 255: more
    CANONICAL_WRITE_RANGE,
    CANONICAL_ALLOCATE, // value: bytes
    CANONICAL_FREE,
    CANONICAL_CREATE, // value: which child
    CANONICAL_JOIN,   // value: path of the other
    CANONICAL_LOCK,   // object: the mutex
    CANONICAL_UNLOCK,
    CANONICAL_BARRIER, // object; value: an enum canonical_barrier
    CANONICAL_WAIT,    // on a condition variable, whose mutex is let go and taken by records of their own
    CANONICAL_SIGNAL,
    CANONICAL_END,
    CANONICAL_SIZE,  // value: the size of the next record, which has 255
    CANONICAL_FAULT, // the fault of the run happened here; value: an enum injection_way
    CANONICAL_OPS
};

// At a barrier; or it is made for so many threads, which are added to the last.
enum canonical_barrier { CANONICAL_ARRIVES, CANONICAL_LEAVES, CANONICAL_BARRIER_COUNT };

struct canonical_record {
    uint64_t what; // from the lowest bit: 40 of the offset of the place, 8 of its module, 8 of the op, 8 of the size
    uint64_t object;
    uint64_t value;
};

// Objects: the two upper bits say what it is.
enum canonical_kind { OBJECT_ELSEWHERE, OBJECT_GLOBAL, OBJECT_HEAP, OBJECT_STACK };

// Bits: of heap memory 22 of its thread's path, 18 of the number of the allocation, 22 of the offset; of stacks 22 and 40.
enum { CANONICAL_PATH_BITS = 22, CANONICAL_NUMBER_BITS = 18, CANONICAL_OFFSET_BITS = 22, CANONICAL_FRAME_BITS = 40 };

static inline uint64_t canonical_what(enum canonical_op op, uint32_t module, uint64_t offset, uint64_t size)
{
    return (offset & ((1ull << 40) - 1)) | (uint64_t)(module & 0xff) << 40 | (uint64_t)op << 48 |
           (size > 255 ? 255 : size) << 56;
}

static inline enum canonical_op canonical_op_of(uint64_t what)
{
    return (enum canonical_op)(what >> 48 & 0xff);
}

static inline uint64_t canonical_offset_of(uint64_t what)
{
    return what & ((1ull << 40) - 1);
}

static inline uint32_t canonical_module_of(uint64_t what)
{
    return (uint32_t)(what >> 40 & 0xff);
}

static inline uint32_t canonical_size_of(uint64_t what)
{
    return (uint32_t)(what >> 56);
}

static inline enum canonical_kind canonical_kind_of(uint64_t object)
{
    return (enum canonical_kind)(object >> 62);
}

static inline uint64_t canonical_heap(uint64_t path, uint64_t number, uint64_t offset)
{
    return (uint64_t)OBJECT_HEAP << 62 | (path & ((1 << CANONICAL_PATH_BITS) - 1)) << 40 |
           (number & ((1 << CANONICAL_NUMBER_BITS) - 1)) << CANONICAL_OFFSET_BITS |
           (offset & ((1 << CANONICAL_OFFSET_BITS) - 1));
}

static inline uint64_t canonical_stack(uint64_t path, uint64_t offset)
{
    return (uint64_t)OBJECT_STACK << 62 | (path & ((1 << CANONICAL_PATH_BITS) - 1)) << 40 |
           (offset & ((1ull << CANONICAL_FRAME_BITS) - 1));
}

// Modules that stand for values which are no addresses of objects: a thread's handle, by its path, and what lies elsewhere.
enum { CANONICAL_HANDLES = 255, CANONICAL_ELSEWHERE = 254 };

static inline uint64_t canonical_global(uint32_t module, uint64_t offset)
{
    return (uint64_t)OBJECT_GLOBAL << 62 | (uint64_t)(module & 0xff) << 48 | (offset & ((1ull << 48) - 1));
}

#endif
