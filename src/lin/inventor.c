#include "lin/inventor.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { MOST_CHOICES = 4096, MOST_TRIES = 10000, MOST_NUMBERS = 1 << 20 };

static bool in_thread(const struct client_call *c)
{
    return c->thread != CLIENT_BEFORE && c->thread != CLIENT_AFTER;
}

bool client_keeps_to(const struct client *client, const struct client_object *object)
{
    for (uint32_t i = 0; i < client->calls; i++) {
        for (uint32_t j = 0; j < i; j++) {
            const struct client_call *a = &client->call[i], *b = &client->call[j];
            if (a->thread != b->thread && in_thread(a) && in_thread(b) && object->operation[a->operation].by &&
                object->operation[a->operation].by == object->operation[b->operation].by)
                return false;
        }
    }
    return true;
}

// ---- calls to choose from ----

// All values for argument `at` and those after it. Fresh ones are given later.
static bool add_choices(struct inventor *c, struct client_call call, uint32_t at)
{
    const struct client_operation *op = &c->object->operation[call.operation];
    if (at == op->arguments) {
        if (c->choice_count == MOST_CHOICES)
            return false;
        c->choices[c->choice_count++] = call;
        return true;
    }
    const struct client_argument *argument = &op->takes[at];
    if (argument->kind == ARGUMENT_FRESH)
        return add_choices(c, call, at + 1);
    for (int64_t value = argument->least;; value++) {
        call.argument[at] = argument->kind == ARGUMENT_MADE ? argument->made[value] : value;
        if (!add_choices(c, call, at + 1))
            return false;
        if (value == argument->most)
            return true;
    }
}

// Renaming must not lead to a value that an operation does not take.
static bool may_rename(const struct client_object *object)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < object->operations; i++) {
        for (uint32_t a = 0; a < object->operation[i].arguments; a++) {
            const struct client_argument *argument = &object->operation[i].takes[a];
            if (argument->kind == ARGUMENT_ANY_OF && most && argument->most != most)
                return false;
            most = argument->kind == ARGUMENT_ANY_OF ? argument->most : most;
        }
    }
    return most != 0;
}

// Whether no two threads can call anything.
static bool belongs_to_one(const struct client_object *object)
{
    for (uint32_t i = 0; i < object->operations; i++)
        if (!object->operation[i].by || object->operation[i].by != object->operation[0].by)
            return false;
    return true;
}

const char *inventor_begin(struct inventor *c, const struct client_object *object, const struct client_bounds *bounds,
                           const struct client *around)
{
    *c = (struct inventor){.object = object, .bounds = *bounds, .random = 1};
    if (around)
        c->around = *around;
    if (c->around.calls + bounds->total + object->observes > CLIENT_CALLS)
        return "a client has at most 16 calls, with those before and after and the one for the state";
    if (!bounds->one_thread_too && belongs_to_one(object))
        return "all operations belong to one thread, and without a model there is nothing that its calls could be held "
               "against";
    c->choices = alloc_zeroed(MOST_CHOICES, sizeof *c->choices);
    for (uint32_t i = 0; i < object->operations; i++)
        if (!add_choices(c, (struct client_call){.operation = (uint8_t)i}, 0))
            return "the arguments have more values than can be tried (4096 calls)";
    c->rename = !c->around.calls && may_rename(object);
    return NULL;
}

void inventor_end(struct inventor *c)
{
    free(c->choices);
    *c = (struct inventor){0};
}

// ---- shapes: how many calls each thread has ----

// The calls that are left are spread over threads from `from` on, as many as can be to the first ones.
static bool spread(struct inventor *c, uint32_t from, uint32_t left)
{
    for (uint32_t t = from; t < c->threads; t++) {
        uint32_t most = t ? c->length[t - 1] : c->bounds.calls, others = c->threads - t - 1;
        if (left < others + 1)
            return false;
        c->length[t] = left - others < most ? left - others : most;
        left -= c->length[t];
    }
    return left == 0;
}

// Lengths never grow from one thread to the next. The next shape takes a call from the last thread that can spare one.
static bool next_shape(struct inventor *c)
{
    for (uint32_t t = c->threads; t-- > 0;) {
        uint32_t left = c->total + 1;
        for (uint32_t i = 0; i <= t; i++)
            left -= c->length[i];
        if (c->length[t] < 2)
            continue;
        c->length[t]--;
        if (spread(c, t + 1, left))
            return true;
        c->length[t]++;
    }
    return false;
}

