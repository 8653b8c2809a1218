#include "io.h"

#include <assert.h>
#include <heddle/node.h>
#include <stdio.h>
#include <string.h>

#include "bytes.h"
#include "disk.h"
#include "wire.h"

// -DDISK_KIB=N: room that is left on the disk; below 4096 the library takes no commands.
#ifndef DISK_KIB
#define DISK_KIB 10000
#endif

enum lane { LOG, SNAPSHOTS_OUT, SNAPSHOTS_IN, SENT, LANES };

enum task { APPEND, TRUNCATE, PUT, GET, SEND };

struct request {
    enum task task;
    struct request *next;
    const struct raft_entry *entries;
    unsigned n; // entries; or how many stay in front of a snapshot
    raft_index index;
    const struct raft_snapshot *snapshot;
    void *from; // the library's own record of it
};

static struct {
    struct request *first, *last;
    bool announced; // a message of the node to itself is under way
} lanes[LANES];

bool io_sends_to_nobody;
static raft_time now = 1000000;
struct shadow io_log;
static raft_io_tick_cb on_tick;
static raft_io_recv_cb on_receive;

const char *io_address(raft_id id)
{
    static const char *const addresses[] = {"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
    return addresses[id];
}

static unsigned digest(const struct raft_buffer *b)
{
    unsigned sum = 2166136261u;
    for (size_t i = 0; i < b->len; i++)
        sum = (sum ^ ((const unsigned char *)b->base)[i]) * 16777619u;
    return sum;
}

static void shadow_append(const struct raft_entry *entries, size_t n)
{
    for (size_t i = 0; i < n && io_log.length < SHADOW_MOST; i++) {
        io_log.entry[io_log.length].term = (unsigned)entries[i].term;
        io_log.entry[io_log.length].type = entries[i].type;
        io_log.entry[io_log.length++].digest = digest(&entries[i].buf);
    }
}

// Drops entries at the end, or at the beginning.
static void shadow_cut(raft_index index)
{
    unsigned left = index > io_log.first ? (unsigned)index - io_log.first : 0;
    for (; io_log.length > left; io_log.length--)
        memset(&io_log.entry[io_log.length - 1], 0, sizeof *io_log.entry);
}

static void shadow_forget(raft_index first)
{
    unsigned gone = first > io_log.first ? (unsigned)first - io_log.first : 0;
    unsigned length = io_log.length, left = gone < length ? length - gone : 0;
    memmove(io_log.entry, io_log.entry + (length - left), left * sizeof *io_log.entry);
    memset(io_log.entry + left, 0, (length - left) * sizeof *io_log.entry);
    io_log.length = left;
    io_log.first = (unsigned)first;
}

static void submit(enum lane lane, struct request request)
{
    struct request *r = raft_malloc(sizeof *r);
    memset(r, 0, sizeof *r);
    r->task = request.task;
    r->entries = request.entries;
    r->n = request.n;
    r->index = request.index;
    r->snapshot = request.snapshot;
    r->from = request.from;
    if (lanes[lane].last)
        lanes[lane].last->next = r;
    else
        lanes[lane].first = r;
    lanes[lane].last = r;
}

// Calls the library back only when nothing of the request is needed any more: it may ask for more.
static void carry_out(struct request r)
{
    struct raft_io_append *append = r.from;
    struct raft_io_snapshot_put *put = r.from;
    struct raft_io_snapshot_get *get = r.from;
    struct raft_io_send *send = r.from;
    switch (r.task) {
    case APPEND:
        disk_append(r.entries, r.n);
        append->cb(append, 0);
        break;
    case TRUNCATE:
        disk_truncate(r.index);
        break;
    case PUT:
        disk_put_snapshot(r.snapshot, r.n);
        io_log.snapshot = (unsigned)r.snapshot->index;
        if (r.n && r.snapshot->index > r.n)
            shadow_forget(r.snapshot->index - r.n + 1);
        put->cb(put, 0);
        break;
    case GET:
        get->cb(get, disk_get_snapshot(), 0);
        break;
    case SEND:
        if (send->cb)
            send->cb(send, 0);
        break;
    }
}

static void finish_first(enum lane lane)
{
    struct request *r = lanes[lane].first, copy;
    if (!r)
        return;
    copy = *r;
    lanes[lane].first = r->next;
    if (!r->next)
        lanes[lane].last = NULL;
    raft_free(r);
    carry_out(copy);
}

void io_settle(void)
{
#ifndef SLOW_SENDS
    while (lanes[SENT].first)
        finish_first(SENT);
#endif
    for (unsigned char lane = 0; lane < LANES; lane++)
        if (lanes[lane].first && !lanes[lane].announced) {
            lanes[lane].announced = true;
            heddle_send(heddle_self(), &lane, sizeof lane);
        }
}

void io_message(int from, const void *data, size_t size)
{
    if (from == heddle_self()) {
        enum lane lane = *(const unsigned char *)data;
        lanes[lane].announced = false;
        finish_first(lane);
        return;
    }
    struct bytes b = {.used = size};
    struct raft_message m = {.server_id = (raft_id)from + 1, .server_address = io_address((raft_id)from + 1)};
    memcpy(b.at, data, size);
    wire_get(&b, &m);
    on_receive(&io, &m);
}

void io_pass(raft_time milliseconds)
{
    now += milliseconds;
    on_tick(&io);
}

void io_show(const void *data, size_t size, char *text, size_t room)
{
    static const char *const done[LANES] = {"the log is written", "a snapshot is written", "a snapshot is read",
                                            "a message is sent"};
    if (size == 1)
        snprintf(text, room, "%s", done[*(const unsigned char *)data]);
    else
        wire_show(data, size, text, room);
}

// The library's calls.

static int io_init(struct raft_io *self, raft_id id, const char *address)
{
    (void)self, (void)id, (void)address;
    return 0;
}

static void io_close(struct raft_io *self, raft_io_close_cb cb)
{
    if (cb)
        cb(self);
}

static int io_load(struct raft_io *self, raft_term *term, raft_id *vote, struct raft_snapshot **snapshot,
                   raft_index *first, struct raft_entry *entries[], size_t *n)
{
    (void)self;
    disk_load(term, vote, snapshot, first, entries, n);
    io_log.first = (unsigned)*first;
    io_log.snapshot = *snapshot ? (unsigned)(*snapshot)->index : 0;
    shadow_append(*entries, *n);
    return 0;
}

static int io_start(struct raft_io *self, unsigned milliseconds, raft_io_tick_cb tick, raft_io_recv_cb receive)
{
    (void)self, (void)milliseconds;
    on_tick = tick;
    on_receive = receive;
    return 0;
}

static int io_bootstrap(struct raft_io *self, const struct raft_configuration *configuration)
{
    (void)self;
    disk_bootstrap(configuration);
    return 0;
}

static int io_recover(struct raft_io *self, const struct raft_configuration *configuration)
{
    (void)self, (void)configuration;
    return RAFT_IOERR;
}

static int io_set_term(struct raft_io *self, raft_term term)
{
    (void)self;
    disk_set_term(term);
    return 0;
}

static int io_set_vote(struct raft_io *self, raft_id id)
{
    (void)self;
    disk_set_vote(id);
    return 0;
}

static int io_send(struct raft_io *self, struct raft_io_send *req, const struct raft_message *m, raft_io_send_cb cb)
{
    (void)self;
    struct bytes b = {.used = 0};
    wire_put(&b, m);
    req->cb = cb;
    if (!m->server_id || !m->server_address)
        io_sends_to_nobody = true;
    else
        heddle_send((int)m->server_id - 1, b.at, b.used);
    submit(SENT, (struct request){.task = SEND, .from = req});
    return 0;
}

static int io_append(struct raft_io *self, struct raft_io_append *req, const struct raft_entry entries[], unsigned n,
                     raft_io_append_cb cb)
{
    (void)self;
    req->cb = cb;
    shadow_append(entries, n);
    submit(LOG, (struct request){.task = APPEND, .entries = entries, .n = n, .from = req});
    return 0;
}

static int io_truncate(struct raft_io *self, raft_index index)
{
    (void)self;
    shadow_cut(index);
    submit(LOG, (struct request){.task = TRUNCATE, .index = index});
    return 0;
}

static int io_snapshot_put(struct raft_io *self, unsigned trailing, struct raft_io_snapshot_put *req,
                           const struct raft_snapshot *snapshot, raft_io_snapshot_put_cb cb)
{
    (void)self;
    req->cb = cb;
    if (!trailing) {
        shadow_cut(1);
        io_log.first = (unsigned)snapshot->index + 1;
        io_log.snapshot = (unsigned)snapshot->index;
    }
    submit(trailing ? SNAPSHOTS_OUT : LOG, // one that takes the place of the log waits for its turn
           (struct request){.task = PUT, .n = trailing, .snapshot = snapshot, .from = req});
    return 0;
}

static int io_snapshot_get(struct raft_io *self, struct raft_io_snapshot_get *req, raft_io_snapshot_get_cb cb)
{
    (void)self;
    req->cb = cb;
    submit(SNAPSHOTS_IN, (struct request){.task = GET, .from = req});
    return 0;
}

static raft_time io_time(struct raft_io *self)
{
    (void)self;
    return now;
}

static int io_random(struct raft_io *self, int min, int max)
{
    (void)self, (void)max;
    return min;
}

struct raft_io io = {.version = 1,
#ifdef RAFT_VERSION_NUMBER
                     .capacity = DISK_KIB, // the library asks whether there is room on the disk
#endif
                     .init = io_init,
                     .close = io_close,
                     .load = io_load,
                     .start = io_start,
                     .bootstrap = io_bootstrap,
                     .recover = io_recover,
                     .set_term = io_set_term,
                     .set_vote = io_set_vote,
                     .send = io_send,
                     .append = io_append,
                     .truncate = io_truncate,
                     .snapshot_put = io_snapshot_put,
                     .snapshot_get = io_snapshot_get,
                     .time = io_time,
                     .random = io_random};
