#include "target/threads/engine/commons.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/fail.h"
#include "base/raw.h"
#include "base/shared_lock.h"
#include "target/threads/engine/arguments.h"
#include "target/threads/engine/engine.h"
#include "target/threads/engine/accessed.h"
#include "target/threads/libc/libc_room.h"

enum { PLACE_SLOTS = PLACES * 2, WORDS = 1 << 22, GROWTHS = 1 << 16, STOPS = 1 << 12, MANY = 4096 };

// What becomes part of states: a cell, or one of these.
enum { STRAYED = COMMONS_STRAYED, NOTHING = 2 };

struct seen_word {
    uint64_t cell;
    uint32_t owner; // the actor, plus 1
    bool met, written;
    bool grown; // it is among the growths
};

struct commons {
    volatile uint32_t lock; // shared_lock
    uint32_t places;
    uint32_t place_slot[PLACE_SLOTS];
    uint64_t place_address[PLACES];
    uint32_t place_size[PLACES];
    uint32_t words;
    struct seen_word word[WORDS];
    volatile uint32_t growths;
    uint64_t growth[GROWTHS];
    bool strayed; // so is this
    uint32_t stops;
    struct stop_fact stop[STOPS];
    bool has_element[MAX_ACTORS];
    struct fingerprint element[MAX_ACTORS];
    struct identities identities;
};

static struct commons *common;
static uint32_t age;                    // so much of `growth` was taken over …
static uint32_t infancy;                // … and so often states had grown before there were others
static struct state_exchange *exchange; // with other machines, or null
static uint64_t digest;                 // of what was taken over

// ---- other machines ----

void commons_tell(struct state_exchange *with)
{
    exchange = with;
}

static void tell(enum exchange_kind kind, uint64_t a, uint64_t b)
{
    if (exchange)
        exchange_say(exchange, &(struct exchange_record){.kind = kind, .word = {a, b}});
}

// A growth by a name that is the same in every process: the address of the word. What has none cannot be talked of.
static uint64_t name_of_growth(uint64_t what)
{
    uint64_t low = what - (uint64_t)(uintptr_t)engine.races.shadow.low;
    if (what == STRAYED)
        return what;
    if (low / sizeof(struct cell) >= SHADOW_LOW_END / 8)
        tell(EXCHANGE_TROUBLE, 0, 0);
    return low / sizeof(struct cell) * 8;
}

static struct cell *cell_of_name(uint64_t address)
{
    return engine.races.shadow.low + address / 8;
}

uint64_t commons_digest(void)
{
    return digest;
}

// ---- beginning and end ----

static uint32_t slot_of_place(uint64_t address)
{
    uint32_t at = (uint32_t)(address * 0x9e3779b97f4a7c15u >> 40) % PLACE_SLOTS;
    while (common->place_slot[at] && common->place_address[common->place_slot[at]] != address)
        at = (at + 1) % PLACE_SLOTS;
    return at;
}

static void add_place(uint32_t number, uint64_t address, uint32_t size)
{
    common->place_address[number] = address;
    common->place_size[number] = size;
    common->place_slot[slot_of_place(address)] = number;
    common->places = number;
}

