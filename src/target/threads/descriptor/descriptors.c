// Numbers, files, and how a call on one becomes a visible operation.
#define _GNU_SOURCE
#include "target/threads/descriptor/endpoints.h"
#include "target/threads/descriptor/timers.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/raw.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"
#include "target/threads/descriptor/descriptor_room.h"

// Numbers below FIRST are the kernel's. main has those up to EARLY; each of the next threads has SHARE more below 1024,
// which is as far as `select` goes; the rest of the numbers is theirs in pieces of LANE.
enum { FIRST = 256, EARLY = 768, SELECTED = 1024, SHARE = 16, LANE = 1024, FILES = 4096 };
enum { NUMBERS = SELECTED + MAX_ACTORS * LANE };

#define OBJECTS 0xfd0000000000ull // no address of the program

struct descriptor {
    uint32_t file; // + 1; 0: never given out
    uint32_t closed;
    uint32_t flags; // FD_CLOEXEC
    uint32_t unused;
};

static struct {
    struct descriptor *numbers;
    struct file *files;
    uint64_t file_count;
    uint64_t given[MAX_ACTORS]; // numbers, to each actor
    uint64_t made[MAX_ACTORS];  // objects, by each actor
} table;

uint8_t fd_bounce[CHANNEL_BYTES];

// The kernel gives out no number that is not below this bound.
static void keep_kernel_below(int number)
{
    struct rlimit limit = {0};
    require(raw_call(SYS_getrlimit, RLIMIT_NOFILE, (long)&limit, 0) == 0);
    if (limit.rlim_cur > (rlim_t)number)
        limit.rlim_cur = (rlim_t)number;
    require(raw_call(SYS_setrlimit, RLIMIT_NOFILE, (long)&limit, 0) == 0);
}

static PROCESS_STATE bool kernel_is_below;

static void descriptors_begin(void)
{
    keep_kernel_below(FIRST);
    kernel_is_below = true;
    if (table.numbers)
        return;
    table.numbers = mem_reserve(NUMBERS * sizeof *table.numbers);
    table.files = mem_reserve(FILES * sizeof *table.files);
}

bool is_descriptor(int fd)
{
    return fd >= FIRST && fd < NUMBERS && table.numbers && table.numbers[fd].file;
}

uint32_t descriptor_limit(void)
{
    return NUMBERS;
}

struct file *file_at(uint32_t number)
{
    return number ? &table.files[number - 1] : NULL;
}

uint32_t file_number(const struct file *f)
{
    return (uint32_t)(f - table.files) + 1;
}

uint32_t open_file(int fd)
{
    return is_descriptor(fd) && !table.numbers[fd].closed ? table.numbers[fd].file : 0;
}

enum file_position descriptor_position(int fd)
{
    const struct file *f = file_at(open_file(fd));
    return !f ? POSITION_UNKNOWN : f->kind < FILE_EVENT ? POSITION_NONE : POSITION_ALWAYS_0;
}

uint32_t *descriptor_flags(int fd)
{
    undo_save(&engine.undo, &table.numbers[fd], sizeof *table.numbers);
    return &table.numbers[fd].flags;
}

struct file *file_of(struct fd_call *call)
{
    if (!call->file)
        call->file = open_file(call->fd);
    return file_at(call->file);
}

uint64_t descriptor_object(struct thread *t)
{
    undo_save_word(&engine.undo, &table.made[t->actor]);
    return OBJECTS + ((uint64_t)t->actor << 24) + 16 * ++table.made[t->actor];
}

#define INHERITED 0xfa0000000000ull // no address of the program

static bool can_be_kernels(const struct file *f)
{
    return f->references && (f->kind == FILE_PIPE_READ || f->kind == FILE_PIPE_WRITE || f->kind == FILE_EVENT ||
                             (f->kind == FILE_SOCKET && !f->endpoint && f->peer));
}

void descriptors_are_inherited(struct thread *t)
{
    for (uint32_t i = 0; i < table.file_count; i++) {
        if (can_be_kernels(&table.files[i])) {
            places_learn(t, INHERITED);
            return;
        }
    }
}

bool descriptors_of_kernel(void)
{
    return places_know(INHERITED);
}

void descriptor_made(struct thread *t, const char *what, uint64_t object, const void *pc)
{
    if (engine.record)
        record_made(t, object, what, pc);
}

uint32_t file_new(struct thread *t, enum file_kind kind, uint64_t object, uint32_t flags)
{
    forked_refuse(t, "makes a pipe, socket or the like");
    if (!kernel_is_below)
        descriptors_begin();
    if (table.file_count == FILES)
        unsupported(t, "the program makes more pipes and sockets in one execution than heddle follows");
    undo_save_word(&engine.undo, &table.file_count);
    struct file *f = &table.files[table.file_count++];
    keep_file(f);
    *f = (struct file){.kind = kind, .object = object, .flags = flags & O_NONBLOCK};
    return file_number(f);
}

