// The race detector finds a race on a byte exactly when a detector does that keeps every access and a whole vector per
// thread and object, also after going back and on another way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "check/race.h"

enum { THREADS = 5, OBJECTS = 3, WORDS = 3, BYTES = WORDS * 8, HISTORY = 1000, STEPS = 60, LOG_BYTES = 1 << 26 };
enum { RELAXED, CONSUME, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST, ORDERS };

struct vector {
    uint32_t of[THREADS]; // how many operations of each thread are known
};

// The slow detector. It can be copied, and so put back.
struct model {
    struct vector knows[THREADS], seen[THREADS], fenced[THREADS], released[OBJECTS];
    uint32_t head[OBJECTS]; // the thread, + 1, whose release alone is passed on; 0: several, or none
    struct access {
        uint8_t thread, byte, write;
        uint32_t time;
    } history[HISTORY];
    uint32_t accesses;
    bool dead[BYTES]; // raced already: what the detector says about them is no longer looked at
    bool begun[THREADS], ended[THREADS], has_fenced[THREADS];
};

// What the engine keeps for each thread and object; logged before it changes, as the engine does.
struct kept {
    struct know know[THREADS];
    struct release release[OBJECTS];
};

static struct undo undo;
static struct race_detector detector;
static struct model model;
static _Alignas(16) struct {
    struct kept is;
    uint8_t slack[16]; // logging reads beyond
} kept;
static uint32_t numbers[THREADS]; // the actor that each thread is
static uint32_t races_found;
static const uint64_t words[WORDS] = {0x10000, 0x10008, 0x7fff12345670}; // the last has its shadow elsewhere

static char story[1 << 16]; // what was done, for whoever has to find the bug
static size_t told;

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    told += (size_t)vsnprintf(story + told, sizeof story - told, format, list);
    va_end(list);
    assert_true(told < sizeof story);
}

static void fail_with_story(const char *why)
{
    fputs(story, stderr); // longer than cmocka prints
    fail_msg("%s", why);
}

static uint32_t below(uint32_t limit)
{
    return (uint32_t)rand() % limit;
}

static bool acquires(int order)
{
    return order == CONSUME || order == ACQUIRE || order == ACQ_REL || order == SEQ_CST;
}

static bool releases(int order)
{
    return order == RELEASE || order == ACQ_REL || order == SEQ_CST;
}

static void join(struct vector *into, const struct vector *other)
{
    for (int i = 0; i < THREADS; i++)
        if (other->of[i] > into->of[i])
            into->of[i] = other->of[i];
}

static struct know *know_of(uint32_t t)
{
    return &kept.is.know[t];
}

static struct release *change_release(uint32_t object)
{
    undo_save(&undo, &kept.is.release[object], sizeof(struct release));
    return &kept.is.release[object];
}

static void begin_thread(uint32_t child, uint32_t creator)
{
    undo_save(&undo, know_of(child), sizeof(struct know));
    bool is_first = child == creator;
    know_begin(&detector, know_of(child), numbers[child], is_first ? NULL : know_of(creator), 0);
    if (!is_first)
        model.knows[child] = model.knows[creator];
    model.begun[child] = true;
}

// Whether the slow detector sees a race of this access on one byte, with any thread or with one.
static bool races_on(uint32_t t, uint32_t byte, bool write, uint32_t with)
{
    for (uint32_t i = 0; i < model.accesses; i++) {
        const struct access *a = &model.history[i];
        if (a->byte == byte && a->thread != t && (a->write || write) && a->time > model.knows[t].of[a->thread] &&
            (with == THREADS || with == a->thread))
            return true;
    }
    return false;
}

static uint32_t thread_of(uint32_t actor)
{
    uint32_t t = 0;
    while (t < THREADS && numbers[t] != actor)
        t++;
    return t;
}

static void remember(uint32_t t, uint32_t word, uint8_t mask, bool write, bool plain)
{
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t byte = word * 8 + i;
        if (!(mask >> i & 1))
            continue;
        if (races_on(t, byte, write, THREADS))
            model.dead[byte] = true;
        if (!plain)
            continue;
        assert_true(model.accesses < HISTORY);
        model.history[model.accesses++] = (struct access){(uint8_t)t, (uint8_t)byte, write, model.knows[t].of[t]};
    }
}

