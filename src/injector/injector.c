// The points of a run: who the threads are, which places call what and how often, and whether the plan's point has come.
#define _GNU_SOURCE
#include "injector/injector.h"
#include "injector/injector_trace.h"
#include "injector/injector_turns.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

__thread struct injector_thread injector_self;
struct injection_block *injector_block;
uint64_t injector_watched;

void *injector_next(const char *name)
{
    void *found = dlsym(RTLD_NEXT, name);
    if (!found) {
        static const char words[] = "heddle: a function that the program calls is not there\n";
        (void)!write(STDERR_FILENO, words, sizeof words - 1);
        _exit(127);
    }
    return found;
}

// ---- modules ----

struct module_search {
    uint64_t pc, offset;
    const char *path;
};

static int look_into_module(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct module_search *s = context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        uint64_t start = info->dlpi_addr + h->p_vaddr;
        if (h->p_type == PT_LOAD && s->pc >= start && s->pc < start + h->p_memsz) {
            s->path = info->dlpi_name;
            s->offset = s->pc - info->dlpi_addr;
            return 1;
        }
    }
    return 0;
}

static bool starts(const char *text, const char *with)
{
    for (; *with; text++, with++)
        if (*text != *with)
            return false;
    return true;
}

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b)
        a++, b++;
    return *a == *b;
}

// What the system's libraries do for themselves is left alone, and so is heddle.
static bool is_systems(const char *path)
{
    const char *name = path;
    for (const char *p = path; *p; p++)
        if (*p == '/')
            name = p + 1;
    return starts(path, "/lib") || starts(path, "/usr/lib") || starts(path, "linux-vdso") ||
           starts(name, "libheddle") || starts(path, "/proc/self/fd/");
}

static uint32_t number_module(const char *path)
{
    struct injection_block *b = injector_block;
    for (uint32_t i = 0;; i++) {
        uint32_t count = __atomic_load_n(&b->module_count, __ATOMIC_ACQUIRE);
        if (i < count && same(b->module[i], path))
            return i;
        if (i < count)
            continue;
        if (i == INJECTION_MODULES)
            return UINT32_MAX;
        // Whoever comes second with a new one finds the slot taken; a module may stand there twice, which does no harm.
        if (__atomic_compare_exchange_n(&b->module_count, &count, i + 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            for (size_t k = 0; k + 1 < INJECTION_PATH && path[k]; k++)
                b->module[i][k] = path[k];
            return i;
        }
    }
}

uint32_t injector_module(const char *path)
{
    return is_systems(path) ? UINT32_MAX : number_module(path);
}

// ---- threads ----

// A number for a thread; INJECTION_THREADS: there is none left.
static uint32_t number_thread(uint64_t path, uint32_t parent, uint32_t child)
{
    struct injection_block *b = injector_block;
    uint32_t number = __atomic_fetch_add(&b->thread_count, 1, __ATOMIC_ACQ_REL);
    if (number >= INJECTION_THREADS) {
        b->full = 1;
        return INJECTION_THREADS;
    }
    b->threads[number] = (struct injection_thread){.path = path, .parent = parent, .child = child};
    return number;
}

static void become_thread(uint32_t number, uint64_t path)
{
    if (number == INJECTION_THREADS)
        return;
    injector_self.number = number;
    injector_self.path = path;
    injector_self.known = true;
}

struct injector_start {
    void *(*start)(void *);
    void *argument;
    uint64_t path;
    uint32_t parent, child;
    uint32_t number; // under control; else INJECTION_THREADS, and the thread takes one itself
};

extern void *__libc_malloc(size_t);
extern void __libc_free(void *);

// What is done here for a thread has calls in it at which one that is to be cancelled would end, and keep its turn.
static void end_thread(void *nothing)
{
    (void)nothing;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    trace_end_thread();
    turns_end();
}

static void *begin_thread(void *given)
{
    struct injector_start s = *(struct injector_start *)given;
    __libc_free(given);
    void *result = NULL;
    int cancels;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancels);
    become_thread(s.number < INJECTION_THREADS ? s.number : number_thread(s.path, s.parent, s.child), s.path);
    if (s.number < INJECTION_THREADS)
        turns_start();
    trace_begin_thread(__builtin_frame_address(0));
    pthread_cleanup_push(end_thread, NULL);
    pthread_setcancelstate(cancels, NULL);
    result = s.start(s.argument);
    pthread_cleanup_pop(1);
    return result;
}

int injector_create(enum injection_call call, pthread_t *handle, const pthread_attr_t *attributes,
                    void *(*start)(void *), void *argument, const void *pc)
{
    if (injector_fails(injector_asks(call, pc)))
        return errno;
    struct injector_start *s = injector_block ? __libc_malloc(sizeof *s) : NULL;
    if (!s)
        return NEXT(pthread_create)(handle, attributes, start, argument);
    uint32_t child = ++injector_self.children;
    *s = (struct injector_start){
        start, argument, injection_path(injector_self.path, child), injector_self.number, child, INJECTION_THREADS};
    uint64_t path = s->path;
    if (turns_mine() && (s->number = number_thread(path, s->parent, child)) < INJECTION_THREADS)
        turns_add(s->number);
    uint32_t number = s->number;
    trace_event(CANONICAL_CREATE, NULL, child, pc);
    int error = NEXT(pthread_create)(handle, attributes, begin_thread, s);
    if (!error && trace_on)
        trace_name_handle(*handle, path);
    if (!error && number < INJECTION_THREADS)
        turns_name(number, *handle);
    if (error && number < INJECTION_THREADS)
        turns_drop(number);
    if (!error)
        turns_point();
    if (error) {
        injector_self.children--;
        __libc_free(s);
    }
    return error;
}

