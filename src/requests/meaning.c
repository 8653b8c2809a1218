#include "requests/meaning.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { MOST_EFFECTS = 4096 }; // of one request

bool request_was_refused(int status)
{
    return status == 409 || status == 412;
}

bool request_was_done(const struct request *r, enum deed deed)
{
    if (!r->status || (r->status >= 200 && r->status < 300))
        return true;
    return deed == DEED_READ && (r->status == 304 || r->status == 404 || r->status == 410);
}

static const char *client_name(const struct request_rules *rules, const struct request *r)
{
    for (size_t i = 0; !r->client && i < rules->clients.count; i++) {
        const char *value = headers_find(&r->headers, rules->clients.item[i]);
        if (value && *value)
            return value;
    }
    return r->client ? r->client : "?";
}

static bool several_hosts(const struct request_log *log)
{
    const char *first = NULL;
    for (uint32_t i = 0; i < log->count; i++) {
        const char *host = log->requests[i].host;
        if (host && first && strcmp(host, first))
            return true;
        first = host ? host : first;
    }
    return false;
}

static void add_effect(struct meaning *m, struct effect e)
{
    m->effects = alloc_grow(m->effects, m->count, &m->room, sizeof *m->effects);
    e.since = e.until = NO_EFFECT;
    m->effects[m->count++] = e;
}

// LOCK with a token extends the lock that it names.
static bool is_refresh(const struct request *r, enum deed deed)
{
    return deed == DEED_GUARD && r->method && !strcmp(r->method, "LOCK") && headers_find(&r->headers, "if") &&
           !r->body_length;
}

// A shared lock keeps nobody out who has one too: it does not count.
static bool is_shared(const struct request *r, enum deed deed)
{
    return deed == DEED_GUARD && r->body && strstr(r->body, "shared");
}

static void read_request(struct meaning *m, uint32_t number, const struct request_rules *rules, bool hosts)
{
    const struct request *r = &m->log->requests[number];
    enum deed *deeds = alloc_array(MOST_EFFECTS, sizeof *deeds);
    struct strings names = {0};
    uint32_t count = request_rules_apply(rules, r, deeds, MOST_EFFECTS, &names), client = m->client_of[number];
    m->ignored += count == 0;
    for (uint32_t i = 0; i < count; i++) {
        char *name = hosts && r->host ? alloc_format("%s%s%s", r->host, *names.item[i] == '/' ? "" : "/", names.item[i])
                                      : alloc_copy(names.item[i]);
        uint32_t resource = table_add_text(&m->resources, name, NULL);
        free(name);
        bool refused = deeds[i] == DEED_WRITE && request_was_refused(r->status);
        if (refused || (request_was_done(r, deeds[i]) && !is_refresh(r, deeds[i]) && !is_shared(r, deeds[i])))
            add_effect(m, (struct effect){.request = number, .client = client, .resource = resource, .deed = deeds[i]});
    }
    strings_free(&names);
    free(deeds);
}

// When it took effect, as far as is known: a lock once it was granted, all else when it was sent.
static double moment(const struct meaning *m, const struct effect *e)
{
    const struct request *r = &m->log->requests[e->request];
    return e->deed == DEED_LOCK || e->deed == DEED_GUARD ? r->end : r->begin;
}

static const struct meaning *sorting;

static int by_moment(const void *a, const void *b)
{
    const struct effect *x = a, *y = b;
    double at = moment(sorting, x), other = moment(sorting, y);
    // A client does one thing after the other, whatever clocks say.
    if (at != other && x->client != y->client)
        return at < other ? -1 : 1;
    return (x->request > y->request) - (x->request < y->request);
}

static void sort_effects(struct meaning *m)
{
    // Stable, and an order even where moments of one client contradict its requests: sorting by insertion.
    sorting = m;
    for (uint32_t i = 1; i < m->count; i++) {
        struct effect e = m->effects[i];
        uint32_t k = i;
        for (; k > 0 && by_moment(&e, &m->effects[k - 1]) < 0; k--)
            m->effects[k] = m->effects[k - 1];
        m->effects[k] = e;
    }
}

