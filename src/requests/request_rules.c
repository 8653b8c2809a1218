#include "requests/request_rules.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "base/text.h"
#include "requests/request_pattern.h"

const char *const deed_names[DEEDS] = {
    [DEED_IGNORE] = "ignore", [DEED_READ] = "read",   [DEED_WRITE] = "write",    [DEED_LOCK] = "lock",
    [DEED_UNLOCK] = "unlock", [DEED_GUARD] = "guard", [DEED_UNGUARD] = "unguard"};

// Seed 003, chapter 4: GET reads, PUT writes, POST and DELETE of a lock's URI acquire and release it; HospitalRun's _all_docs,
// GCS-FUSE's copyTo. And WebDAV's locks. What is created and deleted by POST and DELETE does not count, as there.
static const char *const default_rules[] = {
    "client x-tracking-id x-client-id user-agent",
    "version header if-match",
    "version header if-unmodified-since",
    "version header if-none-match",
    "version header if",
    "version query rev",
    "version query ifGenerationMatch",
    "version body _rev",
    "version body metadata.resourceVersion",
    "version body version",
    "version body revision",
    "version body lock_version",
    "POST **/locks/{id:**} -> lock locks/{id}",
    "DELETE **/locks/{id:**} -> unlock locks/{id}",
    "LOCK ** -> guard {path}",
    "UNLOCK ** -> unguard {path}",
    "POST {db:**}/_all_docs -> read {db}/{body.keys}",
    "POST **/b/{from}/o/{source}/copyTo/b/{bucket}/o/{object} -> read {from}/{source}, write {bucket}/{object}",
    "GET **/b/{bucket}/o/{object} -> read {bucket}/{object}",
    "PUT **/b/{bucket}/o/{object} -> write {bucket}/{object}",
    "GET ** -> read {path}",
    "PUT ** -> write {path}",
};

static bool is_word_in(const char *word, const char *const *names, uint32_t count, uint32_t *number)
{
    for (*number = 0; *number < count; ++*number)
        if (!strcmp(word, names[*number]))
            return true;
    return false;
}

static char *next_word(char **at)
{
    char *word = *at + strspn(*at, " \t\r");
    *at = word + strcspn(word, " \t\r");
    if (**at)
        *(*at)++ = 0;
    return word;
}

// ACTION [RESOURCE] {, ACTION RESOURCE}. What is wrong, or null.
static const char *read_deeds(struct request_rule *rule, char *text)
{
    for (char *part = text; part;) {
        char *comma = strchr(part, ',');
        if (comma)
            *comma++ = 0;
        char *action = next_word(&part), *resource = next_word(&part);
        uint32_t deed;
        if (rule->count == MOST_DEEDS)
            return "a rule has at most four actions";
        if (!is_word_in(action, deed_names, DEEDS, &deed))
            return "behind -> stands one of read, write, lock, unlock, guard, unguard and ignore";
        if ((deed == DEED_IGNORE) == (*resource != 0) || *next_word(&part))
            return "behind an action stands one resource, and none behind ignore";
        rule->deeds[rule->count] = (enum deed)deed;
        rule->resources[rule->count++] = alloc_copy(resource);
        part = comma;
    }
    return NULL;
}

static const char *read_rule(struct request_rules *r, const char *method, char *at)
{
    char *pattern = next_word(&at), *arrow = next_word(&at);
    if (strcmp(arrow, "->") || !pattern_is_good(pattern))
        return "a rule is METHOD PATTERN -> ACTION RESOURCE, with at most eight wildcards";
    r->rules = alloc_grow(r->rules, r->count, &r->room, sizeof *r->rules);
    struct request_rule *rule = &r->rules[r->count++];
    rule->method = alloc_copy(method);
    rule->pattern = alloc_copy(pattern);
    return read_deeds(rule, at);
}

