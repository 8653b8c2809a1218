#include "bytes.h"

#include <assert.h>
#include <string.h>

static void put(struct bytes *b, const void *data, size_t size)
{
    assert(b->used + size <= BYTES_MOST);
    if (size)
        memcpy(b->at + b->used, data, size);
    b->used += size;
}

static void get(struct bytes *b, void *data, size_t size)
{
    assert(b->read + size <= b->used);
    if (size)
        memcpy(data, b->at + b->read, size);
    b->read += size;
}

void put_number(struct bytes *b, unsigned long long number)
{
    put(b, &number, sizeof number);
}

unsigned long long get_number(struct bytes *b)
{
    unsigned long long number;
    get(b, &number, sizeof number);
    return number;
}

void put_data(struct bytes *b, const void *data, size_t size)
{
    put_number(b, size);
    put(b, data, size);
}

struct raft_buffer get_data(struct bytes *b)
{
    struct raft_buffer data = {.len = get_number(b)};
    data.base = raft_malloc(data.len + !data.len);
    get(b, data.base, data.len);
    return data;
}

void put_configuration(struct bytes *b, const struct raft_configuration *c)
{
    put_number(b, c->n);
    for (unsigned i = 0; i < c->n; i++) {
        put_number(b, c->servers[i].id);
        put_number(b, (unsigned long long)c->servers[i].role);
        put_data(b, c->servers[i].address, strlen(c->servers[i].address) + 1);
    }
}

void get_configuration(struct bytes *b, struct raft_configuration *c)
{
    raft_configuration_init(c);
    for (unsigned long long left = get_number(b); left; left--) {
        raft_id id = get_number(b);
        int role = (int)get_number(b);
        struct raft_buffer address = get_data(b);
        raft_configuration_add(c, id, address.base, role);
        raft_free(address.base);
    }
}

void put_entries(struct bytes *b, const struct raft_entry *entries, size_t n)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += entries[i].buf.len;
    put_number(b, n);
    put_number(b, total);
    for (size_t i = 0; i < n; i++) {
        put_number(b, entries[i].term);
        put_number(b, entries[i].type);
        put_data(b, entries[i].buf.base, entries[i].buf.len);
    }
}

void get_entries(struct bytes *b, struct raft_entry **entries, size_t *n)
{
    *n = get_number(b);
    size_t total = get_number(b);
    *entries = NULL;
    if (!*n)
        return;
    *entries = raft_malloc(*n * sizeof **entries);
    unsigned char *batch = raft_malloc(total + !total), *at = batch;
    for (size_t i = 0; i < *n; i++) {
        struct raft_entry *e = &(*entries)[i];
        *e = (struct raft_entry){.batch = batch};
        e->term = get_number(b);
        e->type = (unsigned)get_number(b) & 0xff;
        e->buf = (struct raft_buffer){at, get_number(b)};
        get(b, e->buf.base, e->buf.len);
        at += e->buf.len;
    }
}
