#include "supervise/record_program.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "build/installation.h"
#include "supervise/run.h"
#include "trace/recording_collect.h"
#include "trace/recording_write.h"

enum { FIRST_CHUNKS = 64, SHORTEST_NS = 1000000, LONGEST_NS = 20000000 };

struct collector {
    const struct record_request *request;
    struct record_outcome *outcome;
    struct recording_ring *ring;
    int ring_fd;
    struct recording_writer writer;
    struct recording_collector names;
    pid_t child;
};

// ---- signals ----
//
// What asks heddle to end is the program's to answer: a terminal sends it to both, and the rest is passed on.

static volatile pid_t told;

static void on_request(int number, siginfo_t *info, void *context)
{
    (void)context;
    bool from_terminal = number == SIGINT && info->si_code == SI_KERNEL;
    if (told && !from_terminal)
        kill(told, number);
}

static void on_child(int number)
{
    (void)number;
}

static void watch_signals(void)
{
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct sigaction action = {.sa_sigaction = on_request, .sa_flags = SA_SIGINFO}, before;
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        sigaction(ending[i], NULL, &before);
        if (before.sa_handler != SIG_IGN)
            sigaction(ending[i], &action, NULL);
    }
    action = (struct sigaction){.sa_handler = on_child};
    sigaction(SIGCHLD, &action, NULL);
}

// ---- the program ----

static int no_ring(void)
{
    fprintf(stderr, "heddle record: there is no shared memory for the recording: %s\n", strerror(errno));
    return 2;
}

static int ring_new(struct collector *c)
{
    struct recording_ring *ring = MAP_FAILED;
    c->ring_fd = memfd_create("heddle-recording", MFD_CLOEXEC);
    if (c->ring_fd >= 0 && !ftruncate(c->ring_fd, sizeof *ring))
        ring = mmap(NULL, sizeof *ring, PROT_READ | PROT_WRITE, MAP_SHARED, c->ring_fd, 0);
    if (ring == MAP_FAILED)
        return no_ring();
    ring->size = sizeof *ring;
    ring->with_stacks = c->request->stacks;
    ring->keeps_all = c->request->full;
    ring->with_values = c->request->values;
    ring->chunks = FIRST_CHUNKS;
    ring->command = (uint32_t)getpid();
    ring->number = 1;
    ring->magic = RECORDING_MAGIC;
    c->ring = ring;
    return 0;
}

// A descriptor's name, which has no characters that LD_PRELOAD cannot take.
static int open_recorder(char *path, size_t room)
{
    struct installation installation;
    char file[PATH_MAX + 32];
    if (installation_find(&installation))
        return -1;
    snprintf(file, sizeof file, "%s/libheddle-record.so", installation.runtime_dir);
    int fd = open(file, O_RDONLY);
    snprintf(path, room, "/proc/self/fd/%d", fd);
    return fd;
}

static _Noreturn void become_program(const struct collector *c, const char *recorder)
{
    char number[16];
    struct buffer preload = {0};
    size_t n = 0;
    snprintf(number, sizeof number, "%d", c->ring_fd);
    setenv(RECORDING_VARIABLE, number, 1);
    run_preload(recorder, &preload);
    setenv("LD_PRELOAD", buffer_text(&preload), 1);
    fcntl(c->ring_fd, F_SETFD, 0);
    signal(SIGPIPE, SIG_DFL);
    while (c->request->arguments && c->request->arguments[n])
        n++;
    char **argv = alloc_zeroed(n + 2, sizeof *argv);
    argv[0] = (char *)(uintptr_t)c->request->program;
    for (size_t i = 0; i < n; i++)
        argv[i + 1] = c->request->arguments[i];
    execv(c->request->program, argv);
    fprintf(stderr, "heddle record: %s cannot be started: %s\n", c->request->program, strerror(errno));
    _exit(127);
}

static int start_program(struct collector *c)
{
    char recorder[64];
    int fd = open_recorder(recorder, sizeof recorder);
    if (fd < 0) {
        fputs("heddle record: libheddle-record.so is not there; it belongs beside libheddle.so.\n", stderr);
        return 2;
    }
    watch_signals();
    c->child = fork();
    if (c->child < 0) {
        fprintf(stderr, "heddle record: the program cannot be started: %s\n", strerror(errno));
        return 2;
    }
    if (!c->child)
        become_program(c, recorder);
    told = c->child;
    close(fd);
    return 0;
}

// ---- what arrives ----

