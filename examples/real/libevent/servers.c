// libevent: servers with clients in threads of the same program (http.c, listener.c, bufferevent_sock.c, event.c, epoll.c).
#include <arpa/inet.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <event2/thread.h>

enum { PORT = 8080 };

static struct event_base *base;

static void begin(void)
{
    evthread_use_pthreads();
    base = event_base_new();
    heddle_assert(base);
}

static void end(void)
{
    event_base_free(base);
    libevent_global_shutdown();
}

static struct sockaddr_in address(void)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return at;
}

// ---- a client, by plain calls ----

static int open_connection(void)
{
    struct sockaddr_in at = address();
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    heddle_assert(connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    return fd;
}

static void ask(int fd, const char *text)
{
    heddle_assert(send(fd, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
}

static void expect(int fd, const char *text)
{
    char got[64];
    size_t size = strlen(text);
    heddle_assert(recv(fd, got, size, MSG_WAITALL) == (ssize_t)size && !memcmp(got, text, size));
}

// ---- HTTP ----

static int requests;

static void answer_request(struct evhttp_request *request, void *unused)
{
    (void)unused;
    struct evbuffer *text = evbuffer_new();
    evbuffer_add_printf(text, "%s %d", evhttp_request_get_uri(request), ++requests);
    evhttp_send_reply(request, HTTP_OK, "OK", text);
    evbuffer_free(text);
}

static void *get_and_stop(void *unused)
{
    char got[512] = "";
    size_t size = 0;
    ssize_t n;
    int fd = open_connection();
    ask(fd, "GET /one HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n");
    while ((n = read(fd, got + size, sizeof got - 1 - size)) > 0)
        size += (size_t)n;
    got[size] = 0;
    close(fd);
    heddle_assert(strstr(got, "200 OK") && strstr(got, "/one 1"));
    event_base_loopbreak(base);
    return unused;
}

heddle_test("a page is served")
{
    pthread_t client;
    begin();
    struct evhttp *server = evhttp_new(base);
    heddle_assert(evhttp_bind_socket(server, "127.0.0.1", PORT) == 0);
    evhttp_set_gencb(server, answer_request, NULL);
    pthread_create(&client, NULL, get_and_stop, NULL);
    event_base_dispatch(base);
    pthread_join(client, NULL);
    evhttp_free(server);
    end();
    heddle_assert(requests == 1);
}

// ---- echoes ----

static int left; // of the connections, before the server ends

static void one_less(struct bufferevent *connection)
{
    bufferevent_free(connection);
    if (!--left)
        event_base_loopexit(base, NULL); // when all that is under way is done
}

static void echo(struct bufferevent *connection, void *unused)
{
    (void)unused;
    bufferevent_write_buffer(connection, bufferevent_get_input(connection));
}

static void on_end(struct bufferevent *connection, short what, void *unused)
{
    (void)unused;
    heddle_assert(what & BEV_EVENT_EOF);
    one_less(connection);
}

static bufferevent_data_cb on_text;

static void on_connection(struct evconnlistener *listener, evutil_socket_t fd, struct sockaddr *from, int size,
                          void *unused)
{
    (void)listener, (void)from, (void)size, (void)unused;
    struct bufferevent *connection = bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE | BEV_OPT_THREADSAFE);
    bufferevent_setcb(connection, on_text, NULL, on_end, NULL);
    bufferevent_enable(connection, EV_READ | EV_WRITE);
}

// Runs a server until `connections` of them have ended, and the clients meanwhile.
static void serve(bufferevent_data_cb callback, int connections, void *(*client)(void *))
{
    struct sockaddr_in at = address();
    pthread_t clients[4];
    on_text = callback;
    left = connections;
    struct evconnlistener *listener = evconnlistener_new_bind(
        base, on_connection, NULL, LEV_OPT_REUSEABLE | LEV_OPT_CLOSE_ON_FREE, -1, (struct sockaddr *)&at, sizeof at);
    heddle_assert(listener);
    for (int i = 0; i < connections; i++)
        pthread_create(&clients[i], NULL, client, NULL);
    event_base_dispatch(base);
    for (int i = 0; i < connections; i++)
        pthread_join(clients[i], NULL);
    evconnlistener_free(listener);
}

static void *say_twice(void *unused)
{
    int fd = open_connection();
    ask(fd, "one");
    expect(fd, "one");
    ask(fd, "two");
    expect(fd, "two");
    close(fd);
    return unused;
}

heddle_test("one client hears its echoes")
{
    begin();
    serve(echo, 1, say_twice);
    end();
}

static void *say_once(void *unused)
{
    int fd = open_connection();
    ask(fd, "hello");
    expect(fd, "hello");
    close(fd);
    return unused;
}

heddle_test("two clients hear their echoes")
{
    begin();
    serve(echo, 2, say_once);
    end();
}

// ---- a thread that answers, beside the loop ----

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
static struct bufferevent *job;

static void hand_over(struct bufferevent *connection, void *unused)
{
    (void)unused;
    bufferevent_disable(connection, EV_READ);
    bufferevent_incref(connection);
    pthread_mutex_lock(&lock);
    job = connection;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
}

static void *answer_jobs(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!job)
        pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
    bufferevent_write_buffer(job, bufferevent_get_input(job));
    bufferevent_enable(job, EV_READ);
    bufferevent_decref(job);
    return unused;
}

heddle_test("another thread answers")
{
    pthread_t worker;
    begin();
    pthread_create(&worker, NULL, answer_jobs, NULL);
    serve(hand_over, 1, say_once);
    pthread_join(worker, NULL);
    end();
}

// ---- wake-ups ----

static struct event *bell;
static int rung;

static void on_bell(evutil_socket_t none, short what, void *unused)
{
    (void)none, (void)what, (void)unused;
    pthread_mutex_lock(&lock);
    rung++;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&lock);
    if (rung == 2)
        event_base_loopbreak(base);
}

static void *ring_twice(void *unused)
{
    event_active(bell, EV_READ, 0);
    pthread_mutex_lock(&lock);
    while (!rung)
        pthread_cond_wait(&filled, &lock);
    pthread_mutex_unlock(&lock);
    event_active(bell, EV_READ, 0);
    return unused;
}

heddle_test("a loop is woken twice by another thread")
{
    pthread_t ringer;
    begin();
    bell = event_new(base, -1, EV_PERSIST, on_bell, NULL);
    pthread_create(&ringer, NULL, ring_twice, NULL);
    event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY);
    pthread_join(ringer, NULL);
    heddle_assert(rung == 2);
    event_free(bell);
    end();
}
