// The file is read twice. The first time shows which memory more than one thread has touched; the second time makes the
// recording. Memory of the heap is judged by whole blocks, since its addresses are used again; giving a block back counts as touching
// it.
#include "trace/recording_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "trace/address_map.h"
#include "trace/recording_file.h"
#include "trace/recording_names.h"

#define MOST_RECORDS 4000000000u

enum { SEVERAL = UINT32_MAX }; // threads have touched it

struct heap_block {
    uint64_t address, size;
    uint32_t toucher; // the number plus 1 of the one thread that touched it; 0: nobody; SEVERAL
    uint32_t block;   // in the recording
    bool maps;        // by mmap
};

struct filed_thread {
    uint32_t number;              // in the recording; NOT_RECORDED: not seen so far
    bool fences;                  // it has acquire fences: its relaxed loads may acquire
    bool fenced;                  // it has come to a release fence: its relaxed stores may release
    uint32_t round;               // of the barrier that it entered last
    uint32_t stack;               // its block
    uint64_t low, size;           // of its stack
    struct recording_unit *calls; // that it is in
    size_t depth, room;
};

struct barrier {
    uint32_t object, count, entered;
};

struct held { // a lock that a thread has taken, and how often
    uint32_t thread, object, depth;
};

struct reader {
    struct recording_file *file;
    struct recording *r;
    struct recording_names *names;
    bool everything;
    struct address_map touched; // outside the heap: the number plus 1 of the thread, or SEVERAL
    struct address_map heap;    // the number plus 1 of the live block
    struct heap_block *blocks;
    size_t block_count, block_room;
    size_t next_block; // second time: the number of the next allocation
    struct filed_thread *threads;
    size_t thread_count, thread_room;
    struct barrier *barriers;
    size_t barrier_count, barrier_room;
    struct held *held;
    size_t held_count, held_room;
    struct address_map stacks; // thread plus 1
    struct table sites;        // of allocations, by thread and place
    uint32_t *site_count;
    size_t site_room;
    uint32_t elsewhere; // the block of all memory that nothing is known of
};

static struct filed_thread *thread_in(struct reader *q, uint32_t thread)
{
    while (q->thread_count <= thread) {
        q->threads = alloc_grow(q->threads, q->thread_count, &q->thread_room, sizeof *q->threads);
        q->threads[q->thread_count++] = (struct filed_thread){.number = NOT_RECORDED, .stack = NOT_RECORDED};
    }
    return &q->threads[thread];
}

// ---- the first time: who touches what ----

static uint32_t touch(uint32_t before, uint32_t toucher)
{
    return !before || before == toucher ? toucher : SEVERAL;
}

static uint64_t bytes_of(const struct filed_record *f)
{
    return recording_is_run(f->op) ? f->size >> 3 : f->size;
}

static bool is_atomic(enum recording_op op)
{
    return op >= RECORDING_ATOMIC_LOAD && op <= RECORDING_ATOMIC_CAS;
}

static void note_touch(struct reader *q, const struct filed_record *f, uint64_t size)
{
    uint32_t block = address_map_get(&q->heap, f->address);
    if (block) // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the heap names blocks that are there
        q->blocks[block - 1].toucher = touch(q->blocks[block - 1].toucher, f->thread + 1);
    else
        address_map_change(&q->touched, f->address, size, touch, f->thread + 1);
}

static void note_block(struct reader *q, const struct filed_record *f)
{
    q->blocks = alloc_grow(q->blocks, q->block_count, &q->block_room, sizeof *q->blocks);
    q->blocks[q->block_count++] = (struct heap_block){f->address, f->value, 0, NOT_RECORDED, f->op == RECORDING_MAP};
    address_map_set(&q->heap, f->address, f->value, (uint32_t)q->block_count);
}

// The live block that begins here, or null.
static struct heap_block *block_at(struct reader *q, uint64_t address)
{
    uint32_t number = address_map_get(&q->heap, address);
    struct heap_block *b = number ? &q->blocks[number - 1] : NULL;
    return b && b->address == address ? b : NULL;
}