static void stop_recording(struct recording_ring *ring, enum recording_stop why)
{
    uint32_t none = STOP_NOT;
    uint64_t number = __atomic_load_n(&ring->number, __ATOMIC_SEQ_CST);
    if (__atomic_compare_exchange_n(&ring->stop, &none, why, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        __atomic_store_n(&ring->stopped_at, number, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&ring->freed, 1, __ATOMIC_RELEASE);
    syscall(SYS_futex, &ring->freed, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}

static void write_chunk(struct collector *c, uint32_t which)
{
    struct recording_ring *ring = c->ring;
    struct recording_chunk *chunk = &ring->chunk[which];
    uint32_t units = recording_collect_chunk(&c->names, &ring->statics, ring->unit[which]);
    if (units)
        recording_writer_frame(&c->writer, FRAME_UNITS, chunk->thread, chunk->order, ring->unit[which],
                               units * (uint32_t)sizeof(struct recording_unit));
    if (chunk->thread >= c->outcome->threads)
        c->outcome->threads = chunk->thread + 1;
    memset(ring->unit[which], 0, sizeof ring->unit[which]);
}

// What the threads will still hand over has to fit, too.
static bool is_full(const struct collector *c)
{
    return c->writer.error || c->writer.written >= c->request->limit;
}

// Returns whether there were any.
static bool write_full_chunks(struct collector *c)
{
    bool some = false;
    for (uint32_t i = 0; i < RECORDING_CHUNKS; i++) {
        if (__atomic_load_n(&c->ring->chunk[i].state, __ATOMIC_ACQUIRE) != CHUNK_FULL)
            continue;
        write_chunk(c, i);
        __atomic_store_n(&c->ring->chunk[i].state, CHUNK_FREE, __ATOMIC_RELEASE);
        __atomic_fetch_add(&c->ring->freed, 1, __ATOMIC_RELEASE);
        syscall(SYS_futex, &c->ring->freed, FUTEX_WAKE, 1, NULL, NULL, 0);
        some = true;
        if (is_full(c))
            stop_recording(c->ring, c->writer.error ? STOP_FORMAT : STOP_LIMIT);
    }
    return some;
}

static void collect(struct collector *c)
{
    struct timespec pause = {0, SHORTEST_NS};
    for (;;) {
        uint32_t filled = __atomic_load_n(&c->ring->filled, __ATOMIC_ACQUIRE);
        bool ended = waitpid(c->child, &c->outcome->status, WNOHANG) == c->child;
        if (write_full_chunks(c))
            pause.tv_nsec = SHORTEST_NS;
        if (ended)
            break;
        syscall(SYS_futex, &c->ring->filled, FUTEX_WAIT, filled, &pause, NULL, 0);
        pause.tv_nsec = pause.tv_nsec < LONGEST_NS ? pause.tv_nsec * 2 : LONGEST_NS;
    }
    told = 0;
    for (uint32_t i = 0; i < RECORDING_CHUNKS; i++)
        if (c->ring->chunk[i].state != CHUNK_FREE)
            write_chunk(c, i);
}

// ---- the beginning and the end of the file ----

static void write_run(struct collector *c)
{
    const struct record_request *r = c->request;
    recording_writer_run(&c->writer, &(struct recording_origin){.program = r->program,
                                                                .sources = r->sources,
                                                                .flags = r->flags,
                                                                .arguments = (const char *const *)r->arguments,
                                                                .without_hooks = r->without_hooks});
}

static void write_names(struct collector *c)
{
    struct buffer names = {0};
    recording_collect_give(&c->names, &names);
    recording_writer_names(&c->writer, &names);
    buffer_free(&names);
}

static void write_end(struct collector *c)
{
    const struct recording_ring *ring = c->ring;
    struct recording_end end = {.records_end = ring->stop ? ring->stopped_at : UINT64_MAX,
                                .lost_in_handlers = ring->lost_in_handlers,
                                .stop = ring->stop,
                                .status = c->outcome->status,
                                .threads = c->outcome->threads};
    recording_writer_frame(&c->writer, FRAME_END, 0, 0, &end, sizeof end);
    c->outcome->stop = ring->stop;
    c->outcome->lost = ring->lost_in_handlers;
    c->outcome->not_attached = ring->attached == RECORDING_NOT_ATTACHED;
    c->outcome->no_room = ring->attached == RECORDING_NO_ROOM;
}

int record_program(const struct record_request *request, struct record_outcome *outcome)
{
    struct collector c = {.request = request, .outcome = outcome};
    *outcome = (struct record_outcome){0};
    if (ring_new(&c))
        return 2;
    if (!recording_writer_open(&c.writer, request->path)) {
        fprintf(stderr, "heddle record: %s cannot be written: %s\n", request->path, strerror(errno));
        return 2;
    }
    write_run(&c);
    int status = start_program(&c);
    if (!status) {
        collect(&c);
        write_names(&c);
        write_end(&c);
    }
    outcome->bytes = c.writer.written;
    if (!recording_writer_close(&c.writer))
        outcome->error = errno;
    recording_collect_free(&c.names);
    munmap(c.ring, sizeof *c.ring);
    close(c.ring_fd);
    return status;
}
