#define _GNU_SOURCE
// Writing the trace of one run (model/trace.h).
#include "target/threads/engine/engine.h"

#include <link.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/raw.h"
#include "target/threads/engine/client.h"
#include "target/threads/memory/memory_room.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/sleep.h"
#include "target/threads/engine/failure.h"
#include "target/threads/engine/faults.h"
#include "target/threads/engine/record.h"
#include "target/threads/descriptor/descriptor_room.h"

static const uint64_t most_bytes = 1ull << 30;

static struct {
    int fd;
    bool full;         // nothing more is written
    uint64_t written;  // bytes
    uint64_t complete; // bytes up to the end of a record
    size_t used;
    uint8_t bytes[1 << 16];
} out = {.fd = -1};

// The run is given up: what is recorded of it has to do.
static void record_give_up(const char *why)
{
    out.full = true;
    cannot_follow(why);
}

static void record_flush(void)
{
    size_t done = 0;
    while (done < out.used && !out.full) {
        long n = raw_call(SYS_write, out.fd, (long)(out.bytes + done), (long)(out.used - done));
        if (n <= 0)
            record_give_up("the record of the run cannot be written: no space is left for temporary files");
        else
            done += (size_t)n;
    }
    out.written += done;
    out.used = 0;
}

// A record is in the file as a whole, or not at all.
static bool has_room(void)
{
    if (!out.full)
        out.complete = out.written + out.used;
    if (!out.full && out.complete > most_bytes)
        record_give_up("the run is too long to be recorded (1 GiB)");
    return !out.full;
}

// Reads memory of the program that may not be there: the program is about to find out itself.
static void record_peek(void *to, uint64_t address, size_t size)
{
    struct iovec own = {to, size}, other = {(void *)(uintptr_t)address, size};
    process_vm_readv((pid_t)raw_call(SYS_getpid, 0, 0, 0), &own, 1, &other, 1, 0);
}

uint64_t record_value(uint64_t address, uint32_t size)
{
    uint64_t value = 0;
    if (size)
        record_peek(&value, address, size < sizeof value ? size : sizeof value);
    return value;
}

static void record_put(const void *bytes, size_t size)
{
    if (size > sizeof out.bytes)
        return;
    if (out.used + size > sizeof out.bytes)
        record_flush();
    plain_move(out.bytes + out.used, bytes, size);
    out.used += size;
}

enum { FRAMES = 64 };

// A plain write is announced before it happens; its record waits for the next one, when the new value is there.
static struct {
    bool valid;
    struct trace_record record;
    uint64_t frames[FRAMES];
} waiting;

static void put_waiting(void)
{
    if (!waiting.valid || !has_room())
        return;
    struct trace_record *r = &waiting.record;
    record_peek(&r->result, r->address, r->size < 8 ? r->size : 8);
    record_put(r, sizeof *r);
    record_put(waiting.frames, r->frames * sizeof *waiting.frames);
    waiting.valid = false;
}

// What differs each time stands here and not on the stack of the thread, which may still find it in variables that it has
// not set: going in circles it would look different in every round (spin.c).
static struct {
    struct trace_record record;
    uint64_t frames[FRAMES];
} current;

// Records a frame once, until the thread enters another one or goes on elsewhere.
static void put_frame(uint64_t address, uint64_t pc)
{
    static struct found_frame told[MAX_ACTORS], found; // not on the stack, like `current`
    static struct trace_record r;
    if (!frames_find(address, pc, &found))
        return;
    struct found_frame *last = &told[found.actor];
    if (last->frame.pc == found.frame.pc && last->frame.sp == found.frame.sp && last->at == found.at &&
        last->low <= found.low)
        return;
    *last = found;
    r = (struct trace_record){.type = TRACE_FRAME,
                              .actor = found.actor,
                              .pc = found.frame.pc,
                              .address = found.frame.sp,
                              .value = found.frame.fp,
                              .result = found.end,
                              .size = (uint32_t)(found.frame.sp - found.low),
                              .other = MAX_ACTORS,
                              .frames = 1};
    record_put(&r, sizeof r);
    record_put(&found.at, sizeof found.at);
}

static void put_record(const struct trace_record *given, const struct thread *t, const char *text)
{
    struct trace_record *r = &current.record;
    uint32_t n = 0;
    put_waiting();
    if (has_room())
        put_frame(given->address, given->pc);
    if (!has_room())
        return;
    *r = *given;
    if (r->pc)
        current.frames[n++] = r->pc;
    if (engine.plain && t && t == engine.running && r->pc)
        unwind_calls(engine.running, r->pc);
    if (t) {
        r->actor = t->actor;
        r->epoch = t->know.time;
        uint32_t depth = t->depth < CALL_DEPTH ? t->depth : CALL_DEPTH;
        for (uint32_t i = depth; i-- > 0 && n < FRAMES;)
            current.frames[n++] = engine.calls[t->actor][i];
    }
    r->event = engine.exec.count ? engine.exec.count - 1 : UINT32_MAX;
    r->frames = n;
    r->text = text ? (uint32_t)plain_length(text, 4096) : 0;
    if (r->type == TRACE_WRITE) {
        waiting.valid = true;
        waiting.record = *r;
        plain_move(waiting.frames, current.frames, n * sizeof *current.frames);
        return;
    }
    record_put(r, sizeof *r);
    record_put(current.frames, n * sizeof *current.frames);
    record_put(text, r->text);
}

