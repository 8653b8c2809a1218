#include "explore/rf_path.h"

#include <string.h>

#include "base/fail.h"
#include "base/mem.h"

enum { BUCKETS = 1 << 20, MOST_CHILDREN = 1 << 24, MOST_BLOCKS = 1 << 25, BLOCK_STEPS = 15 };

// A beginning, known by a fingerprint of what it adds to the events before its choice.
struct child {
    struct fingerprint key;
    uint32_t choice;
    uint32_t next_in_bucket, next_of_choice, next_pending;
    uint32_t base, width;   // see rf_plan
    uint32_t block, length; // its steps and then its lanes, while it is owed
    uint32_t changes;
    struct {
        uint32_t actor, index;
    } changed[2];
};

// An execution that some are owed from.
struct base {
    uint32_t users; // first: unused ones are linked by it
    uint32_t block, length;
};

struct block {
    struct rf_step step[BLOCK_STEPS];
    uint32_t next;
};

// A pool of things that are numbered from 1. Freed ones are linked by their first word.
struct pool {
    uint32_t used, freed;
};

struct rf_path {
    uint32_t limit, objects, count;
    struct rf_choice *choice;
    uint32_t (*lanes)[MAX_ACTORS];
    uint32_t *newest; // by object, plus 1
    uint32_t *bucket;
    struct child *child;
    struct block *block;
    struct base *base;
    struct pool children, blocks, bases;
    struct rf_step *room; // for the steps of a base
};

static const char no_room[] = "the executions that are owed (16777216)";

static uint32_t pool_take(struct pool *pool, void *items, size_t size, uint32_t most)
{
    uint32_t number = pool->freed;
    if (number) {
        memcpy(&pool->freed, (uint8_t *)items + number * size, sizeof pool->freed);
        return number;
    }
    require_room(pool->used + 1 < most, no_room);
    return ++pool->used;
}

static void pool_give(struct pool *pool, void *items, size_t size, uint32_t number)
{
    memcpy((uint8_t *)items + number * size, &pool->freed, sizeof pool->freed);
    pool->freed = number;
}

struct rf_path *rf_path_new(uint32_t events, uint32_t objects)
{
    struct rf_path *c = mem_reserve(sizeof *c);
    c->limit = events + 1;
    c->objects = objects;
    c->choice = mem_reserve(c->limit * sizeof *c->choice);
    c->lanes = mem_reserve(c->limit * sizeof *c->lanes);
    c->newest = mem_reserve(objects * sizeof *c->newest);
    c->bucket = mem_reserve(BUCKETS * sizeof *c->bucket);
    c->child = mem_reserve(MOST_CHILDREN * sizeof *c->child);
    c->block = mem_reserve(MOST_BLOCKS * sizeof *c->block);
    c->base = mem_reserve(MOST_CHILDREN * sizeof *c->base);
    c->room = mem_reserve(c->limit * sizeof *c->room);
    return c;
}

void rf_path_free(struct rf_path *c)
{
    mem_release(c->choice, c->limit * sizeof *c->choice);
    mem_release(c->lanes, c->limit * sizeof *c->lanes);
    mem_release(c->newest, c->objects * sizeof *c->newest);
    mem_release(c->bucket, BUCKETS * sizeof *c->bucket);
    mem_release(c->child, MOST_CHILDREN * sizeof *c->child);
    mem_release(c->block, MOST_BLOCKS * sizeof *c->block);
    mem_release(c->base, MOST_CHILDREN * sizeof *c->base);
    mem_release(c->room, c->limit * sizeof *c->room);
    mem_release(c, sizeof *c);
}

uint32_t rf_path_count(const struct rf_path *c)
{
    return c->count;
}

struct rf_choice *rf_path_at(struct rf_path *c, uint32_t number)
{
    return &c->choice[number];
}

uint32_t *rf_path_lanes(struct rf_path *c, uint32_t number)
{
    return c->lanes[number];
}

uint32_t rf_path_newest(const struct rf_path *c, uint32_t object)
{
    return c->newest[object];
}

uint32_t rf_path_push(struct rf_path *c, const struct rf_choice *choice, const uint32_t *lanes)
{
    require(c->count < c->limit);
    uint32_t number = c->count++;
    c->choice[number] = *choice;
    c->choice[number].below = c->newest[choice->object];
    c->choice[number].children = c->choice[number].pending = 0;
    c->newest[choice->object] = number + 1;
    memcpy(c->lanes[number], lanes, choice->width * sizeof *lanes);
    return number;
}

static uint32_t *bucket_of(struct rf_path *c, struct fingerprint key, uint32_t number)
{
    return &c->bucket[(key.low ^ key.high >> 32 ^ number * 0x9e3779b97f4a7c15u) % BUCKETS];
}

bool rf_path_claim(struct rf_path *c, uint32_t number, struct fingerprint key)
{
    uint32_t *bucket = bucket_of(c, key, number);
    for (uint32_t i = *bucket; i; i = c->child[i].next_in_bucket)
        if (c->child[i].choice == number && c->child[i].key.low == key.low && c->child[i].key.high == key.high)
            return false;
    uint32_t i = pool_take(&c->children, c->child, sizeof *c->child, MOST_CHILDREN);
    c->child[i] = (struct child){
        .key = key, .choice = number, .next_in_bucket = *bucket, .next_of_choice = c->choice[number].children};
    *bucket = c->choice[number].children = i;
    return true;
}

// Puts bytes behind the others in a chain of blocks. `at`: how many steps of the last block are in use.
struct chain {
    uint32_t *link, last, at;
};

