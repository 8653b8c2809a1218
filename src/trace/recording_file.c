#include "trace/recording_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "trace/recording_write.h"

enum { LARGEST_FRAME = 1 << 20, CHUNK_BYTES = RECORDING_CHUNK_UNITS * sizeof(struct recording_unit) };

struct piece { // a frame with records of one thread
    uint64_t at;
    uint32_t order;
};

struct stream { // the records of one thread
    struct piece *pieces;
    size_t count, room;
    size_t next; // piece to be read
    struct recording_unit *unit;
    uint64_t units, position;
    uint64_t stamp, key; // of the record at the position, as merging has it
    uint64_t base;       // the last number or stamp of the piece
    bool ready;          // there is a record at the position
    bool ended;          // the thread said that it ends
    bool broken;         // its next record is missing
};

struct recording_file {
    const char *bytes; // the whole file
    uint64_t size;
    struct strings run;
    struct buffer names;
    struct recording_end end;
    bool has_end;
    bool damaged; // something in it is not as it was written
    struct stream *streams;
    uint32_t stream_count;
    size_t stream_room;
    uint32_t current; // whose record comes next
    uint64_t others;  // the least key of the other streams
    bool chosen;
    bool taken;   // its record was given out
    bool stopped; // the records are over
    const char *cut;
};

// ---- frames ----

static bool frame_at(const struct recording_file *f, uint64_t at, struct recording_frame *frame)
{
    if (at + sizeof *frame > f->size)
        return false;
    memcpy(frame, f->bytes + at, sizeof *frame);
    return frame->magic == RECORDING_FRAME_MAGIC && frame->size <= LARGEST_FRAME && frame->stored <= frame->size &&
           frame->stored <= f->size - at - sizeof *frame &&
           frame->checksum == recording_checksum(*frame, f->bytes + at + sizeof *frame);
}

// The contents of a frame, in `room` of frame->size bytes.
static bool frame_contents(const struct recording_file *f, uint64_t at, const struct recording_frame *frame, void *room)
{
    const char *stored = f->bytes + at + sizeof *frame;
    if (frame->stored == frame->size) {
        memcpy(room, stored, frame->size);
        return true;
    }
    size_t got = ZSTD_decompress(room, frame->size, stored, frame->stored);
    return !ZSTD_isError(got) && got == frame->size;
}

static void take_run(struct recording_file *f, const char *words, uint32_t size)
{
    for (uint32_t at = 0; at < size;) {
        const char *end = memchr(words + at, 0, size - at);
        if (!end)
            return;
        strings_add(&f->run, words + at);
        at = (uint32_t)(end - words) + 1;
    }
}

static struct stream *stream_of(struct recording_file *f, uint32_t thread)
{
    while (f->stream_count <= thread) {
        f->streams = alloc_grow(f->streams, f->stream_count, &f->stream_room, sizeof *f->streams);
        f->stream_count++;
    }
    return &f->streams[thread];
}

static void take_frame(struct recording_file *f, uint64_t at, const struct recording_frame *frame)
{
    if (frame->kind == FRAME_UNITS) {
        if (frame->thread >= RECORDING_THREADS || frame->size > CHUNK_BYTES) {
            f->damaged = true;
            return;
        }
        struct stream *s = stream_of(f, frame->thread);
        s->pieces = alloc_grow(s->pieces, s->count, &s->room, sizeof *s->pieces);
        s->pieces[s->count++] = (struct piece){at, frame->order};
        return;
    }
    char *contents = alloc_array(frame->size + 1, 1);
    if (!frame_contents(f, at, frame, contents)) {
        f->damaged = true;
    } else if (frame->kind == FRAME_RUN) {
        take_run(f, contents, frame->size);
    } else if (frame->kind == FRAME_NAMES) {
        buffer_append(&f->names, contents, frame->size);
    } else if (frame->kind == FRAME_END && frame->size == sizeof f->end) {
        memcpy(&f->end, contents, sizeof f->end);
        f->has_end = true;
    }
    free(contents);
}

// Where the next frame begins, after bytes that are none.
static uint64_t find_frame(const struct recording_file *f, uint64_t at)
{
    const uint32_t magic = RECORDING_FRAME_MAGIC;
    struct recording_frame frame;
    while (at < f->size) {
        const char *found = memmem(f->bytes + at, f->size - at, &magic, sizeof magic);
        if (!found)
            return f->size;
        at = (uint64_t)(found - f->bytes);
        if (frame_at(f, at, &frame))
            return at;
        at++;
    }
    return f->size;
}

static int by_order(const void *a, const void *b)
{
    const struct piece *p = a, *q = b;
    return (p->order > q->order) - (p->order < q->order);
}

