#include "report/history_phrase.h"

#include <string.h>

enum { VALUE_TEXT = 200 };

const char *tell_judgement(enum judgement judgement)
{
    static const char *const names[] = {"linearizable", "sequentially consistent", "quiescently consistent"};
    return names[judgement];
}

const char *tell_verdict(enum judgement judgement, enum verdict verdict)
{
    static const char *const no[] = {"not linearizable", "not sequentially consistent", "not quiescently consistent"};
    if (verdict == VERDICT_UNKNOWN)
        return "unknown";
    return verdict == VERDICT_YES ? tell_judgement(judgement) : no[judgement];
}

void tell_value(struct buffer *out, const struct history_report *r, int64_t value)
{
    char text[VALUE_TEXT];
    value_show(&r->input->values, value, text, sizeof text);
    buffer_add_safe(out, text, strlen(text), false);
}

void tell_call(struct buffer *out, const struct history_report *r, const struct operation *op)
{
    const struct spec *spec = r->judged->spec;
    char name[64];
    buffer_add(out, "%s", spec_call_name(spec, op->call, name, sizeof name));
    for (uint32_t i = 0; i < spec->calls[op->call].arguments; i++) {
        buffer_add(out, " ");
        tell_value(out, r, op->argument[i]);
    }
}

void tell_operation(struct buffer *out, const struct history_report *r, const struct operation *op, const char *gives)
{
    tell_call(out, r, op);
    if (!op->known || r->judged->spec->calls[op->call].result == SPEC_VOID)
        return;
    buffer_add(out, " %s ", gives);
    tell_value(out, r, op->result);
}

void tell_process(struct buffer *out, const struct history_report *r, uint32_t process)
{
    tell_value(out, r, r->input->processes[process]);
}

const char *tell_keys(const struct history_report *r)
{
    return r->judged->spec->by_value || r->judged->spec->about ? "key" : "element";
}

void tell_part(struct buffer *out, const struct history_report *r, const struct judged_part *part)
{
    if (r->input->keyed) {
        buffer_add(out, r->judged->keyed ? "object " : "key ");
        tell_value(out, r, part->object);
    }
    if (r->judged->keyed) {
        buffer_add(out, "%s%s ", r->input->keyed ? ", " : "", tell_keys(r));
        tell_value(out, r, part->key);
    }
}
