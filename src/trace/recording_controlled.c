#include "trace/recording_controlled.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/table.h"
#include "report/trace_read.h"
#include "trace/recording_collect.h"
#include "trace/recording_names.h"

// What is under way in a thread, and its chunk.
struct controlled_thread {
    struct recording_unit *unit;
    uint32_t used, chunks;
    uint64_t base; // the last number or stamp of the chunk
    bool begun;
    uint64_t condition, mutex; // that it waits with; 0: it does not
    bool woken;                // since it waits
    uint64_t barrier;          // that it has come to; 0: none
    uint64_t once;             // whose routine it runs; 0: none
    uint32_t once_depth;       // frames outside of the routine
};

// What is known of a synchronisation object by its address.
struct controlled_object {
    enum recording_lock kind;
    bool told;             // how it was at the beginning
    uint64_t arrived, now; // at a barrier before anybody left; tokens of a semaphore that were posted and not taken …
    uint64_t needed;       // … and how many it must have had at first
    bool left;
    uint32_t runner; // of a once routine: the actor plus 1 while it runs
};

struct controlled_run {
    const struct trace *trace;
    struct recording_writer writer;
    struct recording_collector names;
    struct recording_statics statics;
    struct controlled_thread threads[MAX_ACTORS];
    struct table addresses; // of objects
    struct controlled_object *objects;
    size_t object_room;
    uint64_t number; // the next one
};

// ---- units ----

static void write_units(struct controlled_run *c, uint32_t actor)
{
    struct controlled_thread *t = &c->threads[actor];
    if (!t->used)
        return;
    recording_collect_chunk(&c->names, &c->statics, t->unit);
    recording_writer_frame(&c->writer, FRAME_UNITS, actor, t->chunks++, t->unit, t->used * (uint32_t)sizeof *t->unit);
    memset(t->unit, 0, RECORDING_CHUNK_UNITS * sizeof *t->unit);
    t->used = 0;
    t->base = 0;
}

static struct recording_unit *room_for(struct controlled_run *c, uint32_t actor, uint32_t units)
{
    struct controlled_thread *t = &c->threads[actor];
    if (!t->unit)
        t->unit = alloc_zeroed(RECORDING_CHUNK_UNITS, sizeof *t->unit);
    if (t->used + units > RECORDING_CHUNK_UNITS)
        write_units(c, actor);
    t->used += units;
    return &t->unit[t->used - units];
}

// Puts a record with a number. `more` units stand behind it, which the caller fills.
static struct recording_unit *put_numbered(struct controlled_run *c, uint32_t actor, struct recording_unit first,
                                           uint64_t value, uint32_t more)
{
    struct recording_unit *at = room_for(c, actor, 2 + more);
    struct controlled_thread *t = &c->threads[actor];
    at[0] = first;
    at[1] = (struct recording_unit){c->number - t->base, value};
    t->base = c->number++;
    return at + 2;
}

static void put_sync(struct controlled_run *c, const struct trace_record *r, enum recording_op op, uint64_t address,
                     uint64_t value, uint32_t flags)
{
    put_numbered(c, r->actor, recording_unit_of(op, address, flags, r->pc), value, 0);
}

static void put_text(struct controlled_run *c, uint32_t actor, enum recording_op op, uint64_t address, const char *text,
                     size_t length)
{
    uint32_t more = (uint32_t)((length + sizeof(struct recording_unit) - 1) / sizeof(struct recording_unit));
    memcpy(put_numbered(c, actor, recording_unit_of(op, address, 0, 0), length, more), text, length);
}

// A plain access; each takes a number for its stamp, so that it stands where it happened.
static void put_plain(struct controlled_run *c, const struct trace_record *r, enum recording_op op, uint64_t size,
                      const struct recording_unit *values)
{
    struct recording_unit *at = room_for(c, r->actor, values ? 3 : 2);
    struct controlled_thread *t = &c->threads[r->actor];
    uint64_t stamp = ++c->number;
    at[0] = recording_unit_of(RECORDING_STAMP, 0, 0, stamp - t->base);
    at[1] = recording_unit_of(op, r->address, size, r->pc);
    if (values)
        at[2] = *values;
    t->base = stamp;
}

// ---- objects ----

