// Memory that comes and goes. A release takes a number before it happens, and an allocation one after: whoever gets an address that
// another thread has given back is recorded later.
#include "recorder/recorder.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <sys/mman.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);
void __libc_free(void *p);

static void *allocated(void *p, size_t size, const void *pc)
{
    struct recorder_thread *me = p && recorder.on ? recorder_enter() : NULL;
    if (!me)
        return p;
    recorder_fresh((uint64_t)(uintptr_t)p, size);
    recorder_sync_by(me, RECORDING_ALLOCATE, (uint64_t)(uintptr_t)p, size, 0, me->allocates_at ? me->allocates_at : pc);
    recorder_leave(me);
    return p;
}

static void released(const void *p, const void *pc)
{
    if (p && recorder.on)
        recorder_sync(RECORDING_RELEASE, p, 0, 0, pc);
}

PUBLIC void *malloc(size_t size)
{
    return allocated(__libc_malloc(size), size, HERE);
}

PUBLIC void *calloc(size_t count, size_t size)
{
    return allocated(__libc_calloc(count, size), count * size, HERE);
}

PUBLIC void free(void *p)
{
    released(p, HERE);
    __libc_free(p);
}

static void *resize(void *p, size_t size, const void *pc)
{
    released(p, pc);
    void *fresh = __libc_realloc(p, size);
    if (!fresh && size && p) { // the old block stays
        struct recorder_thread *me = recorder.on ? recorder_enter() : NULL;
        if (me) {
            recorder_sync_by(me, RECORDING_ALLOCATE, (uint64_t)(uintptr_t)p, malloc_usable_size(p), 0, pc);
            recorder_leave(me);
        }
        return NULL;
    }
    return allocated(fresh, size, pc);
}

PUBLIC void *realloc(void *p, size_t size)
{
    return resize(p, size, HERE);
}

PUBLIC void *reallocarray(void *p, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return resize(p, bytes, HERE);
}

PUBLIC void *memalign(size_t alignment, size_t size)
{
    return allocated(__libc_memalign(alignment, size), size, HERE);
}

PUBLIC void *aligned_alloc(size_t alignment, size_t size)
{
    return allocated(__libc_memalign(alignment, size), size, HERE);
}

PUBLIC void *valloc(size_t size)
{
    return allocated(__libc_memalign(4096, size), size, HERE);
}

PUBLIC int posix_memalign(void **result, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || alignment & (alignment - 1))
        return EINVAL;
    void *p = allocated(__libc_memalign(alignment, size), size, HERE);
    if (!p)
        return ENOMEM;
    recorder_range(result, sizeof *result, true, HERE);
    *result = p;
    return 0;
}

// operator new: what counts is who called it, not that it calls malloc.
#define OPERATOR_NEW(name, parameters, arguments)                                                                      \
    void *name parameters;                                                                                             \
    PUBLIC void *name parameters                                                                                       \
    {                                                                                                                  \
        struct recorder_thread *me = recorder_self;                                                                    \
        if (me)                                                                                                        \
            me->allocates_at = HERE;                                                                                   \
        void *p = ((__typeof__(&name))(uintptr_t)recorder_native(#name))arguments;                                     \
        if (me)                                                                                                        \
            me->allocates_at = NULL;                                                                                   \
        return p;                                                                                                      \
    }
OPERATOR_NEW(_Znwm, (size_t size), (size))
OPERATOR_NEW(_Znam, (size_t size), (size))
OPERATOR_NEW(_ZnwmRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow))
OPERATOR_NEW(_ZnamRKSt9nothrow_t, (size_t size, const void *nothrow), (size, nothrow))
OPERATOR_NEW(_ZnwmSt11align_val_t, (size_t size, size_t alignment), (size, alignment))
OPERATOR_NEW(_ZnamSt11align_val_t, (size_t size, size_t alignment), (size, alignment))

// ---- maps ----

static void *mapped(void *p, size_t size, const void *pc)
{
    if (p == MAP_FAILED || !recorder.on)
        return p;
    struct recorder_thread *me = recorder_enter();
    if (!me)
        return p;
    recorder_fresh((uint64_t)(uintptr_t)p, size);
    recorder_sync_by(me, RECORDING_MAP, (uint64_t)(uintptr_t)p, size, 0, pc);
    recorder_leave(me);
    return p;
}

PUBLIC void *mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return mapped(NATIVE(mmap)(address, size, protection, flags, fd, offset), size, HERE);
}

PUBLIC void *mmap64(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
    return mapped(NATIVE(mmap)(address, size, protection, flags, fd, offset), size, HERE);
}

PUBLIC int munmap(void *address, size_t size)
{
    recorder_sync(RECORDING_UNMAP, address, size, 0, HERE);
    return NATIVE(munmap)(address, size);
}
