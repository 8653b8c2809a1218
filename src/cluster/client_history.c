#include "cluster/client_history.h"

#include <stdio.h>
#include <string.h>

#include "history/judge.h"
#include "target/nodes/client_calls.h"

enum { SPACE = 1 << 26, STORY = 400 };

static struct spec model; // what it begins with is 0
static const struct spec *spec;
static struct linearizer linearizer;

const char *client_history_open(void)
{
    const char *name = client_model();
    const struct spec *found = name ? spec_find(name) : NULL;
    if (name && !found)
        return "its model is not one of those of heddle history";
    if (!found)
        return NULL;
    model = *found;
    model.initial = 0;
    spec = &model;
    linearizer_init(&linearizer, SPACE);
    return NULL;
}

void client_history_close(void)
{
    if (spec)
        linearizer_free(&linearizer);
    spec = NULL;
}

static int64_t result_of(const struct spec_call *call, int64_t result)
{
    return call->result == SPEC_TRUTH || call->result == SPEC_DONE ? value_of_bool(result != 0) : result;
}

static bool convert(const struct client_call *call, struct operation *op)
{
    int number = spec_call_find(spec, call->name);
    if (number < 0) {
        client_fail("the model has no call %s", call->name);
        return false;
    }
    *op = (struct operation){.process = call->client,
                             .call = (uint16_t)number,
                             .argument = {call->argument[0], call->argument[1]},
                             .invoked = call->invoked,
                             .returned = call->is_over ? call->returned : OPERATION_NEVER,
                             .result = result_of(&spec->calls[number], call->result),
                             .known = call->is_over && spec->calls[number].result != SPEC_VOID,
                             .key = VALUE_NIL};
    return true;
}

static void tell(char *text, size_t room)
{
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < client_call_count() && used < room; i++) {
        const struct client_call *c = client_call(i);
        int number = spec_call_find(spec, c->name);
        used += (size_t)snprintf(text + used, room - used, "%s%s by client %u", i ? "; " : "", c->name, c->client);
        for (uint32_t k = 0; number >= 0 && k < spec->calls[number].arguments && used < room; k++)
            used += (size_t)snprintf(text + used, room - used, " %ld", (long)c->argument[k]);
        if (used < room && !c->is_over)
            used += (size_t)snprintf(text + used, room - used, ", not answered");
        else if (used < room && number >= 0 && spec->calls[number].result != SPEC_VOID)
            used += (size_t)snprintf(text + used, room - used, c->result == VALUE_NIL ? " = nil" : " = %ld",
                                     (long)c->result);
    }
}

void client_history_judge(void)
{
    struct operation ops[CLIENT_CALLS];
    uint32_t count = client_call_count();
    if (!spec || !count)
        return;
    for (uint32_t i = 0; i < count; i++)
        if (!convert(client_call(i), &ops[i]))
            return;
    struct judge_options options = {.judgement = JUDGE_LINEARIZABLE};
    if (judge_part(&linearizer, spec, ops, count, &options).verdict != VERDICT_NO)
        return;
    char story[STORY];
    tell(story, sizeof story);
    client_fail("what clients saw is not linearizable: %s", story);
}