static struct controlled_object *object_of(struct controlled_run *c, uint64_t address)
{
    bool added;
    uint32_t number = table_add(&c->addresses, &address, sizeof address, &added);
    if (added) {
        c->objects = alloc_grow(c->objects, number, &c->object_room, sizeof *c->objects);
        c->objects[number] = (struct controlled_object){0};
    }
    return &c->objects[number];
}

// Goes through the run once to see how semaphores and barriers were at the beginning.
static void look_at_objects(struct controlled_run *c)
{
    uint64_t *at = alloc_zeroed(MAX_ACTORS, sizeof *at); // the barrier that each actor stands at
    for (size_t i = 0; i < c->trace->count; i++) {
        const struct trace_record *r = &c->trace->entries[i].record;
        if (r->type != TRACE_EVENT || r->actor >= MAX_ACTORS)
            continue;
        int tokens = trace_succeeds(r) ? op_table[r->kind].tokens : 0;
        if (op_table[r->kind].gate) {
            struct controlled_object *o = object_of(c, r->address);
            o->arrived += !o->left;
        } else if (at[r->actor]) {
            object_of(c, at[r->actor])->left = true;
        } else if (tokens) {
            struct controlled_object *o = object_of(c, r->address);
            if (tokens < 0 && !o->now)
                o->needed++;
            else
                o->now += (uint64_t)(int64_t)tokens;
        }
        at[r->actor] = op_table[r->kind].gate ? r->address : 0;
    }
    free(at);
}

// ---- what threads do ----

static void put_access(struct controlled_run *c, size_t entry)
{
    const struct trace_entry *e = &c->trace->entries[entry];
    const struct trace_record *r = &e->record;
    bool writes = trace_writes(e);
    struct recording_unit values = {r->value, r->value};
    bool seen = !writes || trace_written(c->trace, entry, &values.where);
    if (r->type == TRACE_EVENT && op_table[r->kind].access == ACCESS_ATOMIC) {
        bool reads = op_reads(r->kind), failed = r->kind == OP_CAS && !writes;
        enum recording_op op = failed || (reads && r->kind == OP_CAS) ? RECORDING_ATOMIC_CAS
                               : reads && writes                      ? RECORDING_ATOMIC_RMW
                               : writes                               ? RECORDING_ATOMIC_STORE
                                                                      : RECORDING_ATOMIC_LOAD;
        uint32_t flags = (failed ? RECORDING_FAILED : 0) | (seen && r->size <= 8 ? 0 : RECORDING_NO_VALUES);
        *put_numbered(c, r->actor, recording_unit_of(op, r->address, flags, r->pc),
                      (uint64_t)r->size << 8 | __ATOMIC_SEQ_CST, 1) = values;
        return;
    }
    uint64_t size = r->size < RECORDING_LARGEST ? r->size : RECORDING_LARGEST;
    if (r->size && r->size <= 8)
        put_plain(c, r,
                  !writes ? RECORDING_READ_VALUE
                  : seen  ? RECORDING_WRITE_VALUE
                          : RECORDING_WRITE_UNSEEN,
                  size, &values);
    else
        put_plain(c, r, writes ? RECORDING_WRITE : RECORDING_READ, size, NULL);
}

static bool is_of_rwlock(enum op_kind kind)
{
    return kind == OP_RDLOCK || kind == OP_RDLOCK_SEEN || kind == OP_WRLOCK || kind == OP_TRYRDLOCK ||
           kind == OP_TRYWRLOCK;
}

static void put_lock(struct controlled_run *c, const struct trace_record *r)
{
    struct controlled_thread *t = &c->threads[r->actor];
    struct controlled_object *o = object_of(c, r->address);
    if (t->condition && t->mutex == r->address) {
        put_sync(c, r, RECORDING_WAIT_END, t->condition, t->mutex, t->woken ? 0 : RECORDING_FAILED);
        t->condition = 0;
        return;
    }
    o->kind = is_of_rwlock(r->kind) ? RECORDING_RWLOCK : RECORDING_MUTEX;
    uint32_t how = op_table[r->kind].answer == ANSWER_BUSY ? RECORDING_TRIED : 0;
    put_sync(c, r, op_table[r->kind].lock == LOCK_SHARED ? RECORDING_LOCK_SHARED : RECORDING_LOCK, r->address, o->kind,
             trace_succeeds(r) ? how : how | RECORDING_FAILED);
}