static void access_word(uint32_t t, uint32_t word, uint8_t mask, bool write, bool plain)
{
    for (uint32_t i = 0; i < 8; i++)
        if (model.dead[word * 8 + i])
            mask &= (uint8_t) ~(1u << i);
    if (!mask)
        return;
    struct cell *cell = shadow_cell(&detector.shadow, words[word]);
    tell("  thread %u %s %s word %u bytes %02x\n", t, plain ? "plain" : "atomic", write ? "write" : "read", word, mask);
    detector.kept = NULL; // as if it were a step of its own
    uint8_t found = plain ? (write ? race_write : race_read)(&detector, know_of(t), cell, mask)
                          : race_passing(&detector, know_of(t), cell, mask, write);
    for (uint32_t i = 0; i < 8; i++) {
        bool expected = (mask >> i & 1) && races_on(t, word * 8 + i, write, THREADS);
        if (expected != (found >> i & 1))
            fail_with_story(expected ? "a race was missed" : "a race was found that is none");
        if (expected && !races_on(t, word * 8 + i, write, thread_of(detector.rivals[i])))
            fail_with_story("the race is with another thread");
    }
    races_found += found != 0;
    remember(t, word, mask, write, plain);
}

static void access_bytes(uint32_t t, uint32_t first, uint32_t size, bool write, bool plain)
{
    for (uint32_t word = 0; word < WORDS; word++) {
        uint32_t mask = 0;
        for (uint32_t byte = first; byte < first + size; byte++)
            mask |= byte / 8 == word ? 1u << byte % 8 : 0;
        if (mask)
            access_word(t, word, (uint8_t)mask, write, plain);
    }
}

static void acquire(uint32_t t, uint32_t object)
{
    tell("  thread %u acquires %u\n", t, object);
    know_acquire(&detector, know_of(t), &kept.is.release[object]);
    join(&model.knows[t], &model.released[object]);
}

static void release(uint32_t t, uint32_t object, bool more)
{
    tell("  thread %u releases %u%s\n", t, object, more ? " as well" : "");
    (more ? know_release_more : know_release)(&detector, know_of(t), change_release(object));
    if (!more)
        model.released[object] = (struct vector){{0}};
    join(&model.released[object], &model.knows[t]);
    model.head[object] = !more || model.head[object] == t + 1 ? t + 1 : 0;
}

static void see(uint32_t t, uint32_t object, int order)
{
    join(acquires(order) ? &model.knows[t] : &model.seen[t], &model.released[object]);
}

static void load(uint32_t t, uint32_t object, int order)
{
    tell("  thread %u loads %u, order %d\n", t, object, order);
    know_load(&detector, know_of(t), &kept.is.release[object], order);
    see(t, object, order);
}

static void store(uint32_t t, uint32_t object, int order)
{
    tell("  thread %u stores %u, order %d\n", t, object, order);
    know_store(&detector, know_of(t), change_release(object), order);
    bool goes_on = model.head[object] == t + 1; // its own release sequence
    if (!goes_on)
        model.released[object] = (struct vector){{0}};
    join(&model.released[object], releases(order) ? &model.knows[t] : &model.fenced[t]);
    model.head[object] = goes_on || releases(order) || model.has_fenced[t] ? t + 1 : 0;
}

// Whether an access was made that is known by the one and not by the other.
static bool knows_more(const struct vector *one, const struct vector *other)
{
    for (uint32_t i = 0; i < model.accesses; i++) {
        const struct access *a = &model.history[i];
        if (a->time <= one->of[a->thread] && a->time > other->of[a->thread])
            return true;
    }
    return false;
}

static bool rmw(uint32_t t, uint32_t object, int order)
{
    tell("  thread %u changes %u, order %d\n", t, object, order);
    bool tells_more = know_rmw(&detector, know_of(t), change_release(object), order);
    struct vector before = model.released[object];
    see(t, object, order);
    join(&model.released[object], releases(order) ? &model.knows[t] : &model.fenced[t]);
    if (!tells_more && knows_more(&model.released[object], &before))
        fail_with_story("something was released that was said not to be new");
    if (tells_more)
        model.head[object] = releases(order) && model.head[object] == t + 1 ? t + 1 : 0;
    return tells_more;
}

