#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "base/version.h"
#include "report/history_phrase.h"

enum { NONE = UINT32_MAX, HISTORY_JSON_VERSION = 1 };

static cJSON *made(cJSON *item)
{
    require(item);
    return item;
}

static void add(cJSON *object, const char *name, cJSON *item)
{
    require(cJSON_AddItemToObject(object, name, made(item)));
}

static void append(cJSON *array, cJSON *item)
{
    require(cJSON_AddItemToArray(array, made(item)));
}

static cJSON *safe_json(const char *text)
{
    struct buffer safe = {0};
    buffer_add_safe(&safe, text, strlen(text), false);
    cJSON *json = made(cJSON_CreateString(buffer_text(&safe)));
    buffer_free(&safe);
    return json;
}

static void add_text(cJSON *object, const char *name, const char *text)
{
    add(object, name, safe_json(text));
}

static void add_number(cJSON *object, const char *name, double number)
{
    add(object, name, cJSON_CreateNumber(number));
}

// Integers of more than 53 bits would be rounded as numbers, and are written as they are.
static cJSON *value_json(const struct history_report *r, int64_t value)
{
    struct buffer text = {0};
    if (value == VALUE_NIL)
        return made(cJSON_CreateNull());
    if (value == VALUE_TRUE || value == VALUE_FALSE)
        return made(cJSON_CreateBool(value == VALUE_TRUE));
    tell_value(&text, r, value);
    cJSON *json =
        made(value_is_integer(value) ? cJSON_CreateRaw(buffer_text(&text)) : cJSON_CreateString(buffer_text(&text)));
    buffer_free(&text);
    return json;
}

static cJSON *operation_json(const struct history_report *r, const struct part *part, uint32_t op)
{
    const struct op *o = &part->ops[op];
    const struct spec *spec = r->judged->spec;
    char name[64];
    cJSON *json = made(cJSON_CreateObject()), *arguments = made(cJSON_CreateArray());
    add(json, "process", value_json(r, r->input->processes[o->process]));
    add_text(json, "call", spec_call_name(spec, o->call, name, sizeof name));
    for (uint32_t i = 0; i < spec->calls[o->call].arguments; i++)
        append(arguments, value_json(r, o->argument[i]));
    add(json, "arguments", arguments);
    if (o->known && spec->calls[o->call].result != SPEC_VOID)
        add(json, "result", value_json(r, o->result));
    add(json, "returned", cJSON_CreateBool(!op_pending(o)));
    add_number(json, "line", o->line);
    if (o->end_line)
        add_number(json, "end_line", o->end_line);
    return json;
}

static cJSON *order_json(const struct history_report *r, const struct part *part)
{
    cJSON *list = made(cJSON_CreateArray());
    for (uint32_t i = 0; i < part->order_count; i++) {
        cJSON *step = operation_json(r, part, part->order[i].op);
        if (!part->ops[part->order[i].op].known)
            add(step, "gives", value_json(r, part->order[i].result));
        append(list, step);
    }
    return list;
}

static cJSON *explanation_json(const struct history_report *r)
{
    const struct explanation *e = r->explained;
    cJSON *json = made(cJSON_CreateObject()), *ops = made(cJSON_CreateArray());
    if (e->last != NONE)
        add(json, "last", operation_json(r, r->wrong, e->last));
    if (r->wrong->verdict.unjustified != NONE)
        add(json, "unjustified", operation_json(r, r->wrong, r->wrong->verdict.unjustified));
    for (uint32_t i = 0; i < e->count; i++)
        append(ops, operation_json(r, r->wrong, e->ops[i]));
    add(json, "operations", ops);
    add(json, "smallest", cJSON_CreateBool(e->smallest));
    if (e->has_states) {
        cJSON *states = made(cJSON_CreateArray());
        for (uint32_t i = 0; i < e->state_count; i++)
            append(states, safe_json(e->states[i]));
        add(json, "states", states);
        add(json, "more_states", cJSON_CreateBool(e->more_states));
    }
    return json;
}

static cJSON *part_json(const struct history_report *r, const struct part *part)
{
    cJSON *json = made(cJSON_CreateObject());
    if (r->input->keyed)
        add(json, r->judged->keyed ? "object" : "key", value_json(r, part->object));
    if (r->judged->keyed)
        add(json, "key", value_json(r, part->key));
    add_number(json, "operations", part->count);
    add_text(json, "verdict", tell_verdict(r->judged->options.judgement, part->verdict.verdict));
    add(json, "searched", cJSON_CreateBool(part->verdict.searched));
    add_number(json, "places", (double)part->verdict.visited);
    if (part->verdict.verdict == VERDICT_UNKNOWN) {
        add_text(json, "out_of", part->verdict.reason);
        add_number(json, "longest", part->verdict.deepest);
    }
    if (part == r->wrong)
        add(json, "explanation", explanation_json(r));
    if (r->witness && part->order)
        add(json, "order", order_json(r, part));
    return json;
}

int report_history_json(FILE *out, const struct history_report *r)
{
    const struct judged *judged = r->judged;
    cJSON *json = made(cJSON_CreateObject()), *parts = made(cJSON_CreateArray());
    add_number(json, "version", HISTORY_JSON_VERSION);
    add_text(json, "heddle", HEDDLE_VERSION);
    add_text(json, "file", r->file);
    add_text(json, "model", judged->spec->name);
    add_text(json, "judgement", tell_judgement(judged->options.judgement));
    add_text(json, "verdict", tell_verdict(judged->options.judgement, judged->verdict));
    add_number(json, "operations", r->input->count);
    add_number(json, "processes", r->input->process_count);
    add_number(json, "seconds", r->seconds);
    add_number(json, "memory", (double)r->memory);
    // A verdict that is right for every part needs no list of them, unless orders were asked for.
    for (uint32_t i = 0; i < judged->count; i++)
        if (judged->parts[i].verdict.verdict != VERDICT_YES || r->witness || judged->count == 1)
            append(parts, part_json(r, &judged->parts[i]));
    add(json, "parts", parts);
    char *text = cJSON_Print(json);
    require(text);
    int status = fprintf(out, "%s\n", text) < 0 || fflush(out) ? -1 : 0;
    free(text);
    cJSON_Delete(json);
    return status;
}
