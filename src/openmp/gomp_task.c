// What gcc calls for tasks.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "openmp/team.h"

enum task_flag {
    FLAG_FINAL = 1 << 1,
    FLAG_DEPEND = 1 << 3,
    FLAG_UP = 1 << 8,
    FLAG_GRAINSIZE = 1 << 9,
    FLAG_IF = 1 << 10,
    FLAG_NOGROUP = 1 << 11,
    FLAG_DETACH = 1 << 13,
    FLAG_STRICT = 1 << 14
};

typedef unsigned long long ull;

// depend(…) as gcc writes it down: the number of addresses, how many of them are written to, and they themselves; or, behind a
// zero, the numbers of all, of out and inout, of mutexinoutset, and of in; then addresses, and pairs for depend objects.
static size_t read_dependences(void *const *list, struct dependence **out)
{
    size_t total = (uintptr_t)list[0], written = (uintptr_t)list[1], exclusive = 0, plain = total;
    void *const *address = list + 2;
    if (!list[0]) {
        total = (uintptr_t)list[1];
        written = (uintptr_t)list[2];
        exclusive = (uintptr_t)list[3];
        plain = written + exclusive + (uintptr_t)list[4];
        address = list + 5;
    }
    struct dependence *d = *out = calloc(total + 1, sizeof *d);
    if (!d)
        abort();
    for (size_t i = 0; i < total; i++) {
        if (i < plain) {
            d[i].on = address[i];
            d[i].kind = i < written ? DEPENDS_OUT : i < written + exclusive ? DEPENDS_EXCLUSIVE : DEPENDS_IN;
            continue;
        }
        void *const *object =
            address[i]; // omp_depend_t: the address, and the kind: 1 in, 2 out, 3 inout, 4 mutexinoutset
        uintptr_t kind = (uintptr_t)object[1];
        d[i].on = object[0];
        d[i].kind = kind == 1 ? DEPENDS_IN : kind == 4 ? DEPENDS_EXCLUSIVE : DEPENDS_OUT;
    }
    return total;
}

// The task's own copy of its data; *block is to be freed.
static void *copy_data(const void *data, void (*copy)(void *, void *), long size, long align, void **block)
{
    char *room = *block = malloc((size_t)size + (size_t)align);
    if (!room)
        abort();
    room += ((size_t)align - (uintptr_t)room % (size_t)align) % (size_t)align;
    if (copy)
        copy(room, (void *)(uintptr_t)data);
    else
        memcpy(room, data, (size_t)size);
    return room;
}

void GOMP_task(void (*run)(void *), void *data, void (*copy)(void *, void *), long size, long align, bool deferred,
               unsigned flags, void **depend, int priority, void *detach)
{
    (void)priority;
    struct member *m = heddle_omp_member();
    struct dependence *dependence = NULL;
    struct task_wish wish = {.run = run, .data = data, .at_once = !deferred, .final = flags & FLAG_FINAL};
    if (flags & FLAG_DEPEND) {
        wish.dependences = read_dependences(depend, &dependence);
        wish.dependence = dependence;
    }
    if (flags & FLAG_DETACH) // before the data are copied, which the handle may be among
        *(struct task_event **)detach = wish.event = heddle_omp_event_make();
    if (deferred || copy)
        wish.data = copy_data(data, copy, size, align, &wish.to_free);
    heddle_omp_task_create(m, &wish);
    free(dependence);
}

void GOMP_taskwait(void)
{
    heddle_omp_task_wait(heddle_omp_member());
}

void GOMP_taskwait_depend(void **depend)
{
    struct dependence *dependence;
    size_t count = read_dependences(depend, &dependence);
    heddle_omp_task_wait_for(heddle_omp_member(), dependence, count);
    free(dependence);
}

// A thread need not take another task here.
void GOMP_taskyield(void)
{
}

void GOMP_taskgroup_start(void)
{
    heddle_omp_group_begin(heddle_omp_member());
}

void GOMP_taskgroup_end(void)
{
    heddle_omp_group_end(heddle_omp_member());
}

// How many tasks a taskloop becomes.
static ull tasks_of(ull iterations, ull wanted, unsigned flags, unsigned team_size)
{
    if (flags & FLAG_GRAINSIZE && wanted)
        return flags & FLAG_STRICT ? (iterations + wanted - 1) / wanted : iterations / wanted ? iterations / wanted : 1;
    ull tasks = wanted && !(flags & FLAG_GRAINSIZE) ? wanted : team_size;
    return tasks < iterations ? tasks : iterations;
}

struct chunk {
    ull first, count;
};

// The k-th of the tasks: all of one size, or of sizes that differ by at most one.
static struct chunk chunk_of(ull k, ull tasks, ull iterations, ull grain)
{
    if (grain)
        return (struct chunk){k * grain, k + 1 < tasks ? grain : iterations - k * grain};
    ull each = iterations / tasks, more = iterations % tasks;
    return (struct chunk){k * each + (k < more ? k : more), each + (k < more)};
}

static void taskloop(const struct task_wish *like, void (*copy)(void *, void *), long size, long align, unsigned flags,
                     ull wanted, ull start, ull iterations, ull step)
{
    struct member *m = heddle_omp_member();
    ull tasks = iterations ? tasks_of(iterations, wanted, flags, m->team->size) : 0;
    ull grain = flags & FLAG_GRAINSIZE && flags & FLAG_STRICT ? wanted : 0;
    if (!(flags & FLAG_NOGROUP))
        heddle_omp_group_begin(m);
    for (ull k = 0; k < tasks; k++) {
        struct chunk chunk = chunk_of(k, tasks, iterations, grain);
        struct task_wish wish = *like;
        wish.data = copy_data(like->data, copy, size, align, &wish.to_free);
        ((ull *)wish.data)[0] = start + chunk.first * step;
        ((ull *)wish.data)[1] = start + (chunk.first + chunk.count) * step;
        heddle_omp_task_create(m, &wish);
    }
    if (!(flags & FLAG_NOGROUP))
        heddle_omp_group_end(m);
}

void GOMP_taskloop(void (*run)(void *), void *data, void (*copy)(void *, void *), long size, long align, unsigned flags,
                   unsigned long tasks, int priority, long start, long end, long step)
{
    (void)priority;
    const struct task_wish like = {
        .run = run, .data = data, .at_once = !(flags & FLAG_IF), .final = flags & FLAG_FINAL};
    ull width = step > 0 ? (ull)step : 0 - (ull)step;
    ull distance = step > 0 ? (start < end ? (ull)end - (ull)start : 0) : (start > end ? (ull)start - (ull)end : 0);
    taskloop(&like, copy, size, align, flags, tasks, (ull)start, distance ? (distance - 1) / width + 1 : 0, (ull)step);
}

void GOMP_taskloop_ull(void (*run)(void *), void *data, void (*copy)(void *, void *), long size, long align,
                       unsigned flags, unsigned long tasks, int priority, ull start, ull end, ull step)
{
    (void)priority;
    const struct task_wish like = {
        .run = run, .data = data, .at_once = !(flags & FLAG_IF), .final = flags & FLAG_FINAL};
    ull width = flags & FLAG_UP ? step : 0 - step;
    ull distance = flags & FLAG_UP ? (start < end ? end - start : 0) : (start > end ? start - end : 0);
    taskloop(&like, copy, size, align, flags, tasks, start, distance ? (distance - 1) / width + 1 : 0, step);
}
