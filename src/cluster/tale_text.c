// A story as text: a line down the page for each node, a row for each event, an arrow for each message.
//
// An arrow that leaves the line of its sender in the row in which it arrives was sent in the sender's last event before that row:
// nothing has happened to the sender since. Any other message leaves the line below the event that sent it, hangs down beside it
// as a dotted track, and turns towards its receiver where it arrives:
//
//      0         1
//   1  ◷         │  timer 0
//      ├─╮       │
//   2  ◷ ╎       │  timer 0
//   3  │ ╰───────▶  hello
//
// Tracks have a few columns between two lines. A message that finds none free gets an arrow in its row and a word about where it
// was sent. A node that is down has no line.
#include "cluster/tale.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "report/style.h"

enum { MARGIN = 6, SHOWN_LATER = 20, WIDE = 10, NARROW = 8, MANY_NODES = 8, MOST_COLUMNS = WIDE * MAX_NODES };

enum glyph {
    BLANK,
    LINE,
    TRACK,
    ACROSS,
    CROSSING,     // of an arrow and a line or a track
    LEAVES_RIGHT, // an arrow begins at a line or a track that goes on
    LEAVES_LEFT,
    BEGINS_RIGHT, // a track begins, coming from a line to its left …
    BEGINS_LEFT,  // … or to its right
    BEGINS_BETWEEN,
    ENDS_RIGHT, // a track ends and goes to the right
    ENDS_LEFT,
    HEAD_RIGHT,
    HEAD_LEFT,
    LOST,
    CRASH,
    REBOOT,
    TIMER,
    REQUEST,
    DOWN,
    ISOLATE,
    HEAL,
    SAY,
    OTHER,
    GLYPHS
};

static const char *const pretty[GLYPHS] = {
    [BLANK] = " ",        [LINE] = "│",        [TRACK] = "╎",        [ACROSS] = "─",      [CROSSING] = "┼",
    [LEAVES_RIGHT] = "├", [LEAVES_LEFT] = "┤", [BEGINS_RIGHT] = "╮", [BEGINS_LEFT] = "╭", [BEGINS_BETWEEN] = "┬",
    [ENDS_RIGHT] = "╰",   [ENDS_LEFT] = "╯",   [HEAD_RIGHT] = "▶",   [HEAD_LEFT] = "◀",   [LOST] = "×",
    [CRASH] = "✗",        [REBOOT] = "●",      [TIMER] = "◷",        [REQUEST] = "◆",     [DOWN] = "!",
    [ISOLATE] = "≠",      [HEAL] = "=",        [SAY] = "·",          [OTHER] = "○"};

static const char *const ascii[GLYPHS] = {
    [BLANK] = " ",        [LINE] = "|",        [TRACK] = ":",        [ACROSS] = "-",      [CROSSING] = "+",
    [LEAVES_RIGHT] = "|", [LEAVES_LEFT] = "|", [BEGINS_RIGHT] = ".", [BEGINS_LEFT] = ".", [BEGINS_BETWEEN] = ".",
    [ENDS_RIGHT] = "'",   [ENDS_LEFT] = "'",   [HEAD_RIGHT] = ">",   [HEAD_LEFT] = "<",   [LOST] = "x",
    [CRASH] = "X",        [REBOOT] = "*",      [TIMER] = "@",        [REQUEST] = "#",     [DOWN] = "!",
    [ISOLATE] = "/",      [HEAL] = "=",        [SAY] = ".",          [OTHER] = "o"};

struct track {
    uint32_t message;
    int from;
    bool leftwards;
    int start, last; // it begins below row `start` (-1: below the heading) and ends in row `last`
    int column;      // or -1
};

struct sheet {
    const struct tale *tale;
    struct style style;
    FILE *out;
    int shown; // rows
    int span, columns;
    struct track *tracks;
    size_t track_count, track_room;
    bool down[MAX_NODES]; // before the row that is drawn next
    enum glyph cells[MOST_COLUMNS];
};

