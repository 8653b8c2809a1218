#include "supervise/tolerance.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "check/bug.h"

static const char heading[] = "heddle baseline 1";

enum { ANY_KIND = BUG_KINDS };

struct known {
    uint64_t fingerprint;
    char *text;
    bool given; // stands in the baseline that was read
    bool seen;
};

struct suppression {
    uint32_t kind; // or ANY_KIND
    char *text;    // KIND:PATTERN
    const char *pattern;
    bool used;
};

struct tolerance {
    struct known *known;
    size_t known_count, known_room;
    struct suppression *suppressions;
    size_t suppression_count, suppression_room;
};

struct tolerance *tolerance_new(void)
{
    return alloc_zeroed(1, sizeof(struct tolerance));
}

void tolerance_free(struct tolerance *t)
{
    for (size_t i = 0; i < t->known_count; i++)
        free(t->known[i].text);
    for (size_t i = 0; i < t->suppression_count; i++)
        free(t->suppressions[i].text);
    free(t->known);
    free(t->suppressions);
    free(t);
}

static struct known *find_known(const struct tolerance *t, uint64_t fingerprint)
{
    for (size_t i = 0; i < t->known_count; i++)
        if (t->known[i].fingerprint == fingerprint)
            return &t->known[i];
    return NULL;
}

static struct known *add_known(struct tolerance *t, uint64_t fingerprint, const char *text)
{
    struct known *known = find_known(t, fingerprint);
    if (known)
        return known;
    t->known = alloc_grow(t->known, t->known_count, &t->known_room, sizeof *t->known);
    known = &t->known[t->known_count++];
    *known = (struct known){.fingerprint = fingerprint, .text = alloc_copy(text)};
    return known;
}

// "0123456789abcdef words"
static const char *take_known(struct tolerance *t, const char *line)
{
    enum { DIGITS = 16 };
    size_t digits = strspn(line, "0123456789abcdef");
    if (digits != DIGITS || line[DIGITS] != ' ' || !line[DIGITS + 1])
        return "a line must have a fingerprint of 16 hexadecimal digits and the bug's words";
    add_known(t, strtoull(line, NULL, 16), line + DIGITS + 1)->given = true;
    return NULL;
}

static const char *take_suppression(struct tolerance *t, const char *line)
{
    const char *colon = strchr(line, ':');
    if (!colon || !colon[1])
        return "a line must be KIND:PATTERN, for example race:counter_*";
    size_t length = (size_t)(colon - line);
    uint32_t kind = bug_by_name(line, length);
    if (kind == BUG_KINDS && (length != 1 || *line != '*'))
        return "there is no such kind of bug (heddle-check(1) lists them)";
    t->suppressions = alloc_grow(t->suppressions, t->suppression_count, &t->suppression_room, sizeof *t->suppressions);
    struct suppression *s = &t->suppressions[t->suppression_count++];
    *s = (struct suppression){.kind = kind, .text = alloc_copy(line)};
    s->pattern = s->text + length + 1;
    return NULL;
}

// Blanks at both ends do not count.
static char *tolerance_trimmed(char *line)
{
    while (isspace((unsigned char)*line))
        line++;
    size_t length = strlen(line);
    while (length && isspace((unsigned char)line[length - 1]))
        line[--length] = 0;
    return line;
}

static bool is_text(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)line[i] < ' ' && !isspace((unsigned char)line[i]))
            return false;
    return true;
}

// Gives each line that says something to `take`, but the first `skipped` ones.
static const char *read_lines(struct tolerance *t, FILE *file, const char *(*take)(struct tolerance *, const char *),
                              unsigned skipped, char *wrong, size_t room)
{
    struct buffer line = {0};
    const char *why = NULL;
    unsigned number = skipped;
    while (!why && buffer_read_line(&line, file)) {
        number++;
        if (!is_text(line.text, line.length)) {
            why = "this is not text";
            break;
        }
        char *text = tolerance_trimmed(line.text);
        if (*text && *text != '#')
            why = take(t, text);
    }
    if (!why && ferror(file)) {
        why = "it cannot be read";
        number++;
    }
    buffer_free(&line);
    if (why)
        snprintf(wrong, room, "line %u: %s", number, why);
    return why ? wrong : NULL;
}

