// Values in registers and stack slots of compiled code, told apart by how they were computed: two values with the same
// base and offset are the same number whenever the program gets there. What cannot be followed is a value of its own.
#ifndef BUILD_ASSEMBLY_SYMBOLIC_H
#define BUILD_ASSEMBLY_SYMBOLIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbolic {
    uint64_t base; // SYMBOLIC_NUMBER: the offset is all there is
    int64_t offset;
};

enum { SYMBOLIC_NUMBER = 0 };

// What is known of where a value came from; kept for the base.
enum symbolic_traits {
    SYMBOLIC_STACK = 1,  // points into the function's own frame
    SYMBOLIC_RESULT = 2, // a call may have returned it, or a part of it
    SYMBOLIC_GIVEN = 4   // the function's caller passed it in a register
};

struct symbolics;

struct symbolics *symbolics_new(void);
void symbolics_free(struct symbolics *values);

struct symbolic symbolic_number(int64_t number);

// A value that equals no other one. When the code is gone through again, it is the same one at the same place, provided that
// symbolics_at was called there: `place` is any number for it.
struct symbolic symbolic_fresh(struct symbolics *values, uint32_t traits);
void symbolics_at(struct symbolics *values, int64_t place);

// One that only a place and a number tell from others.
struct symbolic symbolic_named(struct symbolics *values, int64_t place, int64_t number, uint32_t traits);

struct symbolic symbolic_symbol(struct symbolics *values, const char *name, size_t length);

struct symbolic symbolic_add(struct symbolics *values, struct symbolic a, struct symbolic b);
struct symbolic symbolic_scale(struct symbolics *values, struct symbolic a, int64_t factor);

// What an operation that is not looked into makes of its operands; `name` stands for everything else about it.
struct symbolic symbolic_of_operation(struct symbolics *values, const char *name, struct symbolic a, struct symbolic b);

// Of its lower 32 bits: what a 32-bit instruction leaves in a register, and what cltq does. Addresses of symbols fit.
struct symbolic symbolic_zero_extended(struct symbolics *values, struct symbolic a);
struct symbolic symbolic_sign_extended(struct symbolics *values, struct symbolic a);

// Not a sum: one thing and a number.
bool symbolic_is_simple(const struct symbolics *values, struct symbolic value);

static inline bool symbolic_same(struct symbolic a, struct symbolic b)
{
    return a.base == b.base && a.offset == b.offset;
}

uint32_t symbolic_traits(const struct symbolics *values, struct symbolic value);

#endif