// Whether an arrow from the line of the node in a later row would seem to come from this event.
static bool happens_to(const struct tale_row *row, int node)
{
    return row->node == node && tale_is_event(row) && strcmp(row->kind, "duplicate") && !tale_is_lost(row);
}

static bool is_delayed(const struct tale *s, int number)
{
    const struct tale_row *row = &s->rows[number];
    for (int i = row->sent + 1; i < number; i++)
        if (happens_to(&s->rows[i], row->from))
            return true;
    return false;
}

static struct track *find_track(const struct sheet *sheet, const struct tale_row *row)
{
    for (size_t i = 0; i < sheet->track_count; i++)
        if (row->message && sheet->tracks[i].message == row->message)
            return &sheet->tracks[i];
    return NULL;
}

// The last row of what belongs to the event in row `sent`: the event, or what its node said.
static int end_of_event(const struct tale *s, int sent)
{
    while (sent >= 0 && (size_t)sent + 1 < s->count && !tale_is_event(&s->rows[sent + 1]))
        sent++;
    return sent;
}

static void add_track(struct sheet *sheet, int number)
{
    const struct tale_row *row = &sheet->tale->rows[number];
    bool to_itself = row->from == row->node;
    sheet->tracks = alloc_grow(sheet->tracks, sheet->track_count, &sheet->track_room, sizeof *sheet->tracks);
    sheet->tracks[sheet->track_count++] =
        (struct track){.message = row->message,
                       .from = row->from,
                       .leftwards = to_itself ? row->node + 1 == sheet->tale->nodes : row->node < row->from,
                       .start = end_of_event(sheet->tale, row->sent),
                       .last = number,
                       .column = -1};
}

static bool is_free(const struct sheet *sheet, const struct track *track, int column)
{
    for (size_t i = 0; i < sheet->track_count; i++) {
        const struct track *other = &sheet->tracks[i];
        if (other->column == column && other->start < track->last && track->start < other->last)
            return false;
    }
    return true;
}

// Every second column beside the sender's line, from there on; no track if none is free, or there is no line on this side.
static void find_column(const struct sheet *sheet, struct track *track)
{
    int line = track->from * sheet->span, step = track->leftwards ? -2 : 2;
    for (int away = 2; away < sheet->span; away += 2) {
        int column = line + away / 2 * step;
        if (column >= 0 && column < sheet->columns && is_free(sheet, track, column)) {
            track->column = column;
            return;
        }
    }
}

static int by_start(const void *a, const void *b)
{
    const struct track *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->last > y->last) - (x->last < y->last);
}

// A message that comes twice has one track, with an arrow at each arrival.
static void plan_tracks(struct sheet *sheet)
{
    for (int i = 0; i < sheet->shown; i++) {
        const struct tale_row *row = &sheet->tale->rows[i];
        if (!tale_is_passage(row) || !is_delayed(sheet->tale, i))
            continue;
        struct track *known = find_track(sheet, row);
        if (known)
            known->last = i;
        else
            add_track(sheet, i);
    }
    if (sheet->track_count)
        qsort(sheet->tracks, sheet->track_count, sizeof *sheet->tracks, by_start);
    for (size_t i = 0; i < sheet->track_count; i++)
        find_column(sheet, &sheet->tracks[i]);
}

// Drawing: the cells of one printed line.

// What runs down the page at a row: lines of nodes that are up, and tracks that began above it and end in it or below.
static void draw_lines(struct sheet *sheet, int number, bool below)
{
    for (int i = 0; i < sheet->columns; i++)
        sheet->cells[i] = BLANK;
    for (int node = 0; node < sheet->tale->nodes; node++)
        sheet->cells[(ptrdiff_t)node * sheet->span] = sheet->down[node] ? BLANK : LINE;
    for (size_t i = 0; i < sheet->track_count; i++) {
        const struct track *t = &sheet->tracks[i];
        if (t->column >= 0 && t->start < number && number + below <= t->last)
            sheet->cells[t->column] = TRACK;
    }
}

