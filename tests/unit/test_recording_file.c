// Recordings on disk: they come back in an order in which things can have happened, and what is cut or damaged is read as far as it
// goes: a beginning of each thread's records, such that nothing that was read is later than something that was not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "trace/recording_file.h"
#include "trace/recording_print.h"
#include "trace/recording_read.h"
#include "trace/recording_write.h"

enum { THREADS = 4, RECORDS = 600, ROOM = 4 * RECORDS, CHANGES = 1500 };

static char path[64];
static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 33) % below;
}

struct written_thread {
    struct recording_unit unit[ROOM];
    uint32_t units, chunk_from, chunks;
    uint64_t key[RECORDS]; // where each record belongs
    uint32_t records;
    uint64_t stamp, base;
};

static struct written_thread threads[THREADS];
static uint64_t number;

static void put(struct written_thread *t, struct recording_unit unit)
{
    t->unit[t->units++] = unit;
}

static void put_numbered(struct written_thread *t, enum recording_op op, uint64_t address, uint64_t value)
{
    uint64_t place = 0x1000 + draw(9), difference = number - t->base;
    if (op < RECORDING_ATOMIC_LOAD && value < SHORT_VALUES && draw(2)) {
        put(t, recording_short_unit(op, address, value << SHORT_FLAG_BITS, place, difference));
    } else {
        put(t, recording_unit_of(op, address, 0, place));
        put(t, (struct recording_unit){difference, value});
    }
    t->base = number;
    t->key[t->records++] = 2 * number + 1;
    t->stamp = ++number;
}

static void put_access(struct written_thread *t, enum recording_op op, uint64_t address)
{
    uint64_t difference = number - t->base;
    bool stamped = t->stamp != number, brief = stamped && draw(2);
    if (stamped && !brief)
        put(t, recording_unit_of(RECORDING_STAMP, 0, 0, difference));
    if (stamped)
        t->base = number;
    t->stamp = number;
    put(t,
        brief ? recording_short_unit(op, address, 4, 0x2000, difference) : recording_unit_of(op, address, 4, 0x2000));
    t->key[t->records++] = 2 * number;
}

// What one thread does next.
static void put_something(struct written_thread *t)
{
    uint64_t address = 0x7000 + 4 * draw(20);
    switch (draw(6)) {
    case 0:
        put_numbered(t, draw(2) ? RECORDING_LOCK : RECORDING_UNLOCK, 0x6000, RECORDING_MUTEX);
        break;
    case 1:
        put_numbered(t, RECORDING_ATOMIC_RMW, address, 4 << 8 | __ATOMIC_ACQ_REL);
        put(t, (struct recording_unit){number, number + 1});
        break;
    case 2:
        put_numbered(t, draw(2) ? RECORDING_ALLOCATE : RECORDING_RELEASE, 0x9000 + 32 * draw(4), 32);
        break;
    default:
        put_access(t, draw(2) ? RECORDING_READ : RECORDING_WRITE, address);
    }
}

static void write_chunk(struct recording_writer *w, uint32_t thread)
{
    struct written_thread *t = &threads[thread];
    if (t->units > t->chunk_from)
        recording_writer_frame(w, FRAME_UNITS, thread, t->chunks++, t->unit + t->chunk_from,
                               (t->units - t->chunk_from) * (uint32_t)sizeof *t->unit);
    t->chunk_from = t->units;
    t->stamp = t->base = 0;
}

static void begin_threads(void)
{
    for (uint32_t i = 0; i < THREADS; i++) {
        if (i)
            put_numbered(&threads[0], RECORDING_CREATE, 0, i);
        put_numbered(&threads[i], RECORDING_BEGIN, 0, 0);
    }
}

static void write_recording(uint64_t seed)
{
    static const char run[] = "heddle 0\0directory /\0program /bin/true\0argument x";
    static const char names[] =
        "p\t2000\t10\t7\twork\ta.c\t/bin/true\ng\t7000\t40\tx\t/bin/true\nm\t7000\t8000\t/bin/true\n";
    struct recording_end end = {.records_end = UINT64_MAX, .threads = THREADS};
    struct recording_writer w;
    random_state = seed;
    memset(threads, 0, sizeof threads);
    number = 1;
    assert_true(recording_writer_open(&w, path));
    recording_writer_frame(&w, FRAME_RUN, 0, 0, run, sizeof run);
    begin_threads();
    for (uint32_t i = 0; i < RECORDS / 2; i++) {
        uint32_t thread = draw(THREADS);
        put_something(&threads[thread]);
        if (!draw(12))
            write_chunk(&w, draw(THREADS));
    }
    for (uint32_t i = THREADS; i-- > 0;) {
        if (i)
            put_numbered(&threads[i], RECORDING_END, 0, 0);
        write_chunk(&w, i);
    }
    recording_writer_frame(&w, FRAME_NAMES, 0, 0, names, sizeof names - 1);
    recording_writer_frame(&w, FRAME_END, 0, 0, &end, sizeof end);
    assert_true(recording_writer_close(&w));
}