// The value without what says that it is weak, and without quotes; to be freed.
static char *bare_version(const char *text)
{
    text += !strncmp(text, "W/", 2) ? 2 : 0;
    size_t length = strlen(text);
    bool quoted = length >= 2 && *text == '"' && text[length - 1] == '"';
    return quoted ? alloc_copy_part(text + 1, length - 2) : alloc_copy(text);
}

// What a write carries that the server compares with the resource.
struct version {
    char *text;        // null: nothing
    const char *field; // of its body, if that is where it is
    bool common;       // its name says little
};

enum { LEAST_TEXT = 4 }; // a version of fewer characters may stand in any text by chance

// Whether the answer to a request has the version; `known` becomes true if it would be seen.
static bool answer_has(const struct request *r, const struct version *v, bool *known)
{
    for (size_t i = 0; i < r->answer_headers.count; i++) {
        char *bare = bare_version(r->answer_headers.list[i].value);
        bool same = !v->common && !strcmp(bare, v->text);
        free(bare);
        if (same)
            return true;
    }
    *known |= r->answer != NULL;
    char *value = v->field ? request_body_field(r->answer, r->answer_length, v->field) : NULL;
    bool has = value && !strcmp(value, v->text);
    free(value);
    size_t length = strlen(v->text);
    return has ||
           (!v->common && length >= LEAST_TEXT && r->answer && memmem(r->answer, r->answer_length, v->text, length));
}

static bool header_counts(const char *name, const char *value)
{
    if (!strcmp(name, "if"))
        return strchr(value, '[') != NULL; // otherwise it has only a lock's token
    return !strcmp(value, "*") == !strcmp(name, "if-none-match");
}

static struct version carried_version(const struct request_rules *rules, const struct request *r)
{
    for (size_t i = 0; i < rules->version_headers.count; i++) {
        const char *name = rules->version_headers.item[i], *value = headers_find(&r->headers, name);
        if (value && header_counts(name, value))
            return (struct version){.text = bare_version(value)};
    }
    for (size_t i = 0; i < rules->version_queries.count; i++) {
        char *value = request_query(r, rules->version_queries.item[i]);
        if (value)
            return (struct version){.text = value};
    }
    for (size_t i = 0; i < rules->version_fields.count; i++) {
        const char *name = rules->version_fields.item[i];
        char *value = request_body_field(r->body, r->body_length, name);
        if (value)
            return (struct version){.text = value, .field = name, .common = *name != '_' && !strchr(name, '.')};
    }
    return (struct version){0};
}

// The client's latest access to the resource before effect `at`: of those whose answer has the version, if one has; NO_EFFECT: none.
// `seen`: an answer has it, or none was recorded in which it would show.
static uint32_t find_since(const struct meaning *m, uint32_t at, const struct version *version, bool *seen)
{
    uint32_t latest = NO_EFFECT;
    bool known = false;
    *seen = true;
    for (uint32_t i = m->effects[at].before; i != NO_EFFECT; i = m->effects[i].before) {
        const struct effect *f = &m->effects[i];
        const struct request *r = &m->log->requests[f->request];
        if ((f->deed != DEED_READ && f->deed != DEED_WRITE) || f->request == m->effects[at].request ||
            request_was_refused(r->status))
            continue;
        latest = latest == NO_EFFECT ? i : latest;
        if (!version->text || answer_has(r, version, &known))
            return i;
    }
    *seen = !known;
    return latest;
}

// Which writes were refused.
struct refusals {
    bool *lines;     // by client and resource
    bool *resources; // by resource: whoever it was
    size_t line_room;
};

// Gives each effect a number for its client and resource.
static void link_effects(struct meaning *m, struct refusals *refused)
{
    struct table lines = {0};
    uint32_t *last = NULL;
    size_t last_room = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        struct effect *e = &m->effects[i];
        bool added;
        uint32_t key[] = {e->client, e->resource};
        e->line = table_add(&lines, key, sizeof key, &added);
        if (added) {
            last = alloc_grow(last, e->line, &last_room, sizeof *last);
            refused->lines = alloc_grow(refused->lines, e->line, &refused->line_room, sizeof *refused->lines);
            last[e->line] = NO_EFFECT;
        }
        e->before = last[e->line];
        last[e->line] = i;
        bool was_refused = request_was_refused(m->log->requests[e->request].status);
        refused->lines[e->line] |= was_refused;
        refused->resources[e->resource] |= was_refused;
        m->refused += was_refused;
    }
    m->lines = lines.count;
    free(last);
    table_free(&lines);
}

