// Concurrency Kit's epoch: what a reader has found in its section is not freed before it is done with it. With HASTY the writer
// frees without waiting, with OUTSIDE readers look without a section.
#include <ck_epoch.h>
#include <ck_hs.h>
#include <ck_pr.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

struct config {
    int number, same;
    ck_epoch_entry_t entry;
};

CK_EPOCH_CONTAINER(struct config, entry, config_of)

static ck_epoch_t epoch;
static struct config *current;
static int freed;

static struct config *make(int number)
{
    struct config *c = malloc(sizeof *c);
    *c = (struct config){.number = number, .same = number};
    return c;
}

static void destroy(ck_epoch_entry_t *entry)
{
    struct config *c = config_of(entry);
    c->number = -1;
    free(c);
    ck_pr_inc_int(&freed);
}

static void look(void)
{
    const struct config *c = ck_pr_load_ptr(&current);
    heddle_assert(c->number == c->same);
}

static void look_in_section(ck_epoch_record_t *record)
{
#ifndef OUTSIDE
    ck_epoch_begin(record, NULL);
#endif
    look();
#ifndef OUTSIDE
    ck_epoch_end(record, NULL);
#endif
}

static struct config *exchange(int number)
{
    return ck_pr_fas_ptr(&current, make(number));
}

static void *reader(void *record)
{
    look_in_section(record);
    return NULL;
}

static void *reads_twice(void *record)
{
    look_in_section(record);
    look_in_section(record);
    return NULL;
}

static void *reads_nested(void *record)
{
    ck_epoch_section_t outer, inner;
    ck_epoch_begin(record, &outer);
    look();
    ck_epoch_begin(record, &inner);
    look();
    ck_epoch_end(record, &inner);
    look();
    ck_epoch_end(record, &outer);
    return NULL;
}

static void *waits_and_frees(void *record)
{
    struct config *old = exchange(1);
#ifndef HASTY
    ck_epoch_synchronize(record);
#endif
    destroy(&old->entry);
    (void)record;
    return NULL;
}

static void *calls_and_waits(void *record)
{
    ck_epoch_call(record, &exchange(1)->entry, destroy);
    ck_epoch_barrier(record);
    return NULL;
}

static void *calls_and_polls(void *record)
{
    ck_epoch_begin(record, NULL);
    ck_epoch_call(record, &exchange(1)->entry, destroy);
    ck_epoch_end(record, NULL);
    ck_epoch_poll(record);
    return NULL;
}

// Each thread has a record. What was called and not dispatched is freed at the end.
static void run(int threads, void *(*work[])(void *), int changes)
{
    static ck_epoch_record_t record[3];
    pthread_t thread[3];
    ck_epoch_init(&epoch);
    current = make(0);
    for (int i = 0; i < threads; i++)
        ck_epoch_register(&epoch, &record[i], NULL);
    for (int i = 0; i < threads; i++)
        pthread_create(&thread[i], NULL, work[i], &record[i]);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < threads; i++)
        ck_epoch_barrier(&record[i]);
    heddle_assert(freed == changes);
    free(current);
}

#define RUN(changes, ...)                                                                                              \
    run(sizeof((void *(*[])(void *)){__VA_ARGS__}) / sizeof(void *), (void *(*[])(void *)){__VA_ARGS__}, changes)

heddle_test("one reader, one writer")
{
    RUN(1, reader, waits_and_frees);
}

heddle_test("a reader that looks twice, one writer")
{
    RUN(1, reads_twice, waits_and_frees);
}

heddle_test("a reader in nested sections, one writer")
{
    RUN(1, reads_nested, waits_and_frees);
}

heddle_test("two readers, one writer")
{
    RUN(1, reader, reader, waits_and_frees);
}

heddle_test("one reader, two writers")
{
    RUN(2, reader, waits_and_frees, waits_and_frees);
}

heddle_test("one reader, a writer that calls and waits")
{
    RUN(1, reader, calls_and_waits);
}

heddle_test("one reader, a writer that calls and polls")
{
    RUN(1, reader, calls_and_polls);
}

heddle_test("one reader, two writers that call and poll")
{
    RUN(2, reader, calls_and_polls, calls_and_polls);
}

// A thread that takes part for a while only.
static void *comes_and_goes(void *record)
{
    look_in_section(record);
    ck_epoch_unregister(record);
    return NULL;
}

heddle_test("a reader unregisters, one writer")
{
    RUN(1, comes_and_goes, waits_and_frees);
}

// A hash set whose maps are freed by an epoch: the header in front of each is what the epoch needs.
struct header {
    ck_epoch_entry_t entry;
} __attribute__((aligned(64)));

static ck_epoch_record_t *writers_record;

static void free_header(ck_epoch_entry_t *entry)
{
    free(entry);
}

static void *allocate(size_t size)
{
    struct header *header = aligned_alloc(64, sizeof *header + (size + 63) / 64 * 64);
    return header + 1;
}

static void give_back(void *map, size_t size, bool readers_may_have_it)
{
    struct header *header = (struct header *)map - 1;
    (void)size;
#ifdef HASTY
    readers_may_have_it = false;
#endif
    if (readers_may_have_it)
        ck_epoch_call(writers_record, &header->entry, free_header);
    else
        free(header);
}

static struct ck_malloc memory = {.malloc = allocate, .free = give_back};
static ck_hs_t set;

static unsigned long hash(const void *number, unsigned long seed)
{
    return *(const int *)number + seed;
}

static bool equal(const void *x, const void *y)
{
    return *(const int *)x == *(const int *)y;
}

static void *gets(void *record)
{
    int one = 1;
    ck_epoch_begin(record, NULL);
    int *found = ck_hs_get(&set, CK_HS_HASH(&set, hash, &one), &one);
    heddle_assert(found && *found == 1);
    ck_epoch_end(record, NULL);
    return NULL;
}

static void *grows(void *record)
{
    writers_record = record;
    heddle_assert(ck_hs_grow(&set, 16));
    ck_epoch_barrier(record);
    return NULL;
}

heddle_test("a hash set grows and its old map is freed")
{
    static int one = 1;
    heddle_assert(ck_hs_init(&set, CK_HS_MODE_SPMC | CK_HS_MODE_OBJECT, hash, equal, &memory, 8, 0));
    heddle_assert(ck_hs_put(&set, CK_HS_HASH(&set, hash, &one), &one));
    RUN(0, gets, grows);
    ck_hs_destroy(&set);
}
