// Concurrency Kit's hash set: one writer, and readers that look things up meanwhile. All keys have the same hash, so that each
// of them is in the way of the others. Maps that a growing set leaves behind are freed when nobody reads any more; with HASTY at
// once.
#include <ck_hs.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

struct item {
    int key, number;
};

static ck_hs_t set;
static struct item *a, *b;
static void *left_behind[4];
static int left;

static void *allocate(size_t size)
{
    return malloc(size);
}

static void give_back(void *map, size_t size, bool readers_may_have_it)
{
    (void)size;
#ifndef HASTY
    if (readers_may_have_it) {
        left_behind[left++] = map;
        return;
    }
#endif
    (void)readers_may_have_it;
    free(map);
}

static struct ck_malloc memory = {.malloc = allocate, .free = give_back};

static unsigned long hash(const void *item, unsigned long seed)
{
    (void)item;
    return seed;
}

static bool same_key(const void *x, const void *y)
{
    return ((const struct item *)x)->key == ((const struct item *)y)->key;
}

static struct item *make(int key, int number)
{
    struct item *item = malloc(sizeof *item);
    *item = (struct item){key, number};
    return item;
}

static struct item *get(int key)
{
    struct item wanted = {key, 0};
    struct item *item = ck_hs_get(&set, set.seed, &wanted);
    heddle_assert(!item || item->key == key);
    return item;
}

static void put(struct item *item)
{
    heddle_assert(ck_hs_put(&set, set.seed, item));
}

static void take_away(const struct item *item)
{
    heddle_assert(ck_hs_remove(&set, set.seed, item) == item);
}

static void begin(unsigned mode)
{
    heddle_assert(ck_hs_init(&set, CK_HS_MODE_SPMC | CK_HS_MODE_OBJECT | mode, hash, same_key, &memory, 8, 0));
    put(a = make(1, 10));
    put(b = make(2, 20));
}

static void end(void)
{
    while (left)
        free(left_behind[--left]);
    ck_hs_destroy(&set);
}

// Runs `readers` threads of `reader` while the caller is the writer.
static void with_readers(int readers, void *(*reader)(void *), void (*write)(void))
{
    pthread_t thread[2];
    for (int i = 0; i < readers; i++)
        pthread_create(&thread[i], NULL, reader, NULL);
    write();
    while (readers--)
        pthread_join(thread[readers], NULL);
}

static void *finds_third(void *unused)
{
    struct item *item = get(3);
    heddle_assert(!item || item->number == 30);
    heddle_assert(!item || get(3) == item);
    return unused;
}

static void put_third(void)
{
    put(make(3, 30));
}

heddle_test("a key is put while others look for it")
{
    begin(0);
    with_readers(2, finds_third, put_third);
    end();
}

static void *finds_second(void *unused)
{
    heddle_assert(get(2) == b);
    return unused;
}

static void put_in_place_of_first(void)
{
    take_away(a);
    put_third();
    heddle_assert(!get(1) && get(3));
}

heddle_test("a key stays while another gives way to a third")
{
    begin(0);
    with_readers(1, finds_second, put_in_place_of_first);
    end();
}

heddle_test("the same, in a set for many deletions")
{
    begin(CK_HS_MODE_DELETE);
    with_readers(1, finds_second, put_in_place_of_first);
    end();
}

static void *finds_some_second(void *unused)
{
    struct item *item = get(2);
    heddle_assert(item && (item->number == 20 || item->number == 21));
    return unused;
}

static void move_second(void)
{
    void *before;
    take_away(a);
    heddle_assert(ck_hs_set(&set, set.seed, make(2, 21), &before) && before == b);
}

heddle_test("a key is replaced and moved")
{
    begin(0);
    with_readers(1, finds_some_second, move_second);
    end();
}

static void collect(void)
{
    take_away(a);
    heddle_assert(ck_hs_gc(&set, 0, 0));
}

heddle_test("a key is moved by collecting garbage")
{
    begin(0);
    with_readers(1, finds_second, collect);
    end();
}

static void grow(void)
{
    heddle_assert(ck_hs_grow(&set, 16));
    put_third();
}

heddle_test("the set grows while others look")
{
    begin(0);
    with_readers(2, finds_second, grow);
    end();
}

static void *walks(void *unused)
{
    ck_hs_iterator_t at = CK_HS_ITERATOR_INITIALIZER;
    void *item;
    while (ck_hs_next_spmc(&set, &at, &item))
        heddle_assert(((struct item *)item)->key);
    return unused;
}

heddle_test("a key is put while another walks through them")
{
    begin(0);
    with_readers(1, walks, put_third);
    end();
}