static void find_condition(struct meaning *m, uint32_t at, const struct request_rules *rules, bool works_with_versions)
{
    struct effect *e = &m->effects[at];
    bool seen;
    struct version version = carried_version(rules, &m->log->requests[e->request]);
    if (version.text) {
        e->since = find_since(m, at, &version, &seen);
        e->conditional = e->known_version = seen || !version.common;
    }
    if (!e->conditional && works_with_versions) {
        e->since = find_since(m, at, &(struct version){0}, &seen);
        e->conditional = true;
    }
    if (!e->conditional)
        e->since = NO_EFFECT;
    m->conditional += e->conditional;
    if (e->since != NO_EFFECT)
        m->effects[e->since].until = at;
    free(version.text);
}

static void find_conditions(struct meaning *m, const struct request_rules *rules)
{
    struct refusals refused = {.resources = alloc_zeroed(m->resources.count + 1, sizeof *refused.resources)};
    link_effects(m, &refused);
    for (uint32_t i = 0; i < m->count; i++) {
        const struct effect *e = &m->effects[i];
        const struct request *r = &m->log->requests[e->request];
        bool versions = refused.lines[e->line] || (refused.resources[e->resource] && !r->headers_known);
        if (e->deed == DEED_WRITE && !request_was_refused(r->status))
            find_condition(m, i, rules, versions);
    }
    free(refused.lines);
    free(refused.resources);
}

// Takes out what the server refused, once it has told who works with versions.
static void drop_refused(struct meaning *m)
{
    uint32_t *moved = alloc_array(m->count + 1, sizeof *moved), kept = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        moved[i] = kept;
        kept += !request_was_refused(m->log->requests[m->effects[i].request].status);
    }
    kept = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        struct effect e = m->effects[i];
        if (request_was_refused(m->log->requests[e.request].status))
            continue;
        e.since = e.since == NO_EFFECT ? NO_EFFECT : moved[e.since];
        e.until = e.until == NO_EFFECT ? NO_EFFECT : moved[e.until];
        m->effects[kept++] = e;
    }
    m->count = kept;
    free(moved);
}

// For each client and resource: the round in which it was last read, and written, plus 1.
struct touched {
    uint32_t read, written;
};

static void find_rounds(struct meaning *m, bool whole_clients)
{
    struct touched *touched = alloc_zeroed(m->lines + 1, sizeof *touched);
    uint32_t *rounds = alloc_zeroed(m->clients.count + 1, sizeof *rounds);
    for (uint32_t i = 0; i < m->count; i++) {
        struct effect *e = &m->effects[i];
        bool reads = e->deed == DEED_READ, writes = e->deed == DEED_WRITE;
        struct touched *t = &touched[e->line];
        uint32_t now = rounds[e->client] + 1;
        bool same_request = i > 0 && m->effects[i - 1].request == e->request;
        bool again = (reads && (t->read == now || t->written == now)) || (writes && t->written == now);
        if (!whole_clients && !same_request && again)
            now = ++rounds[e->client] + 1;
        t->read = reads ? now : t->read;
        t->written = writes ? now : t->written;
        e->round = now - 1;
    }
    free(rounds);
    free(touched);
}

void meaning_make(struct meaning *m, const struct request_log *log, const struct request_rules *rules)
{
    *m = (struct meaning){.log = log, .client_of = alloc_array(log->count, sizeof *m->client_of)};
    bool hosts = several_hosts(log);
    for (uint32_t i = 0; i < log->count; i++) {
        struct buffer name = {0};
        const char *client = client_name(rules, &log->requests[i]);
        buffer_add_safe(&name, client, strlen(client), false);
        m->client_of[i] = table_add_text(&m->clients, buffer_text(&name), NULL);
        buffer_free(&name);
        read_request(m, i, rules, hosts);
    }
    m->first = rules->first ? table_find_text(&m->clients, rules->first) : NO_EFFECT;
    sort_effects(m);
    find_conditions(m, rules);
    drop_refused(m);
    find_rounds(m, rules->whole_clients);
}

void meaning_free(struct meaning *m)
{
    table_free(&m->clients);
    table_free(&m->resources);
    free(m->effects);
    free(m->client_of);
}
