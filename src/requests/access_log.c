// Access logs of web servers, in the common or combined format:
//
//     127.0.0.1 - - [10/Oct/2018:13:55:36 +0200] "PUT /x HTTP/1.1" 204 0 "-" "client 1"
//
// They say when a request was answered, by their order; so that is when it was sent as well.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "requests/request_log.h"

// Takes what stands in quotes at *at, without escapes, and goes on behind it. Null: nothing does.
static char *take_quoted(char **at)
{
    char *from = *at + strspn(*at, " "), *to;
    if (*from != '"')
        return NULL;
    char *start = to = ++from;
    for (; *from && *from != '"'; from++) {
        if (*from == '\\' && from[1])
            from++;
        *to++ = *from;
    }
    if (!*from)
        return NULL;
    *at = from + 1;
    *to = 0;
    return start;
}

static bool read_line(struct request_log *log, char *line, uint32_t number)
{
    char *at = strchr(line, ']');
    char *first = at ? strtok(line, " ") : NULL;
    if (!at || !first)
        return false;
    at++;
    char *words = take_quoted(&at);
    char *url = words ? strchr(words, ' ') : NULL;
    if (!url)
        return false;
    *url++ = 0;
    char *protocol = strchr(url, ' ');
    at += strspn(at, " ");
    if (!protocol || !isdigit((unsigned char)*at))
        return false;
    *protocol = 0;
    struct request *r = request_log_add(log, number);
    r->method = alloc_copy(words);
    request_set_url(r, url);
    r->status = (int)strtol(at, &at, 10);
    at += strspn(at, " ");
    at += strcspn(at, " ");
    char *agent = take_quoted(&at) ? take_quoted(&at) : NULL; // behind what refers to it
    r->client = agent && strcmp(agent, "-") ? alloc_format("%s, %s", first, agent) : alloc_copy(first);
    if (agent)
        headers_add(&r->headers, "user-agent", agent);
    return true;
}

bool access_log_read(struct request_log *log, char *text, char **wrong)
{
    uint32_t number = 0;
    while (text && *text) {
        char *end = strchr(text, '\n');
        if (end)
            *end = 0;
        text[strcspn(text, "\r")] = 0;
        number++;
        log->skipped += *text && !read_line(log, text, number);
        text = end ? end + 1 : NULL;
    }
    if (!log->count)
        *wrong = alloc_copy("it is no HAR, no CSV with a line of names, and no access log");
    return log->count != 0;
}
