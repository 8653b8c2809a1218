#include "transactions/transaction_input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "history/form.h"

struct txn_reading {
    struct transactions *all;
    struct lookup keys, processes;
    uint32_t *open; // of each process: its transaction under way, or NO_TRANSACTION
    size_t open_room;
    enum { UNDECIDED, EVENTS, WHOLE } style;
    int64_t now;
};

static bool complain(struct txn_reading *r, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool complain(struct txn_reading *r, uint32_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(r->all->error, sizeof r->all->error, format, arguments);
    va_end(arguments);
    r->all->line = line;
    return false;
}

// Keys and processes by number

static uint32_t number_of(struct lookup *lookup, int64_t name, int64_t **names, uint32_t *count, size_t *room)
{
    uint32_t *number = lookup_at(lookup, name, 0);
    if (*number == LOOKUP_NONE) {
        *number = *count;
        *names = alloc_reserve(*names, *count + 1, room, sizeof **names);
        (*names)[(*count)++] = name;
    }
    return *number;
}

static uint32_t key_of(struct txn_reading *r, const struct form *form)
{
    struct transactions *all = r->all;
    return number_of(&r->keys, form_value(form, &all->values), &all->keys, &all->key_count, &all->key_room);
}

static uint32_t process_of(struct txn_reading *r, int64_t name)
{
    struct transactions *all = r->all;
    uint32_t before = all->process_count;
    uint32_t number = number_of(&r->processes, name, &all->processes, &all->process_count, &all->process_room);
    if (all->process_count > before) {
        r->open = alloc_reserve(r->open, number + 1, &r->open_room, sizeof *r->open);
        r->open[number] = NO_TRANSACTION;
    }
    return number;
}

// Accesses

static bool is_read(const struct form *name)
{
    return form_is(name, "r") || form_is(name, "read");
}

static bool is_write(const struct form *name, enum transaction_model model)
{
    return model == MODEL_LISTS ? form_is(name, "append") : form_is(name, "w") || form_is(name, "write");
}

static bool take_list(struct txn_reading *r, struct access *access, const struct form *list, uint32_t line)
{
    struct transactions *all = r->all;
    access->first = all->element_count;
    access->count = 0;
    if (list->kind == FORM_NIL)
        return true;
    if (list->kind != FORM_LIST)
        return complain(r, line, "what is read of a list has to be a list, or nil for an empty one");
    all->elements = alloc_reserve(all->elements, all->element_count + (size_t)list->count, &all->element_room,
                                  sizeof *all->elements);
    for (const struct form *at = list->first; at; at = at->next)
        all->elements[all->element_count++] = form_value(at, &all->values);
    access->count = list->count;
    return true;
}

// One access, [f key value]. What a read gave is looked at if `results` is set.
static bool take_access(struct txn_reading *r, struct access *access, const struct form *form, bool results)
{
    enum transaction_model model = r->all->model;
    const struct form *name = form_nth(form, 0), *key = form_nth(form, 1), *value = form_nth(form, 2);
    uint32_t line = form->line;
    if (form->kind != FORM_LIST || form->count < 2 || form->count > 3)
        return complain(r, line, "a part of a transaction has to be a list [call key value]");
    *access = (struct access){.write = is_write(name, model), .key = key_of(r, key)};
    if (!access->write && !is_read(name))
        return complain(r, line,
                        model == MODEL_LISTS ? "the parts of a transaction on lists are r and append"
                                             : "the parts of a transaction on registers are r and w");
    if (access->write || results) {
        if (!value)
            return complain(r, line, access->write ? "a write has no value" : "a read has no result");
        if (!access->write && model == MODEL_LISTS)
            return take_list(r, access, value, line);
        access->value = form_value(value, &r->all->values);
        if (access->write && model == MODEL_REGISTERS && access->value == VALUE_NIL)
            return complain(r, line, "nil is what a register holds before anything is written; write something else");
    }
    return true;
}

static bool take_accesses(struct txn_reading *r, struct transaction *t, const struct form *value, uint32_t line,
                          bool results)
{
    struct transactions *all = r->all;
    if (!value || value->kind != FORM_LIST)
        return complain(r, line, "the value of a transaction has to be a list of its parts, [call key value]");
    t->first = all->access_count;
    t->count = value->count;
    all->accesses = alloc_reserve(all->accesses, all->access_count + (size_t)value->count, &all->access_room,
                                  sizeof *all->accesses);
    for (const struct form *at = value->first; at; at = at->next) {
        struct access *access = &all->accesses[all->access_count];
        if (!take_access(r, access, at, results))
            return false;
        access->transaction = (uint32_t)(t - all->all);
        all->access_count++;
    }
    return true;
}

// The results of the reads, out of the value of a completion; the rest has to be what was called.
static bool take_results(struct txn_reading *r, struct transaction *t, const struct form *value, uint32_t line)
{
    struct transactions *all = r->all;
    uint32_t at = t->first;
    if (!value || value->kind != FORM_LIST || value->count != t->count)
        return complain(r, line, "the value does not have the parts of the call of line %u", t->line);
    for (const struct form *form = value->first; form; form = form->next, at++) {
        struct access now, *called = &all->accesses[at];
        if (!take_access(r, &now, form, true))
            return false;
        if (now.write != called->write || now.key != called->key || (now.write && now.value != called->value))
            return complain(r, line, "the value does not have the parts of the call of line %u", t->line);
        now.transaction = called->transaction;
        *called = now;
    }
    return true;
}

static struct transaction *new_transaction(struct txn_reading *r, uint32_t process, uint32_t line)
{
    struct transactions *all = r->all;
    all->all = alloc_reserve(all->all, all->count + (size_t)1, &all->room, sizeof *all->all);
    struct transaction *t = &all->all[all->count++];
    *t =
        (struct transaction){.process = process, .returned = OPERATION_NEVER, .line = line, .outcome = OUTCOME_UNKNOWN};
    return t;
}

// Events in the manner of Jepsen

static bool take_call(struct txn_reading *r, const struct form *event, uint32_t process)
{
    uint32_t open = r->open[process];
    if (open != NO_TRANSACTION)
        return complain(r, event->line, "the process calls again before its transaction of line %u has ended",
                        r->all->all[open].line);
    struct transaction *t = new_transaction(r, process, event->line);
    t->called = r->now++;
    r->open[process] = r->all->count - 1;
    return take_accesses(r, t, form_get(event, "value"), event->line, false);
}

static bool take_completion(struct txn_reading *r, const struct form *event, uint32_t process, const struct form *type)
{
    uint32_t open = r->open[process];
    if (open == NO_TRANSACTION)
        return complain(r, event->line, "a transaction ends that was not called");
    struct transaction *t = &r->all->all[open];
    r->open[process] = NO_TRANSACTION;
    t->end_line = event->line;
    if (form_is(type, "info"))
        return true;
    t->returned = r->now++;
    t->outcome = form_is(type, "fail") ? OUTCOME_ABORTED : OUTCOME_COMMITTED;
    return t->outcome == OUTCOME_ABORTED || take_results(r, t, form_get(event, "value"), event->line);
}

static bool take_event(struct txn_reading *r, const struct form *event)
{
    const struct form *type = form_get(event, "type"), *process = form_get(event, "process"),
                      *call = form_get(event, "f");
    if (!process)
        return complain(r, event->line, "there is no process");
    if (process->kind != FORM_INTEGER) // a nemesis
        return true;
    if (call && !form_is(call, "txn"))
        return complain(r, event->line, "a history of transactions has only calls of txn");
    uint32_t number = process_of(r, process->integer);
    if (form_is(type, "invoke"))
        return take_call(r, event, number);
    if (!form_is(type, "ok") && !form_is(type, "fail") && !form_is(type, "info"))
        return complain(r, event->line, "the type is not invoke, ok, fail or info");
    return take_completion(r, event, number, type);
}

// Whole transactions

static const struct form *either(const struct form *map, const char *name, const char *other)
{
    const struct form *found = form_get(map, name);
    return found ? found : form_get(map, other);
}

static bool take_time(struct txn_reading *r, const struct form *form, uint32_t line, int64_t *time)
{
    if (!form || form->kind != FORM_INTEGER || form->integer == OPERATION_NEVER)
        return complain(r, line, "a time is not an integer");
    *time = form->integer;
    return true;
}

static bool take_whole(struct txn_reading *r, const struct form *form)
{
    uint32_t line = form->line;
    const struct form *client = either(form, "client", "process"), *end = either(form, "return", "end");
    const struct form *committed = form_get(form, "committed"), *call = either(form, "op", "f");
    if (!client)
        return complain(r, line, "there is no client");
    if (call && !form_is(call, "txn"))
        return complain(r, line, "a history of transactions has only calls of txn");
    struct transaction *t = new_transaction(r, process_of(r, form_value(client, &r->all->values)), line);
    if (!take_time(r, either(form, "call", "start"), line, &t->called))
        return false;
    bool ended = end && end->kind != FORM_NIL;
    if (ended && !take_time(r, end, line, &t->returned))
        return false;
    if (t->returned < t->called)
        return complain(r, line, "the transaction returns before it is called");
    t->end_line = ended ? line : 0;
    if (committed && committed->kind != FORM_TRUE && committed->kind != FORM_FALSE && committed->kind != FORM_NIL)
        return complain(r, line, "committed is true, false, or nil where nobody knows");
    if (committed && committed->kind == FORM_TRUE && !ended)
        return complain(r, line, "a transaction that committed has no time of return");
    if (committed ? committed->kind == FORM_TRUE : ended)
        t->outcome = OUTCOME_COMMITTED;
    else if (committed && committed->kind == FORM_FALSE)
        t->outcome = OUTCOME_ABORTED;
    else
        t->returned = OPERATION_NEVER;
    return take_accesses(r, t, either(form, "value", "input"), line, t->outcome == OUTCOME_COMMITTED);
}

// Files

static bool take_form(struct txn_reading *r, const struct form *form)
{
    if (form->kind != FORM_MAP)
        return complain(r, form->line, "an event or transaction has to be a map or object");
    bool event = form_get(form, "type") != NULL;
    if (r->style == UNDECIDED)
        r->style = event ? EVENTS : WHOLE;
    if (event != (r->style == EVENTS))
        return complain(r, form->line, event ? "an event among transactions" : "there is no type");
    return event ? take_event(r, form) : take_whole(r, form);
}

static const struct transaction *compared_transactions;

static int by_process_and_call(const void *a, const void *b)
{
    const struct transaction *x = &compared_transactions[*(const uint32_t *)a],
                             *y = &compared_transactions[*(const uint32_t *)b];
    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->called != y->called)
        return x->called < y->called ? -1 : 1;
    return x->returned < y->returned ? -1 : x->returned > y->returned;
}

