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
    if (p ? likely(!trace_owns(p)) : likely(!trace_on))
        return __libc_realloc(p, size);
    uint8_t *fresh = heap_allocate(size, 0, false, pc);
    size_t old = p ? trace_size(p) : 0;
    for (size_t i = 0; fresh && i < old && i < size; i++)
        fresh[i] = ((uint8_t *)p)[i];
    if (fresh && p)
        trace_free(p, pc);
    return fresh;
}

// Whether an allocation fails. It counts as one all the same, so that later ones have the names that they have without it.
static bool finds_nothing(enum injection_way way, const void *pc)
{
    if (likely(!injector_fails(way)))
        return false;
    trace_allocate_nothing(pc);
    return true;
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
    return finds_nothing(way, HERE) ? NULL
                                    : returned(way, heap_allocate(less(way, corrupted(way, size)), 0, false, HERE));
}

PUBLIC void *calloc(size_t count, size_t size)
{
    enum injection_way way = injector_asks(CALL_CALLOC, HERE);
    size_t bytes;
    if (finds_nothing(way, HERE))
        return NULL;
    if (__builtin_mul_overflow(count, size, &bytes))
        return __libc_calloc(count, size); // which refuses it
    return returned(way, heap_allocate(less(way, bytes), 0, true, HERE));
}

PUBLIC void *realloc(void *p, size_t size)
{
    return finds_nothing(injector_asks(CALL_REALLOC, HERE), HERE) ? NULL : heap_resize(p, size, HERE);
}

PUBLIC void *reallocarray(void *p, size_t count, size_t size)
{
    size_t bytes;
    if (finds_nothing(injector_asks(CALL_REALLOC, HERE), HERE))
        return NULL;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return heap_resize(p, bytes, HERE);
}

// Operators of C++ that align ask for it, too.
PUBLIC void *aligned_alloc(size_t alignment, size_t size)
{
    if (unlikely(injector_self.allocates_at != NULL))
        return injector_self.allocates_nothing ? NULL
                                               : heap_allocate(size, alignment, false, injector_self.allocates_at);
    return finds_nothing(injector_asks(CALL_MEMALIGN, HERE), HERE) ? NULL : heap_allocate(size, alignment, false, HERE);
}

PUBLIC void *memalign(size_t alignment, size_t size)
{
    return finds_nothing(injector_asks(CALL_MEMALIGN, HERE), HERE) ? NULL : heap_allocate(size, alignment, false, HERE);
}

PUBLIC int posix_memalign(void **result, size_t alignment, size_t size)
{
    int before = errno;
    if (finds_nothing(injector_asks(CALL_MEMALIGN, HERE), HERE)) {
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
    if (finds_nothing(injector_asks(CALL_STRDUP, HERE), HERE))
        return NULL;
    while (text[length])
        length++;
    return copy_text(text, length, HERE);
}

PUBLIC char *strndup(const char *text, size_t most)
{
    size_t length = 0;
    if (finds_nothing(injector_asks(CALL_STRDUP, HERE), HERE))
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
static void end_new(void *nothing)
{
    (void)nothing;
    injector_self.allocates_at = NULL;
    injector_self.allocates_nothing = false;
}

// `alignment` is nothing where the operator takes none.
static void *allocate_new(void *(*operator)(size_t, size_t), size_t size, size_t alignment, const void *pc)
{
    if (injector_self.allocates_at) // new[] calls new
        return operator(size, alignment);
    __attribute__((cleanup(end_new))) char whatever = 0; // also where it throws
    (void)whatever;
    injector_self.allocates_nothing = finds_nothing(injector_asks(CALL_NEW, pc), pc);
    injector_self.allocates_at = pc;
    return operator(size, alignment);
}

// The library's own of this kind ask the throwing one, from within the library.
static void *allocate_or_null(size_t size, size_t alignment, const void *pc)
{
    if (injector_self.allocates_at)
        return injector_self.allocates_nothing ? NULL
                                               : heap_allocate(size, alignment, false, injector_self.allocates_at);
    return finds_nothing(injector_asks(CALL_NEW, pc), pc) ? NULL : heap_allocate(size, alignment, false, pc);
}

// Those that take no alignment get whatever is in its register, and look at nothing there.
#define NEW(name)                                                                                                      \
    void *name(size_t size, size_t alignment);                                                                         \
    PUBLIC void *name(size_t size, size_t alignment)                                                                   \
    {                                                                                                                  \
        return allocate_new(NEXT(name), size, alignment, HERE);                                                        \
    }

NEW(_Znwm)
NEW(_Znam)
NEW(_ZnwmSt11align_val_t)
NEW(_ZnamSt11align_val_t)

#define NEW_NOTHROW(name)                                                                                              \
    void *name(size_t size, const void *nothrow);                                                                      \
    PUBLIC void *name(size_t size, const void *nothrow)                                                                \
    {                                                                                                                  \
        (void)nothrow;                                                                                                 \
        return allocate_or_null(size, 0, HERE);                                                                        \
    }

NEW_NOTHROW(_ZnwmRKSt9nothrow_t)
NEW_NOTHROW(_ZnamRKSt9nothrow_t)

#define NEW_ALIGNED_NOTHROW(name)                                                                                      \
    void *name(size_t size, size_t alignment, const void *nothrow);                                                    \
    PUBLIC void *name(size_t size, size_t alignment, const void *nothrow)                                              \
    {                                                                                                                  \
        (void)nothrow;                                                                                                 \
        return allocate_or_null(size, alignment, HERE);                                                                \
    }

NEW_ALIGNED_NOTHROW(_ZnwmSt11align_val_tRKSt9nothrow_t)
NEW_ALIGNED_NOTHROW(_ZnamSt11align_val_tRKSt9nothrow_t)
