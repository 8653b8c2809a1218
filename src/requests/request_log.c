#include "requests/request_log.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

struct request *request_log_add(struct request_log *log, uint32_t entry)
{
    log->requests = alloc_grow(log->requests, log->count, &log->room, sizeof *log->requests);
    struct request *r = &log->requests[log->count++];
    r->entry = entry;
    r->begin = r->end = entry;
    return r;
}

static int hex_digit(char c)
{
    return isdigit((unsigned char)c) ? c - '0' : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10 : -1;
}

// One spelling for all that stand for the same path. What is escaped because it would mean something else stays so.
static char *plain_path(const char *text, size_t length)
{
    struct buffer path = {0};
    for (size_t i = 0; i < length; i++) {
        int high = text[i] == '%' && i + 2 < length ? hex_digit(text[i + 1]) : -1;
        int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
        char c = low >= 0 ? (char)(high * 16 + low) : text[i];
        if (low >= 0 && ((unsigned char)c < ' ' || strchr("/?#%", c))) {
            buffer_add(&path, "%%%02X", (unsigned)(unsigned char)c);
            i += 2;
            continue;
        }
        buffer_append(&path, &c, 1);
        i += low >= 0 ? 2 : 0;
    }
    return path.text ? path.text : alloc_copy("");
}

void request_set_url(struct request *r, const char *url)
{
    const char *authority = strstr(url, "://");
    bool absolute = authority && *url != '/';
    if (absolute) {
        authority += 3;
        size_t length = strcspn(authority, "/?#");
        r->host = alloc_copy_part(authority, length);
        url = authority + length;
    }
    size_t length = strcspn(url, "#");
    r->target = *url == '/' ? alloc_copy_part(url, length) : alloc_format("/%.*s", (int)length, url);
    r->path = plain_path(r->target, strcspn(r->target, "?"));
}

char *request_query(const struct request *r, const char *name)
{
    const char *at = r->target ? strchr(r->target, '?') : NULL;
    size_t length = strlen(name);
    while (at) {
        at++;
        if (!strncmp(at, name, length) && at[length] == '=')
            return plain_path(at + length + 1, strcspn(at + length + 1, "&"));
        at = strchr(at, '&');
    }
    return NULL;
}

const char *request_verb(const struct request *r)
{
    return r->method ? r->method : r->action;
}

const char *request_what(const struct request *r)
{
    return r->target ? r->target : r->object;
}

static int by_begin(const void *a, const void *b)
{
    const struct request *x = a, *y = b;
    if (x->begin != y->begin)
        return x->begin < y->begin ? -1 : 1;
    return (x->entry > y->entry) - (x->entry < y->entry);
}

static bool read_any(struct request_log *log, struct buffer *text, char **wrong)
{
    const char *start = buffer_text(text);
    if (!strncmp(start, "\xef\xbb\xbf", 3))
        start += 3;
    const char *first = start + strspn(start, " \t\r\n");
    if (!*first) {
        *wrong = alloc_copy("there is nothing in it");
        return false;
    }
    if (*first == '{')
        return har_read(log, first, text->length - (size_t)(first - text->text), wrong);
    if (strlen(start) != text->length - (size_t)(start - text->text)) {
        *wrong = alloc_copy("it is no text");
        return false;
    }
    char *copy = alloc_copy(start);
    bool good = csv_is_one(copy) ? csv_read(log, copy, wrong) : access_log_read(log, copy, wrong);
    free(copy);
    return good;
}

struct request_log *request_log_read(const char *path, char **wrong)
{
    struct buffer text = {0};
    struct request_log *log = alloc_zeroed(1, sizeof *log);
    log->path = path;
    FILE *file = fopen(path, "r");
    bool good = file && buffer_add_file(&text, file);
    if (!good)
        *wrong = alloc_copy(strerror(errno));
    if (file)
        fclose(file);
    good = good && read_any(log, &text, wrong);
    if (good && !log->count) {
        *wrong = alloc_copy("there are no requests in it");
        good = false;
    }
    buffer_free(&text);
    if (good) {
        qsort(log->requests, log->count, sizeof *log->requests, by_begin);
        return log;
    }
    request_log_free(log);
    return NULL;
}

void request_free(struct request *r)
{
    char *texts[] = {r->method, r->host, r->target, r->path, r->body, r->answer, r->client, r->action, r->object};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        free(texts[i]);
    headers_free(&r->headers);
    headers_free(&r->answer_headers);
    *r = (struct request){0};
}

void request_log_free(struct request_log *log)
{
    if (!log)
        return;
    for (uint32_t i = 0; i < log->count; i++)
        request_free(&log->requests[i]);
    free(log->requests);
    free(log);
}
