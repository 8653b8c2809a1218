#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "report/history_phrase.h"
#include "report/json_build.h"

enum { NONE = UINT32_MAX, HISTORY_JSON_VERSION = 1 };

static cJSON *safe_json(const char *text)
{
    struct buffer safe = {0};
    buffer_add_safe(&safe, text, strlen(text), false);
    cJSON *json = json_made(cJSON_CreateString(buffer_text(&safe)));
    buffer_free(&safe);
    return json;
}

static void add_text(cJSON *object, const char *name, const char *text)
{
    json_add(object, name, safe_json(text));
}

// Integers of more than 53 bits would be rounded as numbers, and are written as they are.
static cJSON *value_json(const struct history_report *r, int64_t value)
{
    struct buffer text = {0};
    if (value == VALUE_NIL)
        return json_made(cJSON_CreateNull());
    if (value == VALUE_TRUE || value == VALUE_FALSE)
        return json_made(cJSON_CreateBool(value == VALUE_TRUE));
    tell_value(&text, r, value);
    cJSON *json = json_made(value_is_integer(value) ? cJSON_CreateRaw(buffer_text(&text))
                                                    : cJSON_CreateString(buffer_text(&text)));
    buffer_free(&text);
    return json;
}

static cJSON *operation_json(const struct history_report *r, const struct judged_part *part, uint32_t op)
{
    const struct operation *o = &part->ops[op];
    const struct spec *spec = r->judged->spec;
    char name[64];
    cJSON *json = json_made(cJSON_CreateObject()), *arguments = json_made(cJSON_CreateArray());
    json_add(json, "process", value_json(r, r->input->processes[o->process]));
    add_text(json, "call", spec_call_name(spec, o->call, name, sizeof name));
    for (uint32_t i = 0; i < spec->calls[o->call].arguments; i++)
        json_append(arguments, value_json(r, o->argument[i]));
    json_add(json, "arguments", arguments);
    if (o->known && spec->calls[o->call].result != SPEC_VOID)
        json_add(json, "result", value_json(r, o->result));
    json_add(json, "returned", cJSON_CreateBool(!operation_pending(o)));
    json_add_number(json, "line", o->line);
    if (o->end_line)
        json_add_number(json, "end_line", o->end_line);
    return json;
}

static cJSON *order_json(const struct history_report *r, const struct judged_part *part)
{
    cJSON *list = json_made(cJSON_CreateArray());
    for (uint32_t i = 0; i < part->order_count; i++) {
        cJSON *step = operation_json(r, part, part->order[i].op);
        if (!part->ops[part->order[i].op].known)
            json_add(step, "gives", value_json(r, part->order[i].result));
        json_append(list, step);
    }
    return list;
}

static cJSON *explanation_json(const struct history_report *r)
{
    const struct reason *e = r->explained;
    cJSON *json = json_made(cJSON_CreateObject()), *ops = json_made(cJSON_CreateArray());
    if (e->last != NONE)
        json_add(json, "last", operation_json(r, r->wrong, e->last));
    if (r->wrong->verdict.unjustified != NONE)
        json_add(json, "unjustified", operation_json(r, r->wrong, r->wrong->verdict.unjustified));
    for (uint32_t i = 0; i < e->count; i++)
        json_append(ops, operation_json(r, r->wrong, e->ops[i]));
    json_add(json, "operations", ops);
    json_add(json, "smallest", cJSON_CreateBool(e->smallest));
    if (e->has_states) {
        cJSON *states = json_made(cJSON_CreateArray());
        for (uint32_t i = 0; i < e->state_count; i++)
            json_append(states, safe_json(e->states[i]));
        json_add(json, "states", states);
        json_add(json, "more_states", cJSON_CreateBool(e->more_states));
    }
    return json;
}

static cJSON *part_json(const struct history_report *r, const struct judged_part *part)
{
    cJSON *json = json_made(cJSON_CreateObject());
    if (r->input->keyed)
        json_add(json, r->judged->keyed ? "object" : "key", value_json(r, part->object));
    if (r->judged->keyed)
        json_add(json, "key", value_json(r, part->key));
    json_add_number(json, "operations", part->count);
    add_text(json, "verdict", tell_verdict(r->judged->options.judgement, part->verdict.verdict));
    json_add(json, "searched", cJSON_CreateBool(part->verdict.searched));
    json_add_number(json, "places", (double)part->verdict.visited);
    if (part->verdict.verdict == VERDICT_UNKNOWN) {
        add_text(json, "out_of", part->verdict.reason);
        json_add_number(json, "longest", part->verdict.deepest);
        uint32_t line;
        json_add_number(json, "overlap", history_overlap(part->ops, part->count, &line));
    }
    if (part == r->wrong)
        json_add(json, "explanation", explanation_json(r));
    if (r->witness && part->order)
        json_add(json, "order", order_json(r, part));
    return json;
}

int report_history_json(FILE *out, const struct history_report *r)
{
    const struct judged *judged = r->judged;
    cJSON *json = json_made(cJSON_CreateObject()), *parts = json_made(cJSON_CreateArray());
    json_add_number(json, "version", HISTORY_JSON_VERSION);
    add_text(json, "heddle", HEDDLE_VERSION);
    add_text(json, "file", r->file);
    add_text(json, "model", judged->spec->name);
    add_text(json, "judgement", tell_judgement(judged->options.judgement));
    add_text(json, "verdict", tell_verdict(judged->options.judgement, judged->verdict));
    json_add_number(json, "operations", r->input->count);
    json_add_number(json, "processes", r->input->process_count);
    json_add_number(json, "seconds", r->seconds);
    json_add_number(json, "memory", (double)r->memory);
    // A verdict that is right for every part needs no list of them, unless orders were asked for.
    for (uint32_t i = 0; i < judged->count; i++)
        if (judged->parts[i].verdict.verdict != VERDICT_YES || r->witness || judged->count == 1)
            json_append(parts, part_json(r, &judged->parts[i]));
    json_add(json, "parts", parts);
    return json_write(json, out);
}