static bool next_size(struct inventor *c)
{
    if (!c->begun) {
        c->begun = true;
        c->total = 1;
        c->threads = 0;
    }
    for (;;) {
        if (++c->threads > c->bounds.threads) {
            c->threads = 1;
            c->total++;
        }
        if (c->total > c->bounds.total || c->total > c->bounds.threads * c->bounds.calls)
            return false;
        if ((c->threads > 1 || c->bounds.one_thread_too) && spread(c, 0, c->total))
            return true;
    }
}

// ---- one of each kind ----

static uint32_t start_of(const struct inventor *c, uint32_t thread)
{
    uint32_t start = c->before;
    for (uint32_t t = 0; t < thread; t++)
        start += c->length[t];
    return start;
}

enum { KEY = CLIENT_CALLS * (CLIENT_ARGUMENTS + 1) };

// Calls of a client that is written down, values named in the order of their appearance.
struct key {
    int64_t word[KEY];
    uint32_t words;
    int64_t names[CLIENT_CALLS * CLIENT_ARGUMENTS];
    uint32_t named;
};

static int64_t name_of(struct key *k, int64_t value)
{
    uint32_t n = 0;
    while (n < k->named && k->names[n] != value)
        n++;
    if (n == k->named)
        k->names[k->named++] = value;
    return n + 1;
}

static void write_calls(const struct inventor *c, struct key *k, uint32_t from, uint32_t count)
{
    for (uint32_t i = from; i < from + count; i++) {
        const struct client_call *call = &c->choices[c->chosen[i]];
        k->word[k->words++] = call->operation;
        for (uint32_t a = 0; a < CLIENT_ARGUMENTS; a++) {
            bool alike = c->rename && c->object->operation[call->operation].takes[a].kind == ARGUMENT_ANY_OF;
            k->word[k->words++] = alike ? name_of(k, call->argument[a]) : call->argument[a];
        }
    }
}

// The calls with threads in this order.
static void write_key(const struct inventor *c, const uint32_t *threads, struct key *k)
{
    write_calls(c, k, 0, c->before);
    for (uint32_t t = 0; t < c->threads; t++)
        write_calls(c, k, start_of(c, threads[t]), c->length[threads[t]]);
}