static void index_frames(struct recording_file *f)
{
    uint64_t at = sizeof(struct recording_file_header);
    while (at < f->size) {
        struct recording_frame frame;
        if (!frame_at(f, at, &frame)) {
            f->damaged = true;
            at = find_frame(f, at + 1);
            continue;
        }
        take_frame(f, at, &frame);
        at += sizeof frame + frame.stored;
    }
    for (uint32_t i = 0; i < f->stream_count; i++)
        if (f->streams[i].count)
            qsort(f->streams[i].pieces, f->streams[i].count, sizeof *f->streams[i].pieces, by_order);
}

// ---- the records of one thread ----

// The next piece of it, unless that is missing.
static bool stream_load(struct recording_file *f, struct stream *s)
{
    struct recording_frame frame;
    if (s->next == s->count)
        return false;
    const struct piece *p = &s->pieces[s->next];
    if (p->order != s->next || !frame_at(f, p->at, &frame)) {
        s->broken = true;
        return false;
    }
    if (!s->unit)
        s->unit = alloc_array(RECORDING_CHUNK_UNITS, sizeof *s->unit);
    s->next++;
    s->position = s->base = 0;
    s->units = frame.size / sizeof *s->unit;
    if (!frame_contents(f, p->at, &frame, s->unit)) {
        s->broken = true;
        s->units = 0;
        return false;
    }
    return true;
}

static struct recording_extra extra_at(const struct stream *s, uint64_t position)
{
    struct recording_extra extra = {0};
    if (position < s->units)
        memcpy(&extra, &s->unit[position], sizeof extra);
    return extra;
}

// The record's number, or the stamp that holds for it.
static uint64_t number_at(const struct stream *s, struct recording_unit unit, const struct recording_extra *extra)
{
    if (recording_is_short(unit))
        return s->base + recording_difference_of(unit);
    return recording_is_numbered(recording_op_of(unit)) ? s->base + extra->number : s->stamp;
}

// Goes to the next record that is no stamp, and says where it belongs: after all that is numbered below its stamp, at its
// number. Twice the number, since accesses stand between numbers.
static void stream_settle(struct recording_file *f, struct stream *s)
{
    s->ready = false;
    for (;;) {
        if (s->position >= s->units && !stream_load(f, s))
            return;
        struct recording_unit unit = s->unit[s->position];
        struct recording_extra extra = extra_at(s, s->position + 1);
        uint64_t units = recording_units(unit, &extra);
        if (!units || units > s->units - s->position) {
            s->broken = true;
            return;
        }
        enum recording_op op = recording_op_of(unit);
        if (op == RECORDING_STAMP) {
            s->stamp = s->base += unit.where & RECORDING_ADDRESS;
            s->position++;
            continue;
        }
        uint64_t key = 2 * number_at(s, unit, &extra) + recording_is_numbered(op);
        s->key = key > s->key ? key : s->key;
        s->ready = true;
        return;
    }
}

static void stream_take(struct stream *s, struct filed_record *r)
{
    struct recording_unit unit = s->unit[s->position];
    struct recording_extra extra = extra_at(s, s->position + 1);
    uint64_t units = recording_units(unit, &extra);
    *r = (struct filed_record){.op = recording_op_of(unit),
                               .size = recording_size_of(unit),
                               .address = unit.what & RECORDING_ADDRESS,
                               .place = unit.where & RECORDING_ADDRESS,
                               .number = number_at(s, unit, &extra)};
    if (recording_is_numbered(r->op) && units == 1) {
        r->value = r->size >> SHORT_FLAG_BITS;
        r->size &= (1 << SHORT_FLAG_BITS) - 1;
    } else if (units > 1) {
        r->value = extra.value;
        r->follow = &s->unit[s->position + 2];
    }
    if (units == 3) {
        r->before = r->follow->what;
        r->after = r->follow->where;
    }
    if (recording_is_plain(r->op) && units == 2) {
        r->before = extra.number;
        r->after = extra.value;
    }
    if (r->op == RECORDING_CALLS) {
        r->number = extra.number;
    } else if (recording_is_numbered(r->op)) {
        s->base = r->number;
        s->stamp = r->number + 1;
    } else if (recording_is_short(unit)) {
        s->base = s->stamp = r->number;
    }
    if (r->op == RECORDING_END)
        s->ended = true;
    s->position += units;
}

// ---- all of them ----

static bool is_all_there(const struct recording_file *f)
{
    return f->has_end && !f->damaged;
}

static bool has_records(const struct recording_file *f, uint64_t thread)
{
    return thread < f->stream_count && f->streams[thread].count;
}

// Whether a thread that has no more records may have had some.
static bool is_missing(const struct recording_file *f, const struct stream *s)
{
    return !s->ready && s->count && (s->broken || (!is_all_there(f) && !s->ended));
}

static void stop_reading(struct recording_file *f, const char *why)
{
    f->cut = why;
    f->stopped = true;
}

static const char *damage_words(const struct recording_file *f)
{
    return f->has_end ? "the file is damaged" : "the file is cut off or damaged";
}

