#include "predict/predict_json.h"

#include "base/version.h"
#include "predict/predict_text.h"
#include "predict/variable_names.h"
#include "report/json_build.h"

enum { PREDICT_JSON_VERSION = 1, MOST_ORDER = 1000 };

static const char *const confirmation_names[] = {
    [UNCONFIRMED] = "not-tried",
    [CONFIRMED] = "confirmed",
    [INFEASIBLE] = "infeasible",
    [UNKNOWN] = "unknown",
};

// In the recorded run, as text: they may be too large for numbers of JSON.
static void add_values(cJSON *json, const struct recording *r, const struct record *e)
{
    const struct recorded_values *v = recording_values_of(r, e);
    struct buffer text = {0};
    if (v && v->before_known) {
        buffer_add(&text, "%llu", (unsigned long long)v->before);
        json_add_buffer(json, "before", &text);
    }
    if (v && v->after_known && record_table[e->kind].writes) {
        buffer_add(&text, "%llu", (unsigned long long)v->after);
        json_add_buffer(json, "after", &text);
    }
    buffer_free(&text);
}

static cJSON *record_json(const struct recording *r, uint32_t record)
{
    const struct record *e = &r->records[record];
    struct buffer text = {0};
    cJSON *json = json_object();
    json_add_number(json, "record", record);
    json_add_text(json, "thread", r->threads[e->thread].name);
    predict_action(r, record, &text);
    json_add_buffer(json, "action", &text);
    place_name(r, e->place, &text);
    json_add_buffer(json, "place", &text);
    if (record_table[e->kind].access)
        variable_name(r, e->object, &text);
    json_add_buffer(json, "variable", &text);
    add_values(json, r, e);
    return json;
}

static cJSON *order_json(const struct prediction *p)
{
    cJSON *json = json_object(), *records = json_array();
    uint32_t from = p->order.count > MOST_ORDER ? p->order.count - MOST_ORDER : 0;
    json_add_number(json, "as_recorded", p->order.start);
    json_add_number(json, "left_out", from);
    for (uint32_t i = from; i < p->order.count; i++)
        json_append(records, json_made(cJSON_CreateNumber(p->order.records[i])));
    json_add(json, "records", records);
    return json;
}

static cJSON *prediction_json(const struct hunt *h, const struct prediction *p)
{
    struct buffer text = {0};
    cJSON *json = json_object(), *records = json_array();
    json_add_number(json, "number", p->number + 1);
    json_add_text(json, "kind", prediction_table[p->kind].name);
    json_add_text(json, "pattern", p->pattern[0] ? p->pattern : NULL);
    predict_sentence(h, p, &text);
    json_add_buffer(json, "message", &text);
    bool atomicity = p->kind == PREDICT_ONE_VARIABLE || p->kind == PREDICT_TWO_VARIABLES;
    json_add_text(json, "region", atomicity ? bound_names[p->bound.kind] : NULL);
    for (uint32_t i = 0; i < p->record_count; i++)
        json_append(records, record_json(h->r, p->records[i]));
    json_add(json, "records", records);
    json_add(json, "order", order_json(p));
    if (p->lock != NOT_RECORDED)
        object_name(h->r, p->lock, &text);
    json_add_buffer(json, "lock", &text);
    json_add_number(json, "group", p->group);
    json_add_text(json, "confirmation", confirmation_names[p->confirmed]);
    json_add(json, "harmful", json_made(cJSON_CreateBool(p->harmful)));
    json_add_text(json, "reason", p->reason);
    json_add_text(json, "schedule", p->schedule);
    json_add_text(json, "again", p->again);
    return json;
}

static cJSON *correlation_json(const struct correlations *c, const struct correlation *p)
{
    cJSON *json = json_object();
    json_add_text(json, "x", correlate_name(c, p->x));
    json_add_text(json, "y", correlate_name(c, p->y));
    json_add_number(json, "distance", p->distance);
    json_add_number(json, "x_then_y", (double)p->forward);
    json_add_number(json, "y_then_x", (double)p->backward);
    json_add_number(json, "share", p->share);
    json_add(json, "one_block", json_made(cJSON_CreateBool(p->one_block)));
    json_add(json, "one_lock", json_made(cJSON_CreateBool(p->lock_count != 0)));
    return json;
}

int predict_json(FILE *out, const struct hunt *h, const struct correlations *c)
{
    cJSON *json = json_object(), *list = json_array(), *pairs = json_array();
    json_add_text(json, "heddle", HEDDLE_VERSION);
    json_add_number(json, "version", PREDICT_JSON_VERSION);
    json_add_text(json, "recording", h->r->path);
    json_add_text(json, "program", h->r->program);
    json_add_text(json, "cut", h->r->cut);
    json_add_number(json, "records", h->r->count);
    json_add_number(json, "threads", h->r->thread_count);
    json_add_number(json, "asked", (double)h->found.asked);
    json_add_number(json, "undecided", (double)h->found.undecided);
    json_add_number(json, "left_out", (double)h->found.left_out);
    for (uint32_t i = 0; i < h->found.count; i++)
        json_append(list, prediction_json(h, &h->found.list[i]));
    json_add(json, "predictions", list);
    for (uint32_t i = 0; i < c->count; i++)
        json_append(pairs, correlation_json(c, &c->list[i]));
    json_add(json, "correlations", pairs);
    return json_write(json, out);
}