const char *tolerance_read_baseline(struct tolerance *t, FILE *file, char *wrong, size_t room)
{
    struct buffer line = {0};
    bool good = buffer_read_line(&line, file) && !strcmp(tolerance_trimmed(line.text), heading);
    bool newer = !good && !strncmp(buffer_text(&line), heading, strlen(heading) - 1);
    buffer_free(&line);
    if (good)
        return read_lines(t, file, take_known, 1, wrong, room);
    snprintf(wrong, room,
             newer ? "this baseline was written by another version of heddle" : "this is not a baseline of heddle");
    return wrong;
}

const char *tolerance_read_suppressions(struct tolerance *t, FILE *file, char *wrong, size_t room)
{
    return read_lines(t, file, take_suppression, 0, wrong, room);
}

static struct suppression *find_suppression(const struct tolerance *t, const struct identity *id)
{
    struct suppression *found = NULL;
    for (size_t i = 0; i < t->suppression_count; i++) {
        struct suppression *s = &t->suppressions[i];
        if ((s->kind != ANY_KIND && s->kind != id->kind) || !identity_is_called(id, s->pattern))
            continue;
        s->used = true; // each that fits: none of them can go without a closer look
        if (!found)
            found = s;
    }
    return found;
}

enum ruling tolerance_rule(struct tolerance *t, const struct identity *id, const char **rule)
{
    const struct suppression *s = find_suppression(t, id);
    *rule = s ? s->text : NULL;
    if (s)
        return RULING_SUPPRESSED;
    struct known *known = add_known(t, id->fingerprint, id->text.text);
    known->seen = true;
    return known->given ? RULING_KNOWN : RULING_NEW;
}

void tolerance_merge(struct tolerance *t, const struct tolerance *from)
{
    for (size_t i = 0; i < from->suppression_count; i++)
        t->suppressions[i].used |= from->suppressions[i].used;
    for (size_t i = 0; i < from->known_count; i++)
        if (from->known[i].seen)
            add_known(t, from->known[i].fingerprint, from->known[i].text)->seen = true;
}

const struct tolerance *tolerance_copy(struct shelf *shelf, const struct tolerance *t)
{
    struct tolerance *copy = shelf_put(shelf, t, 1, sizeof *t);
    copy->known = shelf_put(shelf, t->known, t->known_count, sizeof *t->known);
    for (size_t i = 0; i < t->known_count; i++)
        copy->known[i].text = (char *)(uintptr_t)shelf_text(shelf, t->known[i].text);
    copy->suppressions = shelf_put(shelf, t->suppressions, t->suppression_count, sizeof *t->suppressions);
    return copy;
}

int tolerance_write_baseline(const struct tolerance *t, FILE *file)
{
    fprintf(file, "%s\n# Known bugs: heddle check --baseline does not fail for them.\n", heading);
    for (size_t i = 0; i < t->known_count; i++)
        fprintf(file, "%016" PRIx64 " %s\n", t->known[i].fingerprint, t->known[i].text);
    return fflush(file) || ferror(file) ? -1 : 0;
}

const char *tolerance_unused(const struct tolerance *t, size_t *at)
{
    while (*at < t->suppression_count) {
        const struct suppression *s = &t->suppressions[(*at)++];
        if (!s->used)
            return s->text;
    }
    return NULL;
}

size_t tolerance_unseen(const struct tolerance *t)
{
    size_t count = 0;
    for (size_t i = 0; i < t->known_count; i++)
        count += t->known[i].given && !t->known[i].seen;
    return count;
}