bool commons_open(void)
{
    if (common)
        return true;
    void *start = mmap(NULL, sizeof *common, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (start == MAP_FAILED)
        return false;
    common = start;
    for (uint32_t number = 1; number <= engine.place_count; number++)
        add_place(number, engine.places[number].address, engine.places[number].size);
    struct identities *all = &common->identities;
    all->count = engine.exec.known;
    for (uint32_t i = 0; i < engine.exec.known; i++) {
        all->actor[i].parent = engine.exec.actors[i].parent;
        all->actor[i].number = engine.exec.actors[i].number;
    }
    engine.exec.identities = all;
    return true;
}

bool commons_are_open(void)
{
    return common;
}

void commons_bury(pid_t process)
{
    if (!common)
        return;
    shared_lock_bury(&common->lock, (uint32_t)process);
    shared_lock_bury(&common->identities.lock, (uint32_t)process);
}

// Whoever has the lock may have been killed; its parent sees that.
static __attribute__((noinline)) void look_after(uint32_t holder)
{
    siginfo_t end = {0};
    if (!NATIVE(syscall)(SYS_waitid, P_PID, holder, &end, WEXITED | WNOHANG | WNOWAIT, NULL) && end.si_pid)
        commons_bury((pid_t)holder);
}

static void lock(void)
{
    enum { PATIENCE = 1 << 12 };
    const uint32_t self = (uint32_t)raw_call(SYS_getpid, 0, 0, 0);
    for (uint32_t i = 1;; i++) {
        uint32_t nobody = 0;
        if (__atomic_compare_exchange_n(&common->lock, &nobody, self, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
            return;
        raw_call(SYS_sched_yield, 0, 0, 0);
        if (i % PATIENCE == 0)
            look_after(nobody);
    }
}

static void unlock(void)
{
    shared_unlock(&common->lock);
}

// ---- objects ----

uint32_t commons_place(uint64_t address)
{
    lock();
    uint32_t number = common->place_slot[slot_of_place(address)];
    if (!number && common->places + 1 < PLACES)
        add_place(number = common->places + 1, address, 0);
    unlock();
    tell(EXCHANGE_PLACE, number, address);
    require_room(number, "locks, atomic variables and other objects of one search (1048575)");
    return number;
}

bool commons_overlap(uint64_t address, uint32_t size)
{
    bool overlaps = false;
    tell(EXCHANGE_SIZE, address, size);
    lock();
    common->place_size[common->place_slot[slot_of_place(address)]] = size;
    for (uint64_t a = address & ~15ull; a < (address & ~15ull) + 16; a++) {
        uint32_t other = common->place_slot[slot_of_place(a)];
        uint32_t its = other ? common->place_size[other] : 0;
        overlaps |= its && !(a == address && its == size) && a < address + size && address < a + its;
    }
    unlock();
    return overlaps;
}

// ---- words ----

static struct seen_word *word_of(struct cell *cell)
{
    uint64_t key = (uint64_t)(uintptr_t)cell;
    uint32_t at = (uint32_t)(key * 0x9e3779b97f4a7c15u >> 40) % WORDS;
    while (common->word[at].cell && common->word[at].cell != key)
        at = (at + 1) % WORDS;
    if (!common->word[at].cell) {
        require_room(common->words < WORDS / 2, "words that are accessed while states are compared (2097152)");
        common->words++;
        common->word[at].cell = key;
    }
    return &common->word[at];
}

static bool is_among_growths(uint64_t what)
{
    struct seen_word *word = what > NOTHING ? word_of((struct cell *)(uintptr_t)what) : NULL;
    bool known = word ? word->grown : what == STRAYED && common->strayed;
    if (word)
        word->grown = true;
    common->strayed |= what == STRAYED;
    return known;
}

static void grow(uint64_t what)
{
    if (is_among_growths(what))
        return;
    require_room(common->growths < GROWTHS, "words that become part of states (65536)");
    common->growth[common->growths] = what;
    common->growths++;
}

bool commons_see(struct cell *cell, struct word_use *use, bool known)
{
    lock();
    struct seen_word *word = word_of(cell);
    bool seen = known || word->owner || word->met, belonged = word->met && word->written, told = word->grown;
    word->met |= use->met || (word->owner && use->owner && word->owner != use->owner);
    word->written |= use->written;
    word->owner = word->owner ? word->owner : use->owner;
    bool becomes = seen && !belonged && word->met && word->written;
    if (becomes)
        grow((uint64_t)(uintptr_t)cell);
    *use = (struct word_use){word->owner, word->met, word->written};
    unlock();
    if (exchange && !told)
        tell(EXCHANGE_WORD, name_of_growth((uint64_t)(uintptr_t)cell),
             exchange_use(use->met ? 0 : use->owner, use->written));
    return becomes;
}

void commons_stray(void)
{
    lock();
    grow(STRAYED);
    unlock();
}

bool commons_hear(uint64_t what)
{
    lock();
    uint64_t growth = what == STRAYED ? what : (uint64_t)(uintptr_t)cell_of_name(what);
    if (growth != STRAYED)
        word_of(cell_of_name(what))->met = word_of(cell_of_name(what))->written = true;
    grow(growth);
    bool is_news = common->growths != age;
    unlock();
    return is_news;
}

void commons_begin_anew(void)
{
    lock();
    grow(NOTHING);
    unlock();
}

void commons_grow_alone(void)
{
    infancy += !common;
}

bool commons_take_over(void)
{
    if (!common || common->growths == age)
        return false;
    lock();
    for (; age < common->growths; age++) {
        if (exchange && common->growth[age] != NOTHING) {
            uint64_t name = name_of_growth(common->growth[age]);
            digest += fingerprint_scramble(name + 1);
            tell(EXCHANGE_GROWN, name, 0);
        }
        if (common->growth[age] == STRAYED)
            arguments_take_over();
        else if (common->growth[age] != NOTHING)
            accessed_take_over((struct cell *)(uintptr_t)common->growth[age]);
    }
    unlock();
    if (age > MANY)
        accessed_take_over_all();
    return true;
}

uint32_t commons_age(void)
{
    return infancy + age;
}

// ---- joins and arguments ----

static bool is_same(struct fingerprint a, struct fingerprint b)
{
    return a.low == b.low && a.high == b.high;
}

static bool contradicts(const struct stop_fact *a, const struct stop_fact *b)
{
    bool known = (a->continues || a->ends) && (b->continues || b->ends);
    return known && (a->ends != b->ends || a->asks != b->asks || (a->continues && !is_same(a->next, b->next)));
}

bool commons_agree_on_stop(const struct stop_fact *fact)
{
    lock();
    uint32_t at = 0;
    while (at < common->stops && !is_same(common->stop[at].key, fact->key))
        at++;
    bool agrees = at < STOPS && (at == common->stops || !contradicts(&common->stop[at], fact));
    if (agrees && at == common->stops) {
        common->stop[common->stops++] = *fact;
    } else if (agrees) {
        struct stop_fact *known = &common->stop[at];
        bool first = known->first || fact->first;
        if (fact->continues || fact->ends)
            *known = *fact;
        known->first = first;
    }
    unlock();
    return agrees;
}

bool commons_agree_on_element(uint32_t actor, struct fingerprint content)
{
    lock();
    if (!common->has_element[actor])
        common->element[actor] = content;
    common->has_element[actor] = true;
    bool agrees = is_same(common->element[actor], content);
    unlock();
    return agrees;
}

uint32_t commons_stops(void)
{
    return common ? common->stops : 0;
}

const struct stop_fact *commons_stop(uint32_t number)
{
    return &common->stop[number];
}
