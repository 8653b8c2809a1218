// Allocations: they fail, give less than was asked for, or return a pointer that is none.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "injector/injector.h"
#include "injector/injector_trace.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

// ---- memory, from where a trace can name it if one is written ----

static void *heap_allocate(size_t size, size_t alignment, bool zero, const void *pc)
{
    void *p = unlikely(trace_on) ? trace_allocate(size, alignment, pc) : NULL; // which is zero
    if (likely(!p))
        p = alignment ? __libc_memalign(alignment, size) : zero ? __libc_calloc(1, size) : __libc_malloc(size);
    return p;
}

static void heap_release(void *p, const void *pc)
{
    if (likely(!trace_owns(p)))
        __libc_free(p);
    else
        trace_free(p, pc);
}

static void *heap_resize(void *p, size_t size, const void *pc)
{
    if (likely(!trace_on) || (p && !trace_owns(p)))
        return __libc_realloc(p, size);
    uint8_t *fresh = heap_allocate(size, 0, false, pc);
    size_t old = p ? trace_size(p) : 0;
    for (size_t i = 0; fresh && i < old && i < size; i++)
        fresh[i] = ((uint8_t *)p)[i];
    if (fresh && p)
        trace_free(p, pc);
    return fresh;
}

// How much is allocated, and what is returned for it.
static size_t less(enum injection_way way, size_t size)
{
    if (way != INJECT_SMALLER || size < 2)
        return size;
    injector_done();
    return size / 2;
}

static void *returned(enum injection_way way, void *p)
{
    if (way != INJECT_POINTER || !p)
        return p;
    injector_done();
    return (void *)((uintptr_t)p ^ 1ull << injector_bit() % 47);
}

static uint64_t corrupted(enum injection_way way, uint64_t argument)
{
    if (way != INJECT_ARGUMENT)
        return argument;
    injector_done();
    return argument ^ 1ull << injector_bit() % 64;
}

PUBLIC void *malloc(size_t size)
{
    if (unlikely(injector_self.allocates_at != NULL))
        return injector_self.allocates_nothing ? NULL : heap_allocate(size, 0, false, injector_self.allocates_at);
    enum injection_way way = injector_asks(CALL_MALLOC, HERE);
    if (likely(!way))
        return heap_allocate(size, 0, false, HERE);
    return injector_fails(way) ? NULL : returned(way, heap_allocate(less(way, corrupted(way, size)), 0, false, HERE));
}

PUBLIC void *calloc(size_t count, size_t size)
{
    enum injection_way way = injector_asks(CALL_CALLOC, HERE);
    size_t bytes;
    if (injector_fails(way))
        return NULL;
    if (__builtin_mul_overflow(count, size, &bytes))
        return __libc_calloc(count, size); // which refuses it
    return returned(way, heap_allocate(less(way, bytes), 0, true, HERE));
}

PUBLIC void *realloc(void *p, size_t size)
{
    return injector_fails(injector_asks(CALL_REALLOC, HERE)) ? NULL : heap_resize(p, size, HERE);
}

PUBLIC void *reallocarray(void *p, size_t count, size_t size)
{
    size_t bytes;
    if (injector_fails(injector_asks(CALL_REALLOC, HERE)))
        return NULL;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return heap_resize(p, bytes, HERE);
}

PUBLIC void *aligned_alloc(size_t alignment, size_t size)
{
    return injector_fails(injector_asks(CALL_MEMALIGN, HERE)) ? NULL : heap_allocate(size, alignment, false, HERE);
}