// A process does one thing at a time. One whose outcome is unknown may still be under way when the next is called.
static bool take_turns(struct txn_reading *r)
{
    struct transactions *all = r->all;
    uint32_t *order = alloc_ended(all->count, sizeof *order), wrong = 0;
    for (uint32_t i = 0; i < all->count; i++)
        order[i] = i;
    compared_transactions = all->all;
    qsort(order, all->count, sizeof *order, by_process_and_call);
    int64_t busy = INT64_MIN; // up to this time
    for (uint32_t i = 0; i < all->count && !wrong; i++) {
        const struct transaction *t = &all->all[order[i]];
        if (i && all->all[order[i - 1]].process != t->process)
            busy = INT64_MIN;
        if (t->called < busy)
            wrong = t->line;
        if (t->returned != OPERATION_NEVER && t->returned > busy)
            busy = t->returned;
    }
    free(order);
    return !wrong ||
           complain(r, wrong, "this process is at two transactions at a time; give each client a number of its own");
}

// Which writes are the last of their transaction to the key.
static void mark_final(struct transactions *all)
{
    uint32_t *seen = alloc_ended(all->key_count, sizeof *seen);
    for (uint32_t t = 0; t < all->count; t++)
        for (uint32_t i = all->all[t].count; i-- > 0;) {
            struct access *access = &all->accesses[all->all[t].first + i];
            access->final = access->write && seen[access->key] != t + 1;
            if (access->write)
                seen[access->key] = t + 1;
        }
    free(seen);
}