// An arrow's way between two columns, without these.
static void draw_across(struct sheet *sheet, int from, int to)
{
    int step = from < to ? 1 : -1;
    for (int i = from + step; i != to; i += step)
        sheet->cells[i] = sheet->cells[i] == BLANK || sheet->cells[i] == ACROSS ? ACROSS : CROSSING;
}

static void draw_arrow(struct sheet *sheet, int number)
{
    const struct tale_row *row = &sheet->tale->rows[number];
    const struct track *track = is_delayed(sheet->tale, number) ? find_track(sheet, row) : NULL;
    int from = track && track->column >= 0 ? track->column : row->from * sheet->span, to = row->node * sheet->span;
    bool right = from < to, ends = track && track->column >= 0 && track->last == number;
    if (from == to) {
        sheet->cells[to] = tale_is_lost(row) ? LOST : OTHER;
        return;
    }
    draw_across(sheet, from, to);
    sheet->cells[from] = ends ? right ? ENDS_RIGHT : ENDS_LEFT : right ? LEAVES_RIGHT : LEAVES_LEFT;
    sheet->cells[to] = tale_is_lost(row) ? LOST : right ? HEAD_RIGHT : HEAD_LEFT;
}

static enum glyph mark_of(const char *kind)
{
    static const struct {
        const char *kind;
        enum glyph mark;
    } marks[] = {{"crash", CRASH},     {"reboot", REBOOT}, {"start", REBOOT}, {"timer", TIMER},
                 {"request", REQUEST}, {"down", DOWN},     {"lost", LOST},    {"isolate", ISOLATE},
                 {"heal", HEAL},       {"say", SAY},       {"draw", SAY}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (!strcmp(kind, marks[i].kind))
            return marks[i].mark;
    return OTHER;
}

// Where a track leaves the line of its sender. The line may have other tracks on the way, and tracks on both sides.
static void draw_beginning(struct sheet *sheet, const struct track *t)
{
    int line = t->from * sheet->span;
    enum glyph leaves = t->leftwards ? LEAVES_LEFT : LEAVES_RIGHT, *at_line = &sheet->cells[line];
    bool both = *at_line != LINE && *at_line != BLANK && *at_line != leaves;
    int step = t->leftwards ? -1 : 1;
    for (int i = line + step; i != t->column; i += step) {
        enum glyph *cell = &sheet->cells[i];
        if (*cell == BEGINS_LEFT || *cell == BEGINS_RIGHT)
            *cell = BEGINS_BETWEEN;
        else if (*cell == TRACK)
            *cell = CROSSING;
        else if (*cell == BLANK)
            *cell = ACROSS;
    }
    enum glyph *end = &sheet->cells[t->column];
    *end = *end != BLANK ? BEGINS_BETWEEN : t->leftwards ? BEGINS_LEFT : BEGINS_RIGHT;
    *at_line = both ? CROSSING : leaves;
}

// The cells, and what is said beside them. A line ends with its last visible character.
static void print_cells(const struct sheet *sheet, const char *margin, const char *text)
{
    struct buffer line = {0};
    buffer_add(&line, "%-*s", MARGIN, margin);
    for (int i = 0; i < sheet->columns; i++)
        buffer_add(&line, "%s", (sheet->style.utf8 ? pretty : ascii)[sheet->cells[i]]);
    buffer_add(&line, "  %s", text);
    size_t length = strlen(buffer_text(&line));
    while (length && buffer_text(&line)[length - 1] == ' ')
        length--;
    fprintf(sheet->out, "%.*s\n", (int)length, buffer_text(&line));
    buffer_free(&line);
}

// The line below row `number` in which tracks begin, if there are any.
static void print_beginnings(struct sheet *sheet, int number)
{
    bool any = false;
    draw_lines(sheet, number, true);
    for (size_t i = 0; i < sheet->track_count; i++) {
        if (sheet->tracks[i].column < 0 || sheet->tracks[i].start != number)
            continue;
        draw_beginning(sheet, &sheet->tracks[i]);
        any = true;
    }
    if (any)
        print_cells(sheet, "", "");
}

static bool came_before(const struct tale *s, int number)
{
    for (int i = 0; i < number; i++)
        if (s->rows[i].message == s->rows[number].message && tale_is_passage(&s->rows[i]))
            return true;
    return false;
}

static void add_words(const struct tale *s, int number, struct buffer *text)
{
    const struct tale_row *row = &s->rows[number];
    buffer_add(text, "%s", row->text);
    if (!strcmp(row->kind, "duplicate"))
        buffer_add(text, " from node %d to node %d is doubled", row->from, row->node);
    if (tale_is_passage(row) && came_before(s, number))
        buffer_add(text, " (again)");
    if (tale_is_lost(row))
        buffer_add(text, " (lost)");
    if (tale_is_passage(row) && row->sent >= 0 && is_delayed(s, number))
        buffer_add(text, ", sent at %d", row->sent + 1);
}

// The state that the node is left in has a line of its own where there is no room for it.
static void print_row(struct sheet *sheet, int number)
{
    const struct tale_row *row = &sheet->tale->rows[number];
    char margin[MARGIN + 12];
    struct buffer text = {0}, state = {0};
    add_words(sheet->tale, number, &text);
    if (row->after[0] && strcmp(row->before, row->after) != 0)
        buffer_add(&state, "[%d: %s]", row->node, row->after);
    size_t taken = MARGIN + (size_t)sheet->columns + 2 + style_columns(buffer_text(&text)) + 2;
    bool apart = taken + style_columns(buffer_text(&state)) > sheet->style.width;
    if (!apart && strlen(buffer_text(&state)))
        buffer_add(&text, "  %s", buffer_text(&state));
    snprintf(margin, sizeof margin, "%4d", number + 1);

    draw_lines(sheet, number, false);
    if (tale_is_passage(row))
        draw_arrow(sheet, number);
    else if (strcmp(row->kind, "duplicate"))
        sheet->cells[(ptrdiff_t)row->node * sheet->span] = mark_of(row->kind);
    print_cells(sheet, margin, buffer_text(&text));
    if (!strcmp(row->kind, "crash") || !strcmp(row->kind, "reboot"))
        sheet->down[row->node] = row->kind[0] == 'c';
    if (apart) {
        draw_lines(sheet, number, true);
        print_cells(sheet, "", buffer_text(&state));
    }
    buffer_free(&text);
    buffer_free(&state);
}

static void print_heading(const struct sheet *sheet)
{
    fprintf(sheet->out, "%*s", MARGIN, "");
    for (int node = 0; node < sheet->tale->nodes; node++)
        fprintf(sheet->out, "%-*d", node + 1 < sheet->tale->nodes ? sheet->span : 1, node);
    fputs("\n", sheet->out);
}

// How many rows are shown: of the fair events at the end only the first.
static int count_shown(const struct tale *s)
{
    int shown = 0, later = 0;
    for (size_t i = 0; i < s->count && later <= SHOWN_LATER; i++) {
        later += s->rows[i].later;
        shown += later <= SHOWN_LATER;
    }
    return shown;
}

void tale_text(const struct tale *s, FILE *out)
{
    struct sheet sheet = {.tale = s, .out = out, .shown = count_shown(s)};
    style_init(&sheet.style, out, false);
    sheet.span = s->nodes >= MANY_NODES ? NARROW : WIDE;
    sheet.columns = (s->nodes - 1) * sheet.span + 1;
    plan_tracks(&sheet);
    print_heading(&sheet);
    print_beginnings(&sheet, -1);
    const char *dash = sheet.style.utf8 ? "—" : "--";
    for (int i = 0; i < sheet.shown; i++) {
        if (s->rows[i].later && (i == 0 || !s->rows[i - 1].later))
            fprintf(out, "%*s%s from here on everything is delivered and every timer runs out %s\n", MARGIN, "", dash,
                    dash);
        print_row(&sheet, i);
        print_beginnings(&sheet, i);
    }
    if ((size_t)sheet.shown < s->count)
        fprintf(out, "%*s%s and so on, %zu events more\n", MARGIN, "", sheet.style.ellipsis,
                s->count - (size_t)sheet.shown);
    free(sheet.tracks);
}