static void fence(uint32_t t, int order)
{
    tell("  thread %u fence, order %d\n", t, order);
    know_fence(&detector, know_of(t), order);
    if (acquires(order))
        join(&model.knows[t], &model.seen[t]);
    if (releases(order)) {
        model.fenced[t] = model.knows[t];
        model.has_fenced[t] = true;
    }
}

static void begin_or_join(uint32_t t)
{
    uint32_t other = below(THREADS);
    if (!model.begun[other]) {
        tell("  thread %u begins thread %u\n", t, other);
        begin_thread(other, t);
    } else if (model.ended[other]) {
        tell("  thread %u joins thread %u\n", t, other);
        know_join(&detector, know_of(t), know_of(other));
        join(&model.knows[t], &model.knows[other]);
    } else if (other != t && !below(8)) {
        tell("  thread %u ends\n", other);
        model.ended[other] = true;
    }
}

static void do_something(uint32_t t)
{
    uint32_t object = below(OBJECTS), size = 1u << below(4);
    int order = (int)below(ORDERS);
    model.knows[t].of[t]++;
    switch (below(16)) {
    case 0:
        acquire(t, object);
        break;
    case 1:
        release(t, object, false);
        break;
    case 2:
        release(t, object, true);
        break;
    case 3:
        load(t, object, order);
        break;
    case 4:
        store(t, object, order);
        break;
    case 5:
        rmw(t, object, order);
        break;
    case 6:
        fence(t, order);
        break;
    case 7:
    case 8:
        begin_or_join(t);
        break;
    case 9:
        access_bytes(t, below(BYTES / size) * size, size, below(2), false);
        break;
    case 10:
        access_bytes(t, below(BYTES - size), size, below(3) == 0, true);
        break;
    default:
        access_bytes(t, below(BYTES / size) * size, size, below(3) == 0, true);
        break;
    }
}

// What target.c does around a step of one thread.
static void step(void)
{
    uint32_t t = below(THREADS);
    while (!model.begun[t] || model.ended[t])
        t = (t + 1) % THREADS;
    undo_save(&undo, know_of(t), sizeof(struct know));
    know_of(t)->own = 0;
    tell("step of %u\n", t);
    for (uint32_t n = 1 + below(4); n > 0; n--)
        do_something(t);
}

struct mark {
    struct model model;
    struct kept kept;
    struct cell cells[WORDS];
    size_t undo, told;
    uint32_t clocks, reader_rows, part_rows;
};

static void take_mark(struct mark *m)
{
    *m = (struct mark){.model = model,
                       .kept = kept.is,
                       .undo = undo_mark(&undo),
                       .told = told,
                       .clocks = detector.clocks.count,
                       .reader_rows = detector.reader_rows,
                       .part_rows = detector.part_rows};
    for (int i = 0; i < WORDS; i++)
        m->cells[i] = *shadow_cell(&detector.shadow, words[i]);
}

static void go_back(const struct mark *m)
{
    undo_to(&undo, m->undo);
    detector.clocks.count = m->clocks;
    assert_memory_equal(&kept.is, &m->kept, sizeof m->kept);
    assert_int_equal(detector.reader_rows, m->reader_rows);
    assert_int_equal(detector.part_rows, m->part_rows);
    for (int i = 0; i < WORDS; i++)
        assert_memory_equal(shadow_cell(&detector.shadow, words[i]), &m->cells[i], sizeof m->cells[i]);
    model = m->model;
    told = m->told;
}

static void start(void)
{
    undo_to(&undo, 0);
    detector.clocks.count = 1;
    memset(&model, 0, sizeof model);
    memset(&kept, 0, sizeof kept);
    told = 0;
    story[0] = 0;
    begin_thread(0, 0);
    if (below(4))
        for (uint32_t t = 1; t < 3; t++)
            begin_thread(t, 0);
}

