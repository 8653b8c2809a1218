#define _GNU_SOURCE
#include "target/threads/memory/forking.h"

#include <errno.h>
#include <limits.h>
#include <link.h>
#include <linux/futex.h>
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
#include "target/threads/engine/engine_room.h"
#include "target/threads/library/library_room.h"
#include "target/threads/memory/descendants.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/outside/outside_room.h"
#include "target/threads/pthread/pthread_room.h"

enum { MOST_ALONE_MS = 100000 }; // that processes which are not followed may compute
enum { PAGE = 4096, STACK_BYTES = 8 << 20, PATIENCE_MS = 3000, LOOK_MS = 500, MOST_LEVELS = 24, CHAIN = 16 };

// What a process that hands over to its parent wants.
enum wish {
    WISH_NONE,      // nothing: it died
    WISH_AGAIN,     // a fresh process, forked at level `wanted`
    WISH_ELSEWHERE, // to go on in another process of the same execution
    WISH_DEEPER,    // to stay as it is, as the next level, and go on in a child
    WISH_END        // the search has returned
};

// Each level is a process that waits where it was forked: level 0, the origin, before main, the others after some events of
// the current path. The last one's child runs.
struct level {
    uint32_t events;
    size_t undo;  // how much was in the log
    bool spoiled; // what is outside has changed since
};

static struct {
    void (*search)(void *);
    void *context;
    void *search_sp;  // while it does not run
    void *process_sp; // of the process that runs
    pid_t runner;     // that process
    enum wish wish;
    uint32_t wanted;
    bool gave_up;  // engine.unsupported says why
    uint32_t last; // level
    struct level levels[MOST_LEVELS];
    uint32_t longest;                    // execution so far
    uintptr_t shared_from, shared_until; // the runtime's own data
    // Processes that the program has forked (engine/forked.h): which of them runs, the search or the program; a futex.
    volatile uint32_t turn;
    uint32_t next;            // whose turn it is to be
    volatile pid_t has_turn;  // as the kernel calls it
    volatile uint32_t copied; // the newest of them is there; a futex
} forking;

extern char __start_process_state[] __attribute__((weak, visibility("hidden")));
extern char __stop_process_state[] __attribute__((weak, visibility("hidden")));
extern char __start_program_state[] __attribute__((weak, visibility("hidden")));
extern char __stop_program_state[] __attribute__((weak, visibility("hidden")));

static size_t process_state_size(void)
{
    return (size_t)((uintptr_t)__stop_process_state - (uintptr_t)__start_process_state);
}

static size_t program_state_size(void)
{
    return (size_t)((uintptr_t)__stop_program_state - (uintptr_t)__start_program_state);
}

// State that belongs to one process although it lies in the runtime, which is shared.
static void keep_own(uint8_t *kept)
{
    plain_move(kept, __start_process_state, process_state_size());
    plain_move(kept + process_state_size(), __start_program_state, program_state_size());
}

static void put_back_own(const uint8_t *kept)
{
    plain_move(__start_process_state, kept, process_state_size());
    plain_move(__start_program_state, kept + process_state_size(), program_state_size());
}

// The same bytes at the same place, but shared from now on, or private.
static void forking_remap(uintptr_t start, uintptr_t end, int how)
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
        forking.shared_from = start;
        forking.shared_until = end;
        forking_remap(start & ~(uintptr_t)(PAGE - 1), (end + PAGE - 1) & ~(uintptr_t)(PAGE - 1), *(int *)how);
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
    const struct thread *t = engine.running;
    engine.running = NULL;
    keys_hand_over(t);
    exits_hand_over();
    failure_let_end();
}

bool forking_shares(uint64_t address)
{
    return address >= forking.shared_from && address < forking.shared_until;
}

// Leaves the search's stack for the process's own, and comes back in another process. Only the one that began the
// execution can end it.
static void hand_over(enum wish wish)
{
    if (wish != WISH_ELSEWHERE)
        forking_enter(0);
    forking.wish = wish;
    fiber_switch(&forking.search_sp, forking.process_sp);
    forking.wish = WISH_NONE;
}

void forking_enter(uint32_t process)
{
    if (engine.process == process)
        return;
    forking.next = process;
    hand_over(WISH_ELSEWHERE);
    engine.process = process;
}

