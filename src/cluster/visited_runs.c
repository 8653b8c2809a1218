#include "cluster/visited_runs.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "base/mem.h"
#include "base/scratch.h"

enum { BLOCK = 256, BLOOM_BITS = 10, BLOOM_HASHES = 4, WRITTEN_AT_ONCE = 1 << 13 };

void visited_runs_open(struct visited_runs *r)
{
    memset(r, 0, sizeof *r);
}

static uint64_t block_count(uint64_t states)
{
    return (states + BLOCK - 1) / BLOCK;
}

static size_t bloom_bytes(const struct visited_run *run)
{
    return run->bits / 8 + sizeof *run->bloom;
}

static size_t index_bytes(const struct visited_run *run)
{
    return (block_count(run->count) + 1) * sizeof *run->first;
}

static void drop(struct visited_run *run)
{
    mem_release(run->first, index_bytes(run));
    mem_release(run->bloom, bloom_bytes(run));
    close(run->file);
}

void visited_runs_close(struct visited_runs *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        drop(&r->run[i]);
    r->count = 0;
}

// A bit of the filter for each of several numbers that are made of the hash.
static uint64_t bloom_bit(const struct visited_run *run, uint64_t hash, int which)
{
    uint64_t number = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u + (uint64_t)which * (hash | 1) * 0xd1342543de82ef95u;
    return (uint64_t)((unsigned __int128)(number ^ number >> 29) * run->bits >> 64);
}

static void bloom_put(struct visited_run *run, uint64_t hash)
{
    for (int i = 0; i < BLOOM_HASHES; i++) {
        uint64_t bit = bloom_bit(run, hash, i);
        run->bloom[bit / 64] |= 1ull << (bit % 64);
    }
}

static bool bloom_may_have(const struct visited_run *run, uint64_t hash)
{
    for (int i = 0; i < BLOOM_HASHES; i++) {
        uint64_t bit = bloom_bit(run, hash, i);
        if (!(run->bloom[bit / 64] >> (bit % 64) & 1))
            return false;
    }
    return true;
}

// A run that is being written.
struct writing {
    struct visited_run run;
    uint64_t count; // states so far
    struct kept_state pending[WRITTEN_AT_ONCE];
    size_t pending_count;
    bool failed;
};

// A file without a name, which is gone when heddle is.
static int new_file(void)
{
    char path[PATH_MAX];
    signal(SIGXFSZ, SIG_IGN); // a file that must not grow is a failed write
    int file = scratch_file(path, sizeof path);
    if (file >= 0)
        unlink(path);
    return file;
}

// Begins a run of at most `most` states.
static bool begin(struct writing *w, uint64_t most)
{
    w->count = w->pending_count = 0;
    w->run = (struct visited_run){.file = new_file(), .count = most, .bits = most * BLOOM_BITS + 64};
    w->failed = w->run.file < 0;
    if (w->failed)
        return false;
    w->run.first = mem_reserve(index_bytes(&w->run));
    w->run.bloom = mem_reserve(bloom_bytes(&w->run));
    return true;
}