static void note(struct reader *q, const struct filed_record *f)
{
    struct heap_block *block;
    if (recording_is_plain(f->op)) {
        note_touch(q, f, bytes_of(f));
    } else if (is_atomic(f->op)) {
        note_touch(q, f, f->value >> 8);
    } else if (f->op == RECORDING_ALLOCATE || f->op == RECORDING_MAP) {
        note_block(q, f);
    } else if (f->op == RECORDING_RELEASE && (block = block_at(q, f->address))) {
        block->toucher = touch(block->toucher, f->thread + 1);
        address_map_set(&q->heap, block->address, block->size, 0);
    } else if (f->op == RECORDING_UNMAP) {
        address_map_set(&q->heap, f->address, f->value, 0);
    } else if (f->op == RECORDING_MODULE) {
        recording_names_module(q->names, f->address, (const char *)f->follow, f->value);
    } else if (f->op == RECORDING_FENCE && f->value != __ATOMIC_RELEASE && f->value != __ATOMIC_RELAXED) {
        thread_in(q, f->thread)->fences = true;
    }
}

// ---- where memory is ----

static uint32_t block_elsewhere(struct reader *q)
{
    if (q->elsewhere == NOT_RECORDED)
        q->elsewhere = recording_block(
            q->r, &(struct recorded_block){
                      .kind = BLOCK_OTHER, .name = "memory", .place = NOT_RECORDED, .thread = NOT_RECORDED});
    return q->elsewhere;
}

static uint32_t stack_block(struct reader *q, struct filed_thread *t)
{
    if (t->stack == NOT_RECORDED) {
        char name[80];
        snprintf(name, sizeof name, "stack-of-%s", q->r->threads[t->number].name);
        t->stack = recording_block(q->r, &(struct recorded_block){.kind = BLOCK_STACK,
                                                                  .name = name,
                                                                  .address = t->low,
                                                                  .size = t->size,
                                                                  .place = NOT_RECORDED,
                                                                  .thread = t->number});
    }
    return t->stack;
}

// The block that the address is in, and where.
static uint32_t place_in_memory(struct reader *q, uint64_t address, uint64_t *offset)
{
    uint32_t block = address_map_get(&q->heap, address), thread = address_map_get(&q->stacks, address);
    if (block && q->blocks[block - 1].block != NOT_RECORDED) {
        *offset = address - q->blocks[block - 1].address;
        return q->blocks[block - 1].block;
    }
    if (recording_names_global(q->names, address, &block, offset))
        return block;
    if (thread) {
        *offset = address - q->threads[thread - 1].low;
        return stack_block(q, &q->threads[thread - 1]);
    }
    *offset = address;
    return block_elsewhere(q);
}

// Whether a plain access is of interest.
static bool is_shared(const struct reader *q, uint64_t address, uint64_t size)
{
    uint32_t block = address_map_get(&q->heap, address);
    if (q->everything)
        return true;
    if (block)
        return q->blocks[block - 1].toucher == SEVERAL;
    for (uint64_t at = address & ~3ull; at < address + size; at += 4)
        if (address_map_get(&q->touched, at) == SEVERAL)
            return true;
    return false;
}

// ---- the second time: records ----

static uint32_t thread_number(struct reader *q, uint32_t thread, uint32_t parent)
{
    struct filed_thread *t = thread_in(q, thread);
    char name[16];
    if (t->number == NOT_RECORDED) {
        snprintf(name, sizeof name, q->r->thread_count ? "T%u" : "main", q->r->thread_count);
        t->number = recording_thread(q->r, name, parent);
    }
    return t->number;
}

static void add(struct reader *q, const struct filed_record *f, enum record_kind kind, uint32_t object, uint32_t other,
                uint32_t flags)
{
    recording_add(q->r, (struct record){.kind = (uint8_t)kind,
                                        .flags = (uint8_t)flags,
                                        .thread = (uint16_t)thread_number(q, f->thread, NOT_RECORDED),
                                        .object = object,
                                        .other = other,
                                        .place = recording_names_place(q->names, f->place)});
}

