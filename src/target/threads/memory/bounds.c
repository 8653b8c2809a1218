// Indices outside of their array, as the compiler sees them (gcc -fsanitize=bounds, clang -fsanitize=array-bounds): where the type of an array
// says how many elements it has, each index is compared with that, and what is too large is told here.
//
// This is how an array is seen to be left for its neighbour: a member of the same struct, another variable. Only the compiler
// knows where one ends and the next begins. It leaves alone what may be larger than its type says: arrays at the end of a
// struct (clang: only those of at most one element), and whatever is used through a pointer.
#include "target/threads/engine/engine_room.h"
#include "target/threads/libc/libc_room.h"

#define HERE __builtin_return_address(0)

// As the compilers write them.
struct bounds_type {
    uint16_t kind, width;
    char name[]; // in quotes, perhaps
};

struct bounds_index {
    const char *file;
    uint32_t line, column;
    const struct bounds_type *array, *index;
};

// Without the quotes that compilers put around it.
static void put_type(const struct bounds_type *type, char *name, size_t room)
{
    size_t length = 0;
    for (const char *at = type->name; *at && length + 1 < room; at++)
        if (*at != '\'')
            name[length++] = *at;
    name[length] = 0;
}

// Whether the index is signed: what it is below zero is no large number.
static bool is_signed(const struct bounds_type *type)
{
    return type->kind == 0 && type->width & 1;
}

static void look_at_index(const struct bounds_index *at, uint64_t index, const void *pc)
{
    struct thread *t = engine.running;
    char type[128];
    if (!t)
        return;
    put_type(at->array, type, sizeof type);
    if (is_signed(at->index))
        fail(t, BUG_BAD_INDEX, 0, pc, "uses the index %lld of an array that is %s", (long long)index, type);
    else
        fail(t, BUG_BAD_INDEX, 0, pc, "uses the index %llu of an array that is %s", (unsigned long long)index, type);
}

PUBLIC void __ubsan_handle_out_of_bounds(const struct bounds_index *at, uint64_t index)
{
    look_at_index(at, index, HERE);
}

// Where the program is compiled with -fno-sanitize-recover, it does not go on.
PUBLIC void __ubsan_handle_out_of_bounds_abort(const struct bounds_index *at, uint64_t index)
{
    look_at_index(at, index, HERE);
    if (engine.running)
        fail_stop(engine.running);
    __builtin_trap();
}
