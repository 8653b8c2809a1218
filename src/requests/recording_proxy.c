#include "requests/recording_proxy.h"

#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/interrupt.h"
#include "requests/http.h"

enum { LOOK_EVERY = 200, PATIENCE = 10 }; // milliseconds, seconds

int recording_proxy_listen(uint16_t *port)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(*port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), on = 1;
    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) ||
        bind(fd, (struct sockaddr *)&address, sizeof address) || listen(fd, 64) ||
        getsockname(fd, (struct sockaddr *)&address, &length)) {
        int error = errno;
        close(fd);
        errno = error;
        return -1;
    }
    *port = ntohs(address.sin_port);
    return fd;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static char *take_text(struct buffer *b, size_t *length)
{
    char *text = b->text ? b->text : alloc_copy("");
    *length = b->length;
    *b = (struct buffer){0};
    return text;
}

// "PUT /x HTTP/1.1" and the rest of a request. False: it is none.
static bool read_request(int client, struct request *r, bool *has_body)
{
    struct buffer line = {0}, body = {0};
    bool good = !http_receive(client, true, false, &line, &r->headers, &body);
    char *method = good ? strtok(line.text, " ") : NULL, *target = method ? strtok(NULL, " ") : NULL;
    good = target && http_method_is_good(method);
    if (good) {
        r->method = alloc_copy(method);
        request_set_url(r, target);
        good = http_target_is_good(r->target);
    }
    *has_body = headers_find(&r->headers, "content-length") || headers_find(&r->headers, "transfer-encoding");
    if (*has_body)
        r->body = take_text(&body, &r->body_length);
    buffer_free(&body);
    buffer_free(&line);
    return good;
}

static void write_answer(int client, const struct request *r)
{
    struct buffer text = {0};
    buffer_add(&text, "HTTP/1.1 %d \r\nConnection: close\r\n", r->status);
    for (size_t i = 0; i < r->answer_headers.count; i++)
        if (!http_is_of_connection(r->answer_headers.list[i].name))
            buffer_add(&text, "%s: %s\r\n", r->answer_headers.list[i].name, r->answer_headers.list[i].value);
    if (r->status != 204 && r->status != 304)
        buffer_add(&text, "Content-Length: %zu\r\n", r->answer_length);
    buffer_add(&text, "\r\n");
    buffer_append(&text, r->answer, strcmp(r->method, "HEAD") ? r->answer_length : 0);
    http_send(client, text.text, text.length);
    buffer_free(&text);
}

// What a client hears where there is no server.
static void write_trouble(int client, const char *answer)
{
    http_send(client, answer, strlen(answer));
}

static void serve(int client, const struct loopback *server, struct request_log *log)
{
    struct http_answer answer = {0};
    char *wrong = NULL;
    bool has_body;
    struct request *r = request_log_add(log, log->count + 1);
    bool good = read_request(client, r, &has_body);
    if (!good)
        write_trouble(client, "HTTP/1.1 400 \r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    r->begin = now();
    struct http_call call = {
        .method = r->method, .target = r->target, .headers = &r->headers, .body = r->body, .length = r->body_length};
    if (good && !http_exchange(server, &call, &answer, &wrong)) {
        write_trouble(client, "HTTP/1.1 502 \r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        good = false;
    }
    r->end = now();
    r->status = answer.status;
    r->answer_headers = answer.headers;
    r->answer = take_text(&answer.body, &r->answer_length);
    free(r->host);
    r->host = alloc_copy(server->host);
    if (good) {
        write_answer(client, r);
    } else {
        request_free(r);
        log->count--;
        log->skipped++;
    }
    free(wrong);
}

void recording_proxy_run(int listening, const struct loopback *server, struct request_log *log)
{
    struct timeval patience = {.tv_sec = PATIENCE};
    while (!interrupted()) {
        struct pollfd wait = {.fd = listening, .events = POLLIN};
        int client = poll(&wait, 1, LOOK_EVERY) > 0 ? accept4(listening, NULL, NULL, SOCK_CLOEXEC) : -1;
        if (client < 0)
            continue;
        if (!setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience) &&
            !setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience))
            serve(client, server, log);
        close(client);
    }
}