// The values of an access, as `other` has them.
static uint32_t values_of(struct reader *q, const struct filed_record *f)
{
    bool atomic = is_atomic(f->op), plain = f->op >= RECORDING_READ_VALUE;
    if ((!atomic && !plain) || (atomic && (f->size & RECORDING_NO_VALUES || f->value >> 8 > 8)))
        return 0;
    return recording_values(q->r, (struct recorded_values){.before = f->before,
                                                           .after = f->after,
                                                           .before_known = true,
                                                           .after_known = f->op != RECORDING_WRITE_UNSEEN});
}

static void add_access(struct reader *q, const struct filed_record *f, enum record_kind kind, uint64_t address,
                       uint64_t size, uint32_t flags)
{
    uint64_t offset;
    uint32_t block = place_in_memory(q, address, &offset);
    add(q, f, kind, recording_variable(q->r, block, offset, (uint32_t)size), values_of(q, f), flags);
}

// A short run is that many accesses; a long one counts as one wide access.
static void add_plain(struct reader *q, const struct filed_record *f)
{
    enum { WIDE = 16 };
    bool write = f->op != RECORDING_READ && f->op != RECORDING_READ_RUN && f->op != RECORDING_READ_VALUE;
    uint64_t size = bytes_of(f), step = size;
    if (recording_is_run(f->op) && size <= WIDE)
        step = 1ull << (f->size & 7);
    if (!size || !is_shared(q, f->address, size))
        return;
    for (uint64_t at = 0; at < size; at += step)
        add_access(q, f, write ? RECORD_WRITE : RECORD_READ, f->address + at, step, 0);
}

static void add_atomic(struct reader *q, const struct filed_record *f)
{
    const struct filed_thread *t = thread_in(q, f->thread);
    uint32_t order = f->value & 0xff, flags = 0;
    bool failed = f->size & RECORDING_FAILED;
    bool reads = f->op != RECORDING_ATOMIC_STORE, writes = f->op != RECORDING_ATOMIC_LOAD && !failed;
    bool acquires = order == __ATOMIC_CONSUME || order == __ATOMIC_ACQUIRE || order >= __ATOMIC_ACQ_REL;
    if (reads && (acquires || t->fences))
        flags |= RECORD_ACQUIRE;
    if (writes && (order >= __ATOMIC_RELEASE || t->fenced))
        flags |= RECORD_RELEASES;
    add_access(q, f,
               reads && writes ? RECORD_ATOMIC_RMW
               : writes        ? RECORD_ATOMIC_WRITE
                               : RECORD_ATOMIC_READ,
               f->address, f->value >> 8 ? f->value >> 8 & 0xff : 1, flags);
}

static uint32_t object_at(struct reader *q, enum object_kind kind, uint64_t address)
{
    uint64_t offset;
    uint32_t block = place_in_memory(q, address, &offset);
    return recording_object(q->r, kind, block, offset);
}

// ---- locks ----

static struct held *find_held(struct reader *q, uint32_t thread, uint32_t object)
{
    for (size_t i = q->held_count; i-- > 0;)
        if (q->held[i].thread == thread && q->held[i].object == object)
            return &q->held[i];
    return NULL;
}

// Of a call that may fail, or that does not wait for ever.
static uint32_t flags_of_call(const struct filed_record *f)
{
    return (f->size & RECORDING_FAILED ? RECORD_FAILED : 0) | (f->size & RECORDING_TRIED ? RECORD_TRIED : 0);
}

// A lock that a thread takes again is held until it lets go as often: only the outermost pair counts.
static void add_lock(struct reader *q, const struct filed_record *f)
{
    uint32_t object = object_at(q, f->value == RECORDING_RWLOCK ? OBJECT_RWLOCK : OBJECT_MUTEX, f->address);
    struct held *held = find_held(q, f->thread, object);
    bool failed = f->size & RECORDING_FAILED;
    uint32_t flags = flags_of_call(f);
    enum record_kind kind = f->op == RECORDING_LOCK_SHARED ? RECORD_LOCK_SHARED : RECORD_LOCK;
    if (f->op == RECORDING_UNLOCK) {
        if (held && --held->depth)
            return;
        if (held)
            *held = q->held[--q->held_count];
        add(q, f, RECORD_UNLOCK, object, 0, 0);
    } else if (failed || !held) {
        add(q, f, kind, object, 0, flags);
        if (failed)
            return;
        q->held = alloc_grow(q->held, q->held_count, &q->held_room, sizeof *q->held);
        q->held[q->held_count++] = (struct held){f->thread, object, 1};
    } else {
        held->depth++;
    }
}

