#include "consensus/qtree_log.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MOST_WORDS = 6, SHOWN = 60 };

struct word {
    const char *text;
    size_t length;
};

// Numbers stand for themselves, in odd numbers; the even ones are words of a table. A word that only looks like another spelling of a
// number, such as 007, is one of the table.
static uint64_t number_of(struct qtree_log *log, struct word w)
{
    uint64_t number = 0;
    size_t i = 0;
    bool plain = w.length == 1 || w.text[0] != '0';
    for (; plain && i < w.length && i < 18 && w.text[i] >= '0' && w.text[i] <= '9'; i++)
        number = 10 * number + (uint64_t)(w.text[i] - '0');
    if (plain && i == w.length)
        return number << 1 | 1;
    return (uint64_t)table_add(&log->words, w.text, w.length, NULL) << 1;
}

static void name_number(const void *context, uint64_t number, struct buffer *text)
{
    const struct qtree_log *log = context;
    size_t length = 0;
    if (number & 1) {
        buffer_add(text, "%" PRIu64, number >> 1);
        return;
    }
    const char *word = table_key(&log->words, (uint32_t)(number >> 1), &length);
    buffer_add_safe(text, word, length, false);
}

static void name_line(const void *context, uint64_t origin, struct buffer *text)
{
    (void)context;
    buffer_add(text, " at line %" PRIu64, origin);
}

struct qtree_names qtree_log_names(const struct qtree_log *log)
{
    return (struct qtree_names){.instance = name_number, .value = name_number, .origin = name_line, .context = log};
}

static enum qtree_line wrong(struct qtree_log *log, const char *why, const struct word *word)
{
    struct buffer safe = {0};
    if (word)
        buffer_add_safe(&safe, word->text, word->length < SHOWN ? word->length : SHOWN, false);
    snprintf(log->error, sizeof log->error, why, buffer_text(&safe));
    buffer_free(&safe);
    return QTREE_LINE_WRONG;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

// The words up to the end or to one that begins with #; at most MOST_WORDS.
static int split(const char *text, size_t length, struct word *words)
{
    int count = 0;
    const char *end = text + length;
    while (count < MOST_WORDS) {
        while (text < end && is_blank(*text))
            text++;
        if (text == end || *text == '#')
            break;
        const char *start = text;
        while (text < end && !is_blank(*text))
            text++;
        words[count++] = (struct word){start, (size_t)(text - start)};
    }
    return count;
}

static bool is_word(struct word w, const char *text)
{
    return strlen(text) == w.length && !memcmp(w.text, text, w.length);
}

// A number at *at, which is moved behind it.
static bool read_digits(const char **at, const char *end, uint64_t *number)
{
    const char *start = *at;
    for (*number = 0; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (__builtin_mul_overflow(*number, 10, number) ||
            __builtin_add_overflow(*number, (uint64_t)(**at - '0'), number))
            return false;
    return *at > start;
}

// 7, or 3:12.
static bool read_round(struct word w, struct qtree_round *round)
{
    const char *at = w.text, *end = w.text + w.length;
    round->index = 0;
    if (!read_digits(&at, end, &round->term))
        return false;
    if (at < end && *at == ':')
        return ++at, read_digits(&at, end, &round->index) && at == end;
    return at == end;
}

static enum qtree_line take_add(struct qtree_log *log, const struct word *words, int count, struct qtree_event *e)
{
    if (count != 5)
        return wrong(log, "`add` has four words behind it: instance, round, value, parent", NULL);
    if (!read_round(words[2], &e->round))
        return wrong(log, "%s is no round, which is a number or two with a colon between them", &words[2]);
    if (!read_round(words[4], &e->parent))
        return wrong(log, "%s is no parent, which is a round, or 0 for the root", &words[4]);
    e->instance = number_of(log, words[1]);
    e->value = number_of(log, words[3]);
    return QTREE_LINE_EVENT;
}

static enum qtree_line take_commit(struct qtree_log *log, const struct word *words, int count, struct qtree_event *e)
{
    if (count != 3)
        return wrong(log, "`commit` has two words behind it: instance, round", NULL);
    if (!read_round(words[2], &e->round))
        return wrong(log, "%s is no round, which is a number or two with a colon between them", &words[2]);
    e->instance = number_of(log, words[1]);
    e->is_commit = true;
    return QTREE_LINE_EVENT;
}

// values same, values any, witnesses
static enum qtree_line take_setting(struct qtree_log *log, const struct word *words, int count)
{
    if (log->has_event)
        return wrong(log, "`%s` has to stand before the first event", &words[0]);
    if (is_word(words[0], "witnesses") && count == 1)
        log->options->witnesses = true;
    else if (count == 2 && is_word(words[0], "values") && is_word(words[1], "same"))
        log->options->values = QTREE_SAME_VALUES;
    else if (count == 2 && is_word(words[0], "values") && is_word(words[1], "any"))
        log->options->values = QTREE_ANY_VALUES;
    else
        return wrong(log, "settings are `values same`, `values any` and `witnesses`", NULL);
    return QTREE_LINE_EMPTY;
}

enum qtree_line qtree_log_take(struct qtree_log *log, const char *line, size_t length, struct qtree_event *e)
{
    struct word words[MOST_WORDS];
    log->line++;
    if (log->after) {
        size_t size = strlen(log->after);
        const char *found = memmem(line, length, log->after, size);
        if (!found)
            return QTREE_LINE_EMPTY;
        length -= (size_t)(found + size - line);
        line = found + size;
    }
    int count = split(line, length, words);
    if (!count)
        return QTREE_LINE_EMPTY;
    if (is_word(words[0], "values") || is_word(words[0], "witnesses"))
        return take_setting(log, words, count);
    *e = (struct qtree_event){.origin = log->line};
    log->has_event = true;
    if (is_word(words[0], "add"))
        return take_add(log, words, count, e);
    if (is_word(words[0], "commit"))
        return take_commit(log, words, count, e);
    return wrong(log, "%s is no event: a line begins with `add` or `commit`", &words[0]);
}

void qtree_log_free(struct qtree_log *log)
{
    table_free(&log->words);
}
