// Clients as people write them.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "history/value.h"
#include "lin/inventor.h"

static void add(char *text, size_t room, size_t *at, const char *part)
{
    size_t length = strlen(part);
    if (*at + length < room)
        memcpy(text + *at, part, length + 1), *at += length;
}

static void show_call(const struct client_call *call, const struct client_object *object, char *text, size_t room,
                      size_t *at)
{
    const struct client_operation *op = &object->operation[call->operation];
    char value[32];
    add(text, room, at, op->name);
    add(text, room, at, "(");
    for (uint32_t i = 0; i < op->arguments; i++) {
        add(text, room, at, i ? ", " : "");
        add(text, room, at, value_show(NULL, call->argument[i], value, sizeof value));
    }
    add(text, room, at, ")");
}

void client_show(const struct client *client, const struct client_object *object, char *text, size_t room)
{
    size_t at = 0;
    uint32_t thread = UINT32_MAX;
    text[0] = 0;
    for (uint32_t i = 0; i < client->calls; i++) {
        const struct client_call *call = &client->call[i];
        if (call->operation == CLIENT_OBSERVE)
            continue;
        if (thread == CLIENT_BEFORE && call->thread != thread)
            add(text, room, &at, "] ");
        else if (thread != UINT32_MAX && call->thread != thread && call->thread != CLIENT_AFTER)
            add(text, room, &at, " | ");
        else if (thread != UINT32_MAX)
            add(text, room, &at, " ");
        if (call->thread != thread && (call->thread == CLIENT_BEFORE || call->thread == CLIENT_AFTER))
            add(text, room, &at, "[");
        show_call(call, object, text, room, &at);
        thread = call->thread;
    }
    if (thread == CLIENT_AFTER)
        add(text, room, &at, "]");
}

struct client_reader {
    const struct client_object *object;
    struct client *client;
    const char *at;
    uint32_t thread; // whose calls are read
    char *why;
    size_t room;
};

static void skip_blanks(struct client_reader *r)
{
    while (isspace((unsigned char)*r->at) || *r->at == ';')
        r->at++;
}

static bool refuse(struct client_reader *r, const char *format, const char *what)
{
    snprintf(r->why, r->room, format, what);
    return false;
}

static bool read_value(struct client_reader *r, int64_t *value)
{
    static const struct {
        const char *word;
        int64_t value;
    } words[] = {{"nil", VALUE_NIL}, {"true", VALUE_TRUE}, {"false", VALUE_FALSE}};
    char *end;
    skip_blanks(r);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i].word);
        if (!strncmp(r->at, words[i].word, length)) {
            *value = words[i].value;
            r->at += length;
            return true;
        }
    }
    *value = strtoll(r->at, &end, 10);
    if (end == r->at)
        return refuse(r, "a value was expected at '%.40s'", r->at);
    r->at = end;
    return true;
}

// Whether a call that was read before has this as a value of its own.
static bool is_repeated(const struct client_reader *r, int64_t value)
{
    for (uint32_t i = 0; i < r->client->calls; i++) {
        const struct client_call *call = &r->client->call[i];
        for (uint32_t a = 0; a < CLIENT_ARGUMENTS; a++)
            if (r->object->operation[call->operation].takes[a].kind == ARGUMENT_FRESH && call->argument[a] == value)
                return true;
    }
    return false;
}

static bool check_value(struct client_reader *r, const struct client_operation *op, uint32_t at, int64_t value)
{
    const struct client_argument *takes = &op->takes[at];
    if (takes->kind == ARGUMENT_FRESH) {
        if (!is_repeated(r, value))
            return true;
        snprintf(r->why, r->room,
                 "%s(%lld): each call needs a value of its own (HEDDLE_FRESH), and another call has this one", op->name,
                 (long long)value);
        return false;
    }
    for (int64_t i = 0; takes->kind == ARGUMENT_MADE && i <= takes->most; i++)
        if (takes->made[i] == value)
            return true;
    if (takes->kind == ARGUMENT_MADE) {
        snprintf(r->why, r->room, "%s: %lld is not a value that the object makes for it (HEDDLE_MADE_BY)", op->name,
                 (long long)value);
        return false;
    }
    if (value >= takes->least && value <= takes->most)
        return true;
    snprintf(r->why, r->room, "%s takes values from %lld to %lld, not %lld", op->name, (long long)takes->least,
             (long long)takes->most, (long long)value);
    return false;
}

