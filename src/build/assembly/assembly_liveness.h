// Which registers hold something that is still needed, at each instruction of inline assembly.
//
// A thread that spins is recognised by being where it was with everything as it was, registers included. Inline assembly
// is announced in the middle of a function, where registers also hold what nobody will read again: remains of earlier
// computations, which differ from round to round. Those must not count. Around a call the compiler itself makes that
// distinction; here it has to be found in its output, by going backwards through the flow of control. Whatever is not
// understood counts as using every register.
#ifndef BUILD_ASSEMBLY_LIVENESS_H
#define BUILD_ASSEMBLY_LIVENESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "build/assembly/assembly_effects.h"

struct liveness;

struct liveness *liveness_new(void);
void liveness_free(struct liveness *liveness);

// The file from its beginning to its end: each function's start, each label, each instruction (without labels, comments
// and separators), and whether it is part of inline assembly.
// An instruction that cannot be read is given as null. Parts of one function have one name up to its first dot.
void liveness_function(struct liveness *liveness, const char *name);
void liveness_label(struct liveness *liveness, const char *name, size_t length);
void liveness_instruction(struct liveness *liveness, const char *text, bool assembly);

void liveness_solve(struct liveness *liveness);

// What is needed right before the number-th instruction of inline assembly: the bits of register_bit, LIVE_FLAGS, and
// LIVE_BELOW, the 128 bytes below the stack pointer.
uint32_t liveness_before(const struct liveness *liveness, size_t number);

// Whether somebody reads what a call returned that stands right before the number-th instruction of the file.
bool liveness_answer(const struct liveness *liveness, size_t number);

// Whether vector and floating-point registers are needed right before the number-th instruction of the file.
bool liveness_vectors(const struct liveness *liveness, size_t number);

#endif