// The nth number of an actor.
static int descriptors_number_of(uint32_t actor, uint64_t nth)
{
    uint64_t early = actor == 0 ? EARLY - FIRST : actor <= (SELECTED - EARLY) / SHARE ? SHARE : 0;
    if (nth < early)
        return (int)((actor ? EARLY + (uint64_t)(actor - 1) * SHARE : (uint64_t)FIRST) + nth);
    return nth - early < LANE ? (int)(SELECTED + (uint64_t)actor * LANE + nth - early) : -1;
}

// Whether the kernel has given that number to a file of its own, before heddle was there.
static bool is_taken(int fd)
{
    return raw_call(SYS_fcntl, fd, F_GETFD, 0) >= 0;
}

int descriptor_new(struct thread *t, uint32_t file, int least, bool close_on_exec)
{
    undo_save_word(&engine.undo, &table.given[t->actor]);
    int fd;
    do {
        fd = descriptors_number_of(t->actor, table.given[t->actor]++);
    } while (fd >= 0 && (fd < least || is_taken(fd)));
    if (fd < 0) {
        cannot_follow("the program makes more descriptors in one execution than heddle follows");
        return -EMFILE;
    }
    struct descriptor *d = &table.numbers[fd];
    undo_save(&engine.undo, d, sizeof *d);
    *d = (struct descriptor){.file = file, .flags = close_on_exec ? FD_CLOEXEC : 0};
    struct file *f = file_at(file);
    keep_file(f);
    f->references++;
    return fd;
}

static int descriptors_gone(const struct file *f)
{
    return f->type == SOCK_DGRAM ? ECONNREFUSED : EPIPE;
}

// The last descriptor of a file is closed: its peer will read to the end, and write in vain.
static void end_file(struct thread *t, struct file *f)
{
    struct channel *in = channel_at(f->in), *out = channel_at(f->out);
    struct file *peer = file_at(f->peer);
    endpoint_end(t, f);
    bool aborts = peer && (in->pieces || f->options & OPTION_ABORTS) && f->type != SOCK_DGRAM;
    if (aborts) {
        keep_file(peer);
        peer->reset = ECONNRESET;
    }
    if (in && is_tcp(f) && !aborts)
        channel_orphan(t, in);
    else if (in)
        channel_end(t, in, descriptors_gone(f), f->type != SOCK_DGRAM);
    if (out)
        channel_end(t, out, f->type == SOCK_DGRAM ? 0 : EPIPE, f->type != SOCK_DGRAM);
}

void file_drop(struct thread *t, struct file *f)
{
    keep_file(f);
    if (!--f->references)
        end_file(t, f);
}

long descriptor_close(struct fd_call *call, struct thread *t)
{
    struct file *f = file_at(open_file(call->fd));
    if (!f)
        return -EBADF;
    undo_save(&engine.undo, &table.numbers[call->fd], sizeof *table.numbers);
    table.numbers[call->fd].closed = 1;
    file_drop(t, f);
    call->changed = true;
    return 0;
}

bool ready_at_once(struct fd_call *call)
{
    (void)call;
    return true;
}

uint64_t sockets_object(void)
{
    return OBJECTS + (1 << 23); // beyond what main will make
}

uint64_t objects_anywhere(void)
{
    return OBJECTS;
}

uint32_t fd_place(struct thread *t, uint64_t object, bool several)
{
    if (several && !engine.alone)
        places_learn(t, OBJECTS);
    return place_at(places_know(OBJECTS) ? OBJECTS : object);
}

static struct fd_call *descriptors_call_of(const struct request *r)
{
    return (struct fd_call *)(uintptr_t)r->operand;
}

static void descriptors_sample(struct fd_call *call)
{
    if (call->sampled)
        return;
    call->sampled = true;
    const struct file *f = call->obeys ? file_of(call) : NULL;
    call->nonblocking |= f && f->flags & O_NONBLOCK;
}

bool fd_would_sleep(const struct thread *t)
{
    struct fd_call *call = descriptors_call_of(&t->request);
    signals_asked_by(t);
    descriptors_sample(call);
    return !call->nonblocking && !call->ready(call) && !timers_end_wait(t, call);
}

uint32_t fd_more_objects(const struct request *r)
{
    return (uint32_t)descriptors_call_of(r)->number;
}

// A call that sleeps keeps its file, even if another thread closes the descriptor.
static void descriptors_hold(struct thread *t, struct fd_call *call)
{
    if (!call->held && call->file) {
        struct file *f = file_at(call->file);
        keep_file(f);
        f->references++;
        call->held = true;
    }
    t->asleep = 1;
    t->result = (wide)TRACE_ASLEEP;
}

static bool changes_timers_only(const struct fd_call *call)
{
    const struct file *f = file_at(call->file);
    bool waits = call->each_file;
    return !call->held && !call->lasting && (waits || (f && f->kind == FILE_TIMER));
}

