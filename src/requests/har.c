// Logs in the HTTP archive format (HAR 1.2).
#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "requests/request_log.h"

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, name) : NULL;
}

static const char *text_of(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    return cJSON_IsString(item) ? item->valuestring : NULL;
}

// Seconds since 1970, from "2018-10-21T14:49:42.180+02:00"; false if it is no such time.
static bool read_time(const char *text, double *seconds)
{
    struct tm tm = {0};
    int read = 0;
    if (!text || sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
                        &tm.tm_min, &tm.tm_sec, &read) < 6)
        return false;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    *seconds = (double)timegm(&tm);
    text += read;
    if (*text == '.') {
        char *end;
        *seconds += strtod(text, &end);
        text = end;
    }
    int hours = 0, minutes = 0;
    if ((*text == '+' || *text == '-') && sscanf(text + 1, "%2d:%2d", &hours, &minutes) >= 1)
        *seconds -= (*text == '-' ? -60. : 60.) * (60 * hours + minutes);
    return true;
}

static void read_headers(const cJSON *list, struct headers *headers)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        const char *name = text_of(item, "name"), *value = text_of(item, "value");
        if (name && value && *name != ':')
            headers_add(headers, name, value);
    }
}

static int base64_value(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;
    return at ? (int)(at - digits) : -1;
}

static char *from_base64(const char *text, size_t *length)
{
    char *bytes = alloc_zeroed(strlen(text) + 1, 1);
    unsigned held = 0, bits = 0;
    *length = 0;
    for (; *text; text++) {
        int value = base64_value(*text);
        if (value < 0)
            continue;
        held = held << 6 | (unsigned)value;
        bits += 6;
        if (bits >= 8)
            bytes[(*length)++] = (char)(held >> (bits -= 8));
    }
    bytes[*length] = 0;
    return bytes;
}

// The text of a body; null if it is not there.
static char *read_body(const cJSON *content, size_t *length)
{
    const char *text = text_of(content, "text"), *encoding = text_of(content, "encoding");
    *length = 0;
    if (!text)
        return NULL;
    if (encoding && !strcmp(encoding, "base64"))
        return from_base64(text, length);
    *length = strlen(text);
    return alloc_copy(text);
}

static bool read_entry(struct request_log *log, const cJSON *entry, uint32_t number)
{
    const cJSON *request = member(entry, "request"), *response = member(entry, "response");
    const char *method = text_of(request, "method"), *url = text_of(request, "url");
    const cJSON *status = member(response, "status"), *took = member(entry, "time");
    if (!method || !url)
        return false;
    struct request *r = request_log_add(log, number);
    r->method = alloc_copy(method);
    request_set_url(r, url);
    double begin;
    if (read_time(text_of(entry, "startedDateTime"), &begin)) {
        r->begin = begin;
        r->end = begin + (cJSON_IsNumber(took) && took->valuedouble > 0 ? took->valuedouble / 1000 : 0);
    }
    r->status = cJSON_IsNumber(status) ? status->valueint : 0;
    read_headers(member(request, "headers"), &r->headers);
    r->headers_known = r->headers.count != 0;
    read_headers(member(response, "headers"), &r->answer_headers);
    r->body = read_body(member(request, "postData"), &r->body_length);
    r->answer = read_body(member(response, "content"), &r->answer_length);
    return true;
}

bool har_read(struct request_log *log, const char *text, size_t length, char **wrong)
{
    cJSON *json = cJSON_ParseWithLength(text, length);
    const cJSON *entries = member(member(json, "log"), "entries"), *entry;
    uint32_t number = 0;
    if (!json)
        *wrong = alloc_copy("it is no JSON");
    else if (!cJSON_IsArray(entries))
        *wrong = alloc_copy("it is JSON, but no HAR: it has no log.entries");
    bool good = cJSON_IsArray(entries);
    if (good)
        for (entry = entries->child; entry; entry = entry->next)
            log->skipped += !read_entry(log, entry, ++number);
    cJSON_Delete(json);
    return good;
}
