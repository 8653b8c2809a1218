// The types of the program under test as DWARF describes them: which part of a variable an offset is in, and how a
// value of a type is written.
#ifndef REPORT_TYPES_H
#define REPORT_TYPES_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buffer.h"

// The type of a variable, member, array element or pointer; false if it has none (void).
bool types_of(Dwarf_Die *die, Dwarf_Die *type);

// In bytes; 0 if unknown.
uint64_t types_size(Dwarf_Die *type);

// Goes down from a value of this type to the smallest part that holds the bytes [offset, offset + size), appending its
// path (".next[2].x"); types of the pthread library are not entered, and members that are the C++ library's own affair have no
// name in the path. Leaves the part's type in *part and returns how far into the part the offset points.
uint64_t types_path(Dwarf_Die *type, uint64_t offset, uint64_t size, struct buffer *path, Dwarf_Die *part);

// Appends the value if the type has exactly `size` bytes and is an integer, character, truth value, floating-point
// number or enumeration; false (and nothing appended) otherwise.
bool types_value(Dwarf_Die *type, uint64_t value, uint32_t size, struct buffer *out);

// Whether this is the name of the type, or of one that it was defined as.
bool types_is(Dwarf_Die *type, const char *name);

// What a pointer type points to; false if it is no pointer, or one to void or to a function.
bool types_pointee(Dwarf_Die *type, Dwarf_Die *target);
bool types_is_pointer(Dwarf_Die *type);

// Whether it is a structure, union or class that the user has given a name to: not one of the C++ library's own.
bool types_is_users(Dwarf_Die *type);

// Whether both are the same but for names and qualifiers.
bool types_same(Dwarf_Die *a, Dwarf_Die *b);

// Whether it is declared _Atomic.
bool types_is_atomic(Dwarf_Die *type);

// Whether it is an array of characters.
bool types_is_text(Dwarf_Die *type);

// "struct node", "int"; empty if it has no name.
void types_name(Dwarf_Die *type, struct buffer *out);

#endif