static bool has_aborted(const struct transactions *all, uint32_t access)
{
    return all->all[all->accesses[access].transaction].outcome == OUTCOME_ABORTED;
}

static uint32_t line_of(const struct transactions *all, uint32_t access)
{
    return all->all[all->accesses[access].transaction].line;
}

static bool index_writes(struct txn_reading *r)
{
    struct transactions *all = r->all;
    char value[64];
    bool unique = true;
    for (uint32_t i = 0; i < all->access_count && unique; i++) {
        const struct access *access = &all->accesses[i];
        if (!access->write)
            continue;
        uint32_t *writer = lookup_at(&all->writers, access->key, access->value);
        bool lists = all->model == MODEL_LISTS;
        if (*writer == REPEATED_WRITE) {
            all->repeated += !has_aborted(all, i);
        } else if (*writer == NO_ACCESS || has_aborted(all, *writer)) {
            *writer = i;
        } else if (!has_aborted(all, i)) {
            bool same = all->accesses[*writer].transaction == access->transaction;
            if (lists)
                unique = complain(r, line_of(all, i),
                                  "%s is appended to one list twice, here and in line %u; who appended what is only "
                                  "known if no value goes twice into a list",
                                  value_show(&all->values, access->value, value, sizeof value), line_of(all, *writer));
            else if (same)
                *writer = i;
            else
                *writer = REPEATED_WRITE;
            all->repeated += !same && !lists;
        }
    }
    return unique;
}

bool transactions_read(struct transactions *all, enum transaction_model model, char *text, size_t length,
                       enum input_format format)
{
    struct txn_reading r = {.all = all};
    struct forms forms;
    const struct form *form;
    *all = (struct transactions){.model = model};
    forms_open(&forms, text, length, format == INPUT_JSON || (format == INPUT_AUTO && form_is_json(text, length)));
    bool right = true;
    while (right && (form = forms_next(&forms)))
        right = take_form(&r, form);
    if (right && forms.error)
        right = complain(&r, forms.line, "%s", forms.error);
    if (right && r.style == WHOLE)
        right = take_turns(&r);
    if (right) {
        mark_final(all);
        right = index_writes(&r);
    }
    forms_close(&forms);
    lookup_free(&r.keys);
    lookup_free(&r.processes);
    free(r.open);
    return right;
}

void transactions_free(struct transactions *all)
{
    free(all->all);
    free(all->accesses);
    free(all->elements);
    free(all->keys);
    free(all->processes);
    values_free(&all->values);
    lookup_free(&all->writers);
    *all = (struct transactions){0};
}
