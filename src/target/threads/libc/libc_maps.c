// mmap, munmap, mprotect, mremap, madvise, in front of libc's own: see maps.h. Files are mapped by the kernel, at addresses of
// heddle's, with a process for each execution (outside_room.h).
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>

#include "target/threads/memory/memory_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/libc/native.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/libc/public.h"
#include "target/threads/pthread/pthread_room.h"
#include "target/threads/engine/engine_room.h"

enum { PAGE = 4096, EVERYTHING = PROT_READ | PROT_WRITE | PROT_EXEC };

// The thread of the program that calls this; null if heddle itself does, or the program is not controlled.
static struct thread *libc_maps_caller(const void *pc)
{
    return engine.running && !in_heddle((uint64_t)(uintptr_t)pc) ? engine.running : NULL;
}

static void *libc_maps_fails(int error)
{
    errno = error;
    return MAP_FAILED;
}

static int fails_with(int error)
{
    errno = error;
    return -1;
}

static uint64_t libc_maps_rounded(uint64_t size)
{
    return (size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static bool in_regions(uint64_t start, uint64_t end)
{
    return start >= MAPS_START && end <= MAPS_END && start < end;
}

// Where heddle knows of something mapped, though it lies outside its regions: the program chose the place.
static bool is_followed(uint64_t start, uint64_t end)
{
    const struct map *m = maps_above(start);
    return in_regions(start, end) || (m && m->start <= start && m->end >= end);
}

// A process that the program forks goes on to use this memory.
static bool must_share(int flags)
{
    return engine.forking && flags & MAP_SHARED && (image_imports("fork") || image_imports("vfork"));
}

static void expect_no_code(int access, const void *pc)
{
    if (access & PROT_EXEC)
        library_unseen("executable memory, made by the program", pc);
}

struct mapping {
    uint64_t start, size;
    int access, flags, fd;
    off_t from;
    const void *pc;
};

// Fresh memory of the kernel's at that place, which can be written until its access is set.
static bool put_memory(const struct mapping *m, bool file)
{
    int kind = file                   ? m->flags & (MAP_SHARED | MAP_PRIVATE | MAP_SHARED_VALIDATE)
               : must_share(m->flags) ? MAP_SHARED
                                      : MAP_PRIVATE;
    void *at = (void *)(uintptr_t)m->start;
    int access = file ? m->access : PROT_READ | PROT_WRITE;
    void *got = NATIVE(mmap)(at, m->size, access, kind | MAP_FIXED | MAP_NORESERVE | (file ? 0 : MAP_ANONYMOUS),
                             file ? m->fd : -1, file ? m->from : 0);
    return got != MAP_FAILED;
}

static void *libc_maps_enter(struct thread *t, const struct mapping *m, bool instead)
{
    bool file = !(m->flags & MAP_ANONYMOUS);
    if (!put_memory(m, file))
        return MAP_FAILED;
    struct map as = {.start = m->start,
                     .end = m->start + m->size,
                     .pc = (uint64_t)(uintptr_t)m->pc,
                     .access = (uint8_t)(m->access & EVERYTHING),
                     .shared = m->flags & MAP_SHARED,
                     .file = file};
    if (instead)
        maps_changed(t, &as, false);
    maps_set(&as);
    maps_close();
    if (engine.record)
        record_silent(t, SILENT_MAP, m->start, 0, maps_recorded(m->size), m->pc);
    return (void *)(uintptr_t)m->start;
}

// At a place that the program gives: what was there is gone. Outside heddle's regions only where nothing else is.
static void *enter_fixed(struct thread *t, const struct mapping *m)
{
    uint64_t end = m->start + m->size;
    if (m->start % PAGE || end < m->start)
        return libc_maps_fails(EINVAL);
    bool careful = (m->flags & MAP_FIXED_NOREPLACE) == MAP_FIXED_NOREPLACE;
    if (!is_followed(m->start, end) && !maps_claim(m->start, end)) {
        if (careful)
            return libc_maps_fails(EEXIST);
        refuse(t, "mmap with MAP_FIXED where something else is", "let it choose the address");
    }
    bool instead = maps_overlap(m->start, end);
    if (careful && instead)
        return libc_maps_fails(EEXIST);
    maps_replace(t, m->start, end, m->pc);
    return libc_maps_enter(t, m, instead);
}

void *maps_map(struct thread *t, void *at, size_t size, int access, int flags, int fd, off_t from, const void *pc)
{
    struct mapping m = {(uint64_t)(uintptr_t)at, size, access, flags, fd, from, pc};
    forked_refuse(t, "maps memory");
    bool shared = m.flags & MAP_SHARED, file = !(m.flags & MAP_ANONYMOUS);
    if (!m.size || !(m.flags & (MAP_SHARED | MAP_PRIVATE)))
        return libc_maps_fails(EINVAL);
    if (m.flags & (MAP_HUGETLB | MAP_32BIT) || m.size > MAPS_MAIN_SIZE / 2)
        return libc_maps_fails(ENOMEM); // as it may be without heddle
    m.size = libc_maps_rounded(m.size);
    if (file) {
        outside(t, shared ? "mmap of a file, shared" : "mmap of a file", OUTSIDE_USES, m.pc);
        engine.shares_memory |= shared;
    }
    engine.shares_memory |= must_share(m.flags);
    expect_no_code(m.access, m.pc);
    if (m.flags & (MAP_FIXED | MAP_FIXED_NOREPLACE))
        return enter_fixed(t, &m);
    m.start = maps_room(t, m.size);
    if (!m.start)
        unsupported(t, "a thread maps more memory in all than heddle has for it (32 GiB, 16 TiB for main): what was "
                       "unmapped is not given out again");
    return libc_maps_enter(t, &m, false);
}

#define MAPS(name, offset)                                                                                             \
    PUBLIC void *name(void *at, size_t size, int access, int flags, int fd, offset from)                               \
    {                                                                                                                  \
        struct thread *t = libc_maps_caller(HERE);                                                                     \
        return t ? maps_map(t, at, size, access, flags, fd, from, HERE)                                                \
                 : NATIVE(name)(at, size, access, flags, fd, from);                                                    \
    }
MAPS(mmap, off_t)
MAPS(mmap64, off64_t)

int maps_unmap(struct thread *t, void *at, size_t size, const void *pc)
{
    uint64_t start = (uint64_t)(uintptr_t)at, end = start + libc_maps_rounded(size);
    if (start % PAGE || end <= start)
        return fails_with(EINVAL);
    if (!is_followed(start, end))
        refuse(t, "munmap for memory that it did not map", "leave that to whoever mapped it");
    maps_close_range(t, start, end, pc);
    return 0;
}

PUBLIC int munmap(void *at, size_t size)
{
    struct thread *t = libc_maps_caller(HERE);
    if (t && engine.racy_count)
        access_end(t, (uint64_t)(uintptr_t)at, size, HERE);
    return t ? maps_unmap(t, at, size, HERE) : NATIVE(munmap)(at, size);
}

int maps_change_access(struct thread *t, void *at, size_t size, int access, const void *pc)
{
    uint64_t start = (uint64_t)(uintptr_t)at, end = start + libc_maps_rounded(size);
    if (start % PAGE)
        return fails_with(EINVAL);
    if (start == end)
        return 0;
    if (!is_followed(start, end))
        refuse(t, "mprotect for memory that it did not map", "protect memory that mmap gave");
    if (!maps_cover(start, end))
        return fails_with(ENOMEM);
    expect_no_code(access, pc);
    maps_protect(t, start, end, (uint8_t)(access & EVERYTHING), pc);
    return 0;
}

PUBLIC int mprotect(void *at, size_t size, int access)
{
    struct thread *t = libc_maps_caller(HERE);
    if (t && engine.racy_count)
        access_end(t, (uint64_t)(uintptr_t)at, size, HERE);
    return t ? maps_change_access(t, at, size, access, HERE) : NATIVE(mprotect)(at, size, access);
}

// ---- mremap ----

struct move {
    uint64_t from, to;
    bool readable;
    const void *pc;
};

static void copy_page(uint64_t address, void *move)
{
    const struct move *m = move;
    if (m->readable)
        access_read((const void *)(uintptr_t)address, PAGE, m->pc);
    plain_move((void *)(uintptr_t)(address - m->from + m->to), (const void *)(uintptr_t)address, PAGE);
}

// Memory that others have too, or a file, can only be moved by the kernel. What is left behind is memory that nobody accesses,
// so that going back finds something there.
static bool move_by_kernel(uint64_t from, uint64_t old_size, uint64_t to, uint64_t size)
{
    void *old = (void *)(uintptr_t)from;
    if (NATIVE(mremap)(old, old_size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)(uintptr_t)to) == MAP_FAILED)
        return false;
    NATIVE(mmap)(old, old_size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
    return true;
}

static void *libc_maps_move(struct thread *t, struct map old, uint64_t old_size, struct mapping m, bool leave)
{
    struct move how = {old.start, m.start, old.access & PROT_READ, m.pc};
    bool by_kernel = old.file || (old.shared && must_share(MAP_SHARED));
    m.flags = (old.shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS;
    m.access = PROT_READ | PROT_WRITE;
    if (libc_maps_enter(t, &m, false) == MAP_FAILED)
        return MAP_FAILED;
    maps_open_range(old.start, old.start + old_size);
    if (!by_kernel)
        maps_each_page(old.start, old.start + old_size, copy_page, &how);
    else if (!move_by_kernel(old.start, old_size, m.start, m.size))
        return MAP_FAILED;
    old.end = m.start + m.size;
    old.start = m.start;
    maps_set(&old);
    if (leave)
        NATIVE(madvise)((void *)(uintptr_t)how.from, old_size, MADV_DONTNEED);
    else
        maps_close_range(t, how.from, how.from + old_size, m.pc);
    maps_close();
    return (void *)(uintptr_t)m.start;
}

static void *libc_maps_grow(struct thread *t, struct map old, uint64_t old_size, struct mapping m, bool may_move)
{
    if (maps_extend(t, old.end, m.size - old_size)) {
        m.start = old.end;
        m.size -= old_size;
        m.access = old.access;
        m.flags = (old.shared ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS;
        return libc_maps_enter(t, &m, false) == MAP_FAILED ? MAP_FAILED : (void *)(uintptr_t)(old.end - old_size);
    }
    m.start = may_move ? maps_room(t, m.size) : 0;
    return m.start ? libc_maps_move(t, old, old_size, m, false) : libc_maps_fails(ENOMEM);
}

void *maps_remap(struct thread *t, void *at, size_t old_bytes, size_t size, int flags, void *to, const void *pc)
{
    struct mapping m = {.start = (uint64_t)(uintptr_t)at, .size = libc_maps_rounded(size), .fd = -1, .pc = pc};
    uint64_t old_size = libc_maps_rounded(old_bytes), wanted = (uint64_t)(uintptr_t)to;
    struct map old;
    uint64_t end = m.start + old_size;
    if (m.start % PAGE || !m.size || (flags & MREMAP_FIXED && !(flags & MREMAP_MAYMOVE)))
        return libc_maps_fails(EINVAL);
    if (!is_followed(m.start, end ? end : 1) || !old_size)
        refuse(t, "mremap for memory that it did not map", "map memory, and copy what was there");
    if (!maps_piece(m.start, end, &old))
        return libc_maps_fails(EFAULT);
    if (flags & MREMAP_FIXED) {
        if (wanted % PAGE || !in_regions(wanted, wanted + m.size))
            refuse(t, "mremap to a place that mmap did not give", "let it choose the address");
        maps_replace(t, wanted, wanted + m.size, m.pc);
        m.start = wanted;
        return libc_maps_move(t, old, old_size < m.size ? old_size : m.size, m, flags & MREMAP_DONTUNMAP);
    }
    if (flags & MREMAP_DONTUNMAP) {
        m.start = maps_room(t, m.size);
        return m.start ? libc_maps_move(t, old, old_size, m, true) : libc_maps_fails(ENOMEM);
    }
    if (m.size <= old_size) {
        if (m.size < old_size)
            maps_close_range(t, m.start + m.size, end, m.pc);
        return (void *)(uintptr_t)m.start;
    }
    old.end = end;
    return libc_maps_grow(t, old, old_size, m, flags & MREMAP_MAYMOVE);
}

PUBLIC void *mremap(void *at, size_t old_size, size_t size, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    void *wanted = flags & MREMAP_FIXED ? va_arg(rest, void *) : NULL;
    va_end(rest);
    struct thread *t = libc_maps_caller(HERE);
    return t ? maps_remap(t, at, old_size, size, flags, wanted, HERE)
             : NATIVE(mremap)(at, old_size, size, flags, wanted);
}

// ---- madvise ----

static void clear_page(uint64_t address, void *pc)
{
    access_write((void *)(uintptr_t)address, PAGE, pc);
}

// The pages are gone, and come back empty, or as the file has them. What others can still see of shared memory stays.
static void libc_maps_drop(struct thread *t, struct map m, uint64_t start, uint64_t end, bool remove, const void *pc)
{
    m.start = start = m.start > start ? m.start : start;
    m.end = end = m.end < end ? m.end : end;
    if (m.gone || (m.shared && !remove))
        return;
    if (m.access & PROT_WRITE) {
        maps_each_page(start, end, clear_page, (void *)(uintptr_t)pc);
    } else {
        maps_open_range(start, end);
        maps_keep(start, end);
        maps_close();
    }
    NATIVE(madvise)
    ((void *)(uintptr_t)start, end - start, m.shared && must_share(MAP_SHARED) ? MADV_REMOVE : MADV_DONTNEED);
    maps_changed(t, &m, false);
    maps_set(&m);
}

int maps_advise(struct thread *t, void *at, size_t size, int advice, const void *pc)
{
    uint64_t start = (uint64_t)(uintptr_t)at, end = start + libc_maps_rounded(size);
    if (start % PAGE || end < start)
        return fails_with(EINVAL);
    bool drops = advice == MADV_DONTNEED || advice == MADV_REMOVE || advice == 24; // MADV_DONTNEED_LOCKED
    if (!drops || start == end)
        return 0;
    if (!is_followed(start, end))
        refuse(t, "madvise for memory that it did not map", "drop memory that mmap gave");
    if (!maps_cover(start, end))
        return fails_with(ENOMEM);
    while (start < end) {
        struct map m = *maps_above(start);
        libc_maps_drop(t, m, start, end, advice == MADV_REMOVE, pc);
        start = m.end;
    }
    return 0;
}

PUBLIC int madvise(void *at, size_t size, int advice)
{
    struct thread *t = libc_maps_caller(HERE);
    return t ? maps_advise(t, at, size, advice, HERE) : NATIVE(madvise)(at, size, advice);
}