static int compare_keys(const int64_t *a, const int64_t *b)
{
    for (uint32_t i = 0; i < KEY; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

// Whether no order of the threads from `at` on gives a smaller key. Threads of different lengths keep their places.
static bool is_least(const struct inventor *c, uint32_t *threads, uint32_t at, const int64_t *own)
{
    if (at == c->threads) {
        struct key key = {0};
        write_key(c, threads, &key);
        return compare_keys(own, key.word) <= 0;
    }
    for (uint32_t i = at; i < c->threads; i++) {
        if (c->length[threads[i]] != c->length[at])
            continue;
        uint32_t other = threads[i];
        threads[i] = threads[at];
        threads[at] = other;
        bool least = is_least(c, threads, at + 1, own);
        threads[at] = threads[i];
        threads[i] = other;
        if (!least)
            return false;
    }
    return true;
}

static bool is_wanted(const struct inventor *c)
{
    uint32_t threads[CLIENT_THREADS], at = 0;
    int64_t own[KEY] = {0};
    for (uint32_t t = 0; t < c->threads; t++)
        threads[t] = t;
    for (uint32_t i = 0; i < c->before + c->total; i++) {
        const struct client_call *call = &c->choices[c->chosen[i]];
        own[at++] = call->operation;
        for (uint32_t a = 0; a < CLIENT_ARGUMENTS; a++)
            own[at++] = call->argument[a];
    }
    return is_least(c, threads, 0, own);
}

// ---- clients ----

static bool takes_fresh(const struct client_object *object, const struct client_call *call, uint32_t argument)
{
    return call->operation != CLIENT_OBSERVE &&
           object->operation[call->operation].takes[argument].kind == ARGUMENT_FRESH;
}

static int64_t largest_value(const struct client *client)
{
    int64_t most = 0;
    for (uint32_t i = 0; i < client->calls; i++)
        for (uint32_t a = 0; a < CLIENT_ARGUMENTS; a++)
            most = client->call[i].argument[a] > most ? client->call[i].argument[a] : most;
    return most;
}

static struct client_call make_call(const struct inventor *c, uint32_t choice, uint32_t thread, int64_t *fresh)
{
    struct client_call call = c->choices[choice];
    call.thread = (uint8_t)thread;
    for (uint32_t a = 0; a < CLIENT_ARGUMENTS; a++)
        if (takes_fresh(c->object, &call, a))
            call.argument[a] = ++*fresh;
    return call;
}

static void add_around(const struct inventor *c, struct client *client, uint32_t when)
{
    for (uint32_t i = 0; i < c->around.calls; i++)
        if (c->around.call[i].thread == when)
            client->call[client->calls++] = c->around.call[i];
}

bool client_finish(struct client *client, const struct client_object *object)
{
    if (client->calls + object->observes > CLIENT_CALLS)
        return false;
    if (object->observes)
        client->call[client->calls++] = (struct client_call){.operation = CLIENT_OBSERVE, .thread = CLIENT_AFTER};
    return true;
}

static void build(struct inventor *c, struct client *client)
{
    int64_t fresh = largest_value(&c->around);
    uint32_t at = 0;
    *client = (struct client){.threads = c->threads};
    add_around(c, client, CLIENT_BEFORE);
    for (; at < c->before;)
        client->call[client->calls++] = make_call(c, c->chosen[at++], CLIENT_BEFORE, &fresh);
    for (uint32_t t = 0; t < c->threads; t++)
        for (uint32_t i = 0; i < c->length[t]; i++)
            client->call[client->calls++] = make_call(c, c->chosen[at++], t + 1, &fresh);
    add_around(c, client, CLIENT_AFTER);
    client_finish(client, c->object);
}

static bool next_choice(struct inventor *c)
{
    for (uint32_t i = c->total; i-- > 0;) {
        if (++c->chosen[i] < c->choice_count)
            return true;
        c->chosen[i] = 0;
    }
    return false;
}

bool inventor_next(struct inventor *c, struct client *client)
{
    bool fresh = !c->begun;
    do {
        if (c->over)
            return false;
        if (fresh || !next_choice(c)) {
            c->over = (fresh || !next_shape(c)) && !next_size(c);
            memset(c->chosen, 0, sizeof c->chosen);
            fresh = false;
        }
        if (!c->over)
            build(c, client);
    } while (c->over || !is_wanted(c) || !client_keeps_to(client, c->object));
    return true;
}

// ---- clients of one size ----

// The shape with this number; counts from 0. False if there are not that many.
static bool take_shape(struct inventor *c, uint64_t number)
{
    if (!spread(c, 0, c->total))
        return false;
    for (; number; number--)
        if (!next_shape(c))
            return false;
    return true;
}

const char *inventor_begin_size(struct inventor *c, const struct client_object *object, const struct client_size *size,
                                const struct client *around)
{
    struct client_bounds bounds = {.threads = size->threads,
                                   .calls = size->calls - size->threads + 1,
                                   .total = size->before + size->calls}; // so that there is room for all
    const char *wrong = inventor_begin(c, object, &bounds, around);
    c->before = size->before;
    c->threads = size->threads;
    c->total = size->calls;
    uint64_t shapes = 0;
    while (!wrong && take_shape(c, shapes))
        shapes++;
    c->end = shapes;
    for (uint32_t i = 0; i < size->before + size->calls; i++)
        c->end = c->end <= UINT64_MAX / 4 / c->choice_count ? c->end * c->choice_count : c->end;
    return wrong;
}

// Numbers below a power of two, each exactly once, in an order that goes to and fro.
static uint64_t scatter(uint64_t number, uint32_t bits)
{
    uint64_t mask = bits < 64 ? (1ull << bits) - 1 : UINT64_MAX;
    for (int round = 0; round < 2; round++) {
        number = (number * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u) & mask;
        number ^= number >> (bits / 2 + 1);
    }
    return number;
}

static bool take_number(struct inventor *c, uint64_t number)
{
    for (uint32_t i = 0; i < c->before + c->total; i++) {
        c->chosen[i] = (uint32_t)(number % c->choice_count);
        number /= c->choice_count;
    }
    return take_shape(c, number);
}

bool inventor_next_of_size(struct inventor *c, struct client *client)
{
    uint32_t bits = 1;
    while (bits < 63 && 1ull << bits < c->end)
        bits++;
    for (uint32_t tries = 0; c->next >> bits == 0; tries++) {
        c->over = tries == MOST_NUMBERS;
        if (c->over)
            return false;
        uint64_t number = scatter(c->next++, bits);
        if (number >= c->end || !take_number(c, number) || !is_wanted(c))
            continue;
        build(c, client);
        if (client_keeps_to(client, c->object))
            return true;
    }
    return false;
}

static uint32_t random_below(struct inventor *c, uint32_t n)
{
    c->random += 0x9e3779b97f4a7c15u;
    uint64_t z = c->random;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)((z >> 33) % n);
}

bool inventor_random(struct inventor *c, uint32_t threads, uint32_t calls, struct client *client)
{
    c->threads = threads;
    c->total = threads * calls;
    for (uint32_t t = 0; t < threads; t++)
        c->length[t] = calls;
    for (uint32_t tries = 0; tries < MOST_TRIES; tries++) {
        for (uint32_t i = 0; i < c->total; i++)
            c->chosen[i] = random_below(c, c->choice_count);
        build(c, client);
        if (client_keeps_to(client, c->object))
            return true;
    }
    return false;
}

// ---- smaller ones ----

// Leaves out a call, and its thread if it has no other.
static void leave_out(struct client *client, uint32_t call)
{
    uint8_t thread = client->call[call].thread;
    bool others = false, last = in_thread(&client->call[call]);
    for (uint32_t i = call; i + 1 < client->calls; i++)
        client->call[i] = client->call[i + 1];
    client->calls--;
    for (uint32_t i = 0; i < client->calls; i++)
        others |= client->call[i].thread == thread;
    if (others || !last)
        return;
    client->threads--;
    for (uint32_t i = 0; i < client->calls; i++)
        client->call[i].thread =
            (uint8_t)(client->call[i].thread - (in_thread(&client->call[i]) && client->call[i].thread > thread));
}

// Whether some other call has this as a value of its own: two such values stay two.
static bool is_taken(const struct client *client, const struct client_object *object, int64_t value)
{
    for (uint32_t i = 0; i < client->calls; i++)
        for (uint32_t a = 0; a < CLIENT_ARGUMENTS; a++)
            if (takes_fresh(object, &client->call[i], a) && client->call[i].argument[a] == value)
                return true;
    return false;
}

bool client_smaller(const struct client *client, const struct client_object *object, uint32_t nth,
                    struct client *smaller)
{
    for (uint32_t i = 0; i < client->calls; i++) {
        *smaller = *client;
        if (client->call[i].operation == CLIENT_OBSERVE)
            continue;
        leave_out(smaller, i);
        if (smaller->threads && !nth--)
            return true;
    }
    for (uint32_t i = 0; i < client->calls; i++) {
        for (uint32_t a = 0; client->call[i].operation != CLIENT_OBSERVE && a < CLIENT_ARGUMENTS; a++) {
            const struct client_argument *takes = &object->operation[client->call[i].operation].takes[a];
            if (takes->kind == ARGUMENT_MADE) // which of them is smaller is not known
                continue;
            int64_t least = takes->kind == ARGUMENT_FRESH ? 1 : takes->least;
            for (int64_t value = least; takes->kind && value < client->call[i].argument[a] && value < least + 8;
                 value++) {
                if (takes->kind == ARGUMENT_FRESH && is_taken(client, object, value))
                    continue;
                *smaller = *client;
                smaller->call[i].argument[a] = value;
                if (!nth--)
                    return true;
            }
        }
    }
    return false;
}

// ---- larger ones ----

bool client_larger(const struct inventor *c, const struct client *client, uint32_t nth, struct client *larger)
{
    uint32_t thread = nth / c->choice_count + 1, at = client->calls;
    if (thread > client->threads + 1 || thread > CLIENT_THREADS || client->calls == CLIENT_CALLS)
        return false;
    while (at && client->call[at - 1].thread > thread)
        at--;
    int64_t fresh = largest_value(client);
    *larger = *client;
    memmove(&larger->call[at + 1], &client->call[at], (client->calls - at) * sizeof *client->call);
    larger->call[at] = make_call(c, nth % c->choice_count, thread, &fresh);
    larger->calls++;
    larger->threads += thread > client->threads;
    return true;
}

bool client_is_within(const struct client *client, const struct client_bounds *bounds)
{
    uint32_t calls[CLIENT_AFTER + 1] = {0}, total = 0, most = 0;
    for (uint32_t i = 0; i < client->calls; i++) {
        if (!in_thread(&client->call[i]))
            continue;
        total++;
        if (++calls[client->call[i].thread] > most)
            most = calls[client->call[i].thread];
    }
    return client->threads <= bounds->threads && most <= bounds->calls && total <= bounds->total;
}
