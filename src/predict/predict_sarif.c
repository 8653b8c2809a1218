#include "predict/predict_sarif.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/version.h"
#include "predict/predict_text.h"
#include "predict/variable_names.h"
#include "report/sarif_build.h"

enum { STEPS_BEFORE = 12, MOST_STEPS = 60 };

static cJSON *rules(void)
{
    cJSON *list = json_array();
    for (uint32_t kind = 0; kind < PREDICTION_KINDS; kind++) {
        struct buffer id = {0};
        cJSON *rule = json_object();
        buffer_add(&id, "heddle/predicted-%s", prediction_table[kind].name);
        json_add_buffer(rule, "id", &id);
        json_add_text(rule, "name", prediction_table[kind].name);
        sarif_add_message(rule, "shortDescription", prediction_table[kind].title);
        json_append(list, rule);
    }
    return list;
}

static bool has_source(const struct recording *r, uint32_t record)
{
    uint32_t place = r->records[record].place;
    return place != NOT_RECORDED && r->places[place].file;
}

static cJSON *location_of(const struct recording *r, uint32_t record)
{
    cJSON *location = json_object();
    struct buffer text = {0};
    if (has_source(r, record)) {
        const struct recorded_place *place = &r->places[r->records[record].place];
        sarif_add_physical(location, place->file, (int)place->line);
        sarif_add_function(location, place->function);
    }
    predict_action(r, record, &text);
    sarif_add_message(location, "message", buffer_text(&text));
    buffer_free(&text);
    return location;
}

static bool is_key(const struct prediction *p, uint32_t record)
{
    for (uint32_t i = 0; i < p->record_count; i++)
        if (p->records[i] == record)
            return true;
    return false;
}

// The part of the order that is shown: from a little before the first record that the prediction is about.
static uint32_t first_step(const struct prediction *p)
{
    uint32_t first = 0;
    while (first < p->order.count && !is_key(p, p->order.records[first]))
        first++;
    if (first == p->order.count && first > MOST_STEPS)
        return first - MOST_STEPS;
    return first > STEPS_BEFORE ? first - STEPS_BEFORE : 0;
}

static cJSON *thread_flow(const struct hunt *h, const struct prediction *p, uint32_t thread)
{
    cJSON *flow = json_object(), *steps = json_array();
    uint32_t from = first_step(p);
    // What is to meet stands behind the order.
    uint32_t ends = p->wish_count ? 0 : p->record_count, count = p->order.count + ends;
    for (uint32_t i = from; i < count && i < from + MOST_STEPS; i++) {
        uint32_t record = i < p->order.count ? p->order.records[i] : p->records[i - p->order.count];
        if (h->r->records[record].thread != thread || !has_source(h->r, record))
            continue;
        cJSON *step = json_object();
        json_add(step, "location", location_of(h->r, record));
        json_add_number(step, "executionOrder", i - from + 1);
        json_add_text(step, "importance", is_key(p, record) ? "essential" : "important");
        json_append(steps, step);
    }
    json_add_text(flow, "id", h->r->threads[thread].name);
    json_add(flow, "locations", steps);
    if (cJSON_GetArraySize(steps))
        return flow;
    cJSON_Delete(flow);
    return NULL;
}

static void add_code_flow(cJSON *result, const struct hunt *h, const struct prediction *p)
{
    cJSON *flows = json_array(), *flow = json_object(), *threads = json_array();
    for (uint32_t thread = 0; thread < h->r->thread_count; thread++) {
        cJSON *one = thread_flow(h, p, thread);
        if (one)
            json_append(threads, one);
    }
    sarif_add_message(flow, "message", "The predicted order.");
    bool any = cJSON_GetArraySize(threads) != 0;
    json_add(flow, "threadFlows", threads);
    json_append(flows, flow);
    if (any)
        json_add(result, "codeFlows", flows);
    else
        cJSON_Delete(flows);
}

// The same for the same places of the code, whichever run showed it.
static uint64_t fingerprint_of(const struct hunt *h, const struct prediction *p)
{
    uint64_t hash = (uint64_t)p->kind;
    struct buffer text = {0};
    for (uint32_t i = 0; i < p->record_count; i++) {
        uint32_t place = h->r->records[p->records[i]].place;
        if (place != NOT_RECORDED)
            place_name(h->r, place, &text);
        buffer_add(&text, ";");
    }
    hash = XXH3_64bits_withSeed(text.text, text.length, hash);
    buffer_free(&text);
    return hash;
}

static cJSON *result_of(const struct hunt *h, const struct prediction *p, bool tried)
{
    cJSON *result = json_object(), *locations = json_array(), *related = json_array();
    struct buffer text = {0};
    buffer_add(&text, "heddle/predicted-%s", prediction_table[p->kind].name);
    json_add_buffer(result, "ruleId", &text);
    json_add_number(result, "ruleIndex", p->kind);
    json_add_text(result, "level", !tried || p->harmful ? "error" : p->confirmed == CONFIRMED ? "warning" : "note");
    predict_sentence(h, p, &text);
    if (p->reason)
        buffer_add(&text, ". %s", p->reason);
    sarif_add_message(result, "message", text.text);
    buffer_free(&text);
    json_append(locations, location_of(h->r, p->records[0]));
    json_add(result, "locations", locations);
    for (uint32_t i = 1; i < p->record_count; i++)
        json_append(related, location_of(h->r, p->records[i]));
    json_add(result, "relatedLocations", related);
    add_code_flow(result, h, p);
    sarif_add_fingerprints(result, fingerprint_of(h, p));
    json_add_number(result, "occurrenceCount", p->alike ? p->alike : 1);
    return result;
}

int predict_sarif(FILE *out, const struct hunt *h, bool tried)
{
    cJSON *results = json_array(), *invocations = json_array(), *invocation = json_object();
    for (uint32_t i = 0; i < h->found.count; i++) {
        const struct prediction *p = &h->found.list[i];
        if (p->shown)
            json_append(results, result_of(h, p, tried));
    }
    json_add(invocation, "executionSuccessful", json_made(cJSON_CreateBool(true)));
    json_append(invocations, invocation);
    return json_write(sarif_document(HEDDLE_VERSION, rules(), invocations, results), out);
}