static void flush(struct writing *w)
{
    const char *from = (const char *)w->pending;
    size_t left = w->pending_count * sizeof *w->pending;
    while (left && !w->failed) {
        ssize_t n = write(w->run.file, from, left);
        w->failed = n < 0 && errno != EINTR;
        from += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
    w->pending_count = 0;
}

static void put(struct writing *w, struct kept_state s)
{
    if (w->count % BLOCK == 0)
        w->run.first[w->count / BLOCK] = s.hash;
    w->count++;
    bloom_put(&w->run, s.hash);
    w->pending[w->pending_count++] = s;
    if (w->pending_count == WRITTEN_AT_ONCE)
        flush(w);
}

// The rest of the index is given back: merging may have found states in both.
static void trim_index(struct visited_run *run, uint64_t count)
{
    struct visited_run trimmed = *run;
    trimmed.count = count;
    trimmed.first = mem_reserve(index_bytes(&trimmed));
    memcpy(trimmed.first, run->first, block_count(count) * sizeof *run->first);
    mem_release(run->first, index_bytes(run));
    *run = trimmed;
}

// True: the run is whole.
static bool end(struct visited_runs *r, struct writing *w)
{
    flush(w);
    if (w->failed) {
        snprintf(r->wrong, sizeof r->wrong, "%s", strerror(errno));
        drop(&w->run);
        return false;
    }
    r->written += w->count;
    trim_index(&w->run, w->count);
    return true;
}

// A run that is read from its beginning to its end.
struct reading {
    const struct visited_run *run;
    uint64_t at;
    struct kept_state block[WRITTEN_AT_ONCE];
    size_t in_block, next;
    bool failed;
};

static bool read_all(int file, void *to, size_t bytes, off_t from)
{
    char *place = to;
    while (bytes) {
        ssize_t n = pread(file, place, bytes, from);
        if (n <= 0 && !(n < 0 && errno == EINTR))
            return false;
        place += n > 0 ? n : 0;
        from += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

// The next state, which is not taken yet; null at the end.
static const struct kept_state *peek(struct reading *g)
{
    if (g->next < g->in_block)
        return &g->block[g->next];
    uint64_t left = g->run->count - g->at;
    if (!left || g->failed)
        return NULL;
    g->in_block = left < WRITTEN_AT_ONCE ? left : WRITTEN_AT_ONCE;
    g->next = 0;
    g->failed = !read_all(g->run->file, g->block, g->in_block * sizeof *g->block, (off_t)(g->at * sizeof *g->block));
    g->at += g->in_block;
    return g->failed ? NULL : &g->block[0];
}

static void merge_states(struct reading *older, struct reading *newer, struct writing *w)
{
    const struct kept_state *a, *b;
    while (a = peek(older), b = peek(newer), (a || b) && !w->failed) {
        bool takes_newer = b && (!a || b->hash <= a->hash), same = a && b && a->hash == b->hash;
        put(w, takes_newer ? *b : *a);
        newer->next += takes_newer;
        older->next += same || !takes_newer;
    }
    w->failed |= older->failed || newer->failed;
}

// Makes one of the last two runs. False: not possible; both stay.
static bool merge_last(struct visited_runs *r)
{
    struct visited_run *older = &r->run[r->count - 2], *newer = &r->run[r->count - 1];
    struct writing *w = mem_reserve(sizeof *w);
    struct reading *reading = mem_reserve(2 * sizeof *reading);
    bool fine = begin(w, older->count + newer->count);
    if (fine) {
        reading[0].run = older;
        reading[1].run = newer;
        merge_states(&reading[0], &reading[1], w);
        fine = end(r, w);
    }
    if (fine) {
        drop(older);
        drop(newer);
        *older = w->run;
        r->count--;
    }
    mem_release(reading, 2 * sizeof *reading);
    mem_release(w, sizeof *w);
    return fine;
}

static int compare(const void *a, const void *b)
{
    uint64_t x = ((const struct kept_state *)a)->hash, y = ((const struct kept_state *)b)->hash;
    return (x > y) - (x < y);
}

bool visited_runs_add(struct visited_runs *r, struct kept_state *states, uint64_t count)
{
    if (r->wrong[0] || r->count == RUNS_MOST)
        return false;
    struct writing *w = mem_reserve(sizeof *w);
    qsort(states, count, sizeof *states, compare);
    bool fine = begin(w, count);
    if (!fine)
        snprintf(r->wrong, sizeof r->wrong, "%s", strerror(errno));
    for (uint64_t i = 0; fine && i < count && !w->failed; i++)
        put(w, states[i]);
    fine = fine && end(r, w);
    if (fine)
        r->run[r->count++] = w->run;
    mem_release(w, sizeof *w);
    while (fine && r->count > 1 && 2 * r->run[r->count - 1].count >= r->run[r->count - 2].count && merge_last(r))
        ;
    return fine;
}

// The block that may have the state: the last one whose first state is not behind it. -1 if there is none.
static int64_t block_of(const struct visited_run *run, uint64_t hash)
{
    int64_t low = -1, high = (int64_t)block_count(run->count) - 1;
    while (low < high) {
        int64_t middle = low + (high - low + 1) / 2;
        if (run->first[middle] <= hash)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static bool find_in(struct visited_runs *r, const struct visited_run *run, uint64_t hash, struct kept_state *found)
{
    struct kept_state block[BLOCK], wanted = {.hash = hash};
    int64_t at = bloom_may_have(run, hash) ? block_of(run, hash) : -1;
    if (at < 0)
        return false;
    uint64_t from = (uint64_t)at * BLOCK, count = run->count - from < BLOCK ? run->count - from : BLOCK;
    r->reads++;
    bool is_read = read_all(run->file, block, count * sizeof *block, (off_t)(from * sizeof *block));
    require(is_read); // what was written is there, unless the disk breaks
    const struct kept_state *place = bsearch(&wanted, block, count, sizeof *block, compare);
    if (place)
        *found = *place;
    return place;
}

bool visited_runs_find(struct visited_runs *r, uint64_t hash, struct kept_state *found)
{
    for (uint32_t i = r->count; i-- > 0;)
        if (find_in(r, &r->run[i], hash, found))
            return true;
    return false;
}

size_t visited_runs_bytes(const struct visited_runs *r)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < r->count; i++)
        bytes += bloom_bytes(&r->run[i]) + index_bytes(&r->run[i]);
    return bytes;
}

size_t visited_runs_disk(const struct visited_runs *r)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < r->count; i++)
        bytes += r->run[i].count * sizeof(struct kept_state);
    return bytes;
}
