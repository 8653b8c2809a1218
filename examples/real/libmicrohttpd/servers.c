// libmicrohttpd: its daemon in threads of its own, with clients in others (src/microhttpd/daemon.c, connection.c, response.c).
#include <arpa/inet.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

enum { PORT = 8080 };

static const char page[] = "hello";

// ---- a client, by plain calls ----

static void *get(void *unused)
{
    static const char request[] = "GET /one HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n";
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    char got[512];
    size_t size = 0;
    ssize_t n;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    heddle_assert(connect(fd, (struct sockaddr *)&at, sizeof at) == 0);
    heddle_assert(send(fd, request, sizeof request - 1, MSG_NOSIGNAL) == sizeof request - 1);
    while ((n = recv(fd, got + size, sizeof got - 1 - size, 0)) > 0)
        size += (size_t)n;
    got[size] = 0;
    close(fd);
    heddle_assert(n == 0 && strstr(got, "200 OK") && strstr(got, page));
    return unused;
}

// ---- the server ----

static struct MHD_Daemon *start(unsigned flags, MHD_AccessHandlerCallback answer)
{
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(PORT)};
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    struct MHD_Daemon *daemon = MHD_start_daemon(flags, PORT, NULL, NULL, answer, NULL, MHD_OPTION_SOCK_ADDR,
                                                 (struct sockaddr *)&at, MHD_OPTION_END);
    heddle_assert(daemon);
    return daemon;
}

static enum MHD_Result send_page(struct MHD_Connection *connection)
{
    struct MHD_Response *response =
        MHD_create_response_from_buffer(sizeof page - 1, (void *)(uintptr_t)page, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

static enum MHD_Result answer(void *unused, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload, size_t *upload_size, void **own)
{
    (void)unused, (void)url, (void)method, (void)version, (void)upload, (void)upload_size, (void)own;
    return send_page(connection);
}

static void one_client(unsigned flags)
{
    struct MHD_Daemon *daemon = start(flags, answer);
    get(NULL);
    MHD_stop_daemon(daemon);
}

heddle_test("a page is served, by poll")
{
    one_client(MHD_USE_POLL_INTERNAL_THREAD);
}

heddle_test("a page is served, by select")
{
    one_client(MHD_USE_SELECT_INTERNALLY);
}

heddle_test("a page is served, by epoll")
{
    one_client(MHD_USE_EPOLL_INTERNAL_THREAD);
}

heddle_test("a page is served by a thread of its own")
{
    one_client(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL_INTERNAL_THREAD);
}

static void two_clients(unsigned flags)
{
    pthread_t other;
    struct MHD_Daemon *daemon = start(flags, answer);
    pthread_create(&other, NULL, get, NULL);
    get(NULL);
    pthread_join(other, NULL);
    MHD_stop_daemon(daemon);
}

heddle_test("two pages are served, by poll")
{
    two_clients(MHD_USE_POLL_INTERNAL_THREAD);
}

heddle_test("two pages are served by a thread each")
{
    two_clients(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL_INTERNAL_THREAD);
}

// ---- a response that two connections share ----

static struct MHD_Response *shared;

static enum MHD_Result answer_shared(void *unused, struct MHD_Connection *connection, const char *url,
                                     const char *method, const char *version, const char *upload, size_t *upload_size,
                                     void **own)
{
    (void)unused, (void)url, (void)method, (void)version, (void)upload, (void)upload_size, (void)own;
    return MHD_queue_response(connection, MHD_HTTP_OK, shared);
}

heddle_test("two threads serve one response")
{
    pthread_t other;
    shared = MHD_create_response_from_buffer(sizeof page - 1, (void *)(uintptr_t)page, MHD_RESPMEM_PERSISTENT);
    struct MHD_Daemon *daemon = start(MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL_INTERNAL_THREAD, answer_shared);
    pthread_create(&other, NULL, get, NULL);
    get(NULL);
    pthread_join(other, NULL);
    MHD_destroy_response(shared);
    MHD_stop_daemon(daemon);
}

// ---- another thread finds out what to answer ----

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t asked = PTHREAD_COND_INITIALIZER;
static struct MHD_Connection *waiting;

static enum MHD_Result answer_later(void *unused, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *upload, size_t *upload_size,
                                    void **own)
{
    (void)unused, (void)url, (void)method, (void)version, (void)upload, (void)upload_size;
    if (*own)
        return send_page(connection);
    *own = (void *)(uintptr_t)page;
    MHD_suspend_connection(connection);
    pthread_mutex_lock(&lock);
    waiting = connection;
    pthread_cond_signal(&asked);
    pthread_mutex_unlock(&lock);
    return MHD_YES;
}

static void *resume(void *unused)
{
    pthread_mutex_lock(&lock);
    while (!waiting)
        pthread_cond_wait(&asked, &lock);
    pthread_mutex_unlock(&lock);
    MHD_resume_connection(waiting);
    return unused;
}

static void one_resumed(unsigned flags)
{
    pthread_t other;
    struct MHD_Daemon *daemon = start(flags | MHD_ALLOW_SUSPEND_RESUME, answer_later);
    pthread_create(&other, NULL, resume, NULL);
    get(NULL);
    pthread_join(other, NULL);
    MHD_stop_daemon(daemon);
}

heddle_test("a connection is suspended and resumed, by poll")
{
    one_resumed(MHD_USE_POLL_INTERNAL_THREAD);
}

heddle_test("a connection is suspended and resumed, by epoll")
{
    one_resumed(MHD_USE_EPOLL_INTERNAL_THREAD);
}