// Several ways on from the same point, the last of them kept; then on from there.
static void wander(uint32_t steps)
{
    static struct mark mark;
    start();
    for (uint32_t left = steps; left > 0;) {
        uint32_t part = 1 + below(left), ways = 1 + below(3);
        take_mark(&mark);
        while (ways--) {
            go_back(&mark);
            for (uint32_t i = 0; i < part; i++)
                step();
        }
        left -= part;
    }
}

static void compare_on_random_traces(uint32_t rounds)
{
    srand(1);
    races_found = 0;
    for (uint32_t round = 0; round < rounds; round++) // short ones first: easier to read if they fail
        wander(3 + round * (STEPS - 3) / rounds);
    assert_true(races_found > rounds / 4);
}

static int set_up(void **state)
{
    (void)state;
    undo_init(&undo, LOG_BYTES);
    race_init(&detector, &undo);
    return 0;
}

static void name_threads(const uint32_t *names)
{
    memcpy(numbers, names, sizeof numbers);
}

static int few_threads(void **state)
{
    (void)state;
    name_threads((const uint32_t[THREADS]){0, 1, 2, 3, 4});
    start();
    return 0;
}

static int high_numbers(void **state)
{
    (void)state;
    name_threads((const uint32_t[THREADS]){0, 127, 128, 200, 255});
    start();
    return 0;
}

static void begin_all(void)
{
    start();
    for (uint32_t t = 0; t < THREADS; t++)
        if (!model.begun[t])
            begin_thread(t, 0);
    for (uint32_t t = 0; t < THREADS; t++)
        model.knows[t].of[t]++;
}

static void a_reader_of_one_byte_is_no_reader_of_the_others(void **state)
{
    (void)state;
    begin_all();
    access_word(1, 0, 0xff, false, true);
    access_word(2, 0, 0xff, false, true);
    access_word(3, 0, 0x01, false, true);
    release(1, 0, true);
    release(2, 0, true);
    acquire(4, 0);
    access_word(4, 0, 0xf0, true, true); // knows 1 and 2, and 3 never read these bytes
}

static void the_parts_of_a_word_keep_its_reader(void **state)
{
    (void)state;
    for (uint32_t reader = 1; reader < THREADS; reader++) {
        begin_all();
        access_word(reader, 0, 0xff, false, true);
        uint32_t other = reader % (THREADS - 1) + 1;
        access_word(other, 0, 0x0f, false, true);
        access_word(other, 0, 0x0f, true, true); // races
        begin_all();
        access_word(reader, 0, 0xff, false, true);
        release(reader, 0, false);
        acquire(other, 0);
        access_word(other, 0, 0x0f, true, true); // does not
    }
}

static void a_read_modify_write_tells_what_is_new_once(void **state)
{
    (void)state;
    begin_all();
    access_word(1, 0, 0xff, true, true);
    assert_true(rmw(1, 0, RELEASE));
    assert_false(rmw(1, 0, RELEASE));
    assert_false(rmw(1, 0, SEQ_CST));
    assert_true(rmw(1, 1, RELEASE)); // not through that object
    access_word(1, 1, 0xff, true, true);
    assert_false(rmw(1, 0, ACQUIRE));
    assert_true(rmw(1, 0, ACQ_REL));
    access_word(1, 2, 0xff, true, true);
    fence(1, RELEASE);
    assert_true(rmw(1, 0, RELAXED));
    assert_false(rmw(1, 0, RELAXED));
    store(2, 0, RELAXED); // and nothing is left of it
    assert_true(rmw(1, 0, RELAXED));
}

static void random_traces_agree(void **state)
{
    (void)state;
    compare_on_random_traces(12000);
}

static void random_traces_of_high_numbers_agree(void **state)
{
    (void)state;
    compare_on_random_traces(3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_reader_of_one_byte_is_no_reader_of_the_others, few_threads),
        cmocka_unit_test_setup(the_parts_of_a_word_keep_its_reader, few_threads),
        cmocka_unit_test_setup(a_read_modify_write_tells_what_is_new_once, few_threads),
        cmocka_unit_test_setup(random_traces_agree, few_threads),
        cmocka_unit_test_setup(the_parts_of_a_word_keep_its_reader, high_numbers),
        cmocka_unit_test_setup(random_traces_of_high_numbers_agree, high_numbers),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
