// What clang calls for tasks.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "openmp/kmp.h"
#include "openmp/team.h"

typedef unsigned long long ull;

// As the compiler knows it; its private variables follow, and then what it shares with its creator.
struct kmp_task {
    void *shareds;
    int32_t (*entry)(int32_t thread, void *task);
    int32_t part;
    union {
        int32_t (*destroy)(int32_t thread, void *task);
        uint64_t word;
    } data_1, data_2;
};

// In front of it: what the runtime keeps.
struct block {
    size_t size;          // of task and shareds
    size_t shareds;       // where these begin; 0 if there are none
    bool final, destroys; // destroys: its private variables have destructors
    struct task_event *event;
    _Alignas(16) char task[];
};

enum { KMP_FINAL = 2, KMP_DESTRUCTORS = 8 };

static struct block *block_of(void *task)
{
    return (struct block *)((char *)task - offsetof(struct block, task));
}

void *__kmpc_omp_task_alloc(const struct kmp_ident *at, int32_t thread, int32_t flags, size_t size, size_t shareds,
                            int32_t (*entry)(int32_t, void *))
{
    (void)at, (void)thread;
    size_t begin = (size + 15) / 16 * 16;
    struct block *block = calloc(1, sizeof *block + begin + shareds);
    if (!block)
        abort();
    struct kmp_task *task = (struct kmp_task *)block->task;
    block->size = begin + shareds;
    block->shareds = shareds ? begin : 0;
    block->final = flags & KMP_FINAL;
    block->destroys = flags & KMP_DESTRUCTORS;
    task->entry = entry;
    task->shareds = shareds ? block->task + begin : NULL;
    return task;
}

static void destroy_privates(struct kmp_task *task)
{
    if (block_of(task)->destroys)
        task->data_1.destroy((int32_t)heddle_omp_member()->number, task);
}

static void run(void *data)
{
    struct kmp_task *task = data;
    task->entry((int32_t)heddle_omp_member()->number, task);
    if (!heddle_omp_member()->task->unfinished_part)
        destroy_privates(task);
}

// detach(event): the task is not made yet.
void *__kmpc_task_allow_completion_event(const struct kmp_ident *at, int32_t thread, void *task)
{
    (void)at, (void)thread;
    struct block *block = block_of(task);
    if (!block->event)
        block->event = heddle_omp_event_make();
    return block->event;
}

static void create(void *task, const struct dependence *dependence, size_t count, bool at_once)
{
    struct block *block = block_of(task);
    const struct task_wish wish = {.run = run,
                                   .data = task,
                                   .to_free = block,
                                   .dependence = dependence,
                                   .dependences = count,
                                   .final = block->final,
                                   .event = block->event,
                                   .at_once = at_once};
    heddle_omp_task_create(heddle_omp_member(), &wish);
}

// An untied task is compiled as several parts, one call each. Where one ends, the task hands itself in again, and returns.
int32_t __kmpc_omp_task(const struct kmp_ident *at, int32_t thread, void *task)
{
    (void)at, (void)thread;
    struct task *current = heddle_omp_member()->task;
    if (current->data == task)
        current->unfinished_part = true;
    else
        create(task, NULL, 0, false);
    return 0;
}

struct kmp_dependence {
    intptr_t on;
    size_t length;
    uint8_t flags; // 1 in, 2 out, 4 mutexinoutset
};

static struct dependence *read_dependences(int32_t count, const struct kmp_dependence *list, int32_t more,
                                           const struct kmp_dependence *others)
{
    struct dependence *out = calloc((size_t)count + (size_t)more + 1, sizeof *out);
    if (!out)
        abort();
    for (int32_t i = 0; i < count + more; i++) {
        const struct kmp_dependence *from = i < count ? &list[i] : &others[i - count];
        out[i].on = (const void *)from->on;
        out[i].kind = from->flags & 2 ? DEPENDS_OUT : from->flags & 4 ? DEPENDS_EXCLUSIVE : DEPENDS_IN;
    }
    return out;
}

int32_t __kmpc_omp_task_with_deps(const struct kmp_ident *at, int32_t thread, void *task, int32_t count,
                                  const struct kmp_dependence *list, int32_t more, const struct kmp_dependence *others)
{
    (void)at, (void)thread;
    struct dependence *dependence = read_dependences(count, list, more, others);
    create(task, dependence, (size_t)count + (size_t)more, false);
    free(dependence);
    return 0;
}