static int put_module(struct dl_phdr_info *info, size_t size, void *nothing)
{
    (void)size;
    (void)nothing;
    struct trace_record r = {.type = TRACE_MODULE, .address = info->dlpi_addr};
    char path[4096];
    const char *name = info->dlpi_name;
    if (!name[0]) {
        ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
        path[n > 0 ? n : 0] = 0;
        name = path;
    }
    put_record(&r, NULL, name);
    return 0;
}

void record_open(int fd)
{
    out.fd = fd;
    dl_iterate_phdr(put_module, NULL);
}

void record_close(void)
{
    put_waiting();
    has_room();
    record_flush();
    if (out.written != out.complete)
        raw_call(SYS_ftruncate, out.fd, (long)out.complete, 0);
}

void record_event(struct thread *t, enum effect effect, uint64_t before, uint64_t after, uint32_t alternative)
{
    const struct request *q = &t->request;
    const struct op_info *info = &op_table[q->kind];
    if (q->kind == OP_RMW || (q->kind == OP_CAS && t->result == q->expected))
        effect = EFFECT_WRITE; // also where it counts as a read to the search, since it stored what was there
    struct trace_record r = {.type = TRACE_EVENT,
                             .kind = q->kind,
                             .pc = (uint64_t)(uintptr_t)q->pc,
                             .address = q->address,
                             .value = before,
                             .result = q->size ? after : (uint64_t)t->result,
                             .size = q->size,
                             .other = info->names_thread ? q->mutex : MAX_ACTORS,
                             .effect = effect,
                             .alternative = alternative,
                             .alternatives = q->alternatives};
    char call[160];
    if (info->answer == ANSWER_TAKEN)
        r.result = effect == EFFECT_WRITE;
    if (info->told == TOLD_WITH_CALL) {
        struct thread *running = engine.running;
        engine.running = NULL;
        client_show_call((uint32_t)q->address, false, call, sizeof call);
        engine.running = running;
    }
    const char *name = info->told == TOLD_BY_CALL ? (const char *)(uintptr_t)q->operand : NULL;
    if (info->told == TOLD_BY_OUTCOME)
        r.value = (uint64_t)q->operand;
    if (q->kind == OP_FAULT) {
        r.result = (uint64_t)(int64_t)faults_way_of(q, alternative);
        name = (const char *)(uintptr_t)q->expected;
    }
    put_record(&r, t, info->told == TOLD_WITH_CALL ? call : name);
}

void record_access(struct thread *t, uint64_t address, uint32_t size, bool write, const void *pc)
{
    struct trace_record r = {.type = write ? TRACE_WRITE : TRACE_READ,
                             .pc = (uint64_t)(uintptr_t)pc,
                             .address = address,
                             .size = size,
                             .other = MAX_ACTORS};
    record_peek(&r.value, address, size < 8 ? size : 8);
    put_record(&r, t, NULL);
}

void record_silent(struct thread *t, enum trace_silent kind, uint64_t address, uint64_t value, uint32_t size,
                   const void *pc)
{
    struct trace_record r = {.type = TRACE_SILENT,
                             .kind = kind,
                             .pc = (uint64_t)(uintptr_t)pc,
                             .address = address,
                             .value = value,
                             .size = size,
                             .other = MAX_ACTORS};
    put_record(&r, t, NULL);
}

void record_text(struct thread *t, enum trace_type type, uint32_t kind, const void *pc, const char *text)
{
    struct trace_record r = {.type = type, .kind = kind, .pc = (uint64_t)(uintptr_t)pc, .other = MAX_ACTORS};
    put_record(&r, t, text);
}

void record_made(struct thread *t, uint64_t object, const char *what, const void *pc)
{
    struct trace_record r = {.type = TRACE_SILENT,
                             .kind = SILENT_MADE,
                             .pc = (uint64_t)(uintptr_t)pc,
                             .address = object,
                             .other = MAX_ACTORS};
    put_record(&r, t, what);
}

void record_blocked(struct thread *t, uint32_t holder)
{
    const struct request *q = &t->request;
    struct trace_record r = {.type = TRACE_SILENT,
                             .kind = SILENT_BLOCKED,
                             .pc = (uint64_t)(uintptr_t)q->pc,
                             .address = q->address,
                             .value = q->kind,
                             .size = q->kind == OP_FD_POLL ? fd_more_objects(q) : 0,
                             .other = holder,
                             .alternative = t->spinning_since && !t->asleep && holder == MAX_ACTORS};
    put_record(&r, t, NULL);
}

void record_bug(const struct bug *bug)
{
    struct trace_record r = {.type = TRACE_BUG,
                             .kind = bug->kind,
                             .pc = bug->pc,
                             .address = bug->address,
                             .size = bug->size,
                             .value = bug->number,
                             .effect = bug->write ? EFFECT_WRITE : EFFECT_READ,
                             .other = bug->other};
    put_record(&r, &engine.threads[bug->actor], bug->text);
}
