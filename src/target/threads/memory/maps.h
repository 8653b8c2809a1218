// Memory that the program maps itself (mmap and its relatives): at addresses that are the same in every execution, zero when
// it is new, put back like other memory, and no longer to be accessed once it is unmapped.
//
// Each thread has a region of its own in which addresses only grow, so that an address depends on the mapping thread's history
// alone (as in heap.c), and what was unmapped is never given out again. All regions lie far above 4 GiB: whether an address may
// be accessed is asked only there, where accesses are looked at more closely anyway.
//
// What is mapped, and how, is a table that the log of writes puts back. The kernel's own tables follow it: pages that may not be
// accessed are closed, and opened while the log is popped, since it has old contents of them.
//
// Unmapping counts as writing every byte of the range, in the shadow pages that exist. A change of protection is kept
// in its range as an epoch, so that an access that does not know of it is a race, whichever comes first.
#ifndef TARGET_MAPS_H
#define TARGET_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "target/threads/engine/engine.h"

#define MAPS_START 0x100000000000ull
#define MAPS_MAIN_SIZE (1ull << 44)
#define MAPS_SIZE (1ull << 35) // for each of the other threads
#define MAPS_END (MAPS_START + MAPS_MAIN_SIZE + MAX_ACTORS * MAPS_SIZE)

_Static_assert(MAPS_END <= 1ull << 46, "above lie programs that are position-independent, and libraries");

struct map {
    uint64_t start, end;
    uint64_t pc;    // where it was mapped, unmapped or protected last
    uint32_t epoch; // of whoever changed last what reading it gives, by protecting, clearing or replacing it; 0: nobody
    uint32_t sealed; // of whoever changed last only whether it may be written; 0: nobody
    uint8_t access;  // PROT_READ and so on
    bool gone;
    bool shared; // with processes that the program forks
    bool file;
};

// How many ranges the program has mapped or unmapped.
extern uint64_t maps_count;

// Memory for `size` bytes, a multiple of a page, in the thread's own region; 0 if there is no room.
uint64_t maps_room(struct thread *t, uint64_t size);

// The first range that ends above the address; null if there is none.
const struct map *maps_above(uint64_t address);

// Whether all of it is mapped.
bool maps_cover(uint64_t start, uint64_t end);

// Whether it is part of one piece, as the kernel would have it; then `piece` gets that from `start` on.
bool maps_piece(uint64_t start, uint64_t end, struct map *piece);

// Whether any of it is.
bool maps_overlap(uint64_t start, uint64_t end);

// Whether a range outside heddle's regions, at a place that the program wants, is free or was already given to it.
bool maps_claim(uint64_t start, uint64_t end);

// Whether the range that ends there can become larger in place; the caller maps what is new.
bool maps_extend(struct thread *t, uint64_t end, uint64_t by);

// What the table has of a range from now on, whatever was there; the caller sees to the memory.
void maps_set(const struct map *as);

// Unmaps a range, gives it other access, or makes room in it for what is to be mapped there next.
void maps_close_range(struct thread *t, uint64_t start, uint64_t end, const void *pc);
void maps_protect(struct thread *t, uint64_t start, uint64_t end, uint8_t access, const void *pc);
void maps_replace(struct thread *t, uint64_t start, uint64_t end, const void *pc);

// Lets heddle read and write the range, until maps_close.
void maps_open_range(uint64_t start, uint64_t end);

// The size as a record of the trace has it.
uint32_t maps_recorded(uint64_t size);

// Keeps what the pages of a range hold, for going back, if they hold anything.
void maps_keep(uint64_t start, uint64_t end);

// Calls `page` for each page of the range that has ever been touched.
void maps_each_page(uint64_t start, uint64_t end, void (*page)(uint64_t address, void *context), void *context);

// The running thread is about to access an address above 4 GiB: it stops if that is mapped memory that it may not access.
void maps_look(struct thread *t, uint64_t address, uint64_t size, bool write, const void *pc);

// The same for an operation that is being carried out: whether it has failed; its thread stops when it is resumed.
bool maps_forbid(struct thread *t, bool write);

// A fault happened there: whether mapped memory explains it, and it is told.
bool maps_explain(struct thread *t, uint64_t address, bool write, const void *pc);

// The range is changed by this thread: whoever accesses it, or at least who writes to it, has to know of that.
void maps_changed(struct thread *t, struct map *m, bool for_writes_only);

// While the log of writes is popped all memory can be written, and afterwards not.
void maps_open(void);
void maps_close(void);

// Before an execution begins anew, when nothing is mapped any more: what is left there goes.
void maps_renew(void);

// A number that depends on what is in all mapped memory, mixed into `hash`; whether a word of it points into the range.
uint64_t maps_hash(uint64_t hash);
bool maps_point_into(uint64_t start, uint64_t end);

// libc_maps.c: the calls themselves.
void *maps_map(struct thread *t, void *at, size_t size, int access, int flags, int fd, off_t from, const void *pc);
int maps_unmap(struct thread *t, void *at, size_t size, const void *pc);
int maps_change_access(struct thread *t, void *at, size_t size, int access, const void *pc);
void *maps_remap(struct thread *t, void *at, size_t old_bytes, size_t size, int flags, void *to, const void *pc);
int maps_advise(struct thread *t, void *at, size_t size, int advice, const void *pc);

#endif