// Letting the mutex go is a part of waiting.
static void put_unlock(struct controlled_run *c, const struct trace_record *r)
{
    struct controlled_thread *t = &c->threads[r->actor];
    if (t->condition && !t->mutex) {
        t->mutex = r->address;
        put_sync(c, r, RECORDING_WAIT_BEGIN, t->condition, t->mutex, 0);
        return;
    }
    put_sync(c, r, RECORDING_UNLOCK, r->address, object_of(c, r->address)->kind, 0);
}

static void put_semaphore(struct controlled_run *c, const struct trace_record *r)
{
    struct controlled_object *o = object_of(c, r->address);
    if (!o->told && o->needed)
        put_sync(c, r, RECORDING_SEMAPHORE_INIT, r->address, o->needed, 0);
    o->told = true;
    uint32_t how = op_table[r->kind].answer == ANSWER_BUSY ? RECORDING_TRIED : 0;
    put_sync(c, r, op_table[r->kind].tokens > 0 ? RECORDING_POST : RECORDING_TAKE, r->address, 0,
             trace_succeeds(r) ? how : how | RECORDING_FAILED);
}

static void put_barrier(struct controlled_run *c, const struct trace_record *r)
{
    struct controlled_object *o = object_of(c, r->address);
    if (!o->told)
        put_sync(c, r, RECORDING_BARRIER_INIT, r->address, o->left ? o->arrived : MAX_ACTORS, 0);
    o->told = true;
    c->threads[r->actor].barrier = r->address;
    put_sync(c, r, RECORDING_BARRIER_ENTER, r->address, 0, 0);
}

static void end_once(struct controlled_run *c, uint32_t actor)
{
    struct controlled_thread *t = &c->threads[actor];
    object_of(c, t->once)->runner = 0;
    put_numbered(c, actor, recording_unit_of(RECORDING_ONCE_END, t->once, 0, 0), 0, 0);
    t->once = 0;
}

// The end of a routine is not told: it is over when its thread is outside of it again, or when somebody passes.
static void put_once(struct controlled_run *c, const struct trace_record *r)
{
    struct controlled_object *o = object_of(c, r->address);
    struct controlled_thread *t = &c->threads[r->actor];
    if (r->effect == EFFECT_WRITE && !t->once) {
        put_sync(c, r, RECORDING_ONCE_BEGIN, r->address, 0, 0);
        o->runner = r->actor + 1;
        t->once = r->address;
        t->once_depth = r->frames;
        return;
    }
    if (o->runner && o->runner != r->actor + 1)
        end_once(c, o->runner - 1);
    put_sync(c, r, RECORDING_ONCE_PASS, r->address, 0, 0);
}

static void put_event(struct controlled_run *c, size_t entry)
{
    const struct trace_record *r = &c->trace->entries[entry].record;
    const struct op_info *info = &op_table[r->kind];
    struct controlled_thread *t = &c->threads[r->actor];
    if (t->barrier) { // it goes on by an operation of its own
        put_sync(c, r, RECORDING_BARRIER_LEAVE, t->barrier, 0, 0);
        t->barrier = 0;
    }
    if (trace_is_access(&c->trace->entries[entry]))
        put_access(c, entry);
    else if (info->lock == LOCK_LET_GO)
        put_unlock(c, r);
    else if (info->lock != LOCK_NOTHING)
        put_lock(c, r);
    else if (info->tokens)
        put_semaphore(c, r);
    else if (info->gate)
        put_barrier(c, r);
    else if (r->kind == OP_ONCE)
        put_once(c, r);
    else if (r->kind == OP_SIGNAL || r->kind == OP_BROADCAST)
        put_sync(c, r, r->kind == OP_SIGNAL ? RECORDING_SIGNAL : RECORDING_BROADCAST, r->address, 0, 0);
    else if (r->kind == OP_WAIT) {
        t->condition = r->address;
        t->mutex = 0;
        t->woken = false;
    }
}

