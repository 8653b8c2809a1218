#include "target/nodes/access.h"

#include <string.h>

#include "base/mem.h"
#include "target/nodes/memory.h"
#include "target/nodes/world.h"

static struct {
    uint8_t *start;
    size_t room;
    uint8_t *allowed;        // of each unit of the heap, so many bytes from its beginning
    size_t used;             // units of which something was ever allowed
    const uint8_t *messages; // where the contents of all messages are
    size_t messages_room;
    const uint8_t *message;
    size_t message_size;
} watched;

void access_open(uint8_t *start, size_t room, const uint8_t *messages, size_t messages_room)
{
    watched.messages = messages;
    watched.messages_room = messages_room;
    watched.start = start;
    watched.room = room;
    watched.used = 0;
    watched.allowed = mem_reserve(room / ACCESS_UNIT + 1);
}

void access_close(void)
{
    mem_release(watched.allowed, watched.room / ACCESS_UNIT + 1);
    memset(&watched, 0, sizeof watched);
}

// Of nothing it is not called: to write no bytes at a page that nobody has touched takes the processor a hundred times as long.
void access_forget(void)
{
    if (!watched.used)
        return;
    memset(watched.allowed, 0, watched.used);
    watched.used = 0;
}

void access_allow(const void *block, size_t size)
{
    size_t unit = (size_t)((const uint8_t *)block - watched.start) / ACCESS_UNIT, whole = size / ACCESS_UNIT;
    memset(watched.allowed + unit, ACCESS_UNIT, whole);
    watched.allowed[unit + whole] = size % ACCESS_UNIT;
    if (unit + whole + 1 > watched.used)
        watched.used = unit + whole + 1;
}

void access_forbid(const void *block, size_t size)
{
    size_t unit = (size_t)((const uint8_t *)block - watched.start) / ACCESS_UNIT;
    memset(watched.allowed + unit, 0, size / ACCESS_UNIT + 1);
}

void access_message(const uint8_t *message, size_t size)
{
    watched.message = message;
    watched.message_size = size;
}

static bool is_allowed(size_t from, size_t size)
{
    for (size_t at = from, end = from + size; at < end; at = (at / ACCESS_UNIT + 1) * ACCESS_UNIT) {
        size_t unit = at / ACCESS_UNIT, last = end - unit * ACCESS_UNIT;
        if (watched.allowed[unit] < (last < ACCESS_UNIT ? last : ACCESS_UNIT))
            return false;
    }
    return true;
}

static void accuse_heap(const uint8_t *address, size_t size, const char *verb, const void *where)
{
    size_t block_size, offset;
    enum block_state state = memory_block_at(address, &block_size, &offset);
    const char *what = verb[0] == 'r' ? "reads" : "writes";
    if (state == BLOCK_FREED)
        memory_fail(where, "the node %s %zu byte%s of memory that was freed, %zu from the start of the block", what,
                    size, size == 1 ? "" : "s", offset);
    else if (state == BLOCK_IN_USE)
        memory_fail(where, "the node %s %zu byte%s at offset %zu of a block of %zu byte%s", what, size,
                    size == 1 ? "" : "s", offset, block_size, block_size == 1 ? "" : "s");
    else
        memory_fail(where, "the node %s %zu byte%s of the heap that no block has", what, size, size == 1 ? "" : "s");
}

static void look_at_message(const uint8_t *address, size_t size, const char *verb, const void *where)
{
    size_t from = (size_t)(address - watched.message);
    if (!watched.message)
        memory_fail(where, "the node %ss %zu byte%s of a message whose callback is over", verb, size,
                    size == 1 ? "" : "s");
    if (address >= watched.message && from <= watched.message_size && size <= watched.message_size - from)
        return;
    memory_fail(where, "the node %ss %zu byte%s at offset %td of a message of %zu byte%s", verb, size,
                size == 1 ? "" : "s", address - watched.message, watched.message_size,
                watched.message_size == 1 ? "" : "s");
}

static __attribute__((noinline)) void look_closely(const uint8_t *address, size_t size, const char *verb,
                                                   const void *where)
{
    size_t from = (size_t)(address - watched.start);
    if (world.self < 0 || !size)
        return;
    if (from >= watched.room)
        look_at_message(address, size, verb, where);
    else if (size > watched.room - from || !is_allowed(from, size))
        accuse_heap(address, size, verb, where);
}

