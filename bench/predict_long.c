// How the time and memory of predictions grow with the length of a run: makes recordings of 1, 10 and 100 million records (or of as many as
// the arguments say) and hunts in each for everything.
//
// The run is that of a server: workers take jobs out of queues under locks, look things up in tables that several share, keep
// statistics of their own, and now and then update a shared entry in two sections where it should be one.
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include "predict/predict_run.h"

enum { WORKERS = 8, LOCKS = 64, SHARED = 1024, OWN = 512 };

static uint64_t state = 88172645463325252u;

static uint32_t draw(uint32_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state % below);
}

struct maker {
    struct recording *r;
    uint32_t shared[SHARED], own[WORKERS][OWN], locks[LOCKS], places[256];
};

static void add(struct maker *m, enum record_kind kind, uint32_t thread, uint32_t object, uint32_t place)
{
    recording_add(m->r,
                  (struct record){
                      .kind = (uint8_t)kind, .thread = (uint16_t)thread, .object = object, .place = m->places[place]});
}

static uint32_t new_block(struct maker *m, const char *name, uint32_t size)
{
    struct recorded_block block = {
        .kind = BLOCK_GLOBAL, .name = name, .size = size, .place = NOT_RECORDED, .thread = NOT_RECORDED};
    return recording_block(m->r, &block);
}

static void make_names(struct maker *m)
{
    uint32_t shared = new_block(m, "shared", SHARED * 8), own = new_block(m, "own", WORKERS * OWN * 8);
    uint32_t locks = new_block(m, "locks", LOCKS * 40);
    for (uint32_t i = 0; i < SHARED; i++)
        m->shared[i] = recording_variable(m->r, shared, i * 8, 8);
    for (uint32_t w = 0; w < WORKERS; w++)
        for (uint32_t i = 0; i < OWN; i++)
            m->own[w][i] = recording_variable(m->r, own, (w * OWN + i) * 8, 8);
    for (uint32_t i = 0; i < LOCKS; i++)
        m->locks[i] = recording_object(m->r, OBJECT_MUTEX, locks, i * 40);
    for (uint32_t i = 0; i < 256; i++)
        m->places[i] =
            recording_place(m->r, &(struct recorded_place){.function = "work", .file = "server.c", .line = i + 1});
    recording_thread(m->r, "main", NOT_RECORDED);
    for (uint32_t w = 0; w < WORKERS; w++) {
        char name[16];
        snprintf(name, sizeof name, "T%u", w + 1);
        recording_thread(m->r, name, 0);
        add(m, RECORD_CREATE, 0, w + 1, 0);
    }
}

// A worker takes a lock and works on what it guards: two entries that belong together, and one more.
static void do_job(struct maker *m, uint32_t worker, bool torn)
{
    uint32_t lock = draw(LOCKS), entry = draw(SHARED / LOCKS / 2) * 2 + lock * (SHARED / LOCKS), kind = draw(8);
    add(m, RECORD_LOCK, worker + 1, m->locks[lock], 10 + kind * 8);
    add(m, RECORD_READ, worker + 1, m->shared[entry], 11 + kind * 8);
    if (torn) {
        add(m, RECORD_UNLOCK, worker + 1, m->locks[lock], 12 + kind * 8);
        add(m, RECORD_LOCK, worker + 1, m->locks[lock], 13 + kind * 8);
    }
    add(m, RECORD_WRITE, worker + 1, m->shared[entry], 14 + kind * 8);
    add(m, RECORD_WRITE, worker + 1, m->shared[entry + 1], 15 + kind * 8);
    add(m, RECORD_UNLOCK, worker + 1, m->locks[lock], 16 + kind * 8);
    for (uint32_t i = 0; i < 8; i++)
        add(m, i % 3 ? RECORD_READ : RECORD_WRITE, worker + 1, m->own[worker][draw(OWN)], 100 + i);
}

static double processor_time(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void measure(uint64_t records)
{
    struct maker *m = calloc(1, sizeof *m);
    struct hunt hunt;
    struct correlations correlations;
    struct rusage usage;
    m->r = recording_new();
    m->r->path = "made up";
    make_names(m);
    while (m->r->count + 16 < records)
        do_job(m, draw(WORKERS), draw(1000) == 0);
    for (uint32_t w = 0; w < WORKERS; w++)
        add(m, RECORD_JOIN, 0, w + 1, 1);
    recording_finish(m->r);
    const struct recording *recordings[] = {m->r};
    const struct predict_options options = {.kinds = (1u << PREDICTION_KINDS) - 1, .bounds = BOUND_ALL, .support = 2};
    double began = processor_time();
    predict_run(recordings, 1, &options, &hunt, &correlations);
    double took = processor_time() - began;
    getrusage(RUSAGE_SELF, &usage);
    printf("%11u %11u %8llu %8u %8.1f %12.2f %9ld\n", m->r->count, hunt.found.count,
           (unsigned long long)hunt.found.asked, correlations.count, took, took * 1e6 / m->r->count,
           usage.ru_maxrss / 1024);
    fflush(stdout);
    correlate_free(&correlations);
    hunt_end(&hunt);
    recording_free(m->r);
    free(m);
}

int main(int argc, char **argv)
{
    printf("%11s %11s %8s %8s %8s %12s %9s\n", "records", "predictions", "asked", "pairs", "seconds", "µs a record",
           "MB");
    for (int i = 1; i < argc; i++)
        measure(strtoull(argv[i], NULL, 10));
    for (uint64_t records = 1000000; argc < 2 && records <= 100000000; records *= 10)
        measure(records);
    return 0;
}
