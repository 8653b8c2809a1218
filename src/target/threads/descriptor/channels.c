// The bytes and messages between two files, and what each piece of them passes on to the thread that takes it.
#include "target/threads/descriptor/descriptors.h"

#include <sys/socket.h>

#include "base/mem.h"
#include "target/threads/libc/libc_room.h"
#include "target/threads/engine/engine_room.h"

enum { CHANNELS = 2048, PIECES = 4096 };

struct piece {
    uint32_t length;
    uint32_t from; // of a datagram with a name: the sender's file
    struct release release;
};

// Only what is used of this is ever touched.
static struct {
    struct channel *channels;
    uint8_t (*bytes)[CHANNEL_BYTES + 16]; // keeping may read a little beyond
    struct piece (*pieces)[PIECES];
    uint64_t count;
} all;

struct channel *channel_at(uint32_t number)
{
    return number ? &all.channels[number - 1] : NULL;
}

uint32_t channel_new(uint32_t capacity, bool messages)
{
    if (!all.channels) {
        all.channels = mem_reserve(CHANNELS * sizeof *all.channels);
        all.bytes = mem_reserve(CHANNELS * sizeof *all.bytes);
        all.pieces = mem_reserve(CHANNELS * sizeof *all.pieces);
    }
    if (all.count == CHANNELS)
        unsupported(engine.running,
                    "the program makes more pipes and sockets in one execution than heddle follows (2048)");
    undo_save_word(&engine.undo, &all.count);
    uint32_t index = (uint32_t)all.count++;
    struct channel *c = &all.channels[index];
    undo_save(&engine.undo, c, sizeof *c);
    *c = (struct channel){.capacity = capacity, .messages = messages, .most = PIECES, .index = index};
    return index + 1;
}

static void channels_keep(struct channel *c)
{
    undo_save(&engine.undo, c, sizeof *c);
}

bool channel_can_put(const struct channel *c, size_t size)
{
    uint32_t room = c->capacity - c->fill;
    if (c->messages)
        return room >= size && c->pieces < c->most;
    return size > ATOMIC_BYTES ? room > 0 : room >= size;
}

bool channel_can_take(const struct channel *c)
{
    return c->pieces || c->ended;
}

size_t channel_next(const struct channel *c)
{
    return c->messages && c->pieces ? all.pieces[c->index][c->first].length : c->fill;
}

static void put_bytes(struct channel *c, const uint8_t *from, uint32_t size)
{
    uint8_t *ring = all.bytes[c->index];
    uint32_t at = (c->head + c->fill) % CHANNEL_BYTES;
    uint32_t straight = size < CHANNEL_BYTES - at ? size : CHANNEL_BYTES - at;
    undo_save(&engine.undo, ring + at, straight);
    plain_move(ring + at, from, straight);
    undo_save(&engine.undo, ring, size - straight);
    plain_move(ring, from + straight, size - straight);
    c->fill += size;
}

// A new piece; where there is no room for one more, it becomes part of the last.
static void put_piece(struct thread *t, struct channel *c, uint32_t length, uint32_t from)
{
    bool last = c->pieces == PIECES;
    struct piece *p = &all.pieces[c->index][(c->first + c->pieces - last) % PIECES];
    undo_save(&engine.undo, p, sizeof *p);
    if (!last) {
        *p = (struct piece){.from = from};
        c->pieces++;
    }
    p->length += length;
    know_release_more(&engine.races, &t->know, &p->release);
}

// What the call has not written yet, as far as there is room.
size_t channel_put(struct thread *t, struct channel *c, const struct fd_call *call)
{
    size_t left = call->total - call->done, room = c->capacity - c->fill, skip = call->done;
    size_t size = left < room ? left : room, put = 0;
    channels_keep(c);
    for (size_t i = 0; i < call->count && put < size; i++) {
        size_t length = call->parts[i].iov_len, from = skip < length ? skip : length;
        size_t part = length - from < size - put ? length - from : size - put;
        put_bytes(c, (const uint8_t *)call->parts[i].iov_base + from, (uint32_t)part);
        skip -= from;
        put += part;
    }
    if (size || c->messages)
        put_piece(t, c, (uint32_t)size, call->from);
    c->written++;
    return size;
}

static void copy_out(const struct channel *c, uint8_t *to, uint32_t size)
{
    const uint8_t *ring = all.bytes[c->index];
    uint32_t straight = size < CHANNEL_BYTES - c->head ? size : CHANNEL_BYTES - c->head;
    plain_move(to, ring + c->head, straight);
    plain_move(to + straight, ring, size - straight);
}