static void forking_wake(volatile uint32_t *word)
{
    NATIVE(syscall)(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void forking_sleep(volatile uint32_t *word, uint32_t as_long_as)
{
    NATIVE(syscall)(SYS_futex, word, FUTEX_WAIT, as_long_as, NULL, NULL, 0);
}

static void await_turn(uint32_t process)
{
    for (uint32_t turn = forking.turn; turn != process; turn = forking.turn)
        forking_sleep(&forking.turn, turn);
    forking.has_turn = (pid_t)NATIVE(syscall)(SYS_getpid);
}

// The search, wherever it wants to go on, until it is to go on here. What the runtime keeps for the program is the
// process's own.
static void let_others_run(uint32_t process)
{
    uint8_t own[program_state_size() + 1];
    plain_move(own, __start_program_state, program_state_size());
    forking.turn = forking.next;
    forking_wake(&forking.turn);
    await_turn(process);
    plain_move(__start_program_state, own, program_state_size());
}

// A process that the program has forked, on a stack of its own: it runs the search when that wants to go on here.
static _Noreturn void serve_copy(void)
{
    uint32_t self = forking.next;
    uint8_t own[program_state_size() + 1];
    plain_move(own, __start_program_state, program_state_size());
    forking.copied = 1;
    forking_wake(&forking.copied);
    await_turn(self);
    plain_move(__start_program_state, own, program_state_size());
    failure_start_timer();
    for (;;) {
        fiber_switch(&forking.process_sp, forking.search_sp);
        let_others_run(self);
    }
}

static void *make_copy_stack(void)
{
    enum { COPY_STACK = 1 << 18 };
    uint8_t *low = NATIVE(mmap)(NULL, COPY_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    require(low != MAP_FAILED);
    void **top = (void **)(low + COPY_STACK - 64);
    *--top = NULL; // as if it had been called
    *--top = (void *)serve_copy;
    return top;
}

bool forking_copy(uint32_t process, void **sp)
{
    pid_t parent = (pid_t)NATIVE(syscall)(SYS_getpid);
    forking.copied = 0;
    forking.next = process;
    pid_t child = forking_plainly();
    require(child >= 0);
    if (child) {
        while (!forking.copied)
            forking_sleep(&forking.copied, 0);
        return true;
    }
    NATIVE(prctl)(PR_SET_PDEATHSIG, SIGKILL);
    if (NATIVE(syscall)(SYS_getppid) != parent)
        NATIVE(_exit)(0);
    fiber_switch(sp, make_copy_stack());
    return false;
}

// The search's first function, on its own stack.
static void run_search(void)
{
    forking.search(forking.context);
    hand_over(WISH_END);
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

void forking_again(uint32_t level)
{
    forking.wanted = forking.last = level;
    engine.shares_memory &= level > 0;
    hand_over(WISH_AGAIN);
}

void forking_spoil(void)
{
    for (uint32_t level = 1; level <= forking.last; level++)
        forking.levels[level].spoiled = true;
}

uint32_t forking_events(uint32_t level)
{
    return forking.levels[level].events;
}

// Whether the path of now goes through the level: after the same events, threads may have joined others that were waiting there.
static bool is_on_path(const struct level *level)
{
    uint32_t events = level->events;
    return level->undo == (events < engine.exec.count ? engine.marks[events].undo : undo_mark(&engine.undo));
}

static bool is_usable(const struct level *level, uint32_t events)
{
    return !level->spoiled && level->events <= events && is_on_path(level);
}

uint32_t forking_level(uint32_t events)
{
    uint32_t level = forking.last;
    if (engine.exec.count > forking.longest)
        forking.longest = engine.exec.count;
    while (level && !is_usable(&forking.levels[level], events))
        level--;
    bool in_vain = !level && forking.last && forking.levels[1].spoiled;
    if (in_vain && engine.checkpoint_spacing <= UINT32_MAX / 2)
        engine.checkpoint_spacing *= 2;
    return level;
}

static bool is_due(void)
{
    uint32_t since = engine.exec.count - forking.levels[forking.last].events, spacing = engine.checkpoint_spacing;
    if (spacing < forking.longest / CHAIN)
        spacing = forking.longest / CHAIN;
    return since >= spacing && forking.last + 1 < MOST_LEVELS;
}

void forking_checkpoint(void)
{
    if (!engine.checkpoint_spacing || engine.has_children || engine.shares_memory || !is_due())
        return;
    forking.levels[++forking.last] = (struct level){.events = engine.exec.count, .undo = undo_mark(&engine.undo)};
    hand_over(WISH_DEEPER);
}

// Processor time in nanoseconds.
static uint64_t time_used(pid_t child)
{
    struct timespec t = {0};
    NATIVE(syscall)(SYS_clock_gettime, ~(clockid_t)child << 3 | 2, &t); // as clock_getcpuclockid has it
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

// Whether a process that the program has started, and that runs on its own, gets on.
static bool descendants_get_on(pid_t child, uint64_t *used)
{
    struct descendants d = descendants_of(child);
    bool get_on = d.time_ms != *used;
    *used = d.time_ms;
    *engine.beats += get_on;
    return get_on && d.time_ms < MOST_ALONE_MS;
}

static const char *forking_why(pid_t child)
{
    struct descendants d = descendants_of(child);
    if (!d.count)
        return "the program waits in %s for what does not come while its other threads stand still";
    return d.time_ms < MOST_ALONE_MS
               ? "the program waits in %s, and a process that it has started does nothing for three seconds"
               : "the program waits in %s, and processes that it has started compute for more than a hundred seconds";
}

// Waits until the child has ended. Otherwise says why that does not come: it runs the program and does nothing, nor does a process
// that the program forked, and so it waits in a call for something that never happens, since only one thread runs at a time.
static const char *forking_await(pid_t child, int *status)
{
    struct pollfd end = {.events = POLLIN};
    uint64_t used = 0, used_by_others = 0;
    int idle = 0;
    end.fd = (int)NATIVE(syscall)(SYS_pidfd_open, child, 0);
    while (end.fd >= 0 && idle < PATIENCE_MS && NATIVE(syscall)(SYS_poll, &end, 1, LOOK_MS) == 0) {
        uint64_t now = time_used(child == forking.runner ? forking.has_turn : child);
        *engine.beats += now != used; // the supervisor sees the processor time of the first process only
        bool waits = now == used && engine.running && child == forking.runner;
        idle = waits && !descendants_get_on(child, &used_by_others) ? idle + LOOK_MS : 0;
        used = now;
    }
    if (end.fd >= 0)
        NATIVE(syscall)(SYS_close, end.fd);
    const char *why = idle >= PATIENCE_MS ? forking_why(child) : NULL;
    if (why)
        NATIVE(syscall)(SYS_kill, child, SIGKILL);
    while (NATIVE(syscall)(SYS_wait4, child, status, 0, NULL) < 0)
        require(errno == EINTR);
    return why;
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

static void forking_give_up(const char *format, const char *what)
{
    engine.running = NULL;
    forking.gave_up = true;
    snprintf(engine.unsupported, sizeof engine.unsupported, format, what);
}

static void forking_serve(uint32_t level);

// One execution, or what the search makes of it; at a checkpoint it stays where it is. What was true of the process before
// is not true of this one.
static _Noreturn void be_child(pid_t parent, uint32_t level, const uint8_t *own)
{
    NATIVE(syscall)(SYS_setpgid, 0, 0); // so that what it starts can be ended with it
    NATIVE(prctl)(PR_SET_PDEATHSIG, SIGKILL);
    if (NATIVE(syscall)(SYS_getppid) != parent)
        NATIVE(_exit)(0);
    put_back_own(own);
    failure_start_timer();
    engine.ticks++; // the timer hardly ever strikes in the short life of a process
    forking.runner = forking.has_turn = (pid_t)NATIVE(syscall)(SYS_getpid);
    engine.process = forking.turn = 0;
    for (;;) {
        fiber_switch(&forking.process_sp, forking.search_sp);
        if (forking.wish != WISH_ELSEWHERE)
            break;
        let_others_run(0);
    }
    if (forking.wish == WISH_DEEPER) {
        failure_stop_timer();
        forking_serve(level + 1);
    }
    NATIVE(_exit)(0);
    __builtin_unreachable();
}

// Whether the last child was handed over to this process, for another one.
static bool forking_is_wanted(uint32_t level)
{
    return !forking.gave_up && forking.wish == WISH_AGAIN && forking.wanted == level;
}

// From here on this process is a level, and all that follows happens in children of it, one after the other. Comes back when
// an earlier level is wanted, or none.
static void forking_serve(uint32_t level)
{
    uint8_t own[process_state_size() + program_state_size() + 1];
    pid_t self = (pid_t)NATIVE(syscall)(SYS_getpid);
    keep_own(own);
    NATIVE(prctl)(PR_SET_CHILD_SUBREAPER, 1);
    do {
        int status;
        const char *why = level ? NULL : outside_restore();
        if (why) {
            forking_give_up("the working directory cannot be put back: %s", why);
            return;
        }
        pid_t child = forking_plainly();
        require(child >= 0);
        if (!child)
            be_child(self, level, own);
        const char *waits = forking_await(child, &status);
        end_descendants(child);
        if (waits)
            forking_give_up(waits, outside_last() ? outside_last() : "a system call");
        else if (forking.wish == WISH_NONE && !forking.gave_up)
            end_like(status);
    } while (forking_is_wanted(level));
}

bool forking_run(void (*search)(void *context), void *context)
{
    forking.search = search;
    forking.context = context;
    make_stack();
    named_semaphores_prepare(); // in all processes the same
    forking_serve(0);
    return !forking.gave_up;
}
