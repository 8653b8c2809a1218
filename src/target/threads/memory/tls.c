#define _GNU_SOURCE
#include "target/threads/memory/tls.h"

#include <asm/prctl.h>
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <x86intrin.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/raw.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/memory/image.h"
#include "target/threads/libc/libc_room.h"

static struct {
    size_t size;                // of all blocks of the modules loaded at the start
    bool fast;                  // the processor lets programs write the register
    uint8_t *fresh[MAX_ACTORS]; // variables of a lender before anybody used them
} tls;

enum { OPENED = 64 };

static struct tls_opened {
    size_t module, filled, size, alignment;
    const void *start; // of their values at first
    size_t below;      // the thread pointer; 0: not placed
} opened_blocks[OPENED];
static size_t opened_count, opened_bytes; // and how far below the thread pointer they reach

static PROCESS_STATE void *volatile lenders[MAX_ACTORS]; // their thread pointers

static int add_block(struct dl_phdr_info *info, size_t size, void *used)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_TLS)
            continue;
        tls.size += (h->p_memsz + h->p_align + 63) & ~(size_t)63;
        if (!strstr(info->dlpi_name, "/libc.so") && !strstr(info->dlpi_name, "/ld-linux"))
            *(bool *)used = true;
    }
    return 0;
}

bool tls_is_used(void)
{
    bool used = false;
    tls.size = 0;
    dl_iterate_phdr(add_block, &used);
    tls.fast = getauxval(AT_HWCAP2) & 2;
    if (tls.size < opened_bytes)
        tls.size = opened_bytes;
    lenders[0] = __builtin_thread_pointer();
    return used || image_imports("uselocale") || image_imports("inet_ntoa") || image_imports("__h_errno_location");
}

__attribute__((target("fsgsbase"))) static void write_register(void *thread_pointer)
{
    _writefsbase_u64((uint64_t)(uintptr_t)thread_pointer);
}

void tls_enter(void *thread_pointer)
{
    if (tls.fast)
        write_register(thread_pointer);
    else
        raw_call(SYS_arch_prctl, ARCH_SET_FS, (long)thread_pointer, 0);
}

static void *tls_lend(void *lender)
{
    *(void *volatile *)lender = __builtin_thread_pointer();
    for (;;)
        raw_call(SYS_pause, 0, 0, 0); // the function of this name is for the program
    return NULL;
}

// A real thread that takes no signals and never runs again once its block is known.
static void start_lender(void *volatile *lender)
{
    sigset_t all, before;
    pthread_t handle;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    require(!NATIVE(pthread_create)(&handle, NULL, tls_lend, (void *)(uintptr_t)lender));
    while (!*lender)
        sched_yield();
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

// ---- libraries that are opened ----

void tls_add_opened(size_t module, const void *start, size_t filled, size_t size, size_t alignment)
{
    require_room(opened_count < OPENED, "libraries with thread-local variables that the program opens (64)");
    opened_blocks[opened_count++] = (struct tls_opened){
        .module = module, .start = start, .filled = filled, .size = size, .alignment = alignment ? alignment : 1};
}

bool tls_has_opened(void)
{
    return opened_count > 0;
}

// How far below the thread pointer the variables of any other module lie.
static int find_lowest(struct dl_phdr_info *info, size_t size, void *lowest)
{
    (void)size;
    const uint8_t *pointer = __builtin_thread_pointer(), *data = info->dlpi_tls_data;
    if (data && data < pointer && (size_t)(pointer - data) > *(size_t *)lowest && (size_t)(pointer - data) < 1 << 20)
        *(size_t *)lowest = (size_t)(pointer - data);
    return 0;
}

// How much the C library has below the thread pointer of each thread, without what it keeps above.
static size_t tls_room(void)
{
    typedef void get_info(size_t * size, size_t * alignment);
    get_info *get = (get_info *)(uintptr_t)dlsym(RTLD_DEFAULT, "_dl_get_tls_static_info");
    const uint32_t *above = dlsym(RTLD_DEFAULT, "_thread_db_sizeof_pthread");
    size_t size = 0, alignment;
    if (!get || !above)
        return 0;
    get(&size, &alignment);
    size_t control = (*above + alignment - 1) & ~(alignment - 1);
    return size > control ? size - control : 0;
}

static void tls_fill_opened(const struct tls_opened *o, void *thread_pointer)
{
    uint8_t *to = (uint8_t *)thread_pointer - o->below;
    if (!o->below)
        return;
    plain_move(to, o->start, o->filled);
    plain_fill(to + o->filled, 0, o->size - o->filled);
}

bool tls_place_opened(void)
{
    enum { ALIGNED = 64 }; // as thread pointers are
    size_t room = tls_room(), below = 0;
    if (!opened_count)
        return true;
    dl_iterate_phdr(find_lowest, &below);
    for (size_t i = 0; i < opened_count; i++) {
        struct tls_opened *o = &opened_blocks[i];
        below = (below + o->size + o->alignment - 1) & ~(o->alignment - 1);
        if (below > room || o->alignment > ALIGNED || (uintptr_t)o->start % o->alignment)
            return false;
        o->below = below;
        tls_fill_opened(o, __builtin_thread_pointer());
    }
    opened_bytes = below;
    return true;
}

void tls_renew_opened(size_t module)
{
    for (size_t i = 0; i < opened_count; i++)
        for (uint32_t actor = 0; opened_blocks[i].module == module && actor < MAX_ACTORS; actor++)
            if (lenders[actor] && opened_blocks[i].below) {
                uint8_t *start = (uint8_t *)lenders[actor] - opened_blocks[i].below;
                undo_save(&engine.undo, start, opened_blocks[i].size);
                tls_fill_opened(&opened_blocks[i], lenders[actor]);
            }
}

struct tls_index {
    size_t module, offset;
};

// The compilers' code calls this for variables of libraries.
void *__tls_get_addr(struct tls_index *index);
__attribute__((force_align_arg_pointer)) PUBLIC void *__tls_get_addr(struct tls_index *index)
{
    static void *(*native)(struct tls_index *);
    for (size_t i = 0; i < opened_count && !engine.real; i++)
        if (opened_blocks[i].module == index->module && opened_blocks[i].below)
            return (uint8_t *)tls_current() - opened_blocks[i].below + index->offset;
    if (!native)
        native = (void *(*)(struct tls_index *))(uintptr_t)dlsym(RTLD_NEXT, "__tls_get_addr");
    return native(index);
}

static void keep_fresh(uint32_t actor)
{
    for (size_t i = 0; i < opened_count; i++)
        tls_fill_opened(&opened_blocks[i], lenders[actor]);
    if (!tls.fresh[actor])
        tls.fresh[actor] = mem_reserve(tls.size);
    plain_move(tls.fresh[actor], (uint8_t *)lenders[actor] - tls.size, tls.size);
}

const uint8_t *tls_block(void *thread_pointer, size_t *size)
{
    *size = tls.size;
    return (const uint8_t *)thread_pointer - tls.size;
}

void *tls_borrow(uint32_t actor, bool again)
{
    if (!actor)
        return lenders[0];
    if (!lenders[actor]) {
        void *current = tls_current();
        tls_enter(lenders[0]);
        start_lender(&lenders[actor]);
        keep_fresh(actor);
        tls_enter(current);
    }
    if (again)
        undo_save(&engine.undo, (uint8_t *)lenders[actor] - tls.size, tls.size);
    plain_move((uint8_t *)lenders[actor] - tls.size, tls.fresh[actor], tls.size);
    return lenders[actor];
}
