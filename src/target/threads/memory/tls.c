#define _GNU_SOURCE
#include "target/threads/memory/tls.h"

#include <asm/prctl.h>
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
#include "target/threads/libc/libc_room.h"

static struct {
    size_t size; // of all blocks of the modules loaded at the start
    bool fast;   // the processor lets programs write the register
    uint8_t *fresh[MAX_ACTORS]; // variables of a lender before anybody used them
} tls;

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
    lenders[0] = __builtin_thread_pointer();
    return used;
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

static void keep_fresh(uint32_t actor)
{
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
