#include <stdlib.h>
#include <string.h>

#include "base/version.h"
#include "report/json_build.h"
#include "report/transactions_phrase.h"

enum { NONE = UINT32_MAX, TRANSACTIONS_JSON_VERSION = 1 };

static cJSON *value_json(const struct transactions *from, int64_t value)
{
    char text[256];
    if (value == VALUE_NIL)
        return json_made(cJSON_CreateNull());
    if (value == VALUE_TRUE || value == VALUE_FALSE)
        return json_made(cJSON_CreateBool(value == VALUE_TRUE));
    value_show(&from->values, value, text, sizeof text);
    // Integers of more than 53 bits would be rounded as numbers, and are written as they are.
    if (value_is_integer(value))
        return json_made(cJSON_CreateRaw(text));
    struct buffer safe = {0};
    const char *whole = value_text(&from->values, value);
    buffer_add_safe(&safe, whole, strlen(whole), false);
    cJSON *json = json_made(cJSON_CreateString(buffer_text(&safe)));
    buffer_free(&safe);
    return json;
}

static cJSON *access_json(const struct transactions *from, const struct access *a, bool results)
{
    cJSON *json = json_array();
    const char *write = from->model == MODEL_LISTS ? "append" : "w";
    json_append(json, json_made(cJSON_CreateString(a->write ? write : "r")));
    json_append(json, value_json(from, from->keys[a->key]));
    if (a->write || (results && from->model == MODEL_REGISTERS)) {
        json_append(json, value_json(from, a->value));
    } else if (!results) {
        json_append(json, json_made(cJSON_CreateNull()));
    } else {
        cJSON *list = json_array();
        for (uint32_t i = 0; i < a->count; i++)
            json_append(list, value_json(from, elements_of(from, a)[i]));
        json_append(json, list);
    }
    return json;
}

static cJSON *transaction_json(const struct transactions *from, uint32_t number, const struct txn_names *names)
{
    static const char *const outcomes[] = {"committed", "aborted", "unknown"};
    const struct transaction *t = &from->all[number];
    struct buffer name = {0};
    cJSON *json = json_object(), *accesses = json_array();
    if (names) {
        tell_txn(&name, names, number);
        json_add_buffer(json, "name", &name);
    }
    json_add(json, "process", value_json(from, from->processes[t->process]));
    json_add_text(json, "outcome", outcomes[t->outcome]);
    for (uint32_t i = 0; i < t->count; i++)
        json_append(accesses, access_json(from, &from->accesses[t->first + i], t->outcome == OUTCOME_COMMITTED));
    json_add(json, "value", accesses);
    json_add_number(json, "line", t->line);
    if (t->end_line)
        json_add_number(json, "end_line", t->end_line);
    return json;
}

static cJSON *cycle_json(const struct decision *x, const struct txn_names *names, const struct cycle *cycle)
{
    static const char *const kinds[] = {"ww", "wr", "rw", "session", "realtime"};
    cJSON *json = json_array();
    for (uint32_t i = 0; i < cycle->count; i++) {
        const struct cycle_step *s = &cycle->steps[i];
        struct buffer from = {0}, to = {0}, why = {0};
        cJSON *step = json_object();
        tell_txn(&from, names, s->from);
        tell_txn(&to, names, s->to);
        tell_step(&why, x, names, s);
        json_add_buffer(step, "from", &from);
        json_add_buffer(step, "to", &to);
        json_add_text(step, "kind", kinds[s->kind]);
        json_add_buffer(step, "why", &why);
        json_append(json, step);
    }
    return json;
}

static cJSON *case_json(const struct decision *x, const struct txn_names *names, uint32_t choice, int way,
                        const struct cycle *cycle)
{
    cJSON *json = json_object();
    struct buffer text = {0};
    tell_order(&text, x, names, &x->choices.all[choice], way);
    json_add_buffer(json, "if", &text);
    json_add(json, "cycle", cycle_json(x, names, cycle));
    return json;
}

// Each way that was excluded, in the order of finding out, up to the choice with no way left.
static cJSON *cases_json(const struct decision *x, const struct txn_names *names)
{
    const struct choices *c = &x->choices;
    cJSON *json = json_array();
    bool *needed = forced_needed(c);
    for (uint32_t i = 0; i < c->forced_count; i++)
        if (needed[i])
            json_append(
                json, case_json(x, names, c->forced[i].choice, !c->all[c->forced[i].choice].made, &c->forced[i].other));
    for (int way = 0; way < 2; way++)
        json_append(json, case_json(x, names, c->impossible, way, &c->either_way[way]));
    free(needed);
    return json;
}

static void add_reason(cJSON *json, const struct decision *x)
{
    struct txn_names names = {0};
    struct buffer text = {0};
    char name[80];
    cJSON *transactions = json_array();
    txn_names_of(&names, x);
    json_add_text(json, "anomaly", tell_reason_name(x, name, sizeof name));
    for (uint32_t i = 0; i < names.count; i++)
        json_append(transactions, transaction_json(x->from, names.transactions[i], &names));
    json_add(json, "shown", transactions);
    if (x->versions.anomaly.kind != ANOMALY_NONE) {
        tell_anomaly(&text, x, &names);
        json_add_buffer(json, "why", &text);
    } else if (x->cycle.count) {
        json_add(json, "cycle", cycle_json(x, &names, &x->cycle));
    } else if (x->choices.impossible != NONE) {
        json_add(json, "cases", cases_json(x, &names));
    } else {
        json_add_number(json, "tried", (double)x->choices.tried);
    }
    txn_names_free(&names);
}

static cJSON *order_json(const struct decision *x)
{
    cJSON *json = json_array();
    for (uint32_t i = 0; i < x->order_count; i++) {
        cJSON *step = transaction_json(x->from, x->order[i].transaction, NULL);
        if (x->order[i].begins != x->order[i].ends)
            json_add_text(step, "step", x->order[i].begins ? "begins" : "ends");
        json_append(json, step);
    }
    return json;
}

int report_transactions_json(FILE *out, const struct transactions_report *r)
{
    const struct decision *x = r->decision;
    cJSON *json = json_object();
    char verdict[80];
    json_add_number(json, "version", TRANSACTIONS_JSON_VERSION);
    json_add_text(json, "heddle", HEDDLE_VERSION);
    json_add_text(json, "file", r->file);
    const char *model = x->from->model == MODEL_LISTS ? "list-append" : "rw-register";
    json_add_text(json, "model", r->model ? r->model : model);
    json_add_text(json, "judgement", x->level->name);
    json_add_text(json, "verdict", tell_level(x, verdict, sizeof verdict));
    json_add_number(json, r->model ? "operations" : "transactions", x->from->count);
    json_add_number(json, "processes", x->from->process_count);
    json_add_number(json, "seconds", r->seconds);
    json_add_number(json, "memory", (double)r->memory);
    json_add_number(json, "keys", x->from->key_count);
    if (x->verdict == VERDICT_NO)
        add_reason(json, x);
    if (x->verdict == VERDICT_UNKNOWN) {
        struct buffer text = {0};
        tell_unknown(&text, x);
        json_add_buffer(json, "reason", &text);
    }
    if (x->verdict == VERDICT_YES && r->witness)
        json_add(json, "order", order_json(x));
    return json_write(json, out);
}