// Learns what the pieces of the first `size` bytes pass on; takes them out of the channel unless it only looks.
static void drop_pieces(struct thread *t, struct channel *c, uint32_t size, bool only_looks)
{
    uint32_t first = c->first, pieces = c->pieces;
    while (pieces) {
        struct piece *p = &all.pieces[c->index][first];
        uint32_t part = p->length < size ? p->length : size;
        know_acquire(&engine.races, &t->know, &p->release);
        size -= part;
        if (part < p->length) {
            if (!only_looks) {
                undo_save(&engine.undo, p, sizeof *p);
                p->length -= part;
            }
            break;
        }
        first = (first + 1) % PIECES;
        pieces--;
        if (!size)
            break;
    }
    if (only_looks)
        return;
    c->first = first;
    c->pieces = pieces;
}

size_t channel_take(struct thread *t, struct channel *c, struct fd_call *call)
{
    bool only_looks = call->flags & MSG_PEEK;
    if (!c->pieces) {
        know_acquire(&engine.races, &t->know, &c->closing);
        return 0;
    }
    size_t next = channel_next(c), room = call->total - call->done;
    uint32_t size = (uint32_t)(next < room ? next : room);
    copy_out(c, fd_bounce, size);
    call->from = all.pieces[c->index][c->first].from;
    uint32_t leave = c->messages ? (uint32_t)next : size;
    call->truncated = (int)(leave - size);
    if (!only_looks)
        channels_keep(c);
    drop_pieces(t, c, leave, only_looks);
    if (only_looks)
        return size;
    c->head = (c->head + leave) % CHANNEL_BYTES;
    c->fill -= leave;
    call->changed = true;
    return size;
}

void channel_end(struct thread *t, struct channel *c, int refuses, bool ended)
{
    channels_keep(c);
    if (refuses && !c->refuses)
        c->refuses = (uint32_t)refuses;
    if (ended)
        c->ended = 1;
    c->written++;
    c->drained++;
    know_release_more(&engine.races, &t->know, &c->closing);
}

void channel_orphan(struct thread *t, struct channel *c)
{
    channel_end(t, c, 0, false);
    c->orphaned = 1;
}

// ---- states ----

bool channels_hold(uint64_t address)
{
    if (!all.channels)
        return false;
    return address - (uint64_t)(uintptr_t)&all < sizeof all ||
           address - (uint64_t)(uintptr_t)all.channels < CHANNELS * sizeof *all.channels ||
           address - (uint64_t)(uintptr_t)all.bytes < CHANNELS * sizeof *all.bytes ||
           address - (uint64_t)(uintptr_t)all.pieces < CHANNELS * sizeof *all.pieces;
}

uint32_t channel_count(void)
{
    return (uint32_t)all.count;
}

static const struct piece *piece_at(const struct channel *c, uint32_t nth)
{
    return &all.pieces[c->index][(c->first + nth) % PIECES];
}

static void mix_bytes(struct fingerprint *f, const struct channel *c)
{
    const uint8_t *ring = all.bytes[c->index];
    uint64_t word = 0;
    for (uint32_t i = 0; i < c->fill; i++) {
        word = word << 8 | ring[(c->head + i) % CHANNEL_BYTES];
        if (i % 8 == 7 || i + 1 == c->fill)
            fingerprint_mix(f, word);
    }
}

// Where in the ring the bytes stand is of no consequence, and neither is where pieces end in a stream, but for what they pass on.
void channel_mix(struct fingerprint *f, const struct channel *c)
{
    fingerprint_mix(f, c->index | (uint64_t)c->fill << 32);
    fingerprint_mix(f, c->capacity | (uint64_t)c->messages << 32 | (uint64_t)c->most << 33);
    fingerprint_mix(f, c->refuses | (uint64_t)c->ended << 32 | (uint64_t)c->orphaned << 33);
    if (c->messages) {
        fingerprint_mix(f, c->pieces);
        for (uint32_t i = 0; i < c->pieces; i++)
            fingerprint_mix(f, piece_at(c, i)->length | (uint64_t)piece_at(c, i)->from << 32);
    }
    mix_bytes(f, c);
}

// Each eight bytes in a row, which may be a pointer.
void channel_each_word(const struct channel *c, void (*each)(uint64_t word, uint64_t *pinned), uint64_t *pinned)
{
    uint64_t word = 0;
    for (uint32_t i = 0; i < c->fill; i++) {
        word = word >> 8 | (uint64_t)all.bytes[c->index][(c->head + i) % CHANNEL_BYTES] << 56;
        if (i >= 7)
            each(word, pinned);
    }
}

// A piece is known by its place among the messages, or by where it ends in the stream.
void channel_each_passed(const struct channel *c, passed_on *each)
{
    enum { SHIFT = 17, CLOSING = (1 << SHIFT) - 1 };
    _Static_assert((int)CHANNEL_BYTES < (int)CLOSING && (int)PIECES < (int)CLOSING, "names of pieces");
    uint32_t end = 0;
    for (uint32_t i = 0; i < c->pieces; i++) {
        const struct piece *p = piece_at(c, i);
        end += c->messages ? 1 : p->length;
        each(c->index << SHIFT | end, &p->release);
    }
    each(c->index << SHIFT | CLOSING, &c->closing);
}