PUBLIC int posix_memalign(void **result, size_t alignment, size_t size)
{
    int before = errno;
    if (injector_fails(injector_asks(CALL_MEMALIGN, HERE))) {
        errno = before;
        return ENOMEM;
    }
    if (alignment < sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    void *p = heap_allocate(size, alignment, false, HERE);
    errno = before;
    if (!p)
        return ENOMEM;
    *result = p;
    return 0;
}

static char *copy_text(const char *text, size_t length, const void *pc)
{
    char *made = heap_allocate(length + 1, 0, false, pc);
    trace_access(text, length + 1, CANONICAL_READ_RANGE, pc);
    for (size_t i = 0; made && i < length; i++)
        made[i] = text[i];
    if (made)
        made[length] = 0;
    return made;
}

PUBLIC char *strdup(const char *text)
{
    size_t length = 0;
    if (injector_fails(injector_asks(CALL_STRDUP, HERE)))
        return NULL;
    while (text[length])
        length++;
    return copy_text(text, length, HERE);
}

PUBLIC char *strndup(const char *text, size_t most)
{
    size_t length = 0;
    if (injector_fails(injector_asks(CALL_STRDUP, HERE)))
        return NULL;
    while (length < most && text[length])
        length++;
    return copy_text(text, length, HERE);
}

// The library asks for the memory itself.
PUBLIC int vasprintf(char **restrict made, const char *restrict format, va_list rest)
{
    return injector_fails(injector_asks(CALL_ASPRINTF, HERE)) ? -1 : NEXT(vasprintf)(made, format, rest);
}

PUBLIC int asprintf(char **restrict made, const char *restrict format, ...)
{
    if (injector_fails(injector_asks(CALL_ASPRINTF, HERE)))
        return -1;
    va_list rest;
    va_start(rest, format);
    int length = NEXT(vasprintf)(made, format, rest);
    va_end(rest);
    return length;
}

// Those of programs that are built with _FORTIFY_SOURCE.
int __vasprintf_chk(char **made, int flag, const char *format, va_list rest);

PUBLIC int __vasprintf_chk(char **made, int flag, const char *format, va_list rest)
{
    return injector_fails(injector_asks(CALL_ASPRINTF, HERE)) ? -1 : NEXT(__vasprintf_chk)(made, flag, format, rest);
}

int __asprintf_chk(char **made, int flag, const char *format, ...);

PUBLIC int __asprintf_chk(char **made, int flag, const char *format, ...)
{
    if (injector_fails(injector_asks(CALL_ASPRINTF, HERE)))
        return -1;
    va_list rest;
    va_start(rest, format);
    int length = NEXT(__vasprintf_chk)(made, flag, format, rest);
    va_end(rest);
    return length;
}

PUBLIC void free(void *p)
{
    if (p)
        heap_release((void *)(uintptr_t)corrupted(injector_asks(CALL_FREE, HERE), (uint64_t)(uintptr_t)p), HERE);
}

// Operators of C++: the library's own, whose call of malloc fails, so that it does what a failing one does.
void *_Znwm(size_t size);
void *_Znam(size_t size);

static void end_new(void *nothing)
{
    (void)nothing;
    injector_self.allocates_at = NULL;
    injector_self.allocates_nothing = false;
}

static void *allocate_new(void *(*operator)(size_t), size_t size, const void *pc)
{
    if (injector_self.allocates_at) // new[] calls new
        return operator(size);
    __attribute__((cleanup(end_new))) char whatever = 0; // also where it throws
    (void)whatever;
    injector_self.allocates_nothing = injector_fails(injector_asks(CALL_NEW, pc));
    injector_self.allocates_at = pc;
    return operator(size);
}

// The library's own of this kind ask the throwing one, from within the library.
static void *allocate_or_null(size_t size, const void *pc)
{
    if (injector_self.allocates_at)
        return injector_self.allocates_nothing ? NULL : heap_allocate(size, 0, false, injector_self.allocates_at);
    return injector_fails(injector_asks(CALL_NEW, pc)) ? NULL : heap_allocate(size, 0, false, pc);
}

void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow);
void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow);

PUBLIC void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow)
{
    (void)nothrow;
    return allocate_or_null(size, HERE);
}

PUBLIC void *_ZnamRKSt9nothrow_t(size_t size, const void *nothrow)
{
    (void)nothrow;
    return allocate_or_null(size, HERE);
}

PUBLIC void *_Znwm(size_t size)
{
    return allocate_new(NEXT(_Znwm), size, HERE);
}

PUBLIC void *_Znam(size_t size)
{
    return allocate_new(NEXT(_Znam), size, HERE);
}