static void put_silent(struct controlled_run *c, const struct trace_record *r)
{
    switch ((enum trace_silent)r->kind) {
    case SILENT_CREATE:
        put_sync(c, r, RECORDING_CREATE, 0, r->value, 0);
        break;
    case SILENT_JOINED:
        put_sync(c, r, RECORDING_JOIN, 0, r->value, 0);
        break;
    case SILENT_END:
        put_sync(c, r, RECORDING_END, 0, 0, 0);
        break;
    case SILENT_UNLOCK:
        put_unlock(c, r);
        break;
    case SILENT_WOKEN:
        c->threads[r->actor].woken = true;
        break;
    case SILENT_ALLOC:
    case SILENT_MAP:
        put_sync(c, r, r->kind == SILENT_MAP ? RECORDING_MAP : RECORDING_ALLOCATE, r->address, r->size, 0);
        break;
    case SILENT_FREE:
        put_sync(c, r, RECORDING_RELEASE, r->address, 0, 0);
        break;
    case SILENT_UNMAP:
        put_sync(c, r, RECORDING_UNMAP, r->address, r->size, 0);
        break;
    default:
        break;
    }
}

static void put_module(struct controlled_run *c, const struct trace_entry *e)
{
    struct buffer text = {0};
    if (*e->text != '/')
        return; // the kernel's
    recording_names_of_module(e->text, &text);
    put_text(c, 0, RECORDING_MODULE, e->record.address, text.text, text.length);
    buffer_free(&text);
}

static void begin_thread(struct controlled_run *c, uint32_t actor)
{
    uint64_t parent = actor ? c->trace->actors[actor].parent + 1 : 0;
    if (!c->threads[actor].begun)
        put_numbered(c, actor, recording_unit_of(RECORDING_BEGIN, 0, 0, 0), parent, 0);
    c->threads[actor].begun = true;
}

static void put_entry(struct controlled_run *c, size_t entry)
{
    const struct trace_entry *e = &c->trace->entries[entry];
    const struct trace_record *r = &e->record;
    if (r->actor >= MAX_ACTORS)
        return;
    struct controlled_thread *t = &c->threads[r->actor];
    if (r->type == TRACE_MODULE) {
        begin_thread(c, 0);
        put_module(c, e);
        return;
    }
    begin_thread(c, r->actor);
    if (t->once && r->pc && r->frames <= t->once_depth && r->type <= TRACE_SILENT)
        end_once(c, r->actor);
    if (r->type == TRACE_EVENT)
        put_event(c, entry);
    else if (r->type == TRACE_READ || r->type == TRACE_WRITE)
        put_access(c, entry);
    else if (r->type == TRACE_SILENT)
        put_silent(c, r);
    else if (r->type == TRACE_NAME)
        put_text(c, r->actor, RECORDING_THREAD_NAME, r->actor, e->text, strlen(e->text));
}

static void write_recording(struct controlled_run *c, const struct recording_origin *origin)
{
    struct buffer names = {0};
    struct recording_end end = {.records_end = UINT64_MAX};
    recording_writer_run(&c->writer, origin);
    look_at_objects(c);
    for (size_t i = 0; i < c->trace->count; i++)
        put_entry(c, i);
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++) {
        write_units(c, actor);
        end.threads += c->threads[actor].begun;
    }
    recording_collect_give(&c->names, &names);
    recording_writer_names(&c->writer, &names);
    recording_writer_frame(&c->writer, FRAME_END, 0, 0, &end, sizeof end);
    buffer_free(&names);
}

static void run_free(struct controlled_run *c)
{
    for (uint32_t actor = 0; actor < MAX_ACTORS; actor++)
        free(c->threads[actor].unit);
    recording_collect_free(&c->names);
    table_free(&c->addresses);
    free(c->objects);
    free(c);
}

bool recording_of_trace(const char *trace, const struct recording_origin *origin, const char *path, char **wrong)
{
    char error[256] = "";
    struct trace *t = trace_load(trace, error, sizeof error);
    if (!t) {
        *wrong = alloc_copy(error);
        return false;
    }
    struct controlled_run *c = alloc_zeroed(1, sizeof *c);
    c->trace = t;
    c->number = 1;
    c->statics.count = 1; // every address may have a name
    c->statics.data[0].high = RECORDING_ADDRESS;
    bool good = recording_writer_open(&c->writer, path);
    if (good) {
        write_recording(c, origin);
        good = recording_writer_close(&c->writer);
    }
    if (!good)
        *wrong = alloc_copy(strerror(errno));
    run_free(c);
    trace_free(t);
    return good;
}