void __kmpc_omp_wait_deps(const struct kmp_ident *at, int32_t thread, int32_t count, const struct kmp_dependence *list,
                          int32_t more, const struct kmp_dependence *others)
{
    (void)at, (void)thread;
    struct dependence *dependence = read_dependences(count, list, more, others);
    heddle_omp_task_wait_for(heddle_omp_member(), dependence, (size_t)count + (size_t)more);
    free(dependence);
}

void __kmpc_omp_task_begin_if0(const struct kmp_ident *at, int32_t thread, void *task)
{
    (void)at, (void)thread;
    heddle_omp_task_enter(heddle_omp_member(), block_of(task)->final);
    heddle_omp_member()->task->data = task;
}

void __kmpc_omp_task_complete_if0(const struct kmp_ident *at, int32_t thread, void *task)
{
    (void)at;
    struct kmp_task *own = task;
    struct task *current = heddle_omp_member()->task;
    while (current->unfinished_part) {
        current->unfinished_part = false;
        own->entry(thread, own);
    }
    destroy_privates(task);
    heddle_omp_task_leave(heddle_omp_member());
    free(block_of(task));
}

int32_t __kmpc_omp_taskwait(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
    heddle_omp_task_wait(heddle_omp_member());
    return 0;
}

int32_t __kmpc_omp_taskyield(const struct kmp_ident *at, int32_t thread, int end)
{
    (void)at, (void)thread, (void)end;
    return 0;
}

void __kmpc_taskgroup(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
    heddle_omp_group_begin(heddle_omp_member());
}

void __kmpc_end_taskgroup(const struct kmp_ident *at, int32_t thread)
{
    (void)at, (void)thread;
    heddle_omp_group_end(heddle_omp_member());
}

// A task like another, which has not run yet.
static void *another_like(void *like, void (*duplicate)(void *to, void *from, int32_t last), bool last)
{
    struct block *from = block_of(like), *block = malloc(sizeof *block + from->size);
    if (!block)
        abort();
    memcpy(block, from, sizeof *block + from->size);
    struct kmp_task *task = (struct kmp_task *)block->task;
    task->shareds = block->shareds ? block->task + block->shareds : NULL;
    if (duplicate)
        duplicate(task, like, last);
    return task;
}

enum { KMP_BY_GRAIN = 1, KMP_BY_NUMBER = 2 };

static ull tasks_of(ull iterations, int32_t kind, ull wanted, unsigned team_size)
{
    ull tasks = kind == KMP_BY_GRAIN && wanted ? iterations / wanted : kind == KMP_BY_NUMBER ? wanted : team_size;
    tasks = tasks ? tasks : 1;
    return tasks < iterations ? tasks : iterations;
}

void __kmpc_taskloop(const struct kmp_ident *at, int32_t thread, void *task, int32_t deferred, uint64_t *low,
                     uint64_t *high, int64_t step, int32_t no_group, int32_t kind, uint64_t wanted,
                     void (*duplicate)(void *to, void *from, int32_t last))
{
    struct member *m = heddle_omp_member();
    bool up = step > 0;
    ull start = *low, iterations = 0;
    if (up ? *low <= *high : (int64_t)*low >= (int64_t)*high)
        iterations = up ? (*high - *low) / (ull)step + 1 : (*low - *high) / (0 - (ull)step) + 1;
    size_t low_at = (size_t)((char *)low - (char *)task), high_at = (size_t)((char *)high - (char *)task);
    ull tasks = iterations ? tasks_of(iterations, kind, wanted, m->team->size) : 0;
    if (!no_group)
        __kmpc_taskgroup(at, thread);
    for (ull k = 0, first = 0; k < tasks; k++) {
        ull count = iterations / tasks + (k < iterations % tasks);
        char *part = another_like(task, duplicate, k + 1 == tasks);
        *(uint64_t *)(part + low_at) = start + first * (ull)step;
        *(uint64_t *)(part + high_at) = start + (first + count - 1) * (ull)step;
        create(part, NULL, 0, !deferred);
        first += count;
    }
    destroy_privates(task);
    free(block_of(task));
    if (!no_group)
        __kmpc_end_taskgroup(at, thread);
}
