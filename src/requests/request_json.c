#include "base/version.h"
#include "report/json_build.h"
#include "requests/request_text.h"

#include <stdlib.h>

enum { REQUEST_JSON_VERSION = 1 };

static void add_safe_text(cJSON *json, const char *name, const char *text)
{
    struct buffer safe = {0};
    buffer_add(&safe, "%s", text);
    json_add_buffer(json, name, &safe);
}

static cJSON *ordered_json(const struct request_predictions *p, const struct ordered_request *o)
{
    const struct request *r = &p->meaning.log->requests[o->request];
    cJSON *json = json_object();
    json_add_number(json, "entry", r->entry);
    add_safe_text(json, "client", table_text(&p->meaning.clients, p->meaning.client_of[o->request]));
    add_safe_text(json, "request", request_verb(r));
    add_safe_text(json, "target", request_what(r));
    json_add(json, "key", json_made(cJSON_CreateBool(o->key)));
    return json;
}

static cJSON *sent_json(const struct request_predictions *p, const struct sent_request *s)
{
    cJSON *json = json_object();
    bool look = s->request == NO_EFFECT;
    json_add_text(json, "looked_at", look ? table_text(&p->meaning.resources, s->looked) : NULL);
    if (!look)
        json_add_number(json, "entry", p->meaning.log->requests[s->request].entry);
    json_add_number(json, "status", s->status);
    return json;
}

static void add_resent(cJSON *json, const struct request_predictions *p, const struct resent *r)
{
    static const char *const names[] = {
        [UNCONFIRMED] = "not-tried", [CONFIRMED] = "confirmed", [INFEASIBLE] = "infeasible", [UNKNOWN] = "unknown"};
    cJSON *sent = json_array();
    json_add_text(json, "confirmation", names[r ? r->confirmed : UNCONFIRMED]);
    json_add(json, "harmful", json_made(cJSON_CreateBool(r && r->harmful)));
    json_add_text(json, "reason", r ? r->reason : NULL);
    for (uint32_t i = 0; r && i < r->count; i++)
        json_append(sent, sent_json(p, &r->sent[i]));
    json_add(json, "sent", sent);
}

static cJSON *prediction_json(const struct request_predictions *p, uint32_t number)
{
    const struct prediction *one = &p->hunt.found.list[number];
    struct buffer text = {0};
    struct request_order order;
    cJSON *json = json_object(), *list = json_array();
    json_add_text(json, "kind", prediction_table[one->kind].name);
    json_add_text(json, "title", request_title(one));
    json_add_text(json, "pattern", one->pattern);
    json_add_number(json, "alike", p->alike[number]);
    request_sentence(p, one, &text);
    json_add_buffer(json, "message", &text);
    request_predicted_order(p, one, true, &order);
    for (uint32_t i = 0; i < order.count; i++)
        json_append(list, ordered_json(p, &order.list[i]));
    free(order.list);
    json_add(json, "order", list);
    add_resent(json, p, p->resent ? &p->resent[number] : NULL);
    return json;
}

int request_json(FILE *out, const struct request_predictions *p)
{
    const struct meaning *m = &p->meaning;
    cJSON *json = json_object(), *list = json_array();
    json_add_text(json, "heddle", HEDDLE_VERSION);
    json_add_number(json, "version", REQUEST_JSON_VERSION);
    json_add_text(json, "log", m->log->path);
    json_add_number(json, "requests", m->log->count);
    json_add_number(json, "clients", m->clients.count);
    json_add_number(json, "conditional", m->conditional);
    json_add_number(json, "refused", m->refused);
    json_add_number(json, "ignored", m->ignored);
    json_add_number(json, "skipped", m->log->skipped);
    json_add_number(json, "broken", p->recording.broken);
    for (uint32_t i = 0; i < p->hunt.found.count; i++)
        json_append(list, prediction_json(p, i));
    json_add(json, "predictions", list);
    return json_write(json, out);
}
