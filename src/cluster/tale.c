#include "cluster/tale.h"

#include <stdlib.h>
#include <string.h>

#include "cluster/words.h"
#include "report/buffer.h"
#include "report/json_build.h"

static struct tale_row *add_row(struct tale *s, const char *kind, int node, int from)
{
    s->rows = buffer_grow(s->rows, s->count, &s->room, sizeof *s->rows);
    struct tale_row *row = &s->rows[s->count++];
    snprintf(row->kind, sizeof row->kind, "%s", kind);
    row->node = node;
    row->from = from;
    row->later = s->settling;
    row->entries = world.counts.entries;
    row->sent = -1;
    return row;
}

bool tale_is_event(const struct tale_row *row)
{
    return strcmp(row->kind, "say") != 0;
}

// The state a node was left in by the last event, now that it is known.
static void finish_event(struct tale *s)
{
    size_t last = s->count;
    while (last && !tale_is_event(&s->rows[last - 1]))
        last--;
    if (last)
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
    struct world_observer observer = {.event = on_event, .said = on_said, .again = on_again, .context = s};
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

// Text: a lifeline for each node, an arrow for each message, what it was beside it.

enum { SPAN = 10, MARGIN = 6, SHOWN_LATER = 20 };

static const char *mark_of(const char *kind)
{
    static const char *const marks[][2] = {{"crash", "✗"}, {"reboot", "●"},  {"timer", "◷"}, {"request", "◆"},
                                           {"down", "!"},  {"isolate", "≠"}, {"heal", "="},  {"say", "·"}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strcmp(kind, marks[i][0]))
            return marks[i][1];
    return "○";
}

static bool is_arrow(const struct tale_row *row)
{
    return row->from >= 0 && row->from != row->node && strcmp(row->kind, "down") != 0;
}

static void print_lifelines(const struct tale *s, const struct tale_row *row, FILE *out)
{
    bool arrow = is_arrow(row), lost = !strcmp(row->kind, "lost") || !strcmp(row->kind, "drop");
    int low = arrow && row->from < row->node ? row->from : row->node, high = arrow ? row->from + row->node - low : low;
    for (int node = 0; node < s->nodes; node++) {
        const char *point = "│";
        if (arrow && node == row->from)
            point = row->from < row->node ? "├" : "┤";
        else if (arrow && node == row->node)
            point = lost ? "×" : row->from < row->node ? "▶" : "◀";
        else if (arrow && node > low && node < high)
            point = "┼";
        else if (!arrow && node == row->node)
            point = mark_of(row->kind);
        fputs(point, out);
        for (int i = 1; i < SPAN && node + 1 < s->nodes; i++)
            fputs(arrow && node >= low && node < high ? "─" : " ", out);
    }
}

static void print_row(const struct tale *s, size_t number, FILE *out)
{
    const struct tale_row *row = &s->rows[number];
    fprintf(out, "%4zu  ", number + 1);
    print_lifelines(s, row, out);
    bool plain = !strcmp(row->kind, "deliver") || !strcmp(row->kind, "say") || !is_arrow(row);
    fprintf(out, "  %s%s", row->text,
            plain                             ? ""
            : !strcmp(row->kind, "duplicate") ? " (stays in flight as well)"
                                              : " (lost)");
    if (row->sent >= 0 && (size_t)row->sent + 1 < number)
        fprintf(out, ", sent at %d", row->sent + 1);
    if (row->after[0] && strcmp(row->before, row->after) != 0)
        fprintf(out, "  [%d: %s]", row->node, row->after);
    fputs("\n", out);
}

void tale_text(const struct tale *s, FILE *out)
{
    fprintf(out, "%*s", MARGIN, "");
    for (int node = 0; node < s->nodes; node++)
        fprintf(out, "%-*d", SPAN, node);
    fputs("\n", out);
    size_t later = 0;
    for (size_t i = 0; i < s->count; i++) {
        later += s->rows[i].later;
        if (later == 1)
            fprintf(out, "%*s— from here on everything is delivered and every timer runs out —\n", MARGIN, "");
        if (later <= SHOWN_LATER)
            print_row(s, i, out);
    }
    if (later > SHOWN_LATER)
        fprintf(out, "%*s… and so on, %zu events more\n", MARGIN, "", later - SHOWN_LATER);
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
        cJSON_AddItemToArray(rows, item);
    }
    return rows;
}

