#include "cluster/tale.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "cluster/words.h"
#include "report/json_build.h"
#include "target/nodes/draws.h"

static struct tale_row *add_row(struct tale *s, const char *kind, int node, int from)
{
    s->rows = alloc_grow(s->rows, s->count, &s->room, sizeof *s->rows);
    struct tale_row *row = &s->rows[s->count++];
    snprintf(row->kind, sizeof row->kind, "%s", kind);
    row->node = node;
    row->from = from;
    row->later = s->settling;
    row->entries = world.counts.entries;
    row->sent = -1;
    row->message = 0;
    return row;
}

bool tale_is_event(const struct tale_row *row)
{
    return strcmp(row->kind, "say") != 0 && strcmp(row->kind, "draw") != 0;
}

// The state a node was left in by the last event, now that it is known. A start that drew nothing is not worth a row.
static void finish_event(struct tale *s)
{
    size_t last = s->count;
    while (last && !tale_is_event(&s->rows[last - 1]))
        last--;
    if (last && last == s->count && !strcmp(s->rows[last - 1].kind, "start"))
        s->count--;
    else if (last)
        words_of_state(s->rows[last - 1].node, s->rows[last - 1].after, sizeof s->rows->after);
}

static const char *name_event(const struct entry *e, bool lost)
{
    switch ((enum entry_kind)e->kind) {
    case ENTRY_MESSAGE:
        return lost ? "lost" : "deliver";
    case ENTRY_DOWN:
        return "down";
    case ENTRY_TIMER:
        return "timer";
    case ENTRY_REQUEST:
        return lost ? "lost" : "request";
    case ENTRY_CRASH:
        return "crash";
    case ENTRY_REBOOT:
        return "reboot";
    case ENTRY_ISOLATE:
        return "isolate";
    case ENTRY_HEAL:
        return "heal";
    case ENTRY_START:
        return "start";
    }
    return "?";
}

// A choice is told only if it does something by itself.
static const char *name_choice(uint32_t channel, uint32_t alternative)
{
    enum fault fault = channel_choice(channel);
    return !alternative ? NULL : fault == FAULT_DROP ? "drop" : fault == FAULT_DUPLICATE ? "duplicate" : NULL;
}

// The event in the course of which a message was sent, or -1: the last one of the sender before which there were fewer
// entries. Choices put none.
static int find_sending(const struct tale *s, const struct entry *e)
{
    for (size_t i = s->count; i-- > 0;) {
        const struct tale_row *row = &s->rows[i];
        bool runs = tale_is_event(row) && strcmp(row->kind, "drop") && strcmp(row->kind, "duplicate");
        if (runs && row->node == e->from && row->entries < e->number)
            return (int)i;
    }
    return -1;
}

static bool is_choice(const struct channel *c, const struct entry *e)
{
    if (c < world.channel || c >= world.channel + world.channels)
        return false;
    uint32_t channel = (uint32_t)(c - world.channel);
    return channel_head(channel) == e && channel_chooses(channel);
}

static void on_event(void *context, const struct channel *c, const struct entry *e, uint32_t alternative, bool lost)
{
    struct tale *s = context;
    const char *kind = is_choice(c, e) ? name_choice((uint32_t)(c - world.channel), alternative) : name_event(e, lost);
    finish_event(s);
    if (!kind || (lost && (e->kind == ENTRY_TIMER || e->kind == ENTRY_DOWN)))
        return;
    int sent = e->kind == ENTRY_MESSAGE ? find_sending(s, e) : -1;
    struct tale_row *row = add_row(s, kind, c->node, e->kind == ENTRY_MESSAGE || e->kind == ENTRY_DOWN ? e->from : -1);
    row->sent = sent;
    row->message = e->kind == ENTRY_MESSAGE ? e->number : 0;
    if (e->kind == ENTRY_MESSAGE)
        words_of_message(e, row->text, sizeof row->text);
    else
        words_of_entry(c, e, row->text, sizeof row->text);
    if (e->kind == ENTRY_CRASH && node_local(c->node)->written) // the observer is told before it happens
        strcat(row->text, alternative == CRASH_KEEPS   ? ", keeping what was not synced"
                          : alternative == CRASH_TEARS ? ", tearing the last write"
                                                       : ", losing what was not synced");
    words_of_state(c->node, row->before, sizeof row->before);
}

bool tale_is_lost(const struct tale_row *row)
{
    return !strcmp(row->kind, "lost") || !strcmp(row->kind, "drop");
}

bool tale_is_passage(const struct tale_row *row)
{
    return row->message && strcmp(row->kind, "duplicate") != 0;
}

static void on_drew(void *context, int node, uint32_t value, uint32_t of, bool is_rand)
{
    struct tale_row *row = add_row(context, "draw", node, -1);
    if (is_rand)
        snprintf(row->text, sizeof row->text, "rand gives %ld (number %u of %u)", draws_rand_value(value), value + 1,
                 of);
    else
        snprintf(row->text, sizeof row->text, "draws %u of 0 to %u", value, of - 1);
}

static void on_said(void *context, int node, const char *text)
{
    struct tale *s = context;
    struct tale_row *row = add_row(s, "say", node, -1);
    struct buffer safe = {0};
    buffer_add_safe(&safe, text, strlen(text), false);
    snprintf(row->text, sizeof row->text, "%s", buffer_text(&safe));
    buffer_free(&safe);
}

static void on_again(void *context)
{
    struct tale *s = context;
    while (s->count && s->rows[s->count - 1].later)
        s->count--;
}

void tale_record(struct tale *s, const struct cluster_result *r, uint32_t patience)
{
    struct world_observer observer = {
        .event = on_event, .said = on_said, .drew = on_drew, .again = on_again, .context = s};
    *s = (struct tale){.nodes = world.options.nodes};
    cluster_rewind();
    world.observer = &observer;
    cluster_follow(r->steps, r->step_count);
    s->settling = true;
    world_settle(patience);
    finish_event(s);
    world.observer = NULL;
}

void tale_free(struct tale *s)
{
    free(s->rows);
}

cJSON *tale_json(const struct tale *s)
{
    cJSON *rows = json_array();
    for (size_t i = 0; i < s->count; i++) {
        const struct tale_row *row = &s->rows[i];
        cJSON *item = json_object();
        json_add_text(item, "event", row->kind);
        json_add_number(item, "node", row->node);
        if (row->from >= 0)
            json_add_number(item, "from", row->from);
        if (row->sent >= 0)
            json_add_number(item, "sent", row->sent + 1);
        json_add_text(item, "text", row->text);
        json_add_text(item, "before", row->before[0] ? row->before : NULL);
        json_add_text(item, "after", row->after[0] ? row->after : NULL);
        json_made(cJSON_AddBoolToObject(item, "settling", row->later));
        json_append(rows, item);
    }
    return rows;
}
