// `syscall`: calls that heddle follows go where the C library's function of that name goes. Those that neither tell the
// program anything that differs from run to run nor let it wait are passed on; all others are refused with their name or
// number.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/pthread/pthread_room.h"

static long syscalls_answer(long result)
{
    if (result >= 0)
        return result;
    errno = (int)-result;
    return -1;
}

static bool is_harmless(long number)
{
    switch (number) {
    case SYS_getuid:
    case SYS_geteuid:
    case SYS_getgid:
    case SYS_getegid:
    case SYS_membarrier:
        return true;
    default:
        return false;
    }
}

static const char *name_of(long number)
{
    switch (number) {
#define NAME(name)                                                                                                     \
    case SYS_##name:                                                                                                   \
        return "syscall (SYS_" #name ")"
        NAME(clone);
        NAME(clone3);
        NAME(fork);
        NAME(vfork);
        NAME(execve);
        NAME(exit);
        NAME(exit_group);
        NAME(kill);
        NAME(tkill);
        NAME(tgkill);
        NAME(brk);
        NAME(ioctl);
        NAME(socket);
        NAME(rt_sigaction);
        NAME(rt_sigprocmask);
        NAME(set_tid_address);
        NAME(set_robust_list);
        NAME(futex_waitv);
        NAME(io_uring_setup);
        NAME(io_uring_enter);
        NAME(prctl);
        NAME(arch_prctl);
        NAME(sched_setaffinity);
        NAME(sched_getaffinity);
        NAME(userfaultfd);
        NAME(memfd_create);
        NAME(inotify_init1);
        NAME(signalfd4);
        NAME(process_vm_readv);
        NAME(rseq);
#undef NAME
    default:
        return NULL;
    }
}

static _Noreturn void refuse_number(struct thread *t, long number)
{
    static char text[64];
    const char *name = name_of(number);
    if (!name) {
        engine.running = NULL; // heddle's own doing
        snprintf(text, sizeof text, "syscall (number %ld)", number);
        engine.running = t;
        name = text;
    }
    refuse(t, name, "use the function of the C library if heddle follows that");
}

static long followed(struct thread *t, const long *a, const void *pc)
{
    // clang-format off
    switch (a[0]) {
    case SYS_futex:
        return syscalls_answer(futex(t, a, pc));
    case SYS_read: return read((int)a[1], (void *)a[2], (size_t)a[3]);
    case SYS_write: return write((int)a[1], (const void *)a[2], (size_t)a[3]);
    case SYS_close: return close((int)a[1]);
    case SYS_open: return open((const char *)a[1], (int)a[2], (mode_t)a[3]);
    case SYS_openat: return openat((int)a[1], (const char *)a[2], (int)a[3], (mode_t)a[4]);
    case SYS_lseek: return lseek((int)a[1], a[2], (int)a[3]);
    case SYS_pread64: return pread((int)a[1], (void *)a[2], (size_t)a[3], a[4]);
    case SYS_pwrite64: return pwrite((int)a[1], (const void *)a[2], (size_t)a[3], a[4]);
    case SYS_dup: return dup((int)a[1]);
    case SYS_pipe: return pipe((int *)a[1]);
    case SYS_pipe2: return pipe2((int *)a[1], (int)a[2]);
    case SYS_eventfd2: return eventfd((unsigned)a[1], (int)a[2]);
    case SYS_timerfd_create:
        return timerfd_create((clockid_t)a[1], (int)a[2]);
    case SYS_timerfd_settime:
        return timerfd_settime((int)a[1], (int)a[2], (const struct itimerspec *)a[3], (struct itimerspec *)a[4]);
    case SYS_timerfd_gettime:
        return timerfd_gettime((int)a[1], (struct itimerspec *)a[2]);
    case SYS_sendfile:
        return sendfile((int)a[1], (int)a[2], (off_t *)a[3], (size_t)a[4]);
    case SYS_socketpair: return socketpair((int)a[1], (int)a[2], (int)a[3], (int *)a[4]);
    case SYS_mmap: return (long)maps_map(t, (void *)a[1], (size_t)a[2], (int)a[3], (int)a[4], (int)a[5], a[6], pc);
    case SYS_munmap: return maps_unmap(t, (void *)a[1], (size_t)a[2], pc);
    case SYS_mprotect: return maps_change_access(t, (void *)a[1], (size_t)a[2], (int)a[3], pc);
    case SYS_mremap:
        return (long)maps_remap(t, (void *)a[1], (size_t)a[2], (size_t)a[3], (int)a[4], (void *)a[5], pc);
    case SYS_madvise: return maps_advise(t, (void *)a[1], (size_t)a[2], (int)a[3], pc);
    case SYS_gettid: return gettid();
    case SYS_getpid: return getpid();
    case SYS_getppid: return getppid();
    case SYS_sched_yield: return sched_yield();
    case SYS_getrandom: return getrandom((void *)a[1], (size_t)a[2], (unsigned)a[3]);
    case SYS_clock_gettime: return clock_gettime((clockid_t)a[1], (struct timespec *)a[2]);
    case SYS_clock_getres: return clock_getres((clockid_t)a[1], (struct timespec *)a[2]);
    case SYS_gettimeofday: return gettimeofday((struct timeval *)a[1], (void *)a[2]);
    case SYS_time: return time((time_t *)a[1]);
    case SYS_nanosleep: return nanosleep((const struct timespec *)a[1], (struct timespec *)a[2]);
    case SYS_clock_nanosleep:
        return syscalls_answer(
            -clock_nanosleep((clockid_t)a[1], (int)a[2], (const struct timespec *)a[3], (struct timespec *)a[4]));
    default: refuse_number(t, a[0]);
    }
    // clang-format on
}

PUBLIC long syscall(long number, ...)
{
    long a[7] = {number};
    va_list arguments;
    va_start(arguments, number);
    for (int i = 1; i < 7; i++)
        a[i] = va_arg(arguments, long);
    va_end(arguments);
    struct thread *t = engine.running;
    if (t && !is_harmless(number)) {
        bool deaf = cancel_deafen(t, true); // what is a cancellation point as a function is none as a number
        long result = followed(t, a, HERE);
        cancel_deafen(t, deaf);
        return result;
    }
    if (t && number == SYS_membarrier) {
        know_fence(&engine.races, &t->know, __ATOMIC_SEQ_CST);
        state_releases_silently();
    }
    return NATIVE(syscall)(number, a[1], a[2], a[3], a[4], a[5], a[6]);
}