// ---- barriers, semaphores, routines that run once ----

static struct barrier *barrier_of(struct reader *q, uint32_t object)
{
    for (size_t i = 0; i < q->barrier_count; i++)
        if (q->barriers[i].object == object)
            return &q->barriers[i];
    q->barriers = alloc_grow(q->barriers, q->barrier_count, &q->barrier_room, sizeof *q->barriers);
    q->barriers[q->barrier_count] = (struct barrier){object, 1, 0};
    return &q->barriers[q->barrier_count++];
}

static void add_barrier(struct reader *q, const struct filed_record *f)
{
    uint32_t object = object_at(q, OBJECT_BARRIER, f->address);
    struct barrier *b = barrier_of(q, object);
    if (f->op == RECORDING_BARRIER_INIT) {
        b->count = f->value ? (uint32_t)f->value : 1;
    } else if (f->op == RECORDING_BARRIER_ENTER) {
        thread_in(q, f->thread)->round = b->entered++ / b->count;
        add(q, f, RECORD_BARRIER_ENTER, object, thread_in(q, f->thread)->round, 0);
    } else {
        add(q, f, RECORD_BARRIER_LEAVE, object, thread_in(q, f->thread)->round, 0);
    }
}

static void add_semaphore(struct reader *q, const struct filed_record *f)
{
    uint32_t object = object_at(q, OBJECT_SEMAPHORE, f->address);
    if (f->op == RECORDING_SEMAPHORE_INIT)
        q->r->objects[object].initial = (uint32_t)f->value;
    else
        add(q, f, f->op == RECORDING_POST ? RECORD_POST : RECORD_TAKE, object, 0, flags_of_call(f));
}

static void add_once(struct reader *q, const struct filed_record *f)
{
    static const enum record_kind kinds[] = {RECORD_ONCE_BEGIN, RECORD_ONCE_END, RECORD_ONCE_PASS};
    add(q, f, kinds[f->op - RECORDING_ONCE_BEGIN], object_at(q, OBJECT_ONCE, f->address), 0,
        f->size & RECORDING_FAILED ? RECORD_FAILED : 0);
}

static void add_condition(struct reader *q, const struct filed_record *f)
{
    static const enum record_kind kinds[] = {RECORD_WAIT_BEGIN, RECORD_WAIT_END, RECORD_SIGNAL, RECORD_BROADCAST};
    bool waits = f->op == RECORDING_WAIT_BEGIN || f->op == RECORDING_WAIT_END;
    add(q, f, kinds[f->op - RECORDING_WAIT_BEGIN], object_at(q, OBJECT_CONDITION, f->address),
        waits ? object_at(q, OBJECT_MUTEX, f->value) : 0, flags_of_call(f));
}

// ---- memory that comes and goes ----

static uint32_t count_at_site(struct reader *q, uint32_t thread, uint32_t place)
{
    uint32_t key[2] = {thread, place};
    bool added;
    uint32_t number = table_add(&q->sites, key, sizeof key, &added);
    if (added)
        q->site_count = alloc_grow(q->site_count, number, &q->site_room, sizeof *q->site_count);
    return q->site_count[number]++;
}

static void add_allocation(struct reader *q, const struct filed_record *f)
{
    struct heap_block *b = &q->blocks[q->next_block++];
    uint32_t thread = thread_number(q, f->thread, NOT_RECORDED), place = recording_names_place(q->names, f->place);
    uint32_t nth = count_at_site(q, thread, place);
    char name[32];
    address_map_set(&q->heap, b->address, b->size, (uint32_t)q->next_block);
    if (b->toucher != SEVERAL && !q->everything)
        return;
    snprintf(name, sizeof name, "%s%zu", b->maps ? "map" : "heap", q->next_block);
    b->block = recording_block(q->r, &(struct recorded_block){.kind = b->maps ? BLOCK_OTHER : BLOCK_HEAP,
                                                              .name = name,
                                                              .address = b->address,
                                                              .size = b->size,
                                                              .place = place,
                                                              .thread = thread,
                                                              .nth = nth});
    add(q, f, RECORD_ALLOCATE, b->block, 0, 0);
}

