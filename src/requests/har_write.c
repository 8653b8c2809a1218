#include "requests/har_write.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "base/version.h"
#include "report/json_build.h"

static cJSON *headers_json(const struct headers *h)
{
    cJSON *list = json_array();
    for (size_t i = 0; i < h->count; i++) {
        cJSON *one = json_object();
        json_add_text(one, "name", h->list[i].name);
        json_add_text(one, "value", h->list[i].value);
        json_append(list, one);
    }
    return list;
}

static char *to_base64(const char *bytes, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    char *text = alloc_zeroed(length / 3 + 2, 4), *to = text;
    for (size_t i = 0; i < length; i += 3) {
        unsigned held = 0;
        size_t left = length - i < 3 ? length - i : 3;
        for (size_t k = 0; k < 3; k++)
            held = held << 8 | (k < left ? (unsigned char)bytes[i + k] : 0);
        for (size_t k = 0; k < 4; k++)
            *to++ = k <= left ? digits[held >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

// Whether JSON can hold the bytes as text.
static bool is_text(const char *bytes, size_t length)
{
    struct buffer safe = {0};
    buffer_add_safe(&safe, bytes, length, true);
    bool same = safe.length == length && (!length || !memcmp(safe.text, bytes, length));
    buffer_free(&safe);
    return same;
}

static void add_body(cJSON *json, const char *body, size_t length)
{
    if (!body)
        return;
    bool text = is_text(body, length);
    char *encoded = text ? alloc_copy_part(body, length) : to_base64(body, length);
    json_add_text(json, "text", encoded);
    if (!text)
        json_add_text(json, "encoding", "base64");
    free(encoded);
}

static cJSON *request_json(const struct request *r)
{
    cJSON *json = json_object(), *body = json_object();
    char *url = alloc_format("http://%s%s", r->host, r->target);
    const char *type = headers_find(&r->headers, "content-type");
    json_add_text(json, "method", r->method);
    json_add_text(json, "url", url);
    json_add_text(json, "httpVersion", "HTTP/1.1");
    json_add(json, "headers", headers_json(&r->headers));
    if (r->body) {
        json_add_text(body, "mimeType", type ? type : "");
        add_body(body, r->body, r->body_length);
        json_add(json, "postData", body);
    } else {
        cJSON_Delete(body);
    }
    free(url);
    return json;
}

static cJSON *response_json(const struct request *r)
{
    cJSON *json = json_object(), *content = json_object();
    const char *type = headers_find(&r->answer_headers, "content-type");
    json_add_number(json, "status", r->status);
    json_add_text(json, "httpVersion", "HTTP/1.1");
    json_add(json, "headers", headers_json(&r->answer_headers));
    json_add_number(content, "size", (double)r->answer_length);
    json_add_text(content, "mimeType", type ? type : "");
    add_body(content, r->answer, r->answer_length);
    json_add(json, "content", content);
    return json;
}

static cJSON *entry_json(const struct request *r)
{
    char day[32], moment[64];
    struct tm tm;
    time_t seconds = (time_t)r->begin;
    gmtime_r(&seconds, &tm);
    strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &tm);
    snprintf(moment, sizeof moment, "%s.%06dZ", day, (int)((r->begin - (double)seconds) * 1e6));
    cJSON *json = json_object();
    json_add_text(json, "startedDateTime", moment);
    json_add_number(json, "time", (r->end - r->begin) * 1000);
    json_add(json, "request", request_json(r));
    json_add(json, "response", response_json(r));
    return json;
}

int har_write(FILE *out, const struct request_log *log)
{
    cJSON *json = json_object(), *body = json_object(), *creator = json_object(), *entries = json_array();
    json_add_text(creator, "name", "heddle");
    json_add_text(creator, "version", HEDDLE_VERSION);
    json_add_text(body, "version", "1.2");
    json_add(body, "creator", creator);
    for (uint32_t i = 0; i < log->count; i++)
        json_append(entries, entry_json(&log->requests[i]));
    json_add(body, "entries", entries);
    json_add(json, "log", body);
    return json_write(json, out);
}