static const char *read_version(struct request_rules *r, char *at)
{
    static const char *const places[] = {"header", "query", "body"};
    struct strings *lists[] = {&r->version_headers, &r->version_queries, &r->version_fields};
    uint32_t place;
    char *where = next_word(&at), *name = next_word(&at);
    if (!is_word_in(where, places, 3, &place) || !*name || *next_word(&at))
        return "behind version stands header, query or body, and one name";
    strings_add(lists[place], name);
    return NULL;
}

// One line, or what is wrong with it.
static const char *read_line(struct request_rules *r, char *line, bool of_file)
{
    line[strcspn(line, "#\n")] = 0;
    char *at = line, *first = next_word(&at);
    if (!*first)
        return NULL;
    if (!strcmp(first, "client")) {
        bool any = false;
        for (char *name = next_word(&at); *name; name = next_word(&at), any = true)
            strings_add(&r->clients, name);
        return any ? NULL : "behind client stand names of headers";
    }
    if (!strcmp(first, "version"))
        return read_version(r, at);
    char *second = at;
    if (of_file && !strcmp(first, "atomic")) {
        second = next_word(&at);
        r->whole_clients = !strcmp(second, "client");
        return r->whole_clients || !strcmp(second, "round") ? NULL : "behind atomic stands client or round";
    }
    if (of_file && !strcmp(first, "first")) {
        second += strspn(second, " \t");
        size_t length = strcspn(second, "\r");
        while (length && strchr(" \t", second[length - 1]))
            length--;
        free(r->first);
        r->first = alloc_copy_part(second, length);
        return length ? NULL : "behind first stands the name of a client";
    }
    if (of_file && !strcmp(first, "defaults")) {
        second = next_word(&at);
        r->no_defaults = true;
        return strcmp(second, "no") ? "behind defaults stands no" : NULL;
    }
    return read_rule(r, first, at);
}

static bool read_file(struct request_rules *r, const char *path, char **wrong)
{
    struct buffer line = {0};
    FILE *file = fopen(path, "r");
    const char *trouble = NULL;
    uint32_t number = 0;
    if (!file) {
        *wrong = alloc_format("%s: %s", path, strerror(errno));
        return false;
    }
    while (!trouble && buffer_read_line(&line, file)) {
        number++;
        trouble = strlen(line.text) < line.length ? "there is no text in it" : read_line(r, line.text, true);
    }
    if (trouble)
        *wrong = alloc_format("%s:%u: %s", path, number, trouble);
    else if (ferror(file))
        *wrong = alloc_format("%s: %s", path, strerror(errno));
    buffer_free(&line);
    fclose(file);
    return !*wrong;
}

struct request_rules *request_rules_read(const char *path, char **wrong)
{
    struct request_rules *r = alloc_zeroed(1, sizeof *r);
    if (path && !read_file(r, path, wrong)) {
        request_rules_free(r);
        return NULL;
    }
    for (size_t i = 0; !r->no_defaults && i < sizeof default_rules / sizeof *default_rules; i++) {
        char *line = alloc_copy(default_rules[i]);
        read_line(r, line, false);
        free(line);
    }
    return r;
}

void request_rules_free(struct request_rules *r)
{
    if (!r)
        return;
    for (uint32_t i = 0; i < r->count; i++) {
        free(r->rules[i].method);
        free(r->rules[i].pattern);
        for (uint32_t k = 0; k < r->rules[i].count; k++)
            free(r->rules[i].resources[k]);
    }
    free(r->rules);
    free(r->first);
    strings_free(&r->clients);
    strings_free(&r->version_headers);
    strings_free(&r->version_queries);
    strings_free(&r->version_fields);
    free(r);
}

static const cJSON *go_down(const cJSON *json, const char *name)
{
    while (json && *name) {
        char *part = alloc_copy_part(name, strcspn(name, "."));
        name += strlen(part);
        name += *name == '.';
        json = cJSON_IsObject(json) ? cJSON_GetObjectItemCaseSensitive(json, part) : NULL;
        free(part);
    }
    return json;
}

