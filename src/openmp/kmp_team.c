// What clang calls: parallel regions, barriers, single, master, critical, reductions.
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "openmp/exclusion.h"
#include "openmp/kmp.h"
#include "openmp/team.h"

enum { FEW_ARGUMENTS = 12, MOST_ARGUMENTS = 256 };

typedef void kmp_microtask(int32_t *thread, int32_t *bound, ...);

struct fork {
    kmp_microtask *microtask;
    int32_t arguments;
    void *argument[MOST_ARGUMENTS];
};

#define FOUR(i) a[i], a[(i) + 1], a[(i) + 2], a[(i) + 3]
#define SIXTEEN(i) FOUR(i), FOUR((i) + 4), FOUR((i) + 8), FOUR((i) + 12)
#define SIXTY_FOUR(i) SIXTEEN(i), SIXTEEN((i) + 16), SIXTEEN((i) + 32), SIXTEEN((i) + 48)

// Hands over all there is room for: a function may get more arguments than it takes.
static void run_microtask(void *data)
{
    const struct fork *f = data;
    int32_t thread = (int32_t)heddle_omp_member()->number, bound = thread;
    void *const *a = f->argument;
    if (f->arguments <= 4)
        f->microtask(&thread, &bound, FOUR(0));
    else if (f->arguments <= FEW_ARGUMENTS)
        f->microtask(&thread, &bound, FOUR(0), FOUR(4), FOUR(8));
    else
        f->microtask(&thread, &bound, SIXTY_FOUR(0), SIXTY_FOUR(64), SIXTY_FOUR(128), SIXTY_FOUR(192));
}

void __kmpc_fork_call(const struct kmp_ident *at, int32_t arguments, kmp_microtask *microtask, ...)
{
    (void)at;
    struct member *m = heddle_omp_member();
    int32_t handed = arguments <= 4 ? 4 : arguments <= FEW_ARGUMENTS ? FEW_ARGUMENTS : MOST_ARGUMENTS;
    struct fork f;
    f.microtask = microtask;
    f.arguments = arguments;
    if (arguments > MOST_ARGUMENTS)
        abort();
    va_list list;
    va_start(list, microtask);
    for (int32_t i = 0; i < handed; i++)
        f.argument[i] = i < arguments ? va_arg(list, void *) : NULL;
    va_end(list);
    unsigned wanted = m->threads_wanted;
    m->threads_wanted = 0;
    heddle_omp_run_team(heddle_omp_team_size(m, wanted), run_microtask, &f);
}

int32_t __kmpc_global_thread_num(const struct kmp_ident *at)
{
    (void)at;
    return (int32_t)heddle_omp_member()->number;
}

void __kmpc_push_num_threads(const struct kmp_ident *at, int32_t thread, int32_t threads)
{
    (void)at, (void)thread;
    heddle_omp_member()->threads_wanted = threads > 0 ? (unsigned)threads : 0;
}

void __kmpc_push_proc_bind(const struct kmp_ident *at, int32_t thread, int bind)
{
    (void)at, (void)thread, (void)bind;
}

void __kmpc_serialized_parallel(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
    heddle_omp_serial_begin();
}

void __kmpc_end_serialized_parallel(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
    heddle_omp_serial_end();
}

void __kmpc_barrier(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
    heddle_omp_barrier(heddle_omp_member());
}

// Cancellation is off, as it is without OMP_CANCELLATION.
int32_t __kmpc_cancel_barrier(const struct kmp_ident *at, int32_t thread)
{
    __kmpc_barrier(at, thread);
    return 0;
}

int32_t __kmpc_cancel(const struct kmp_ident *at, int32_t thread, int32_t kind)
{
    (void)at, (void)thread, (void)kind;
    return 0;
}

int32_t __kmpc_cancellationpoint(const struct kmp_ident *at, int32_t thread, int32_t kind)
{
    (void)at, (void)thread, (void)kind;
    return 0;
}

void __kmpc_flush(const struct kmp_ident *at)
{
    (void)at;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void __kmpc_critical(const struct kmp_ident *at, int32_t thread, int32_t *name)
{
    (void)at, (void)thread;
    heddle_omp_enter_named(name);
}

void __kmpc_critical_with_hint(const struct kmp_ident *at, int32_t thread, int32_t *name, uint32_t hint)
{
    (void)hint;
    __kmpc_critical(at, thread, name);
}

void __kmpc_end_critical(const struct kmp_ident *at, int32_t thread, int32_t *name)
{
    (void)at, (void)thread;
    heddle_omp_leave_named(name);
}

int32_t __kmpc_single(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
    return heddle_omp_single(heddle_omp_member());
}

void __kmpc_end_single(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
}

int32_t __kmpc_masked(const struct kmp_ident *at, int32_t thread, int32_t filter)
{
    (void)at, (void)thread;
    return (int32_t)heddle_omp_member()->number == filter;
}

void __kmpc_end_masked(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
}

int32_t __kmpc_master(const struct kmp_ident *at, int32_t thread)
{
    return __kmpc_masked(at, thread, 0);
}

void __kmpc_end_master(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
}

void __kmpc_copyprivate(const struct kmp_ident *at, int32_t thread, size_t size, void *data,
                        void (*copy)(void *to, void *from), int32_t mine)
{
    (void)at, (void)thread, (void)size;
    struct member *m = heddle_omp_member();
    if (mine)
        m->team->copied = data;
    heddle_omp_barrier(m);
    if (!mine)
        copy(data, m->team->copied);
    heddle_omp_barrier(m);
}

// 1: the thread adds its part in a critical section, which the end of the reduction leaves. It is never told to do so by
// atomics (2), since clang has no hooks for those of min and max.
int32_t __kmpc_reduce_nowait(const struct kmp_ident *at, int32_t thread, int32_t variables, size_t size, void *data,
                             void (*reduce)(void *, void *), int32_t *name)
{
    (void)at, (void)thread, (void)variables, (void)size, (void)data, (void)reduce;
    heddle_omp_enter_named(name);
    return 1;
}

void __kmpc_end_reduce_nowait(const struct kmp_ident *at, int32_t thread, int32_t *name)
{
    (void)at, (void)thread;
    heddle_omp_leave_named(name);
}

int32_t __kmpc_reduce(const struct kmp_ident *at, int32_t thread, int32_t variables, size_t size, void *data,
                      void (*reduce)(void *, void *), int32_t *name)
{
    return __kmpc_reduce_nowait(at, thread, variables, size, data, reduce, name);
}

void __kmpc_end_reduce(const struct kmp_ident *at, int32_t thread, int32_t *name)
{
    heddle_omp_leave_named(name);
    __kmpc_barrier(at, thread);
}
