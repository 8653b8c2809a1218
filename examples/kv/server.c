// The store over TCP: the same state machine as under `heddle cluster`, with real connections, files and clocks.
//
//     server NUMBER DIRECTORY PORT PORT PORT     server NUMBER of three, whose ports on the loopback interface these are
//
// It keeps its state in DIRECTORY. Clients (client.c) and servers connect to the same port; what they send begins with who they are.
// When it is asked to end (SIGTERM) it does.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "raft.h"
#include "wire.h"

// A busy disk may take hundreds of milliseconds to keep what a message changes; a leader is not to be lost by that.
enum { CONNECTIONS = 32, HEARTBEAT_MS = 100, ELECTION_MS = 800, TIMERS = 2 };

static struct raft raft;
static int self, servers, ports[SERVERS_MOST];
static char path[512], path_new[520];
static long due[TIMERS];            // when a timer runs out, in milliseconds; 0: it is not set
static int to_server[SERVERS_MOST]; // connections that this server opened, or -1
static struct connection from[CONNECTIONS];
static volatile sig_atomic_t asked_to_end;

static void die(const char *what)
{
    fprintf(stderr, "server %d: %s: %s\n", self, what, strerror(errno));
    exit(1);
}

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

// What the state machine calls.

void host_send(int to, const void *data, size_t size)
{
    if (to_server[to] < 0)
        to_server[to] = wire_connect(ports[to]);
    if (to_server[to] >= 0 && !wire_send(to_server[to], self, data, size)) {
        close(to_server[to]);
        to_server[to] = -1; // the message is lost; the next one opens another
    }
}

// A new file takes the place of the old one when it is on disk.
void host_keep(const struct kept *kept)
{
    int file = open(path_new, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || write(file, kept, sizeof *kept) != (ssize_t)sizeof *kept || fsync(file) || close(file) ||
        rename(path_new, path))
        die(path);
}

bool host_kept(struct kept *kept)
{
    int file = open(path, O_RDONLY);
    if (file < 0 && errno == ENOENT)
        return false;
    if (file < 0 || read(file, kept, sizeof *kept) != (ssize_t)sizeof *kept)
        die(path);
    close(file);
    return true;
}

void host_set_timer(enum timer timer)
{
    due[timer] = now() + (timer == TIMER_HEARTBEAT ? HEARTBEAT_MS : ELECTION_MS + rand() % ELECTION_MS);
}

// To the client's last connection, if it is still there.
void host_answer(const struct command *command, long result)
{
    struct wire_answer answer = {command->client, command->number, result};
    for (int i = 0; i < CONNECTIONS; i++)
        if (from[i].socket >= 0 && from[i].who == WIRE_CLIENT + command->client)
            wire_send(from[i].socket, self, &answer, sizeof answer);
}

// Connections.

static void take(struct connection *c)
{
    struct wire_frame f;
    while (wire_next(c, &f)) {
        c->who = f.who;
        if (f.who >= WIRE_CLIENT && f.size == sizeof(struct command)) {
            struct command command;
            memcpy(&command, f.data, sizeof command);
            raft_command(&raft, &command);
        } else if (f.who >= 0 && f.who < servers) {
            raft_message(&raft, f.who, f.data, f.size);
        }
    }
}

static void welcome(int listener)
{
    int socket = accept(listener, NULL, NULL);
    for (int i = 0; i < CONNECTIONS && socket >= 0; i++)
        if (from[i].socket < 0) {
            from[i] = (struct connection){.socket = socket, .who = -1};
            return;
        }
    if (socket >= 0)
        close(socket);
}

static long wait_time(void)
{
    long wait = 1000, t = now();
    for (int i = 0; i < TIMERS; i++)
        if (due[i] && due[i] - t < wait)
            wait = due[i] > t ? due[i] - t : 0;
    return wait;
}

static void run_timers(void)
{
    long t = now();
    for (int i = 0; i < TIMERS; i++)
        if (due[i] && due[i] <= t) {
            due[i] = 0;
            raft_timer(&raft, (enum timer)i);
        }
}

static void serve(int listener)
{
    struct pollfd all[CONNECTIONS + 1] = {{.fd = listener, .events = POLLIN}};
    for (int i = 0; i < CONNECTIONS; i++)
        all[i + 1] = (struct pollfd){.fd = from[i].socket, .events = POLLIN};
    if (poll(all, CONNECTIONS + 1, (int)wait_time()) < 0 && errno != EINTR)
        die("poll");
    for (int i = 0; i < CONNECTIONS; i++) {
        if (from[i].socket < 0 || !all[i + 1].revents)
            continue;
        bool open = wire_receive(&from[i]);
        take(&from[i]);
        if (!open) {
            close(from[i].socket);
            from[i].socket = -1;
        }
    }
    if (all[0].revents)
        welcome(listener);
    run_timers();
}

static void on_signal(int number)
{
    (void)number;
    asked_to_end = 1;
}

int main(int count, char **word)
{
    if (count < 4 || count > 3 + SERVERS_MOST) {
        fprintf(stderr, "usage: server NUMBER DIRECTORY PORT…\n");
        return 2;
    }
    self = atoi(word[1]);
    servers = count - 3;
    if (self < 0 || self >= servers) {
        fprintf(stderr, "server: there is no server %s: there are %d ports\n", word[1], servers);
        return 2;
    }
    snprintf(path, sizeof path, "%s/server%d", word[2], self);
    snprintf(path_new, sizeof path_new, "%s.new", path);
    for (int i = 0; i < servers; i++) {
        ports[i] = atoi(word[3 + i]);
        to_server[i] = -1;
    }
    for (int i = 0; i < CONNECTIONS; i++)
        from[i].socket = -1;
    signal(SIGPIPE, SIG_IGN);
    sigaction(SIGTERM, &(struct sigaction){.sa_handler = on_signal}, NULL);
    srand((unsigned)(getpid() + self));
    int listener = wire_listen(ports[self]);
    if (listener < 0)
        die("its port cannot be had");
    raft_start(&raft, self, (1u << servers) - 1);
    while (!asked_to_end)
        serve(listener);
    return 0;
}