static char *text_of(const cJSON *item)
{
    if (cJSON_IsString(item))
        return alloc_copy(item->valuestring);
    return cJSON_IsNumber(item) ? alloc_format("%.17g", item->valuedouble) : NULL;
}

char *request_body_field(const char *body, size_t length, const char *name)
{
    cJSON *json = body ? cJSON_ParseWithLength(body, length) : NULL;
    char *text = text_of(go_down(json, name));
    cJSON_Delete(json);
    return text;
}

static void list_field(const struct request *r, const char *name, struct strings *values)
{
    cJSON *json = r->body ? cJSON_ParseWithLength(r->body, r->body_length) : NULL;
    const cJSON *item = go_down(json, name), *one;
    if (cJSON_IsArray(item)) {
        cJSON_ArrayForEach(one, item)
        {
            char *text = text_of(one);
            if (text)
                strings_add(values, text);
            free(text);
        }
    } else {
        char *text = text_of(item);
        if (text)
            strings_add(values, text);
        free(text);
    }
    cJSON_Delete(json);
}

// What {name} stands for: none, one or several texts.
static void find_values(const char *name, const struct request *r, const struct pattern_match *m,
                        struct strings *values)
{
    if (!strcmp(name, "path")) {
        strings_add(values, r->path);
    } else if (text_begins(name, "query.")) {
        char *text = request_query(r, name + 6);
        if (text)
            strings_add(values, text);
        free(text);
    } else if (text_begins(name, "body.")) {
        list_field(r, name + 5, values);
    }
    for (size_t i = 0; i < m->count; i++)
        if (strlen(name) == m->list[i].name_length && !strncmp(name, m->list[i].name, m->list[i].name_length))
            strings_add_part(values, m->list[i].value, m->list[i].value_length);
}

// Adds what the template stands for: all that its names stand for, in every combination.
static void fill_in(const char *so_far, const char *template, const struct request *r, const struct pattern_match *m,
                    struct strings *names)
{
    const char *open = strchr(template, '{'), *close = open ? strchr(open, '}') : NULL;
    if (!close) {
        strings_add_format(names, "%s%s", so_far, template);
        return;
    }
    char *name = alloc_copy_part(open + 1, (size_t)(close - open) - 1);
    struct strings values = {0};
    find_values(name, r, m, &values);
    for (size_t i = 0; i < values.count; i++) {
        char *longer = alloc_format("%s%.*s%s", so_far, (int)(open - template), template, values.item[i]);
        fill_in(longer, close + 1, r, m, names);
        free(longer);
    }
    strings_free(&values);
    free(name);
}

static uint32_t apply_rule(const struct request_rule *rule, const struct request *r, const struct pattern_match *m,
                           enum deed *deeds, uint32_t most, struct strings *names)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < rule->count && rule->deeds[i] != DEED_IGNORE; i++) {
        size_t before = names->count;
        fill_in("", rule->resources[i], r, m, names);
        for (size_t k = before; k < names->count && count < most; k++)
            deeds[count++] = rule->deeds[i];
    }
    return count;
}

uint32_t request_rules_apply(const struct request_rules *rules, const struct request *r, enum deed *deeds,
                             uint32_t most, struct strings *names)
{
    uint32_t deed;
    if (!r->method) {
        if (!is_word_in(r->action, deed_names, DEEDS, &deed) || deed == DEED_IGNORE)
            return 0;
        deeds[0] = (enum deed)deed;
        strings_add(names, r->object);
        return 1;
    }
    for (uint32_t i = 0; i < rules->count; i++) {
        struct pattern_match m = {0};
        const struct request_rule *rule = &rules->rules[i];
        if ((!strcmp(rule->method, "*") || !strcmp(rule->method, r->method)) &&
            pattern_matches(rule->pattern, r->path, &m))
            return apply_rule(rule, r, &m, deeds, most, names);
    }
    return 0;
}
