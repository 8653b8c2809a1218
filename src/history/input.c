#include "history/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fail.h"
#include "history/form.h"
#include "history/models.h"

enum { NONE = UINT32_MAX };

struct input_reading {
    struct input *input;
    const struct spec *spec;
    enum input_keys keys;
    uint32_t keys_line; // where it was found out
    struct space space;
    struct pool processes;
    uint32_t *open; // of each process: the operation under way, or NONE
    size_t open_room;
    bool *given_up; // of each process: its last operation has no known end
    enum { UNDECIDED, EVENTS, WHOLE } style;
    int64_t now;
};

static bool complain(struct input_reading *r, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool complain(struct input_reading *r, uint32_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->input->error, sizeof r->input->error, format, arguments);
    va_end(arguments);
    r->input->line = line;
    return false;
}

static const struct form *either(const struct form *map, const char *name, const char *other)
{
    const struct form *found = form_get(map, name);
    return found ? found : form_get(map, other);
}

static int length_of(const struct form *form)
{
    return form->length > 60 ? 60 : (int)form->length;
}

// Processes

static uint32_t process_of(struct input_reading *r, int64_t name)
{
    bool added;
    uint32_t number = pool_add(&r->processes, &r->space, &name, sizeof name, &added);
    require(number != POOL_FULL);
    if (!added)
        return number;
    if (number >= r->open_room) {
        r->open_room = r->open_room ? 2 * r->open_room : 64;
        r->open = alloc_resize(r->open, r->open_room, sizeof *r->open);
        r->given_up = alloc_resize(r->given_up, r->open_room, sizeof *r->given_up);
        r->input->processes = alloc_resize(r->input->processes, r->open_room, sizeof *r->input->processes);
    }
    r->open[number] = NONE;
    r->given_up[number] = false;
    r->input->processes[number] = name;
    r->input->process_count = number + 1;
    return number;
}

static struct operation *new_op(struct input_reading *r, uint32_t process, uint32_t call, uint32_t line)
{
    struct input *input = r->input;
    if (input->count == input->room) {
        input->room = input->room ? 2 * input->room : 256;
        input->ops = alloc_resize(input->ops, input->room, sizeof *input->ops);
    }
    struct operation *op = &input->ops[input->count++];
    *op = (struct operation){
        .process = process, .call = (uint16_t)call, .returned = OPERATION_NEVER, .key = VALUE_NIL, .line = line};
    return op;
}

// Calls and their values

static bool find_call(struct input_reading *r, const struct form *name, uint32_t line, uint32_t *call)
{
    char text[64], known[160] = "";
    if (!name || name->kind != FORM_TEXT)
        return complain(r, line, "there is no name of a call (f or op)");
    size_t colon = name->length && *name->text == ':';
    snprintf(text, sizeof text, "%.*s", length_of(name) - (int)colon, name->text + colon);
    int found = spec_call_find(r->spec, text);
    if (found >= 0) {
        *call = (uint32_t)found;
        return true;
    }
    for (uint32_t i = 0; i < r->spec->call_count; i++) {
        char one[64];
        size_t at = strlen(known);
        snprintf(known + at, sizeof known - at, "%s%s", i ? ", " : "", spec_call_name(r->spec, i, one, sizeof one));
    }
    return complain(r, line, "the model %s has no call %s, only %s", r->spec->name, text, known);
}

static bool allowed(struct input_reading *r, int64_t value, uint32_t line)
{
    if (!r->spec->integers || value_is_integer(value))
        return true;
    return complain(r, line, "the model %s takes and gives integers", r->spec->name);
}

static const char *arguments_of(uint32_t count)
{
    static const char *const words[] = {"no value", "one value", "[value value]", "[value value value]"};
    return words[count];
}

static bool is_list(const struct form *form, uint32_t count)
{
    return form && form->kind == FORM_LIST && form->count == count;
}

