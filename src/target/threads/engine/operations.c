#include "target/threads/engine/operations.h"

enum effect do_event(struct thread *t, struct place *none)
{
    (void)none;
    t->result = 0;
    return EFFECT_WRITE;
}

const struct operation operations[OP_KINDS] = {
    [OP_ONCE] = {once_ready, do_once, NULL, NULL},
    [OP_RDLOCK] = {rdlock_ready, do_rdlock_among_others, NULL, NULL},
    [OP_RDLOCK_SEEN] = {rdlock_ready, do_rdlock, after_rdlock, NULL},
    [OP_WRLOCK] = {wrlock_ready, do_wrlock, NULL, NULL},
    [OP_TRYRDLOCK] = {NULL, do_rwtry, after_rwtry, NULL},
    [OP_TRYWRLOCK] = {NULL, do_rwtry, after_rwtry, NULL},
    [OP_RWUNLOCK] = {NULL, do_rwunlock, after_rwunlock, NULL},
    [OP_RDLOCK_QUEUED] = {NULL, do_rdlock_queued, NULL, rwqueue_would_sleep},
    [OP_WRLOCK_QUEUED] = {NULL, do_wrlock_queued, after_queued, rwqueue_would_sleep},
    [OP_SEM_WAIT] = {sem_ready, do_sem_wait, after_sem, NULL},
    [OP_SEM_TRYWAIT] = {NULL, do_sem_trywait, after_sem, NULL},
    [OP_SEM_POST] = {NULL, do_sem_post, after_sem, NULL},
    [OP_SEM_VALUE] = {NULL, do_sem_value, after_sem, NULL},
    [OP_FUTEX_WAIT] = {NULL, do_futex_wait, NULL, futex_would_sleep},
    [OP_FUTEX_WAKE] = {NULL, do_event, NULL, NULL}, // whom it wakes: perform_after
    // those that may look at timers: perform.c
    [OP_FD_READ] = {NULL, NULL, after_descriptor, fd_would_sleep},
    [OP_FD_WRITE] = {NULL, do_descriptor, after_descriptor, fd_would_sleep},
    [OP_FD_POLL] = {NULL, NULL, after_descriptor, fd_would_sleep},
    [OP_FD_CONNECT] = {NULL, do_descriptor, after_descriptor, fd_would_sleep},
    [OP_FD_ACCEPT] = {NULL, do_descriptor, after_descriptor, fd_would_sleep},
    [OP_FD_CLOSE] = {NULL, do_descriptor, after_descriptor, fd_would_sleep},
    [OP_FD_CONTROL] = {NULL, NULL, after_descriptor, fd_would_sleep},
    [OP_BARRIER] = {NULL, do_barrier, NULL, NULL},
    [OP_CROWDED_BARRIER] = {NULL, do_barrier, NULL, NULL},
    [OP_PASS_BARRIER] = {NULL, do_pass_barrier, NULL, NULL},
    [OP_JOIN] = {join_ready, do_join, NULL, NULL},
    [OP_TRYJOIN] = {NULL, do_tryjoin, NULL, NULL},
    [OP_CANCEL] = {NULL, do_cancel, after_cancel, NULL},
    [OP_TESTCANCEL] = {NULL, do_testcancel, NULL, NULL},
    [OP_CANCELLED] = {cancelled_ready, do_cancelled, NULL, NULL},
    [OP_KILL] = {NULL, do_kill, after_signals, NULL},
    [OP_SIGWAIT] = {sigwait_ready, do_sigwait, after_signals, NULL},
    [OP_SIGTRY] = {NULL, do_sigtry, after_signals, NULL},
    [OP_SIGMASK] = {NULL, do_sigmask, after_signals, NULL},
    [OP_SHARED_KILL] = {NULL, do_descriptor, after_descriptor, fd_would_sleep},
    [OP_SHARED_SIGWAIT] = {NULL, do_descriptor, after_descriptor, fd_would_sleep},
    [OP_SHARED_SIGMASK] = {NULL, do_descriptor, after_descriptor, fd_would_sleep},
    [OP_END] = {NULL, do_event, NULL, NULL},
    [OP_SEM_NAME] = {NULL, do_event, NULL, NULL},
    [OP_AT_EXIT] = {NULL, do_event, NULL, NULL},
    [OP_NEXT_AT_EXIT] = {NULL, do_event, NULL, NULL},
    [OP_CALL] = {NULL, do_call, NULL, NULL},
    [OP_OUTSIDE] = {NULL, do_event, NULL, NULL},
    [OP_LIBRARY] = {NULL, do_event, NULL, NULL},
    [OP_TICK] = {NULL, do_look, NULL, NULL},
    [OP_SNAPSHOT] = {NULL, do_event, NULL, NULL},
    [OP_PROCESS_END] = {NULL, do_process_end, after_process_end, NULL},
    [OP_REAP] = {NULL, do_reap, NULL, reap_would_sleep},
    [OP_LOOK] = {NULL, do_look, NULL, NULL},
};