PUBLIC int pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument)
{
    return injector_create(CALL_PTHREAD_CREATE, handle, attributes, start, argument, HERE);
}

// ---- points ----

static void fill_in(struct injection_site *site, enum injection_call call, const void *pc)
{
    struct module_search s = {.pc = (uint64_t)(uintptr_t)pc - 1};
    int error = errno;
    dl_iterate_phdr(look_into_module, &s);
    site->offset = s.offset + 1;
    site->call = call;
    site->thread = injector_self.number;
    site->module = s.path ? injector_module(s.path) : UINT32_MAX;
    __atomic_store_n(&site->ready, 1, __ATOMIC_RELEASE);
    errno = error;
}

// The site of this call by this thread; null if there is no room.
static struct injection_site *find_site(enum injection_call call, const void *pc)
{
    uint64_t key = injection_mix(injection_mix((uint64_t)(uintptr_t)pc, call), injector_self.path);
    for (uint32_t i = 0; i < 64; i++) {
        struct injection_site *site = &injector_block->sites[((key >> 8) + i) % INJECTION_SLOTS];
        uint64_t there = __atomic_load_n(&site->key, __ATOMIC_ACQUIRE);
        if (there == key)
            return site;
        if (!there && __atomic_compare_exchange_n(&site->key, &there, key, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
            fill_in(site, call, pc);
            return site;
        }
    }
    injector_block->full = 1;
    return NULL;
}

static bool is_planned(const struct injection_site *site)
{
    const struct injection_plan *plan = &injector_block->plan;
    return plan->way && plan->offset == site->offset && plan->call == site->call && plan->number == site->calls &&
           plan->path == injector_self.path && same(plan->module, injector_block->module[site->module]);
}

RARE enum injection_way injector_look(enum injection_call call, const void *pc)
{
    if (!injector_self.known)
        return INJECT_NOTHING;
    struct injection_site *site = find_site(call, pc);
    if (!site || !__atomic_load_n(&site->ready, __ATOMIC_ACQUIRE) || site->module == UINT32_MAX)
        return INJECT_NOTHING;
    site->calls++; // only this thread does that
    if (!is_planned(site))
        return INJECT_NOTHING;
    injector_self.planned_at = pc;
    return (enum injection_way)injector_block->plan.way;
}

void injector_done(void)
{
    injector_block->activated_by = injector_self.number;
    injector_block->activated_at = injector_block->threads[injector_self.number].records;
    __atomic_store_n(&injector_block->activated, 1, __ATOMIC_RELEASE);
    int error = errno;
    trace_event(CANONICAL_FAULT, NULL, injector_block->plan.way, injector_self.planned_at);
    errno = error;
}

uint32_t injector_bit(void)
{
    return injector_block->plan.bit;
}

bool injector_fails(enum injection_way way)
{
    if (likely(!way) || !injection_ways[way].error)
        return false;
    injector_done();
    errno = injection_ways[way].error;
    return true;
}

// ---- processes ----

static void count_fork(void)
{
    injector_self.forks++;
}

// A forked process is like a thread of its own, whose calls are not its parent's. It leaves no trace.
static void become_process(void)
{
    uint32_t child = INJECTION_FORKED | injector_self.forks;
    uint64_t path = injection_path(injector_self.path, child);
    bool known = injector_self.known;
    trace_on = false;
    injector_self.known = false;
    if (known)
        become_thread(number_thread(path, injector_self.number, child), path);
    injector_self.children = injector_self.forks = 0;
}

static __attribute__((constructor(101))) void injector_begin(void)
{
    const char *text = getenv(INJECTION_VARIABLE);
    int fd = 0;
    if (!text)
        return;
    for (; *text >= '0' && *text <= '9' && fd < 1 << 20; text++)
        fd = fd * 10 + (*text - '0');
    struct injection_block *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (b == MAP_FAILED || b->magic != INJECTION_MAGIC)
        return;
    unsetenv(INJECTION_VARIABLE); // processes that it starts are not meant
    injector_block = b;
    become_thread(number_thread(injection_path(0, 0), 0, 0), injection_path(0, 0));
    for (int call = 0; call < INJECTION_CALLS; call++)
        for (int group = 0; group < INJECTION_GROUPS; group++)
            for (int way = 1; b->watched >> group & 1 && way < INJECTION_WAYS; way++)
                if (injection_fits((enum injection_call)call, (enum injection_group)group, (enum injection_way)way))
                    injector_watched |= 1ull << call;
    b->attached = 1;
    pthread_atfork(count_fork, NULL, become_process);
    if (b->trace_fd)
        trace_begin((int)b->trace_fd - 1);
    if (b->controlled)
        turns_begin();
}

static __attribute__((destructor(101))) void injector_end(void)
{
    if (trace_on)
        trace_end();
}