// Takes the arguments from one form: a value, a list of them, or for maps [key [old new]] and [key nil].
static bool set_arguments(struct input_reading *r, struct operation *op, const struct form *form, uint32_t line)
{
    char name[64];
    uint32_t wanted = r->spec->calls[op->call].arguments;
    struct values *values = &r->input->values;
    const struct form *found[OPERATION_ARGUMENTS] = {NULL};
    bool map = r->spec->step == spec_map.step;
    if (wanted == 1)
        found[0] = map && is_list(form, 2) ? form_nth(form, 0) : form;
    for (uint32_t i = 0; wanted > 1 && is_list(form, wanted) && i < wanted; i++)
        found[i] = form_nth(form, i);
    if (wanted == 3 && is_list(form, 2) && is_list(form_nth(form, 1), 2)) {
        found[0] = form_nth(form, 0);
        found[1] = form_nth(form_nth(form, 1), 0);
        found[2] = form_nth(form_nth(form, 1), 1);
    }
    for (uint32_t i = 0; i < wanted; i++) {
        if (!found[i])
            return complain(r, line, "%s takes %s", spec_call_name(r->spec, op->call, name, sizeof name),
                            arguments_of(wanted));
        op->argument[i] = form_value(found[i], values);
        if (!allowed(r, op->argument[i], line))
            return false;
    }
    return true;
}

static bool set_truth(struct input_reading *r, struct operation *op, const struct form *form, uint32_t line)
{
    char name[64];
    if (form->kind == FORM_TRUE || form->kind == FORM_FALSE)
        op->result = value_of_bool(form->kind == FORM_TRUE);
    else if (form->kind == FORM_INTEGER && (form->integer == 0 || form->integer == 1))
        op->result = value_of_bool(form->integer == 1);
    else
        return complain(r, line, "%s gives true or false", spec_call_name(r->spec, op->call, name, sizeof name));
    op->known = true;
    return true;
}

// The result as a form of its own.
static bool set_result(struct input_reading *r, struct operation *op, const struct form *form, uint32_t line)
{
    enum spec_result kind = r->spec->calls[op->call].result;
    if (kind == SPEC_VOID)
        return true;
    if (kind == SPEC_TRUTH || kind == SPEC_DONE)
        return set_truth(r, op, form, line);
    op->result = form_value(form, &r->input->values);
    op->known = true;
    return allowed(r, op->result, line);
}

// No result is given.
static bool set_no_result(struct input_reading *r, struct operation *op, uint32_t line)
{
    char name[64];
    enum spec_result kind = r->spec->calls[op->call].result;
    if (kind == SPEC_VALUE)
        return complain(r, line, "%s returned, but there is no result",
                        spec_call_name(r->spec, op->call, name, sizeof name));
    op->known = kind == SPEC_DONE;
    op->result = VALUE_TRUE;
    return true;
}

// The result out of a completion's value: the value itself, or what follows the arguments in it.
static bool set_completion(struct input_reading *r, struct operation *op, const struct form *value, uint32_t line)
{
    const struct spec_call *call = &r->spec->calls[op->call];
    if (call->result == SPEC_VOID)
        return true;
    if (!value)
        return set_no_result(r, op, line);
    if (!call->arguments)
        return set_result(r, op, value, line);
    if (value->kind == FORM_SET)
        return complain(r, line, "a set has no order; a list says which is the argument and which the result");
    if (is_list(value, call->arguments + 1))
        return set_result(r, op, form_nth(value, call->arguments), line);
    if (call->result != SPEC_VALUE && (value->kind == FORM_TRUE || value->kind == FORM_FALSE))
        return set_result(r, op, value, line);
    return set_no_result(r, op, line);
}

// Events in the manner of Jepsen

// Whether a call's value has the shape [key value]. A map's own values look the same, and only their author knows what
// those of another model mean: there it has to be said.
static bool looks_keyed(const struct input_reading *r, uint32_t call, const struct form *value)
{
    if (r->spec->own || r->spec->step == spec_map.step || !is_list(value, 2))
        return false;
    return r->spec->calls[call].arguments < 2 || is_list(form_nth(value, 1), 2);
}

// Parts [key value]; the first value of a file decides whether it is one.
static bool part_key(struct input_reading *r, uint32_t call, const struct form **value, int64_t *key, uint32_t line)
{
    bool keyed = looks_keyed(r, call, *value);
    if (r->keys == KEYS_AUTO) {
        r->keys = keyed ? KEYS_YES : KEYS_NO;
        r->keys_line = line;
    } else if (r->keys_line && keyed != (r->keys == KEYS_YES)) {
        return complain(r, line, "the value is %s[key value], unlike that of line %u (--keys yes or no says which)",
                        keyed ? "" : "not ", r->keys_line);
    }
    *key = VALUE_NIL;
    if (r->keys == KEYS_NO)
        return true;
    if (!is_list(*value, 2))
        return complain(r, line, "the value is not [key value]");
    *key = form_value(form_nth(*value, 0), &r->input->values);
    *value = form_nth(*value, 1);
    r->input->keyed = true;
    return true;
}

