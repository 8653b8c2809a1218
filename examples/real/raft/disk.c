#include "disk.h"

#include <heddle/node.h>
#include <string.h>

#include "bytes.h"

struct stored_log {
    raft_index first; // of the entries
    struct raft_entry *entries;
    size_t n;
};

static bool read_blob(const char *name, struct bytes *b)
{
    long size = heddle_read(name, b->at, sizeof b->at);
    b->used = size < 0 ? 0 : (size_t)size;
    b->read = 0;
    return size >= 0;
}

static void write_blob(const char *name, const struct bytes *b)
{
    heddle_write(name, b->at, b->used);
    heddle_sync();
}

static struct stored_log read_log(void)
{
    struct stored_log log = {.first = 1};
    struct bytes b;
    if (read_blob("log", &b)) {
        log.first = get_number(&b);
        get_entries(&b, &log.entries, &log.n);
    }
    return log;
}

static void write_log(raft_index first, const struct raft_entry *entries, size_t n)
{
    struct bytes b = {.used = 0};
    put_number(&b, first);
    put_entries(&b, entries, n);
    write_blob("log", &b);
}

static void free_log(struct stored_log *log)
{
    if (log->n)
        raft_free(log->entries[0].batch);
    raft_free(log->entries);
}

static void write_term(raft_term term, raft_id vote)
{
    struct bytes b = {.used = 0};
    put_number(&b, term);
    put_number(&b, vote);
    write_blob("term", &b);
}

static void read_term(raft_term *term, raft_id *vote)
{
    struct bytes b;
    *term = *vote = 0;
    if (!read_blob("term", &b))
        return;
    *term = get_number(&b);
    *vote = get_number(&b);
}

bool disk_is_new(void)
{
    return heddle_read("term", NULL, 0) < 0;
}

void disk_bootstrap(const struct raft_configuration *configuration)
{
    struct raft_entry entry = {.term = 1, .type = RAFT_CHANGE};
    raft_configuration_encode(configuration, &entry.buf);
    write_term(1, 0);
    write_log(1, &entry, 1);
    raft_free(entry.buf.base);
}

void disk_load(raft_term *term, raft_id *vote, struct raft_snapshot **snapshot, raft_index *first,
               struct raft_entry **entries, size_t *n)
{
    struct stored_log log = read_log();
    read_term(term, vote);
    *snapshot = disk_get_snapshot();
    if (*snapshot && log.first + log.n <= (*snapshot)->index) { // others had committed what was not written here
        free_log(&log);
        log = (struct stored_log){.first = (*snapshot)->index + 1};
    }
    *first = log.first;
    *entries = log.entries;
    *n = log.n;
}

void disk_set_term(raft_term term)
{
    write_term(term, 0);
}

void disk_set_vote(raft_id vote)
{
    raft_term term;
    raft_id old;
    read_term(&term, &old);
    write_term(term, vote);
}

void disk_append(const struct raft_entry *entries, size_t n)
{
    struct stored_log log = read_log();
    struct raft_entry all[log.n + n];
    for (size_t i = 0; i < log.n + n; i++)
        all[i] = i < log.n ? log.entries[i] : entries[i - log.n];
    write_log(log.first, all, log.n + n);
    free_log(&log);
}

void disk_truncate(raft_index index)
{
    struct stored_log log = read_log();
    size_t left = index > log.first ? index - log.first : 0;
    write_log(log.first, log.entries, left < log.n ? left : log.n);
    free_log(&log);
}

// A log that does not reach the snapshot is dropped when it is loaded.
static void shorten_log(raft_index index, unsigned trailing)
{
    struct stored_log log = read_log();
    raft_index first = trailing >= index ? 1 : index - trailing + 1;
    if (!trailing)
        write_log(index + 1, NULL, 0);
    else if (first > log.first && first - log.first <= log.n)
        write_log(first, log.entries + (first - log.first), log.n - (first - log.first));
    free_log(&log);
}

void disk_put_snapshot(const struct raft_snapshot *s, unsigned trailing)
{
    struct bytes b = {.used = 0};
    size_t size = 0;
    put_number(&b, s->index);
    put_number(&b, s->term);
    put_number(&b, s->configuration_index);
    put_configuration(&b, &s->configuration);
    for (unsigned i = 0; i < s->n_bufs; i++)
        size += s->bufs[i].len;
    unsigned char data[size + 1], *at = data;
    for (unsigned i = 0; i < s->n_bufs; at += s->bufs[i++].len)
        memcpy(at, s->bufs[i].base, s->bufs[i].len);
    put_data(&b, data, size);
    write_blob("snapshot", &b);
    shorten_log(s->index, trailing);
}

struct raft_snapshot *disk_get_snapshot(void)
{
    struct bytes b;
    if (!read_blob("snapshot", &b))
        return NULL;
    struct raft_snapshot *s = raft_calloc(1, sizeof *s);
    s->index = get_number(&b);
    s->term = get_number(&b);
    s->configuration_index = get_number(&b);
    get_configuration(&b, &s->configuration);
    s->n_bufs = 1;
    s->bufs = raft_malloc(sizeof *s->bufs);
    s->bufs[0] = get_data(&b);
    return s;
}
