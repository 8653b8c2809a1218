// Quorum trees as JSON.
#include "report/json_build.h"
#include "report/qtree_draw.h"

void qtree_json_round(cJSON *object, const char *name, struct qtree_round round)
{
    struct buffer text = {0};
    qtree_word_round(round, &text);
    json_add_buffer(object, name, &text);
    buffer_free(&text);
}

void qtree_json_value(const struct qtree_drawing *d, cJSON *object, uint64_t value)
{
    struct buffer text = {0};
    d->names->value(d->names->context, value, &text);
    json_add_buffer(object, "value", &text);
    buffer_free(&text);
}

static cJSON *node_json(const struct qtree_drawing *d, const struct qtree_node *n)
{
    cJSON *json = json_object();
    qtree_json_round(json, "round", n->round);
    qtree_json_value(d, json, n->value);
    qtree_json_round(json, "parent", d->tree->node[n->parent].round);
    json_add_text(json, "status", qtree_status_names[qtree_status(n)]);
    json_add_number(json, "added", (double)n->added);
    if (n->is_committed)
        json_add_number(json, "committed", (double)n->committed);
    return json;
}

cJSON *qtree_json(const struct qtree_drawing *d, uint32_t instance)
{
    cJSON *json = json_object(), *rounds = json_array();
    struct buffer name = {0};
    uint32_t node = d->tree->instance[instance].root;
    d->names->instance(d->names->context, d->tree->instance[instance].number, &name);
    json_add_buffer(json, "instance", &name);
    while ((node = qtree_shape_next(d->shape, d->tree, node)) != QTREE_NOBODY)
        json_append(rounds, node_json(d, &d->tree->node[node]));
    json_add(json, "rounds", rounds);
    buffer_free(&name);
    return json;
}