static bool read_invocation(struct input_reading *r, const struct form *event, uint32_t process)
{
    uint32_t call = 0, line = event->line;
    int64_t key = VALUE_NIL;
    const struct form *value = form_get(event, "value");
    if (!find_call(r, form_get(event, "f"), line, &call) || !part_key(r, call, &value, &key, line))
        return false;
    if (r->open[process] != NONE && !r->given_up[process])
        return complain(r, line, "the process calls again before its operation of line %u has ended",
                        r->input->ops[r->open[process]].line);
    struct operation *op = new_op(r, process, call, line);
    op->invoked = r->now++;
    op->key = key;
    r->open[process] = r->input->count - 1;
    r->given_up[process] = false;
    return set_arguments(r, op, value, line);
}

static bool read_completion(struct input_reading *r, const struct form *event, uint32_t process,
                            const struct form *type)
{
    uint32_t call = 0, line = event->line, index = r->open[process];
    const struct form *value = form_get(event, "value"), *result = either(event, "result", "output");
    if (index == NONE || r->given_up[process])
        return complain(r, line, "an operation ends that was not called");
    struct operation *op = &r->input->ops[index];
    if (form_get(event, "f") && (!find_call(r, form_get(event, "f"), line, &call) || call != op->call))
        return r->input->error[0] ? false : complain(r, line, "another call ends than the one of line %u", op->line);
    if (form_is(type, "info")) {
        r->given_up[process] = true;
        return true;
    }
    r->open[process] = NONE;
    op->returned = r->now++;
    op->end_line = line;
    if (form_is(type, "fail")) { // it did not happen; taken out at the end
        op->invoked = OPERATION_NEVER;
        return true;
    }
    if (r->keys == KEYS_YES && value && !result) {
        if (!is_list(value, 2) || form_value(form_nth(value, 0), &r->input->values) != op->key)
            return complain(r, line, "the value does not begin with the key of line %u", op->line);
        value = form_nth(value, 1);
    }
    return result ? set_result(r, op, result, line) : set_completion(r, op, value, line);
}

static bool read_event(struct input_reading *r, const struct form *event)
{
    const struct form *type = form_get(event, "type"), *process = form_get(event, "process");
    if (!process)
        return complain(r, event->line, "there is no process");
    if (process->kind != FORM_INTEGER) // a nemesis
        return true;
    uint32_t number = process_of(r, process->integer);
    if (form_is(type, "invoke"))
        return read_invocation(r, event, number);
    if (!form_is(type, "ok") && !form_is(type, "fail") && !form_is(type, "info"))
        return complain(r, event->line, "the type is not invoke, ok, fail or info");
    return read_completion(r, event, number, type);
}

// Whole operations in the manner of Porcupine

// Arguments from the fields key, value, old and new, or from `input` as a value or list.
static bool read_input(struct input_reading *r, struct operation *op, const struct form *input, const struct form *key,
                       uint32_t line)
{
    bool fields = input && input->kind == FORM_MAP, map = r->spec->step == spec_map.step;
    const struct form *value = fields ? form_get(input, "value") : input;
    const struct form *old = fields ? form_get(input, "old") : NULL, *new = fields ? form_get(input, "new") : NULL;
    struct form parts[OPERATION_ARGUMENTS], list = {.kind = FORM_LIST, .line = line};
    uint32_t wanted = r->spec->calls[op->call].arguments;
    key = key ? key : fields ? form_get(input, "key") : NULL;
    if (key && !map) {
        op->key = form_value(key, &r->input->values);
        r->input->keyed = true;
    }
    if (!fields && !(key && map))
        return set_arguments(r, op, input, line);
    const struct form *given[] = {map ? key : NULL, old && new ? old : NULL, old &&new ? new : value};
    for (uint32_t i = 0; i < OPERATION_ARGUMENTS; i++) {
        if (!given[i] || list.count == wanted)
            continue;
        parts[list.count] = *given[i];
        parts[list.count].next = NULL;
        if (list.count)
            parts[list.count - 1].next = &parts[list.count];
        list.count++;
    }
    list.first = parts;
    return set_arguments(r, op, wanted == 1 && list.count ? parts : &list, line);
}

