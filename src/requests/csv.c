// Logs as comma-separated values.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/alloc.h"
#include "requests/request_log.h"

enum column { CLIENT, SEQUENCE, METHOD, URL, ACTION, OBJECT, STATUS, VERSION, ETAG, BODY, ANSWER, COLUMNS };

static const struct {
    const char *name;
    enum column column;
} column_names[] = {
    {"client", CLIENT},   {"id", CLIENT},        {"seq", SEQUENCE},  {"time", SEQUENCE},   {"method", METHOD},
    {"url", URL},         {"action", ACTION},    {"object", OBJECT}, {"resource", OBJECT}, {"status", STATUS},
    {"version", VERSION}, {"if-match", VERSION}, {"etag", ETAG},     {"body", BODY},       {"answer", ANSWER},
};

enum { MOST_FIELDS = 64 };

// Parts a line at *at into fields, in place, and goes on behind it. A quoted field may have new lines in it.
static size_t take_fields(char **at, char **fields)
{
    size_t count = 0;
    char *from = *at;
    for (bool more = true; more;) {
        char *to = from, *start = from;
        bool quoted = *from == '"';
        from += quoted;
        while (*from && (quoted || (*from != ',' && *from != '\n'))) {
            if (quoted && *from == '"') {
                if (from[1] != '"') {
                    quoted = false;
                    from++;
                    continue;
                }
                from++;
            }
            *to++ = *from++;
        }
        more = *from == ',';
        bool end = !*from;
        if (to > start && !more && to[-1] == '\r')
            to--;
        *to = 0;
        from += !end;
        if (count < MOST_FIELDS)
            fields[count++] = start;
    }
    *at = from;
    return count;
}

static int column_of(const char *name)
{
    for (size_t i = 0; i < sizeof column_names / sizeof *column_names; i++)
        if (!strcasecmp(name, column_names[i].name))
            return (int)column_names[i].column;
    return -1;
}

// Which field each column is; -1: none. False: these are not the names.
static bool read_names(char **at, int *fields)
{
    char *names[MOST_FIELDS];
    size_t count = take_fields(at, names);
    memset(fields, -1, COLUMNS * sizeof *fields);
    for (size_t i = 0; i < count; i++) {
        int column = column_of(names[i] + strspn(names[i], " "));
        if (column >= 0)
            fields[column] = (int)i;
    }
    return fields[CLIENT] >= 0 &&
           ((fields[METHOD] >= 0 && fields[URL] >= 0) || (fields[ACTION] >= 0 && fields[OBJECT] >= 0));
}

bool csv_is_one(const char *text)
{
    int fields[COLUMNS];
    char *line = alloc_copy_part(text, strcspn(text, "\n")), *at = line;
    bool is_one = read_names(&at, fields);
    free(line);
    return is_one;
}

struct csv_line {
    char *fields[MOST_FIELDS];
    size_t count;
    const int *columns;
};

// Null: it is empty or not there.
static const char *field(const struct csv_line *line, enum column column)
{
    int at = line->columns[column];
    return at >= 0 && (size_t)at < line->count && *line->fields[at] ? line->fields[at] : NULL;
}

static bool read_number(const char *text, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    return end != text && !*end && !errno;
}

static char *copy_or_null(const char *text)
{
    return text ? alloc_copy(text) : NULL;
}

// What is wrong with the line; null: nothing.
static const char *read_line(struct request_log *log, const struct csv_line *line, uint32_t number)
{
    const char *client = field(line, CLIENT), *method = field(line, METHOD), *url = field(line, URL);
    const char *action = field(line, ACTION), *object = field(line, OBJECT), *body = field(line, BODY);
    double at = number, status = 0;
    if (!client)
        return "has no client";
    if (!(method && url) && !(action && object))
        return "has neither a method and a url nor an action and an object";
    if (field(line, SEQUENCE) && !read_number(field(line, SEQUENCE), &at))
        return "has something else than a number for its time";
    if (field(line, STATUS) && (!read_number(field(line, STATUS), &status) || !(status >= 0 && status < 1000)))
        return "has something else than a number for its status";
    struct request *r = request_log_add(log, number);
    r->begin = r->end = at;
    r->status = (int)status;
    r->client = alloc_copy(client);
    if (method && url) {
        r->method = alloc_copy(method);
        request_set_url(r, url);
    } else {
        r->action = alloc_copy(action);
        r->object = alloc_copy(object);
    }
    if (field(line, VERSION))
        headers_add(&r->headers, "if-match", field(line, VERSION));
    r->headers_known = line->columns[VERSION] >= 0;
    if (field(line, ETAG))
        headers_add(&r->answer_headers, "etag", field(line, ETAG));
    r->body = copy_or_null(body);
    r->body_length = body ? strlen(body) : 0;
    r->answer = copy_or_null(field(line, ANSWER));
    r->answer_length = r->answer ? strlen(r->answer) : 0;
    return NULL;
}

bool csv_read(struct request_log *log, char *text, char **wrong)
{
    int columns[COLUMNS];
    uint32_t number = 1;
    read_names(&text, columns);
    while (*text) {
        struct csv_line line = {.columns = columns};
        line.count = take_fields(&text, line.fields);
        number++;
        if (line.count == 1 && !*line.fields[0])
            continue;
        const char *trouble = read_line(log, &line, number);
        if (trouble) {
            *wrong = alloc_format("line %u %s", number, trouble);
            return false;
        }
    }
    return true;
}
