// Checks what is predicted from a log of requests against a server in a few lines and every order of the requests, on small random
// logs of two clients: each predicted order is one that the server accepts, and of one resource nothing is missed but for orders in which
// a conditional write would be refused later (requests/request_recording.h).
//
//     fuzz_requests [count [first seed]]
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "requests/request_predict.h"

enum { CLIENTS = 2, RESOURCES = 2, MOST_OPS = 6, TRIES = 50 };

enum op_kind { READ, WRITE, WRITE_IF_MATCH, TAKE_GUARD, LET_GUARD, TAKE_LOCK, LET_LOCK };

struct op {
    enum op_kind kind;
    int resource;
};

struct client {
    struct op ops[MOST_OPS];
    int count;
};

// The server, and what clients know of it.
struct server {
    int version[RESOURCES], guard[RESOURCES], lock[RESOURCES]; // holders from 1 on
    int known[CLIENTS][RESOURCES];                             // version of the latest access; 0: none
    int done[CLIENTS];
    int next_version;
};

static uint64_t state;

static int draw(int below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (int)(state % (uint64_t)below);
}

// Lets a client do its next request. False: the server refuses.
static bool step(struct server *s, const struct client *clients, int c)
{
    const struct op *op = &clients[c].ops[s->done[c]];
    int r = op->resource, *guard = &s->guard[r], *lock = &s->lock[r];
    bool free_guard = !*guard || *guard == c + 1;
    switch (op->kind) {
    case READ:
        s->known[c][r] = s->version[r];
        break;
    case WRITE_IF_MATCH:
        if (s->known[c][r] && s->known[c][r] != s->version[r])
            return false;
        // fall through
    case WRITE:
        if (!free_guard)
            return false;
        s->known[c][r] = s->version[r] = ++s->next_version;
        break;
    case TAKE_GUARD:
        if (!free_guard)
            return false;
        *guard = c + 1;
        break;
    case LET_GUARD:
        *guard = 0;
        break;
    case TAKE_LOCK:
        if (*lock && *lock != c + 1)
            return false;
        *lock = c + 1;
        break;
    case LET_LOCK:
        *lock = 0;
        break;
    }
    s->done[c]++;
    return true;
}

// Whether the next access of a client to a resource is a write that depends on the latest.
static bool depends(const struct server *s, const struct client *client, int c, int resource)
{
    for (int i = s->done[c]; i < client->count; i++)
        if (client->ops[i].resource == resource && client->ops[i].kind <= WRITE_IF_MATCH)
            return s->known[c][resource] && client->ops[i].kind == WRITE_IF_MATCH;
    return false;
}

// Whether a request that a client has just done will have one of either refused later.
static bool spoils(const struct server *before, const struct server *after, const struct client *clients, int c)
{
    const struct op *op = &clients[c].ops[before->done[c]];
    if (op->kind > WRITE_IF_MATCH || !depends(before, &clients[1 - c], 1 - c, op->resource))
        return false;
    return op->kind != READ || depends(after, &clients[c], c, op->resource);
}

static const struct server fresh = {.version = {1, 2}, .next_version = 2};

static void make_client(struct client *c)
{
    int holds = 0;
    *c = (struct client){0};
    while (c->count < MOST_OPS - 1) {
        int r = draw(RESOURCES), kind = draw(8);
        if (kind == 7 && c->count)
            break;
        if (kind >= TAKE_GUARD && !holds && c->count < MOST_OPS - 2) {
            holds = kind < 5 ? LET_GUARD : LET_LOCK;
            c->ops[c->count++] = (struct op){holds == LET_GUARD ? TAKE_GUARD : TAKE_LOCK, 0};
        } else if (kind >= TAKE_GUARD && holds) {
            c->ops[c->count++] = (struct op){(enum op_kind)holds, 0};
            holds = 0;
        } else {
            c->ops[c->count++] = (struct op){(enum op_kind)(kind % 3), r};
        }
    }
    if (holds)
        c->ops[c->count++] = (struct op){(enum op_kind)holds, 0};
}

// A run in which the server refuses nothing, as the client of each request; false: none was found.
static bool make_run(const struct client *clients, int *run)
{
    for (int t = 0; t < TRIES; t++) {
        struct server s = fresh;
        int length = 0, left = clients[0].count + clients[1].count, patience = 100;
        while (length < left && patience--) {
            int c = draw(CLIENTS);
            if (s.done[c] < clients[c].count && step(&s, clients, c))
                run[length++] = c;
        }
        if (length == left)
            return true;
    }
    return false;
}

static const char *const methods[] = {"GET", "PUT", "PUT", "LOCK", "UNLOCK", "POST", "DELETE"};

// The log of a run.
static struct request_log *make_log(const struct client *clients, const int *run)
{
    struct request_log *log = alloc_zeroed(1, sizeof *log);
    struct server s = fresh;
    log->path = "random";
    for (int i = 0; i < clients[0].count + clients[1].count; i++) {
        int c = run[i];
        const struct op *op = &clients[c].ops[s.done[c]];
        struct request *r = request_log_add(log, (uint32_t)i + 1);
        char text[64];
        r->method = alloc_copy(methods[op->kind]);
        snprintf(text, sizeof text, op->kind >= TAKE_LOCK ? "/locks/%d" : "/%d", op->resource);
        request_set_url(r, text);
        r->client = alloc_format("%d", c);
        r->status = 200;
        r->headers_known = true;
        snprintf(text, sizeof text, "\"version-%d\"", s.known[c][op->resource]);
        if (op->kind == WRITE_IF_MATCH && s.known[c][op->resource])
            headers_add(&r->headers, "If-Match", text);
        step(&s, clients, c);
        snprintf(text, sizeof text, "\"version-%d\"", s.version[op->resource]);
        if (op->kind <= WRITE_IF_MATCH)
            headers_add(&r->answer_headers, "ETag", text);
    }
    return log;
}

