// The heap of the program (heap.c).
#ifndef TARGET_HEAP_H
#define TARGET_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/fingerprint.h"

struct thread;
struct spelling;

void heap_begin(struct thread *t);
uint8_t *heap_boot_end(void);                // of what was allocated before main
uint64_t heap_block_start(uint64_t address); // of the block, in use or freed, that holds the address; 0: none does
void heap_mark_freed(struct thread *t, uint64_t start, uint64_t size, const void *pc); // in the shadow of such memory
void heap_forget_freed(uint64_t start, uint64_t size);
void heap_look_outside(struct thread *t, uint64_t address, uint32_t size, const char *does,
                       const void *pc); // an access to words of which not all bytes belong to a block, or a variable
void heap_mix(struct fingerprint *f, struct spelling *spelling, const uint8_t *from,
              const uint8_t *until); // what a part of a heap holds (spelling.h)
void heap_find(uint32_t actor, uint64_t address, uint64_t *start,
               uint32_t *size);            // of the block there that the actor allocated
uint8_t heap_fresh_byte(uint64_t address); // what memory that nobody has written holds there
void heap_fill_fresh(void *p, size_t size);
void heap_fail_next(void); // the next allocation finds nothing, and the caller is about to make it
void heap_report_leaks(bool (*reached_from_data)(uint64_t start, uint64_t end));

#endif