static void add_release(struct reader *q, const struct filed_record *f)
{
    struct heap_block *b = block_at(q, f->address);
    if (b && b->block != NOT_RECORDED)
        add(q, f, RECORD_RELEASE, b->block, 0, 0);
    if (f->op == RECORDING_UNMAP)
        address_map_set(&q->heap, f->address, f->value, 0);
    else if (b)
        address_map_set(&q->heap, b->address, b->size, 0);
}

// ---- threads and calls ----

static void add_creation(struct reader *q, const struct filed_record *f)
{
    uint32_t creator = thread_number(q, f->thread, NOT_RECORDED);
    if (f->value < RECORDING_THREADS && !(f->size & RECORDING_FAILED))
        add(q, f, RECORD_CREATE, thread_number(q, (uint32_t)f->value, creator), 0, 0);
}

static void take_stack(struct reader *q, const struct filed_record *f)
{
    struct filed_thread *t = thread_in(q, f->thread);
    t->low = f->address;
    t->size = f->value;
    address_map_set(&q->stacks, f->address, f->value, f->thread + 1);
}

static void add_calls(struct reader *q, const struct filed_record *f)
{
    struct filed_thread *t = thread_in(q, f->thread);
    struct filed_record region = *f;
    for (uint64_t i = 0; i < f->number && t->depth; i++) {
        region.place = t->calls[--t->depth].where;
        add(q, &region, RECORD_REGION_END, REGION_FUNCTION, 0, 0);
    }
    for (uint64_t i = 0; i < f->value; i++) {
        t->calls = alloc_grow(t->calls, t->depth, &t->room, sizeof *t->calls);
        t->calls[t->depth++] = f->follow[i];
        region.place = f->follow[i].where;
        add(q, &region, RECORD_REGION_BEGIN, REGION_FUNCTION, 0, 0);
    }
}

static void take_thread_name(struct reader *q, const struct filed_record *f)
{
    struct filed_thread *t = f->address < q->thread_count ? &q->threads[f->address] : NULL;
    char name[64];
    if (!t || t->number == NOT_RECORDED)
        return;
    int length = f->value < 16 ? (int)f->value : 16;
    snprintf(name, sizeof name, "T%u(%.*s)", t->number, length, (const char *)f->follow);
    for (char *c = name; *c; c++)
        if (*c <= ' ' || *c == '#' || *c == '@')
            *c = '_';
    q->r->threads[t->number].name = recording_word(q->r, name);
}

static void take(struct reader *q, const struct filed_record *f)
{
    switch (f->op) {
    case RECORDING_READ ... RECORDING_WRITE_RUN:
    case RECORDING_READ_VALUE ... RECORDING_WRITE_UNSEEN:
        add_plain(q, f);
        break;
    case RECORDING_ATOMIC_LOAD ... RECORDING_ATOMIC_CAS:
        add_atomic(q, f);
        break;
    case RECORDING_LOCK ... RECORDING_UNLOCK:
        add_lock(q, f);
        break;
    case RECORDING_WAIT_BEGIN ... RECORDING_BROADCAST:
        add_condition(q, f);
        break;
    case RECORDING_BARRIER_INIT ... RECORDING_BARRIER_LEAVE:
        add_barrier(q, f);
        break;
    case RECORDING_SEMAPHORE_INIT ... RECORDING_TAKE:
        add_semaphore(q, f);
        break;
    case RECORDING_ONCE_BEGIN ... RECORDING_ONCE_PASS:
        add_once(q, f);
        break;
    case RECORDING_CREATE:
        add_creation(q, f);
        break;
    case RECORDING_JOIN:
        if (f->value < RECORDING_THREADS)
            add(q, f, RECORD_JOIN, thread_number(q, (uint32_t)f->value, NOT_RECORDED), 0, 0);
        break;
    case RECORDING_BEGIN:
    case RECORDING_END:
        add(q, f, f->op == RECORDING_BEGIN ? RECORD_BEGIN : RECORD_END, NOT_RECORDED, 0, 0);
        break;
    case RECORDING_STACK:
        take_stack(q, f);
        break;
    case RECORDING_ALLOCATE:
    case RECORDING_MAP:
        add_allocation(q, f);
        break;
    case RECORDING_RELEASE:
    case RECORDING_UNMAP:
        add_release(q, f);
        break;
    case RECORDING_FENCE:
        thread_in(q, f->thread)->fenced |= f->value >= __ATOMIC_RELEASE;
        break;
    case RECORDING_CALLS:
        add_calls(q, f);
        break;
    case RECORDING_REGION:
        add(q, f, f->value ? RECORD_REGION_END : RECORD_REGION_BEGIN, REGION_ATOMIC, 0, 0);
        break;
    case RECORDING_THREAD_NAME:
        take_thread_name(q, f);
        break;
    default:
        break;
    }
}

