// Concurrency Kit's hash table (ck_ht), of numbers to numbers: one writer, and readers that look things up meanwhile. All keys have
// the same hash.
#include <ck_ht.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdlib.h>

static ck_ht_t table;
static void *left_behind[4];
static int left;

static void *allocate(size_t size)
{
    return malloc(size);
}

static void give_back(void *map, size_t size, bool readers_may_have_it)
{
    (void)size;
    if (readers_may_have_it)
        left_behind[left++] = map;
    else
        free(map);
}

static struct ck_malloc memory = {.malloc = allocate, .free = give_back};

static void hash(ck_ht_hash_t *h, const void *key, size_t length, uint64_t seed)
{
    (void)key;
    (void)length;
    h->value = seed;
}

static ck_ht_entry_t entry(ck_ht_hash_t *h, uintptr_t key, uintptr_t value)
{
    ck_ht_entry_t e = {0};
    ck_ht_hash_direct(h, &table, key);
    ck_ht_entry_set_direct(&e, *h, key, value);
    return e;
}

static void put(uintptr_t key, uintptr_t value)
{
    ck_ht_hash_t h;
    ck_ht_entry_t e = entry(&h, key, value);
    heddle_assert(ck_ht_put_spmc(&table, h, &e));
}

static void set(uintptr_t key, uintptr_t value)
{
    ck_ht_hash_t h;
    ck_ht_entry_t e = entry(&h, key, value);
    heddle_assert(ck_ht_set_spmc(&table, h, &e));
}

static void take_away(uintptr_t key)
{
    ck_ht_hash_t h;
    ck_ht_entry_t e = entry(&h, key, 0);
    heddle_assert(ck_ht_remove_spmc(&table, h, &e) && ck_ht_entry_key_direct(&e) == key);
}

// The value of a key, 0 if it is not there.
static uintptr_t get(uintptr_t key)
{
    ck_ht_hash_t h;
    ck_ht_entry_t e = entry(&h, key, 0);
    return ck_ht_get_spmc(&table, h, &e) ? ck_ht_entry_value_direct(&e) : 0;
}

static void begin(void)
{
    heddle_assert(ck_ht_init(&table, CK_HT_MODE_DIRECT, hash, &memory, 8, 0));
    put(1, 10);
    put(2, 20);
}

static void end(void)
{
    while (left)
        free(left_behind[--left]);
    ck_ht_destroy(&table);
}

static void with_reader(void *(*reader)(void *), void (*write)(void))
{
    pthread_t thread;
    begin();
    pthread_create(&thread, NULL, reader, NULL);
    write();
    pthread_join(thread, NULL);
    end();
}

static void *finds_third(void *unused)
{
    uintptr_t value = get(3);
    heddle_assert(value == 0 || value == 30);
    return unused;
}

static void put_third(void)
{
    put(3, 30);
}

heddle_test("a key is put while another looks for it")
{
    with_reader(finds_third, put_third);
}

static void *finds_first(void *unused)
{
    uintptr_t value = get(1);
    heddle_assert(value == 0 || value == 10);
    return unused;
}

static void put_in_place_of_first(void)
{
    take_away(1);
    put_third();
}

heddle_test("a key gives way to another")
{
    with_reader(finds_first, put_in_place_of_first);
}

static void *finds_second(void *unused)
{
    uintptr_t value = get(2);
    heddle_assert(value == 20 || value == 21);
    return unused;
}

static void move_second(void)
{
    take_away(1);
    set(2, 21);
}

heddle_test("a key is replaced and moved")
{
    with_reader(finds_second, move_second);
}

static void grow(void)
{
    heddle_assert(ck_ht_grow_spmc(&table, 16));
    put_third();
}

heddle_test("the table grows while another looks")
{
    with_reader(finds_second, grow);
}
