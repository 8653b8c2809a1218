#define _GNU_SOURCE
#include "target/threads/forking.h"

#include <errno.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/mem.h"
#include "target/threads/engine.h"
#include "target/threads/fiber.h"
#include "target/threads/native.h"
#include "target/threads/outside.h"
#include "target/threads/public.h"
#include "target/threads/surface.h"

enum { PAGE = 4096, STACK_BYTES = 8 << 20, PATIENCE_MS = 3000, LOOK_MS = 500 };

static struct {
    void (*search)(void *);
    void *context;
    void *search_sp;  // while it does not run
    void *process_sp; // of the child at hand
    bool ended;       // the search has returned
    bool again;       // it wants a fresh process
    uint8_t *kept;    // PROCESS_STATE as it was before the first fork
} forking;

extern char __start_process_state[] __attribute__((weak, visibility("hidden")));
extern char __stop_process_state[] __attribute__((weak, visibility("hidden")));

static size_t process_state_size(void)
{
    return (size_t)((uintptr_t)__stop_process_state - (uintptr_t)__start_process_state);
}

// The same bytes at the same place, but shared from now on, or private.
static void remap(uintptr_t start, uintptr_t end, int how)
{
    size_t size = end - start;
    void *copy = mmap(NULL, size, PROT_READ | PROT_WRITE, how | MAP_ANONYMOUS, -1, 0);
    require(copy != MAP_FAILED);
    plain_move(copy, (void *)start, size);
    require(mremap(copy, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, (void *)start) == (void *)start);
}

static bool lies_in(const struct dl_phdr_info *info, const ElfW(Phdr) * h, const void *p)
{
    uintptr_t at = (uintptr_t)p, start = info->dlpi_addr + h->p_vaddr;
    return h->p_type == PT_LOAD && at >= start && at < start + h->p_memsz;
}

static int remap_module(struct dl_phdr_info *info, size_t size, void *how)
{
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (!lies_in(info, h, &engine)) // all that is written lies in one segment
            continue;
        uintptr_t start = info->dlpi_addr + h->p_vaddr, end = start + h->p_memsz;
        remap(start & ~(uintptr_t)(PAGE - 1), (end + PAGE - 1) & ~(uintptr_t)(PAGE - 1), *(int *)how);
        return 1;
    }
    return 0;
}

void forking_prepare(void)
{
    int how = MAP_SHARED;
    require(dl_iterate_phdr(remap_module, &how));
    mem_share();
}

pid_t forking_plainly(void)
{
    static pid_t (*plainly)(void);
    if (!plainly)
        plainly = (pid_t(*)(void))(uintptr_t)dlsym(RTLD_NEXT, "_Fork");
    if (!plainly)
        plainly = NATIVE(fork);
    return plainly();
}

void forking_leave(void)
{
    int how = MAP_PRIVATE;
    require(dl_iterate_phdr(remap_module, &how));
    engine.running = NULL;
}

// The search's first function, on its own stack.
static void run_search(void)
{
    forking.search(forking.context);
    forking.ended = true;
    fiber_switch(&forking.search_sp, forking.process_sp);
    fail_at(__FILE__, __LINE__, "a search that had ended was resumed");
}

static void make_stack(void)
{
    uint8_t *low = mem_reserve(STACK_BYTES);
    void **top = (void **)(low + STACK_BYTES - 64);
    *--top = NULL; // as if it had been called
    *--top = (void *)run_search;
    forking.search_sp = top;
}

void forking_again(void)
{
    forking.again = true;
    fiber_switch(&forking.search_sp, forking.process_sp);
    forking.again = false;
}

// One execution, or what the search makes of it. What was true of the process before is not true of this one.
static _Noreturn void be_child(pid_t origin)
{
    NATIVE(syscall)(SYS_setpgid, 0, 0); // so that what it starts can be ended with it
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (NATIVE(syscall)(SYS_getppid) != origin)
        NATIVE(_exit)(0);
    plain_move(__start_process_state, forking.kept, process_state_size());
    failure_start_timer();
    engine.ticks++; // the timer hardly ever strikes in the short life of a process
    fiber_switch(&forking.process_sp, forking.search_sp);
    NATIVE(_exit)(0);
    __builtin_unreachable();
}

// Processor time in nanoseconds.
static uint64_t time_used(pid_t child)
{
    struct timespec t = {0};
    NATIVE(syscall)(SYS_clock_gettime, ~(clockid_t)child << 3 | 2, &t); // as clock_getcpuclockid has it
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// Waits until the child has ended. False if it does nothing, and so waits in a call for something that does not come: only
// one thread runs at a time.
static bool await(pid_t child, int *status)
{
    struct pollfd end = {.events = POLLIN};
    uint64_t used = 0;
    int idle = 0;
    end.fd = (int)NATIVE(syscall)(SYS_pidfd_open, child, 0);
    while (end.fd >= 0 && idle < PATIENCE_MS && NATIVE(syscall)(SYS_poll, &end, 1, LOOK_MS) == 0) {
        uint64_t now = time_used(child);
        idle = now == used && engine.running ? idle + LOOK_MS : 0;
        used = now;
    }
    if (end.fd >= 0)
        NATIVE(syscall)(SYS_close, end.fd);
    if (idle >= PATIENCE_MS)
        NATIVE(syscall)(SYS_kill, child, SIGKILL);
    while (NATIVE(syscall)(SYS_wait4, child, status, 0, NULL) < 0)
        require(errno == EINTR);
    return idle < PATIENCE_MS;
}

// Whatever the execution started and left running would write into the next one's files.
static void end_descendants(pid_t child)
{
    if (!engine.has_children)
        return;
    engine.has_children = false;
    NATIVE(syscall)(SYS_kill, -child, SIGKILL);
    while (NATIVE(syscall)(SYS_wait4, -child, NULL, 0, NULL) > 0 || errno == EINTR)
        ;
}

// As the child ended, so that the supervisor sees what it would have seen of a worker without children.
static _Noreturn void end_like(int status)
{
    if (WIFSIGNALED(status)) {
        struct rlimit none = {0};
        NATIVE(syscall)(SYS_setrlimit, RLIMIT_CORE, &none);
        engine.running = NULL;
        signal(WTERMSIG(status), SIG_DFL);
        NATIVE(syscall)(SYS_kill, NATIVE(syscall)(SYS_getpid), WTERMSIG(status));
    }
    NATIVE(_exit)(WEXITSTATUS(status));
    __builtin_unreachable();
}

static bool give_up(const char *format, const char *what)
{
    engine.running = NULL;
    snprintf(engine.unsupported, sizeof engine.unsupported, format, what);
    return false;
}

bool forking_run(void (*search)(void *context), void *context)
{
    forking.search = search;
    forking.context = context;
    make_stack();
    named_semaphores_prepare(); // in all processes the same
    forking.kept = mem_reserve(process_state_size() + 1);
    plain_move(forking.kept, __start_process_state, process_state_size());
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    pid_t origin = (pid_t)NATIVE(syscall)(SYS_getpid);
    for (;;) {
        int status;
        const char *why = outside_restore();
        if (why)
            return give_up("the working directory cannot be put back: %s", why);
        pid_t child = forking_plainly();
        require(child >= 0);
        if (!child)
            be_child(origin);
        bool ended = await(child, &status);
        end_descendants(child);
        if (!ended)
            return give_up("the program waits in %s for what does not come while its other threads stand still",
                           outside_last() ? outside_last() : "a system call");
        if (forking.ended)
            return true;
        if (!forking.again)
            end_like(status);
    }
}