// Most accesses are to variables, and cost two comparisons.
static inline void look(const void *address, size_t size, const char *verb, const void *where)
{
    if ((uintptr_t)address - (uintptr_t)watched.start < watched.room ||
        (uintptr_t)address - (uintptr_t)watched.messages < watched.messages_room)
        look_closely(address, size, verb, where);
}

#define HERE __builtin_return_address(0)

void access_look(const void *address, size_t size, const char *verb, const void *where)
{
    look(address, size, verb, where);
}

// Hooks that the compiler calls. Under AddressSanitizer heddle's own runtime has these names.
#ifndef __SANITIZE_ADDRESS__
#define HOOKS(size)                                                                                                    \
    void __asan_load##size##_noabort(const void *address);                                                             \
    void __asan_store##size##_noabort(const void *address);                                                            \
    void __asan_load##size##_noabort(const void *address)                                                              \
    {                                                                                                                  \
        look(address, size, "read", HERE);                                                                             \
    }                                                                                                                  \
    void __asan_store##size##_noabort(const void *address)                                                             \
    {                                                                                                                  \
        look(address, size, "write", HERE);                                                                            \
    }
HOOKS(1)
HOOKS(2)
HOOKS(4)
HOOKS(8)
HOOKS(16)

void __asan_loadN_noabort(const void *address, size_t size);
void __asan_storeN_noabort(const void *address, size_t size);
void __asan_handle_no_return(void);

void __asan_loadN_noabort(const void *address, size_t size)
{
    look(address, size, "read", HERE);
}

void __asan_storeN_noabort(const void *address, size_t size)
{
    look(address, size, "write", HERE);
}

void __asan_handle_no_return(void)
{
}
#endif

// Calls of the C library; the protocol is linked with --wrap.
void *heddle_node_memcpy(void *to, const void *from, size_t size) __asm__("__wrap_memcpy");
void *heddle_node_memmove(void *to, const void *from, size_t size) __asm__("__wrap_memmove");
void *heddle_node_memset(void *to, int byte, size_t size) __asm__("__wrap_memset");
int heddle_node_memcmp(const void *a, const void *b, size_t size) __asm__("__wrap_memcmp");
char *heddle_node_strcpy(char *to, const char *from) __asm__("__wrap_strcpy");
char *heddle_node_strncpy(char *to, const char *from, size_t size) __asm__("__wrap_strncpy");
char *heddle_node_strcat(char *to, const char *from) __asm__("__wrap_strcat");
size_t heddle_node_strlen(const char *text) __asm__("__wrap_strlen");

void *heddle_node_memcpy(void *to, const void *from, size_t size)
{
    look(from, size, "read", HERE);
    look(to, size, "write", HERE);
    return memcpy(to, from, size);
}

void *heddle_node_memmove(void *to, const void *from, size_t size)
{
    look(from, size, "read", HERE);
    look(to, size, "write", HERE);
    return memmove(to, from, size);
}

void *heddle_node_memset(void *to, int byte, size_t size)
{
    look(to, size, "write", HERE);
    return memset(to, byte, size);
}

int heddle_node_memcmp(const void *a, const void *b, size_t size)
{
    look(a, size, "read", HERE);
    look(b, size, "read", HERE);
    return memcmp(a, b, size);
}

char *heddle_node_strcpy(char *to, const char *from)
{
    size_t size = strlen(from) + 1;
    look(from, size, "read", HERE);
    look(to, size, "write", HERE);
    return memcpy(to, from, size);
}

char *heddle_node_strncpy(char *to, const char *from, size_t size)
{
    size_t length = strnlen(from, size);
    look(from, length < size ? length + 1 : size, "read", HERE);
    look(to, size, "write", HERE);
    return strncpy(to, from, size);
}

char *heddle_node_strcat(char *to, const char *from)
{
    size_t size = strlen(from) + 1, length = strlen(to);
    look(from, size, "read", HERE);
    look(to, length + size, "write", HERE);
    memcpy(to + length, from, size);
    return to;
}

size_t heddle_node_strlen(const char *text)
{
    size_t length = strlen(text);
    look(text, length + 1, "read", HERE);
    return length;
}
