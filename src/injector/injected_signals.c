// Signals between threads, under control: whoever sends one lets the other thread run, so that it is handled in that thread's next turn
// (injector/injector_turns.h); and nobody waits for one in the kernel.
#define _GNU_SOURCE
#include "injector/injector.h"
#include "injector/injector_turns.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

PUBLIC int pthread_kill(pthread_t handle, int signal)
{
    int error = NEXT(pthread_kill)(handle, signal);
    if (!error && turns_mine()) {
        turns_nudge(handle);
        turns_signalled();
        turns_point();
    }
    return error;
}

PUBLIC int kill(pid_t process, int signal)
{
    int error = NEXT(kill)(process, signal);
    if (!error && turns_mine() && process == getpid()) {
        turns_signalled();
        turns_point();
    }
    return error;
}

// The number of a signal of the set, or -1 with errno set: EAGAIN if time is up.
static int await_signal(const sigset_t *set, siginfo_t *info, const struct timespec *until)
{
    static const struct timespec at_once;
    int signal;
    bool late = false;
    turns_point();
    while ((signal = NEXT(sigtimedwait)(set, info, &at_once)) < 0 && errno == EAGAIN && !late) {
        pthread_testcancel();
        late = turns_await_signal(until);
    }
    return signal;
}

PUBLIC int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return turns_mine() ? await_signal(set, info, NULL) : NEXT(sigwaitinfo)(set, info);
}

PUBLIC int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info, const struct timespec *restrict time)
{
    if (!turns_mine())
        return NEXT(sigtimedwait)(set, info, time);
    uint64_t end = turns_now() + (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
    struct timespec until = {(time_t)(end / 1000000000), (long)(end % 1000000000)};
    return await_signal(set, info, &until);
}

PUBLIC int sigwait(const sigset_t *restrict set, int *restrict signal)
{
    if (!turns_mine())
        return NEXT(sigwait)(set, signal);
    int found = await_signal(set, NULL, NULL);
    if (found < 0)
        return errno;
    *signal = found;
    return 0;
}

// ---- until a handler has run ----

static void put_mask_back(void *mask)
{
    pthread_sigmask(SIG_SETMASK, mask, NULL);
}

// Signals are held back but for a moment in ppoll, which says whether a handler ran in it.
static int await_handler(const sigset_t *mask)
{
    static const struct timespec at_once;
    sigset_t all, before;
    sigfillset(&all);
    turns_point();
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_cleanup_push(put_mask_back, &before);
    while (NEXT(ppoll)(NULL, 0, &at_once, mask ? mask : &before) == 0) {
        turns_await_signal(NULL);
        pthread_testcancel();
    }
    pthread_cleanup_pop(1);
    errno = EINTR;
    return -1;
}

PUBLIC int pause(void)
{
    return turns_mine() ? await_handler(NULL) : NEXT(pause)();
}

PUBLIC int sigsuspend(const sigset_t *mask)
{
    return turns_mine() ? await_handler(mask) : NEXT(sigsuspend)(mask);
}