static void store(struct rf_path *c, struct chain *chain, const void *from, uint32_t steps)
{
    for (uint32_t done = 0, n; done < steps; done += n) {
        if (!chain->last || chain->at == BLOCK_STEPS) {
            uint32_t number = pool_take(&c->blocks, c->block, sizeof *c->block, MOST_BLOCKS);
            c->block[number].next = 0;
            *chain->link = chain->last = number;
            chain->link = &c->block[number].next;
            chain->at = 0;
        }
        n = BLOCK_STEPS - chain->at < steps - done ? BLOCK_STEPS - chain->at : steps - done;
        memcpy(c->block[chain->last].step + chain->at, (const struct rf_step *)from + done, n * sizeof(struct rf_step));
        chain->at += n;
    }
}

// Reads from where `last` and `at` say.
static void load(struct rf_path *c, struct chain *chain, void *to, uint32_t steps)
{
    for (uint32_t done = 0, n; done < steps; done += n) {
        if (chain->at == BLOCK_STEPS) {
            chain->last = c->block[chain->last].next;
            chain->at = 0;
        }
        n = BLOCK_STEPS - chain->at < steps - done ? BLOCK_STEPS - chain->at : steps - done;
        memcpy((struct rf_step *)to + done, c->block[chain->last].step + chain->at, n * sizeof(struct rf_step));
        chain->at += n;
    }
}

static void give_blocks(struct rf_path *c, uint32_t number)
{
    for (uint32_t next; number; number = next) {
        next = c->block[number].next;
        pool_give(&c->blocks, c->block, sizeof *c->block, number);
    }
}

// Lanes are kept as steps: two of them each.
static uint32_t steps_for(uint32_t width)
{
    return (width + 1) / 2;
}

uint32_t rf_path_keep(struct rf_path *c, const struct rf_step *steps, uint32_t length)
{
    uint32_t number = pool_take(&c->bases, c->base, sizeof *c->base, MOST_CHILDREN);
    struct base *base = &c->base[number];
    *base = (struct base){.users = 1, .length = length};
    store(c, &(struct chain){.link = &base->block}, steps, length);
    return number;
}

void rf_path_drop(struct rf_path *c, uint32_t base)
{
    if (--c->base[base].users)
        return;
    give_blocks(c, c->base[base].block);
    pool_give(&c->bases, c->base, sizeof *c->base, base);
}

void rf_path_owe(struct rf_path *c, uint32_t number, const struct rf_plan *plan)
{
    struct rf_choice *choice = &c->choice[number];
    struct child *child = &c->child[choice->children];
    struct chain chain = {.link = &child->block};
    child->changes = plan->changes;
    memcpy(child->changed, plan->changed, sizeof child->changed);
    child->base = plan->base;
    child->width = plan->base ? plan->width : 0;
    child->length = plan->length;
    store(c, &chain, plan->steps, plan->length);
    if (plan->base) {
        uint32_t lanes[MAX_ACTORS + 1] = {0};
        memcpy(lanes, plan->lanes, plan->width * sizeof *lanes);
        store(c, &chain, lanes, steps_for(plan->width));
        c->base[plan->base].users++;
    }
    child->next_pending = choice->pending;
    choice->pending = choice->children;
}

// The steps of the child's base that it has; returns how many.
static uint32_t load_base(struct rf_path *c, const struct child *child, const uint32_t *lanes, struct rf_step *steps)
{
    const struct base *base = &c->base[child->base];
    uint32_t done[MAX_ACTORS] = {0}, kept = 0;
    load(c, &(struct chain){.last = base->block}, c->room, base->length);
    for (uint32_t i = 0; i < base->length; i++) {
        uint32_t actor = c->room[i].actor;
        if (actor < child->width && done[actor]++ < lanes[actor])
            steps[kept++] = c->room[i];
    }
    return kept;
}

static void load_plan(struct rf_path *c, const struct child *child, struct rf_plan *plan)
{
    struct chain chain = {.last = child->block};
    *plan = (struct rf_plan){.steps = plan->steps, .length = child->length, .changes = child->changes};
    memcpy(plan->changed, child->changed, sizeof plan->changed);
    if (!child->base) {
        load(c, &chain, plan->steps, child->length);
    } else {
        struct rf_step own[2];
        uint32_t lanes[MAX_ACTORS + 1];
        require(child->length <= sizeof own / sizeof *own);
        load(c, &chain, own, child->length);
        load(c, &chain, lanes, steps_for(child->width));
        uint32_t kept = load_base(c, child, lanes, plan->steps);
        memcpy(plan->steps + kept, own, child->length * sizeof *own);
        plan->length += kept;
        rf_path_drop(c, child->base);
    }
    give_blocks(c, child->block);
}

static void forget_children(struct rf_path *c, uint32_t number)
{
    for (uint32_t i = c->choice[number].children, next; i; i = next) {
        next = c->child[i].next_of_choice;
        uint32_t *link = bucket_of(c, c->child[i].key, number);
        while (*link != i)
            link = &c->child[*link].next_in_bucket;
        *link = c->child[i].next_in_bucket;
        pool_give(&c->children, c->child, sizeof *c->child, i);
    }
}

bool rf_path_take(struct rf_path *c, struct rf_plan *plan)
{
    while (c->count && !c->choice[c->count - 1].pending) {
        c->count--;
        forget_children(c, c->count);
        c->newest[c->choice[c->count].object] = c->choice[c->count].below;
    }
    if (!c->count)
        return false;
    struct rf_choice *choice = &c->choice[c->count - 1];
    struct child *child = &c->child[choice->pending];
    choice->pending = child->next_pending;
    choice->begun = true;
    load_plan(c, child, plan);
    return true;
}