static void stop_damaged(struct recording_file *f)
{
    stop_reading(f, damage_words(f));
}

void recording_file_rewind(struct recording_file *f)
{
    f->chosen = f->stopped = f->taken = false;
    f->cut = NULL;
    for (uint32_t i = 0; i < f->stream_count; i++) {
        struct stream *s = &f->streams[i];
        s->next = s->units = s->position = s->stamp = s->key = 0;
        s->ready = s->ended = s->broken = false;
        stream_settle(f, s);
        if (is_missing(f, s))
            stop_damaged(f);
    }
    if (!is_all_there(f) && !has_records(f, 0)) // the first thread was there from the beginning
        stop_damaged(f);
}

// The stream whose record comes first, and the least key of the others.
static bool choose_stream(struct recording_file *f)
{
    uint64_t best = UINT64_MAX, second = UINT64_MAX;
    f->chosen = false;
    for (uint32_t i = 0; i < f->stream_count; i++) {
        const struct stream *s = &f->streams[i];
        if (!s->ready)
            continue;
        if (!f->chosen || s->key < best) {
            second = best;
            best = s->key;
            f->current = i;
            f->chosen = true;
        } else if (s->key < second) {
            second = s->key;
        }
    }
    f->others = second;
    return f->chosen;
}

static const char *stop_words(uint32_t stop)
{
    switch (stop) {
    case STOP_LIMIT:
        return "the file had reached its limit (--limit)";
    case STOP_THREADS:
        return "the program had more threads than can be recorded";
    case STOP_INTERRUPTED:
        return "heddle itself was ended";
    default:
        return "the file could not be written";
    }
}

// All records of a new thread may be lost.
static bool creates_missing(const struct recording_file *f, const struct filed_record *r)
{
    return !is_all_there(f) && r->op == RECORDING_CREATE && !has_records(f, r->value);
}

bool recording_file_next(struct recording_file *f, struct filed_record *record)
{
    if (f->taken && !f->stopped) {
        stream_settle(f, &f->streams[f->current]);
        if (is_missing(f, &f->streams[f->current]))
            stop_damaged(f);
    }
    f->taken = false;
    if (!f->stopped && (!f->chosen || !f->streams[f->current].ready || f->streams[f->current].key > f->others))
        f->stopped = !choose_stream(f);
    if (!f->stopped && f->has_end && f->end.stop && f->streams[f->current].key > 2 * f->end.records_end)
        stop_reading(f, stop_words(f->end.stop));
    if (f->stopped)
        return false;
    stream_take(&f->streams[f->current], record);
    record->thread = f->current;
    f->taken = true;
    if (creates_missing(f, record))
        stop_damaged(f);
    return true;
}

const char *recording_file_cut(const struct recording_file *f)
{
    if (f->cut || !f->stopped)
        return f->cut;
    if (!is_all_there(f))
        return damage_words(f);
    return f->end.stop ? stop_words(f->end.stop) : NULL;
}

const struct strings *recording_file_run(const struct recording_file *f)
{
    return &f->run;
}

const char *recording_file_names(const struct recording_file *f)
{
    return buffer_text(&f->names);
}

const struct recording_end *recording_file_end(const struct recording_file *f)
{
    return f->has_end ? &f->end : NULL;
}

// ---- opening ----

static bool map_file(struct recording_file *f, int fd, char **wrong)
{
    struct recording_file_header header;
    struct stat st;
    if (fd < 0 || fstat(fd, &st)) {
        *wrong = alloc_copy(strerror(errno));
        return false;
    }
    f->size = S_ISREG(st.st_mode) ? (uint64_t)st.st_size : 0;
    if (f->size < sizeof header || pread(fd, &header, sizeof header, 0) != sizeof header ||
        memcmp(header.magic, RECORDING_FILE_MAGIC, sizeof header.magic)) {
        *wrong = alloc_copy("it is not a recording of heddle record");
        return false;
    }
    f->bytes = mmap(NULL, f->size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (f->bytes == MAP_FAILED) {
        *wrong = alloc_copy(strerror(errno));
        f->bytes = NULL;
        return false;
    }
    return true;
}

struct recording_file *recording_file_open(const char *path, char **wrong)
{
    struct recording_file *f = alloc_zeroed(1, sizeof *f);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool mapped = map_file(f, fd, wrong);
    if (fd >= 0)
        close(fd);
    if (!mapped) {
        free(f);
        return NULL;
    }
    index_frames(f);
    recording_file_rewind(f);
    return f;
}

void recording_file_close(struct recording_file *f)
{
    for (uint32_t i = 0; i < f->stream_count; i++) {
        free(f->streams[i].pieces);
        free(f->streams[i].unit);
    }
    free(f->streams);
    strings_free(&f->run);
    buffer_free(&f->names);
    munmap((void *)(uintptr_t)f->bytes, f->size);
    free(f);
}
