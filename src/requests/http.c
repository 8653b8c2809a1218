#include "requests/http.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/text.h"

bool http_is_of_connection(const char *name)
{
    static const char *const names[] = {"connection",
                                        "keep-alive",
                                        "proxy-connection",
                                        "transfer-encoding",
                                        "te",
                                        "trailer",
                                        "upgrade",
                                        "content-length",
                                        "host",
                                        "expect",
                                        "http2-settings",
                                        "accept-encoding",
                                        "proxy-authorization",
                                        NULL};
    return text_is_one_of(name, names);
}

static bool is_token(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("!#$%&'*+-.^_`|~", *c))
            return false;
    return *text != 0;
}

bool http_method_is_good(const char *method)
{
    return is_token(method);
}

bool http_target_is_good(const char *target)
{
    for (const char *c = target; *c; c++)
        if ((unsigned char)*c <= ' ' || *c == 127)
            return false;
    return *target == '/';
}

static bool value_is_good(const char *value)
{
    return !value[strcspn(value, "\r\n")];
}

bool http_send(int fd, const char *bytes, size_t length)
{
    while (length) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return false;
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

// What comes from a socket, with what was read and not used yet.
struct http_reader {
    int fd;
    struct buffer text;
    size_t at;
};

// Reads on. False: nothing came.
static bool read_more(struct http_reader *r)
{
    char bytes[16384];
    ssize_t got;
    do
        got = recv(r->fd, bytes, sizeof bytes, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0 || r->text.length > HTTP_MOST)
        return false;
    buffer_append(&r->text, bytes, (size_t)got);
    return true;
}

// The next line, without its end, in memory that the next call takes back. Null: there is none.
static char *read_line(struct http_reader *r, struct buffer *line)
{
    for (;;) {
        char *start = r->text.text ? r->text.text + r->at : NULL;
        char *end = start ? memchr(start, '\n', r->text.length - r->at) : NULL;
        if (end) {
            size_t length = (size_t)(end - start);
            r->at += length + 1;
            buffer_cut(line, 0);
            buffer_append(line, start, length && start[length - 1] == '\r' ? length - 1 : length);
            return line->text;
        }
        if (!read_more(r))
            return NULL;
    }
}

static bool read_bytes(struct http_reader *r, size_t count, struct buffer *body)
{
    if (count > HTTP_MOST)
        return false;
    while (r->text.length - r->at < count)
        if (!read_more(r))
            return false;
    buffer_append(body, r->text.text + r->at, count);
    r->at += count;
    return true;
}

static bool read_chunks(struct http_reader *r, struct buffer *body)
{
    struct buffer line = {0};
    bool good = false;
    while (read_line(r, &line)) {
        char *end;
        unsigned long long size = strtoull(line.text, &end, 16);
        if (end == line.text || size > HTTP_MOST || body->length > HTTP_MOST)
            break;
        if (!size) {
            while (read_line(r, &line) && line.length)
                ;
            good = true;
            break;
        }
        if (!read_bytes(r, size, body) || !read_line(r, &line))
            break;
    }
    buffer_free(&line);
    return good;
}

static bool read_headers(struct http_reader *r, struct headers *headers)
{
    struct buffer line = {0};
    bool ended = false;
    while (!ended && read_line(r, &line)) {
        char *colon = strchr(line.text, ':');
        ended = !line.length;
        if (!colon)
            continue;
        *colon++ = 0;
        headers_add(headers, line.text, text_skip_blanks(colon));
    }
    buffer_free(&line);
    return ended;
}

static bool read_body(struct http_reader *r, bool is_request, const struct headers *headers, struct buffer *body)
{
    const char *encoding = headers_find(headers, "transfer-encoding"),
               *length = headers_find(headers, "content-length");
    if (encoding && strcasestr(encoding, "chunked"))
        return read_chunks(r, body);
    if (length)
        return read_bytes(r, strtoull(length, NULL, 10), body);
    if (is_request)
        return true;
    while (read_more(r))
        ;
    return read_bytes(r, r->text.length - r->at, body);
}

const char *http_receive(int fd, bool is_request, bool no_body, struct buffer *line, struct headers *headers,
                         struct buffer *body)
{
    struct http_reader r = {.fd = fd};
    const char *wrong = NULL;
    bool provisional;
    do {
        headers_free(headers);
        if (!read_line(&r, line) || !read_headers(&r, headers))
            wrong = "it closed the connection, or took too long";
        int status = line->length > 9 && !is_request ? atoi(line->text + 9) : 0;
        provisional = !wrong && status >= 100 && status < 200;
        no_body |= status == 204 || status == 304;
    } while (provisional);
    if (!wrong && !no_body && !read_body(&r, is_request, headers, body))
        wrong = "its body does not come to an end";
    buffer_free(&r.text);
    return wrong;
}

static void write_call(const struct loopback *to, const struct http_call *call, struct buffer *text)
{
    buffer_add(text, "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n", call->method, call->target, to->host);
    for (size_t i = 0; i < call->headers->count; i++) {
        const struct header *h = &call->headers->list[i];
        if (!http_is_of_connection(h->name) && is_token(h->name) && value_is_good(h->value))
            buffer_add(text, "%s: %s\r\n", h->name, h->value);
    }
    if (call->body)
        buffer_add(text, "Content-Length: %zu\r\n", call->length);
    buffer_add(text, "\r\n");
    if (call->body)
        buffer_append(text, call->body, call->length);
}

bool http_exchange(const struct loopback *to, const struct http_call *call, struct http_answer *answer, char **wrong)
{
    struct buffer text = {0}, line = {0};
    *answer = (struct http_answer){0};
    int fd = loopback_connect(to);
    if (fd < 0) {
        *wrong = alloc_format("%s does not answer: %s", to->host, strerror(errno));
        return false;
    }
    write_call(to, call, &text);
    // Who refuses a request early may close the connection before all of it is sent, and still has answered.
    http_send(fd, buffer_text(&text), text.length);
    const char *trouble =
        http_receive(fd, false, !strcmp(call->method, "HEAD"), &line, &answer->headers, &answer->body);
    if (!trouble && (strncmp(buffer_text(&line), "HTTP/1.", 7) || line.length < 12))
        trouble = "it does not speak HTTP/1.1";
    if (!trouble)
        answer->status = atoi(line.text + 9);
    else
        *wrong = alloc_format("%s: %s", to->host, trouble);
    close(fd);
    buffer_free(&text);
    buffer_free(&line);
    return !trouble;
}

void http_answer_free(struct http_answer *a)
{
    headers_free(&a->headers);
    buffer_free(&a->body);
}
