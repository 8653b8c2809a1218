// Memory of malloc's, checked: none of these returns null. Without memory the command ends with one sentence and the status of
// an incomplete check. All of it is given back by free.
//
// For the command only: inside the program under test, malloc is the program's (base/mem.h is for both).
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <stdarg.h>
#include <stddef.h>

void *alloc_array(size_t count, size_t size); // not zeroed
void *alloc_zeroed(size_t count, size_t size);
void *alloc_ended(size_t count, size_t size); // zeroed, with one more for what stands behind the last
void *alloc_resize(void *array, size_t count, size_t size);

// Makes room for one more element of `size` bytes in an array that has `count`; the new element is zeroed.
void *alloc_grow(void *array, size_t count, size_t *room, size_t size);

// Room for at least `wanted` elements in an array that has room for `*room`; what is new is not zeroed.
void *alloc_reserve(void *array, size_t wanted, size_t *room, size_t size);

char *alloc_copy(const char *text);
char *alloc_copy_part(const char *text, size_t length); // the first so many characters, or fewer if it ends before
char *alloc_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *alloc_format_list(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

// For what others allocate (open_memstream, getline): ends as above if it is null.
void *alloc_checked(void *memory);

#endif
