// memcached: the whole server, as its main starts it, with clients in threads of the same program.
//
// main is called by another name, and so is its event loop: clients begin when it is about to wait, and end it when they are done.
// What goes by the clock is left out, since it would go on for ever: the event that sets memcached's time once in a second.
#include <sys/eventfd.h>
#include <unistd.h>

#include <event2/event.h>
#include <heddle/heddle.h>

static int serve(struct event_base *base, int flags);

#define main memcached_main
#define event_base_loop serve
#define getuid() 1000 // as root it looks for a user that it can be instead
#define geteuid() 1000
#define dup(fd) eventfd(0, 0) // it only looks which number is free, and heddle need not know the kernel's
#ifndef MEMCACHED_C
#define MEMCACHED_C "memcached.c"
#endif
#include MEMCACHED_C
#undef main
#undef event_base_loop
#undef dup

enum { PORT = 11211, CLIENTS = 2 };

static void *(*client[CLIENTS])(void *);
static pthread_t clients[CLIENTS];
static int clients_done;

// ---- clients ----

static int open_connection(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    heddle_assert(connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    return fd;
}

static void ask(int fd, const char *text)
{
    heddle_assert(send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
}

// The answer is this text and nothing else.
static void expect(int fd, const char *text)
{
    char got[256];
    size_t size = strlen(text);
    heddle_assert(recv(fd, got, size, MSG_WAITALL) == (ssize_t)size && !memcmp(got, text, size));
}

static void done(int fd)
{
    uint64_t one = 1;
    if (fd >= 0)
        close(fd);
    heddle_assert(write(clients_done, &one, sizeof one) == sizeof one);
}

static void *set_and_get(void *unused)
{
    int fd = open_connection();
    ask(fd, "set a 0 0 3\r\none\r\n");
    expect(fd, "STORED\r\n");
    ask(fd, "get a\r\n");
    expect(fd, "VALUE a 0 3\r\none\r\nEND\r\n");
    done(fd);
    return unused;
}

static void *add_one(void *unused)
{
    int fd = open_connection();
    ask(fd, "add n 0 0 1\r\n1\r\n");
    char got[16];
    heddle_assert(recv(fd, got, sizeof got, 0) > 0 && (!memcmp(got, "STORED\r\n", 8) || !memcmp(got, "NOT_STOR", 8)));
    done(fd);
    return unused;
}

static void *replace(void *unused)
{
    int fd = open_connection();
    ask(fd, "set a 0 0 3\r\ntwo\r\n");
    expect(fd, "STORED\r\n");
    done(fd);
    return unused;
}

static void *get_either(void *unused)
{
    char got[64];
    int fd = open_connection();
    ask(fd, "get a\r\n");
    ssize_t n = recv(fd, got, sizeof got, 0);
    heddle_assert((n == 5 && !memcmp(got, "END\r\n", 5)) || (n == 23 && !memcmp(got + 13, "two\r\nEND\r\n", 10)));
    done(fd);
    return unused;
}

// ---- the loop ----

static int left, way_to_stop = EXIT_NORMALLY;

static void one_less(evutil_socket_t fd, short what, void *unused)
{
    uint64_t ended = 0;
    (void)what, (void)unused;
    heddle_assert(read(fd, &ended, sizeof ended) == sizeof ended);
    left -= (int)ended;
    if (!left)
        stop_main_loop = way_to_stop;
}

static void begin_clients(struct event_base *base)
{
    evtimer_del(&clockevent);
    clients_done = eventfd(0, 0);
    event_add(event_new(base, clients_done, EV_READ | EV_PERSIST, one_less, NULL), NULL);
    for (int i = 0; i < CLIENTS; i++)
        if (client[i]) {
            left++;
            pthread_create(&clients[i], NULL, client[i], NULL);
        }
}

static int serve(struct event_base *base, int flags)
{
    if (!left)
        begin_clients(base);
    int result = event_base_loop(base, flags);
    for (int i = 0; i < CLIENTS && !left; i++)
        if (client[i])
            pthread_join(clients[i], NULL);
    return result;
}

static void run(char *threads, void *(*first)(void *), void *(*second)(void *))
{
    char *arguments[] = {"memcached",
                         "-l",
                         "127.0.0.1",
                         "-U",
                         "0",
                         "-c",
                         "1024",
                         "-t",
                         threads,
                         "-o",
                         "no_hashexpand,no_lru_crawler,no_lru_maintainer,no_slab_reassign,hashpower=12",
                         NULL};
    client[0] = first;
    client[1] = second;
    heddle_assert(memcached_main(sizeof arguments / sizeof *arguments - 1, arguments) == 0);
}

heddle_test("what is set is got")
{
    run("1", set_and_get, NULL);
}

heddle_test("two clients, one worker")
{
    run("1", add_one, add_one);
}

heddle_test("two clients add, a worker each")
{
    run("2", add_one, add_one);
}

heddle_test("one sets what another gets")
{
    run("2", replace, get_either);
}

// ---- its end ----

static void *leave_open(void *unused)
{
    int fd = open_connection();
    ask(fd, "get a\r\n");
    expect(fd, "END\r\n");
    done(-1);
    return unused;
}

heddle_test("it stops gracefully")
{
    way_to_stop = GRACE_STOP;
    run("1", leave_open, NULL);
}
