// Signals between threads, under control: whoever sends one lets the other thread run, so that it is handled in that thread's next turn
// (injector/injector_turns.h); and nobody waits for one in the kernel.
#define _GNU_SOURCE
#include "injector/injector.h"
#include "injector/injector_turns.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

static const char signals; // what threads block at that wait for one

PUBLIC int pthread_kill(pthread_t handle, int signal)
{
    int error = NEXT(pthread_kill)(handle, signal);
    if (!error && turns_mine()) {
        turns_nudge(handle);
        turns_wake(&signals, UINT32_MAX);
        turns_point();
    }
    return error;
}

PUBLIC int kill(pid_t process, int signal)
{
    int error = NEXT(kill)(process, signal);
    if (!error && turns_mine() && process == getpid()) {
        turns_wake(&signals, UINT32_MAX);
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
        late = turns_block(&signals, until);
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