// The picture.

enum { LANE = 220, LINE = 34, TOP = 70, LEFT = 60 };

static void svg_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        const char *entity = *text == '<' ? "&lt;" : *text == '&' ? "&amp;" : *text == '>' ? "&gt;" : NULL;
        if (entity)
            fputs(entity, out);
        else
            fputc(*text, out);
    }
}

static void svg_text(FILE *out, int x, int y, const char *anchor, const char *text)
{
    fprintf(out, "<text x='%d' y='%d' text-anchor='%s'>", x, y, anchor);
    svg_escaped(out, text);
    fputs("</text>\n", out);
}

static int svg_height(size_t row)
{
    return TOP + (int)row * LINE + LINE / 2;
}

// A message leaves where it was sent and arrives in its row; one to the node itself is a loop beside its lifeline.
static void svg_message(const struct tale_row *row, int y, FILE *out)
{
    int to = LEFT + row->node * LANE, from = LEFT + row->from * LANE, side = from < to ? -1 : 1;
    int sent = row->sent >= 0 ? svg_height((size_t)row->sent) : TOP - 16;
    bool lost = !strcmp(row->kind, "lost") || !strcmp(row->kind, "drop");
    const char *class = lost ? "lost" : "message";
    if (from == to)
        fprintf(out, "<path d='M%d,%d C%d,%d %d,%d %d,%d' class='%s' fill='none' marker-end='url(#head)'/>\n", from,
                sent, from + 40, sent, to + 40, y, to, y, class);
    else
        fprintf(out, "<line x1='%d' y1='%d' x2='%d' y2='%d' class='%s' marker-end='url(#head)'/>\n", from, sent, to, y,
                class);
    svg_text(out, to + side * 12, y - 4, side < 0 ? "end" : "start", row->text);
    if (lost)
        svg_text(out, to, y + 5, "middle", "×");
}

static void svg_row(const struct tale *s, size_t number, FILE *out)
{
    const struct tale_row *row = &s->rows[number];
    int x = LEFT + row->node * LANE, y = svg_height(number);
    bool is_message = row->from >= 0 && strcmp(row->kind, "down");
    if (is_message) {
        svg_message(row, y, out);
    } else {
        fprintf(out, "<circle cx='%d' cy='%d' r='5' class='%s'/>\n", x, y, row->kind);
        svg_text(out, x + 10, y + 4, "start", row->text);
    }
    if (!row->after[0] || !strcmp(row->before, row->after))
        return;
    fprintf(out, "<g class='state'>");
    svg_text(out, x + 10, y + (is_message && row->from > row->node ? 10 : 16), "start", row->after);
    fputs("</g>\n", out);
}

void tale_svg(const struct tale *s, const char *title, FILE *out)
{
    int width = LEFT * 2 + s->nodes * LANE, height = TOP + (int)s->count * LINE + LINE;
    fprintf(out,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>\n"
            "<style>.life{stroke:#999}.message{stroke:#000}.lost{stroke:#c00;stroke-dasharray:4}"
            ".state "
            "text{fill:#06c;font-size:10px}circle{fill:#06c}circle.crash{fill:#c00}circle.reboot{fill:#080}</style>\n"
            "<defs><marker id='head' markerWidth='8' markerHeight='8' refX='8' refY='4' orient='auto'>"
            "<path d='M0,0 L8,4 L0,8 z'/></marker></defs>\n",
            width, height);
    svg_text(out, 10, 20, "start", title);
    for (int node = 0; node < s->nodes; node++) {
        char name[24];
        snprintf(name, sizeof name, "node %d", node);
        svg_text(out, LEFT + node * LANE, TOP - 24, "middle", name);
        fprintf(out, "<line x1='%d' y1='%d' x2='%d' y2='%d' class='life'/>\n", LEFT + node * LANE, TOP - 16,
                LEFT + node * LANE, height - LINE / 2);
    }
    for (size_t i = 0; i < s->count; i++)
        svg_row(s, i, out);
    fputs("</svg>\n", out);
}
