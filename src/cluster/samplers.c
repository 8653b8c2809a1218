#define _GNU_SOURCE
#include "cluster/samplers.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"

struct samplers_found {
    volatile uint32_t taken; // somebody writes the steps …
    volatile uint32_t there; // … and has written them
    uint32_t limit, count;
    volatile uint64_t drawn[SAMPLERS_MOST];
    struct named_step steps[];
};

static size_t bytes_for(uint32_t limit)
{
    return sizeof(struct samplers_found) + limit * sizeof(struct named_step);
}

static void hand_over(struct samplers_found *found, const struct named_step *steps, uint32_t count)
{
    uint32_t nobody = 0;
    if (count > found->limit ||
        !__atomic_compare_exchange_n(&found->taken, &nobody, 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        return;
    memcpy(found->steps, steps, count * sizeof *steps);
    found->count = count;
    __atomic_store_n(&found->there, 1, __ATOMIC_RELEASE);
}

static _Noreturn void become_sampler(const struct samplers *s, uint32_t which, pid_t command, sampler_work *work,
                                     void *context)
{
    uint32_t count = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL); // however the command ends
    if (getppid() != command)
        _exit(0);
    const struct named_step *steps = work(context, which, &s->found->drawn[which], &count);
    if (steps)
        hand_over(s->found, steps, count);
    _exit(0);
}

void samplers_begin(struct samplers *s, uint32_t count, uint32_t limit, sampler_work *work, void *context)
{
    pid_t command = getpid();
    *s = (struct samplers){0};
    if (!count)
        return;
    void *found =
        mmap(NULL, bytes_for(limit), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (found == MAP_FAILED)
        return;
    s->found = found;
    s->found->limit = limit;
    for (; s->count < count && s->count < SAMPLERS_MOST; s->count++) {
        pid_t process = fork();
        if (process < 0)
            return;
        if (!process)
            become_sampler(s, s->count, command, work, context);
        s->process[s->count] = process;
    }
}

bool samplers_have_found(const struct samplers *s)
{
    return s->found && __atomic_load_n(&s->found->there, __ATOMIC_ACQUIRE);
}

bool samplers_has_ended(const struct samplers *s, uint32_t which)
{
    siginfo_t info = {.si_pid = 0};
    return !waitid(P_PID, (id_t)s->process[which], &info, WEXITED | WNOHANG | WNOWAIT) && info.si_pid;
}

struct named_step *samplers_end(struct samplers *s, uint32_t *count, uint64_t *drawn)
{
    struct named_step *steps = NULL;
    *count = 0;
    for (uint32_t i = 0; i < s->count; i++)
        kill(s->process[i], SIGKILL);
    for (uint32_t i = 0; i < s->count; i++)
        while (waitpid(s->process[i], NULL, 0) < 0 && errno == EINTR)
            ;
    for (uint32_t i = 0; i < s->count; i++)
        *drawn += s->found->drawn[i];
    if (samplers_have_found(s)) {
        *count = s->found->count;
        steps = alloc_array(*count + 1, sizeof *steps);
        memcpy(steps, s->found->steps, *count * sizeof *steps);
    }
    if (s->found)
        munmap(s->found, bytes_for(s->found->limit));
    *s = (struct samplers){0};
    return steps;
}