// ---- the whole ----

// What stands behind this word, wherever it does.
static char **run_words(const struct strings *run, const char *what)
{
    char **words = alloc_ended(run->count, sizeof *words);
    size_t count = 0;
    for (size_t i = 0; i < run->count; i++)
        if (text_begins(run->item[i], what))
            words[count++] = alloc_copy(run->item[i] + strlen(what));
    return words;
}

static void take_run(struct reader *q)
{
    const struct strings *run = recording_file_run(q->file);
    struct recording *r = q->r;
    for (size_t i = 0; i < run->count; i++) {
        const char *word = run->item[i];
        if (text_begins(word, "program "))
            r->program = recording_word(r, strchr(word, ' ') + 1);
        else if (text_begins(word, "directory "))
            r->directory = recording_word(r, strchr(word, ' ') + 1);
        else if (text_begins(word, "code "))
            r->code = strtoull(strchr(word, ' ') + 1, NULL, 16);
        else if (!strcmp(word, "without hooks"))
            r->without_hooks = true;
    }
    r->arguments = run_words(run, "argument ");
    r->sources = run_words(run, "source ");
    r->flags = run_words(run, "flag ");
    if (!r->sources[0]) {
        free(r->sources);
        free(r->flags);
        r->sources = r->flags = NULL;
    }
}

static void read_twice(struct reader *q)
{
    struct filed_record f;
    struct buffer doubts = {0};
    while (recording_file_next(q->file, &f))
        note(q, &f);
    address_map_free(&q->heap);
    recording_file_rewind(q->file);
    while (q->r->count < MOST_RECORDS && recording_file_next(q->file, &f))
        take(q, &f);
    recording_names_doubts(q->names, &doubts);
    q->r->cut = recording_word(q->r, q->r->count < MOST_RECORDS ? recording_file_cut(q->file)
                                                                : "it has more records than can be read");
    q->r->doubt = recording_word(q->r, doubts.text);
    buffer_free(&doubts);
}

static void reader_free(struct reader *q)
{
    for (size_t i = 0; i < q->thread_count; i++)
        free(q->threads[i].calls);
    free(q->threads);
    free(q->blocks);
    free(q->barriers);
    free(q->held);
    free(q->site_count);
    table_free(&q->sites);
    address_map_free(&q->touched);
    address_map_free(&q->heap);
    address_map_free(&q->stacks);
    recording_names_free(q->names);
    recording_file_close(q->file);
}

struct recording *recording_read(const char *path, bool everything, char **wrong)
{
    struct reader q = {.everything = everything, .elsewhere = NOT_RECORDED};
    q.file = recording_file_open(path, wrong);
    if (!q.file)
        return NULL;
    q.r = recording_new();
    q.r->path = recording_word(q.r, path);
    q.names = recording_names_new(q.r);
    take_run(&q);
    recording_names_take(q.names, recording_file_names(q.file));
    read_twice(&q);
    reader_free(&q);
    recording_finish(q.r);
    return q.r;
}

bool recording_is_one(const char *path)
{
    struct recording_file_header header = {{0}, 0};
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool is =
        fread(&header, sizeof header, 1, file) == 1 && !memcmp(header.magic, RECORDING_FILE_MAGIC, sizeof header.magic);
    fclose(file);
    return is;
}