static bool read_arguments(struct client_reader *r, struct client_call *call, const struct client_operation *op)
{
    skip_blanks(r);
    if (*r->at++ != '(')
        return refuse(r, "%s lacks its brackets", op->name);
    for (uint32_t i = 0; i < op->arguments; i++) {
        skip_blanks(r);
        if (i && *r->at++ != ',')
            return refuse(r, "%s takes more arguments", op->name);
        if (!read_value(r, &call->argument[i]) || !check_value(r, op, i, call->argument[i]))
            return false;
    }
    skip_blanks(r);
    return *r->at++ == ')' || refuse(r, "%s takes fewer arguments, or a bracket is missing", op->name);
}

static bool read_call(struct client_reader *r)
{
    struct client_call call = {.thread = (uint8_t)r->thread};
    size_t length = 0;
    while (isalnum((unsigned char)r->at[length]) || r->at[length] == '_' || r->at[length] == '-')
        length++;
    char name[CLIENT_NAME] = "";
    if (!length)
        return refuse(r, "a call was expected at '%.40s'", r->at);
    memcpy(name, r->at, length < sizeof name - 1 ? length : sizeof name - 1);
    for (; call.operation < r->object->operations; call.operation++)
        if (!strcmp(r->object->operation[call.operation].name, name))
            break;
    if (call.operation == r->object->operations)
        return refuse(r, "the object has no operation called %s", name);
    r->at += length;
    if (!read_arguments(r, &call, &r->object->operation[call.operation]))
        return false;
    if (r->client->calls == CLIENT_CALLS)
        return refuse(r, "%s", "a client has at most 16 calls");
    r->client->call[r->client->calls++] = call;
    return true;
}

static bool read_calls(struct client_reader *r, const char *until)
{
    uint32_t before = r->client->calls;
    for (skip_blanks(r); *r->at && !strchr(until, *r->at); skip_blanks(r))
        if (!read_call(r))
            return false;
    return r->client->calls > before || refuse(r, "a thread has no calls at '%.40s'", r->at);
}

static bool read_group(struct client_reader *r, uint32_t thread)
{
    r->thread = thread;
    r->at++;
    return read_calls(r, "]") && (*r->at++ == ']' || refuse(r, "%s", "a ] is missing"));
}

static bool read_client(struct client_reader *r)
{
    skip_blanks(r);
    if (*r->at == '[' && !read_group(r, CLIENT_BEFORE))
        return false;
    for (;;) {
        r->thread = ++r->client->threads;
        if (r->thread > CLIENT_THREADS)
            return refuse(r, "%s", "a client has at most 8 threads");
        if (!read_calls(r, "|["))
            return false;
        if (*r->at != '|')
            break;
        r->at++;
    }
    if (*r->at == '[' && !read_group(r, CLIENT_AFTER))
        return false;
    skip_blanks(r);
    return !*r->at || refuse(r, "nothing may follow the calls afterwards, but there is '%.40s'", r->at);
}

const char *client_parse(struct client *client, const struct client_object *object, const char *text, char *why,
                         size_t room)
{
    struct client_reader r = {.object = object, .client = client, .at = text, .why = why, .room = room};
    *client = (struct client){0};
    if (!read_client(&r))
        return why;
    if (!client_keeps_to(client, object))
        return "the client calls operations from several threads that belong to one";
    return client_finish(client, object) ? NULL : "a client has at most 16 calls, with the one for the state";
}
