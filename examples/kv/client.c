// A client of the store:
//
//     client NUMBER FIRST_CALL PORT,PORT,PORT put KEY VALUE  |  get KEY  |  remove KEY  |  run CALLS SEED
//
// It asks all servers until one answers, for at most a minute. Its commands are numbered from FIRST_CALL on, since a server
// remembers the last one of each client. `run` does so many random calls and prints each call and result as an event for
// `heddle history --model map`.
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "raft.h"
#include "wire.h"

enum { AGAIN_MS = 200, GIVE_UP_MS = 60000, KEYS = 3 };

static int number, servers;
static int ports[SERVERS_MOST];
static struct connection server[SERVERS_MOST];

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void ask(const struct command *c)
{
    for (int i = 0; i < servers; i++) {
        if (server[i].socket < 0)
            server[i] = (struct connection){.socket = wire_connect(ports[i])};
        if (server[i].socket >= 0 && !wire_send(server[i].socket, WIRE_CLIENT + number, c, sizeof *c)) {
            close(server[i].socket);
            server[i].socket = -1;
        }
    }
}

// Whether the answer has come.
static bool listen_for(const struct command *c, long *result, int wait)
{
    struct pollfd all[SERVERS_MOST];
    struct wire_frame f;
    struct wire_answer a;
    for (int i = 0; i < servers; i++)
        all[i] = (struct pollfd){.fd = server[i].socket, .events = POLLIN};
    poll(all, (nfds_t)servers, wait);
    for (int i = 0; i < servers; i++) {
        if (server[i].socket < 0 || !all[i].revents)
            continue;
        bool open = wire_receive(&server[i]);
        while (wire_next(&server[i], &f)) {
            if (f.size != sizeof a)
                continue;
            memcpy(&a, f.data, sizeof a);
            *result = a.result;
            if (a.client == c->client && a.number == c->number)
                return true;
        }
        if (!open) {
            close(server[i].socket);
            server[i].socket = -1;
        }
    }
    return false;
}

static bool call(const struct command *c, long *result)
{
    long begun = now(), asked = 0;
    while (now() - begun < GIVE_UP_MS) {
        if (now() - asked >= AGAIN_MS) {
            asked = now();
            ask(c);
        }
        if (listen_for(c, result, 20))
            return true;
    }
    return false;
}

static void print_result(const struct command *c, long result)
{
    if (c->call == PUT)
        printf("nil");
    else if (c->call == REMOVE)
        printf(result ? "true" : "false");
    else if (result == NO_VALUE)
        printf("nil");
    else
        printf("%ld", result);
}

// One event of a history; a line is written at once, so that clients can share a file.
static void print_event(const char *type, const struct command *c, long result)
{
    static const char *const names[] = {"put", "get", "remove"};
    printf("{:process %d, :type :%s, :f :%s, :value ", number, type, names[c->call]);
    if (c->call == PUT)
        printf("[%d %ld]", c->key, c->value);
    else
        printf("%d", c->key);
    if (!strcmp(type, "ok") && c->call != PUT) {
        printf(", :result ");
        print_result(c, result);
    }
    printf("}\n");
    fflush(stdout);
}

static int run(int first, int calls, unsigned seed)
{
    long result = 0;
    srand(seed);
    for (int i = 0; i < calls; i++) {
        struct command c = {
            .client = number, .number = first + i, .call = (enum call)(rand() % 3), .key = rand() % KEYS};
        c.value = number * 1000000L + i;
        print_event("invoke", &c, 0);
        if (!call(&c, &result)) {
            print_event("info", &c, 0);
            fprintf(stderr, "client %d: no answer\n", number);
            return 1;
        }
        print_event("ok", &c, result);
    }
    return 0;
}

static int once(struct command c)
{
    long result;
    if (!call(&c, &result)) {
        fprintf(stderr, "client %d: no answer\n", number);
        return 1;
    }
    print_result(&c, result);
    printf("\n");
    return 0;
}

static int usage(void)
{
    fprintf(stderr,
            "usage: client NUMBER FIRST_CALL PORT,PORT,PORT put KEY VALUE | get KEY | remove KEY | run CALLS SEED\n");
    return 2;
}

int main(int count, char **word)
{
    static char line[512];
    setvbuf(stdout, line, _IOFBF, sizeof line);
    if (count < 6)
        return usage();
    number = atoi(word[1]);
    int first = atoi(word[2]);
    for (char *at = strtok(word[3], ","); at && servers < SERVERS_MOST; at = strtok(NULL, ","))
        ports[servers++] = atoi(at);
    for (int i = 0; i < servers; i++)
        server[i].socket = -1;
    if (number < 0 || number >= STORE_CLIENTS || first < 1 || !servers)
        return usage();
    struct command c = {.client = number, .number = first, .key = atoi(word[5])};
    if (!strcmp(word[4], "run") && count == 7)
        return run(first, atoi(word[5]), (unsigned)atoi(word[6]));
    if (!strcmp(word[4], "put") && count == 7) {
        c.value = atol(word[6]);
        return once(c);
    }
    c.call = !strcmp(word[4], "get") ? GET : REMOVE;
    return count == 6 && (c.call == GET || !strcmp(word[4], "remove")) ? once(c) : usage();
}