// Reads the file, and checks that it has the beginning of what was written. Returns how many records it has.
static uint32_t check_file(bool whole)
{
    char *wrong = NULL;
    struct recording_file *f = recording_file_open(path, &wrong);
    struct filed_record r;
    uint32_t next[THREADS] = {0}, total = 0;
    uint64_t latest = 0;
    if (!f) {
        assert_false(whole);
        assert_non_null(wrong);
        free(wrong);
        return 0;
    }
    while (recording_file_next(f, &r)) {
        assert_in_range(r.thread, 0, THREADS - 1);
        const struct written_thread *t = &threads[r.thread];
        assert_true(next[r.thread] < t->records);
        uint64_t key = t->key[next[r.thread]++];
        assert_true(key >= latest);
        assert_int_equal(r.number, key / 2);
        if (r.op >= RECORDING_READ_VALUE) {
            assert_int_equal(r.before, r.number);
            assert_int_equal(r.after, r.number + 7);
        }
        latest = key;
        total++;
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        assert_true(next[i] == threads[i].records || threads[i].key[next[i]] >= latest);
        assert_true(!whole || next[i] == threads[i].records);
        if (next[i] < threads[i].records)
            assert_non_null(recording_file_cut(f));
    }
    assert_true(!whole || !recording_file_cut(f));
    recording_file_close(f);
    return total;
}

// Whatever is in the file, it can be taken into memory and printed.
static void use_file(void)
{
    char *wrong = NULL;
    struct recording *r = recording_read(path, true, &wrong);
    FILE *out = fopen("/dev/null", "w");
    if (r)
        recording_print(out, r);
    fclose(out);
    recording_free(r);
    free(wrong);
}

static char *bytes;
static size_t size;

static void load_bytes(void)
{
    FILE *file = fopen(path, "r");
    free(bytes);
    fseek(file, 0, SEEK_END);
    size = (size_t)ftell(file);
    rewind(file);
    bytes = malloc(size);
    assert_int_equal(fread(bytes, 1, size, file), size);
    fclose(file);
}

static void store_bytes(size_t count)
{
    FILE *file = fopen(path, "w");
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void comes_back_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        write_recording(seed);
        assert_int_equal(check_file(true),
                         threads[0].records + threads[1].records + threads[2].records + threads[3].records);
        use_file();
    }
}

static void cut_files_are_read_as_far_as_they_go(void **state)
{
    (void)state;
    write_recording(7);
    load_bytes();
    uint32_t most = 0;
    for (size_t count = 0; count < size; count += 1 + size / CHANGES) {
        store_bytes(count);
        uint32_t got = check_file(false);
        most = got > most ? got : most;
        if (count % 16 == 0)
            use_file();
    }
    assert_true(most > RECORDS / 4); // something is read at all
}

static void damaged_files_are_read_as_far_as_they_go(void **state)
{
    (void)state;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < CHANGES; i++) {
        if (i % 100 == 0) {
            write_recording(100 + i);
            load_bytes();
        }
        random_state = i;
        uint32_t at = draw((uint32_t)size), bit = 1u << draw(8);
        bytes[at] = (char)(bytes[at] ^ (int)bit);
        store_bytes(size);
        sum += check_file(false);
        if (i % 16 == 0)
            use_file();
        bytes[at] = (char)(bytes[at] ^ (int)bit);
    }
    assert_true(sum > CHANGES * 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(comes_back_whole),
                                       cmocka_unit_test(cut_files_are_read_as_far_as_they_go),
                                       cmocka_unit_test(damaged_files_are_read_as_far_as_they_go)};
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/recording-%d", folder && strlen(folder) < 30 ? folder : ".", (int)getpid());
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    free(bytes);
    return failures;
}