// `came`: timers have expired for this call.
static enum effect carry_out(struct thread *t, bool came)
{
    struct fd_call *call = descriptors_call_of(&t->request);
    call->changed = call->lasting = false;
    signals_asked_by(t);
    descriptors_sample(call);
    if (!call->ready(call)) {
        t->result = (wide)(long)-call->unready;
        if (!call->nonblocking)
            descriptors_hold(t, call);
        return came ? EFFECT_WRITE : EFFECT_READ;
    }
    t->result = (wide)call->act(call, t);
    engine.marks[engine.exec.count].timers_only = changes_timers_only(call);
    call->changed |= came;
    if (call->held) {
        struct file *f = file_at(call->file);
        call->held = false;
        file_drop(t, f);
        call->changed |= !f->references;
    }
    return call->changed ? EFFECT_WRITE : EFFECT_READ;
}

enum effect do_descriptor(struct thread *t, struct place *none)
{
    (void)none;
    return carry_out(t, false);
}

enum effect do_descriptor_among_timers(struct thread *t, uint32_t outcome)
{
    return carry_out(t, timers_come(t, outcome));
}

// After a change: those who slept for it try again.
void after_descriptor(struct thread *t, enum effect effect)
{
    (void)effect;
    if (!descriptors_call_of(&t->request)->changed)
        return;
    for (uint32_t actor = 0; actor < engine.exec.known; actor++) {
        struct thread *other = &engine.threads[actor];
        if (other->asleep && op_table[other->request.kind].on_descriptor && !fd_would_sleep(other))
            wake_sleeper(t, other, true);
    }
}

// ---- states ----

static bool descriptors_within(uint64_t address, const void *start, size_t size)
{
    return start && address - (uint64_t)(uintptr_t)start < size;
}

bool numbers_hold(uint64_t address)
{
    return descriptors_within(address, &table, sizeof table) ||
           descriptors_within(address, table.numbers, NUMBERS * sizeof *table.numbers) ||
           descriptors_within(address, table.files, FILES * sizeof *table.files);
}

bool has_made_descriptors(uint32_t actor)
{
    return table.given[actor] || table.made[actor];
}

uint32_t file_count(void)
{
    return (uint32_t)table.file_count;
}

static void mix_numbers_of(struct fingerprint *f, uint32_t actor)
{
    fingerprint_mix(f, (uint64_t)actor << 32 | table.given[actor]);
    fingerprint_mix(f, table.made[actor]);
    for (uint64_t nth = 0; nth < table.given[actor]; nth++) {
        int fd = descriptors_number_of(actor, nth);
        const struct descriptor *d = &table.numbers[fd < 0 ? 0 : fd];
        fingerprint_mix(f, d->file | (uint64_t)d->closed << 32 | (uint64_t)d->flags << 33);
    }
}

// How often something arrived, or there was room again, counts only for who waits for it by epoll, which looks at it (epoll_mix).
// One that is closed can be seen only by who has begun to poll it before.
static void mix_file(struct fingerprint *f, const struct file *file)
{
    if (!file->references && file->kind != FILE_EPOLL) {
        fingerprint_mix(f, file_events(file));
        if (file->endpoint && endpoint_of(file)->at_path)
            endpoint_mix(f, endpoint_of(file));
        return;
    }
    fingerprint_mix(f, file->kind | (uint64_t)file->type << 32);
    fingerprint_mix(f, file->references | (uint64_t)file->flags << 32);
    fingerprint_mix(f, file->in | (uint64_t)file->out << 32);
    fingerprint_mix(f, file->peer | (uint64_t)file->reset << 32 | (uint64_t)file->semaphore << 63);
    fingerprint_mix(f, file->options | (uint64_t)file->epoll << 32);
    fingerprint_mix(f, file->counter);
    if (file->timer)
        timer_mix(f, file);
    if (file->endpoint)
        endpoint_mix(f, endpoint_of(file));
}

void numbers_mix(struct fingerprint *f)
{
    fingerprint_mix(f, table.file_count);
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++)
        if (has_made_descriptors(actor))
            mix_numbers_of(f, actor);
    for (uint32_t i = 0; i < table.file_count; i++)
        mix_file(f, &table.files[i]);
}

// ---- operations ----

uint64_t descriptor_file_object(int fd)
{
    return file_at(table.numbers[fd].file)->object;
}

long fd_operate(struct thread *t, enum op_kind kind, struct fd_call *call, const void *pc)
{
    forked_refuse(t, "uses a pipe, socket or the like");
    if (unlikely(engine.clears_far))
        state_clear_stack(); // what was left there would decide when a circle is found
    uint64_t object = descriptor_file_object(call->fd);
    ask(t, kind, object, fd_place(t, object, false), pc)->operand = (uintptr_t)call;
    return (long)visible(t);
}