static bool is_access(const struct op *op)
{
    return op->kind <= WRITE_IF_MATCH;
}

static bool writes(const struct op *op)
{
    return op->kind == WRITE || op->kind == WRITE_IF_MATCH;
}

// By client, resource and the three letters (a bit each, set for a write): whether some order has it.
static bool possible[CLIENTS][RESOURCES][8], predicted[CLIENTS][RESOURCES][8];

// Looks at three accesses, of which the last was just done, in an order of `length` requests.
static void look(const struct client *clients, const int *order, int length)
{
    int at[CLIENTS] = {0}, position[CLIENTS][MOST_OPS];
    for (int i = 0; i < length; i++)
        position[order[i]][at[order[i]]++] = i;
    int c = order[length - 1], last = at[c] - 1, other = 1 - c;
    const struct op *z = &clients[c].ops[last];
    if (!is_access(z))
        return;
    bool reads_only = false; // accesses of the client between the two: then only reads can count
    for (int first = last - 1; first >= 0; first--) {
        const struct op *x = &clients[c].ops[first];
        if (!is_access(x) || x->resource != z->resource)
            continue;
        for (int b = 0; b < at[other]; b++) {
            const struct op *y = &clients[other].ops[b];
            if (!is_access(y) || y->resource != x->resource || position[other][b] < position[c][first])
                continue;
            bool bad = writes(y) ? !reads_only : writes(x) && writes(z);
            possible[c][x->resource][writes(x) * 4 + writes(y) * 2 + writes(z)] |= bad;
        }
        if (writes(x))
            return;
        reads_only = true;
    }
}

static void try_orders(const struct client *clients, const struct server *s, int *order, int length)
{
    for (int c = 0; c < CLIENTS; c++) {
        struct server next = *s;
        if (next.done[c] == clients[c].count || !step(&next, clients, c) || spoils(s, &next, clients, c))
            continue;
        order[length] = c;
        look(clients, order, length + 1);
        try_orders(clients, &next, order, length + 1);
    }
}

static void show(const struct client *clients, const int *run, uint64_t seed, const char *what)
{
    int done[CLIENTS] = {0};
    printf("seed %llu: %s\n", (unsigned long long)seed, what);
    for (int i = 0; i < clients[0].count + clients[1].count; i++) {
        const struct op *op = &clients[run[i]].ops[done[run[i]]++];
        printf("  %d %s%s %d\n", run[i], methods[op->kind], op->kind == WRITE_IF_MATCH ? " if-match" : "",
               op->resource);
    }
}

// Whether the server accepts the requests in the predicted order.
static bool is_accepted(const struct request_predictions *p, const struct prediction *one, const struct client *clients)
{
    struct request_order order;
    struct server s = fresh;
    bool good = request_predicted_order(p, one, false, &order);
    for (uint32_t i = 0; i < order.count && good; i++)
        good = step(&s, clients, p->meaning.log->requests[order.list[i].request].client[0] - '0');
    free(order.list);
    return good;
}

static void take_predicted(const struct request_predictions *p, const struct prediction *one)
{
    if (one->kind != PREDICT_ONE_VARIABLE)
        return;
    const struct request *r = &p->meaning.log->requests[request_effect(p, one->records[0])->request];
    int letters = (one->pattern[0] == 'W') * 4 + (one->pattern[1] == 'W') * 2 + (one->pattern[2] == 'W');
    predicted[r->client[0] - '0'][atoi(r->target + 1)][letters] = true;
}

static int try_one(uint64_t seed, const struct request_rules *rules)
{
    struct client clients[CLIENTS];
    int run[CLIENTS * MOST_OPS], order[CLIENTS * MOST_OPS], failures = 0;
    state = seed * 0x9E3779B97F4A7C15u + 1;
    draw(2);
    make_client(&clients[0]);
    make_client(&clients[1]);
    if (!make_run(clients, run))
        return 0;
    memset(possible, 0, sizeof possible);
    memset(predicted, 0, sizeof predicted);
    try_orders(clients, &fresh, order, 0);
    struct request_predictions p;
    struct request_log *log = make_log(clients, run);
    request_predict(&p, log, rules, 1);
    for (uint32_t i = 0; i < p.hunt.found.count; i++) {
        take_predicted(&p, &p.hunt.found.list[i]);
        if (!is_accepted(&p, &p.hunt.found.list[i], clients)) {
            show(clients, run, seed, "the server refuses a predicted order");
            failures++;
        }
    }
    for (int k = 0; k < CLIENTS * RESOURCES * 8; k++) {
        bool is = ((bool *)possible)[k], said = ((bool *)predicted)[k];
        if (is == said)
            continue;
        show(clients, run, seed, is ? "missed" : "no order has what is predicted");
        printf("  client %d, resource %d, pattern %d\n", k / 16, k / 8 % 2, k % 8);
        failures++;
    }
    request_predictions_free(&p);
    request_log_free(log);
    return failures;
}

int main(int argc, char **argv)
{
    unsigned long long count = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000,
                       first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    unsigned long long failures = 0;
    char *wrong = NULL;
    struct request_rules *rules = request_rules_read(NULL, &wrong);
    rules->whole_clients = true;
    for (unsigned long long i = 0; i < count && failures < 10; i++)
        failures += (unsigned long long)try_one(first + i, rules);
    request_rules_free(rules);
    printf("%llu logs, %llu failures\n", count, failures);
    return failures != 0;
}
