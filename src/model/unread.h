// What the build of a protocol leaves in it about its global variables: the bytes that are written and never read. Written as text by
// build/assembly/assembly_unread.c, read by target/nodes/library.c, by way of the symbol UNREAD_TABLE.
#ifndef MODEL_UNREAD_H
#define MODEL_UNREAD_H

#include <stdint.h>

#define UNREAD_TABLE "heddle_unread_table"
#define UNREAD_SECTION "heddle_unread"

struct unread_bytes {
    int32_t start; // relative to this field
    uint32_t size;
};

// Where the list begins and ends, each relative to its field.
struct unread_table {
    int32_t first, end;
};

#endif