static bool read_time(struct input_reading *r, const struct form *form, uint32_t line, int64_t *time)
{
    if (form && form->kind == FORM_INTEGER && form->integer != OPERATION_NEVER) {
        *time = form->integer;
        return true;
    }
    return complain(r, line, "a time is not an integer");
}

static bool read_operation(struct input_reading *r, const struct form *form)
{
    uint32_t call = 0, line = form->line;
    const struct form *input = either(form, "input", "value"), *client = either(form, "client", "process");
    const struct form *output = either(form, "output", "result"), *end = either(form, "return", "end");
    const struct form *name = either(form, "op", "f");
    if (!client)
        return complain(r, line, "there is no client");
    if (!find_call(r, name ? name : form_get(input, "op"), line, &call))
        return false;
    struct operation *op = new_op(r, process_of(r, form_value(client, &r->input->values)), call, line);
    if (!read_time(r, either(form, "call", "start"), line, &op->invoked))
        return false;
    if (!read_input(r, op, input, form_get(form, "key"), line))
        return false;
    if (!end || end->kind == FORM_NIL)
        return true;
    if (!read_time(r, end, line, &op->returned))
        return false;
    op->end_line = line;
    if (op->returned < op->invoked)
        return complain(r, line, "the operation returns before it is called");
    return output ? set_result(r, op, output, line) : set_no_result(r, op, line);
}

// Files

static bool read_one(struct input_reading *r, const struct form *form)
{
    if (form->kind != FORM_MAP)
        return complain(r, form->line, "an event or operation has to be a map or object");
    bool event = form_get(form, "type") != NULL;
    if (r->style == UNDECIDED)
        r->style = event ? EVENTS : WHOLE;
    if (event != (r->style == EVENTS))
        return complain(r, form->line, event ? "an event among operations" : "there is no type");
    return event ? read_event(r, form) : read_operation(r, form);
}

static void drop_failed(struct input *input)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < input->count; i++)
        if (input->ops[i].invoked != OPERATION_NEVER)
            input->ops[kept++] = input->ops[i];
    input->count = kept;
}

bool input_read(struct input *input, const struct spec *spec, char *text, size_t length, enum input_format format,
                enum input_keys keys)
{
    struct input_reading r = {.input = input, .spec = spec, .keys = keys};
    struct forms forms;
    const struct form *form;
    *input = (struct input){0};
    space_init(&r.space, (size_t)1 << 32);
    require(pool_init(&r.processes, &r.space, NULL));
    forms_open(&forms, text, length, format == INPUT_JSON || (format == INPUT_AUTO && form_is_json(text, length)));
    bool right = true;
    while (right && (form = forms_next(&forms)))
        right = read_one(&r, form);
    if (right && forms.error)
        right = complain(&r, forms.line, "%s", forms.error);
    drop_failed(input);
    forms_close(&forms);
    space_free(&r.space);
    free(r.open);
    free(r.given_up);
    return right;
}

void input_free(struct input *input)
{
    values_free(&input->values);
    free(input->ops);
    free(input->processes);
    *input = (struct input){0};
}

uint32_t input_overlap(const struct input *input)
{
    int64_t *last = alloc_array(input->process_count, sizeof *last);
    uint32_t *order = alloc_array(2 * (size_t)input->count, sizeof *order);
    uint32_t *scratch = alloc_array(2 * (size_t)input->count, sizeof *scratch), wrong = 0;
    uint32_t events = history_order(input->ops, input->count, order, scratch);
    for (uint32_t p = 0; p < input->process_count; p++)
        last[p] = INT64_MIN;
    for (uint32_t i = 0; i < events && !wrong; i++) {
        const struct operation *op = &input->ops[order[i] / 2];
        if (order[i] & 1)
            continue;
        if (op->invoked < last[op->process])
            wrong = op->line;
        if (!operation_pending(op))
            last[op->process] = op->returned;
    }
    free(last);
    free(order);
    free(scratch);
    return wrong;
}
