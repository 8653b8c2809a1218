#include "repair/lock_patch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

enum { CONTEXT = 3 };

static const char definition[] = "static pthread_mutex_t heddle_mutex = PTHREAD_MUTEX_INITIALIZER;\n\n";

// For statements that control may leave in the middle.
static const char unlocker[] = "static void heddle_unlock(pthread_mutex_t **held)\n"
                               "{\n"
                               "    if (*held)\n"
                               "        pthread_mutex_unlock(*held);\n"
                               "    *held = NULL;\n"
                               "}\n\n";

// What is to be put in front of a line.
struct insertion {
    uint32_t line;
    struct buffer text;
};

struct insertions {
    struct insertion *insertion;
    size_t count, room;
};

struct source_line {
    const char *text;
    size_t length; // with its end
};

// ---- what is put in ----

static struct source_line *split(const char *text, size_t *count)
{
    struct source_line *lines = NULL;
    size_t room = 0;
    *count = 0;
    while (*text) {
        const char *end = strchr(text, '\n');
        size_t length = end ? (size_t)(end - text) + 1 : strlen(text);
        lines = alloc_grow(lines, *count, &room, sizeof *lines);
        lines[(*count)++] = (struct source_line){text, length};
        text += length;
    }
    return lines;
}

static struct buffer *insert(struct insertions *all, uint32_t line)
{
    all->insertion = alloc_grow(all->insertion, all->count, &all->room, sizeof *all->insertion);
    all->insertion[all->count].line = line;
    return &all->insertion[all->count++].text;
}

static void insert_indented(struct insertions *all, uint32_t line, const struct source_line *like, const char *text)
{
    size_t indent = 0;
    while (indent < like->length && (like->text[indent] == ' ' || like->text[indent] == '\t'))
        indent++;
    struct buffer *b = insert(all, line);
    buffer_append(b, like->text, indent);
    buffer_add(b, "%s\n", text);
}

static void insert_lock(struct insertions *all, const struct statement_run *run, size_t number,
                        const struct source_line *like)
{
    char text[160];
    if (!run->leaves) {
        insert_indented(all, run->from, like, "pthread_mutex_lock(&heddle_mutex);");
        insert_indented(all, run->to + 1, like, "pthread_mutex_unlock(&heddle_mutex);");
        return;
    }
    snprintf(text, sizeof text,
             "pthread_mutex_t *heddle_held%zu __attribute__((cleanup(heddle_unlock))) = &heddle_mutex;", number);
    insert_indented(all, run->from, like, text);
    snprintf(text, sizeof text, "pthread_mutex_lock(heddle_held%zu);", number);
    insert_indented(all, run->from, like, text);
    snprintf(text, sizeof text, "heddle_unlock(&heddle_held%zu);", number);
    if (!run->returns)
        insert_indented(all, run->to + 1, like, text);
}

static bool includes_pthread(const struct source_line *lines, size_t count)
{
    static const char directive[] = "#include <pthread.h>";
    for (size_t i = 0; i < count; i++)
        if (lines[i].length >= sizeof directive - 1 && !strncmp(lines[i].text, directive, sizeof directive - 1))
            return true;
    return false;
}

static bool is_comment(const struct source_line *line)
{
    return line->length >= 2 && !strncmp(line->text, "//", 2);
}

// By line; those of one line stay in the order in which they were made.
static void sort(struct insertions *all)
{
    for (size_t i = 1; i < all->count; i++) {
        struct insertion moved = all->insertion[i];
        size_t at = i;
        for (; at && all->insertion[at - 1].line > moved.line; at--)
            all->insertion[at] = all->insertion[at - 1];
        all->insertion[at] = moved;
    }
}

static struct insertions insertions_of(const struct source_line *lines, size_t count, const struct statement_run *runs,
                                       size_t run_count)
{
    struct insertions all = {0};
    uint32_t first = UINT32_MAX;
    bool leaves = false;
    for (size_t i = 0; i < run_count; i++) {
        first = runs[i].function < first ? runs[i].function : first;
        leaves |= runs[i].leaves;
    }
    while (first > 1 && first <= count && is_comment(&lines[first - 2]))
        first--;
    struct buffer *b = insert(&all, first);
    buffer_add(b, "%s%s%s", includes_pthread(lines, count) ? "" : "#include <pthread.h>\n\n", definition,
               leaves ? unlocker : "");
    for (size_t i = 0; i < run_count; i++)
        insert_lock(&all, &runs[i], i + 1, &lines[runs[i].from - 1]);
    sort(&all);
    return all;
}

static void free_insertions(struct insertions *all)
{
    for (size_t i = 0; i < all->count; i++)
        buffer_free(&all->insertion[i].text);
    free(all->insertion);
}

char *lock_patch_apply(const char *text, const struct statement_run *runs, size_t count)
{
    size_t lines_count, next = 0;
    struct source_line *lines = split(text, &lines_count);
    struct insertions all = insertions_of(lines, lines_count, runs, count);
    struct buffer out = {0};
    for (uint32_t line = 1; line <= lines_count + 1; line++) {
        for (; next < all.count && all.insertion[next].line == line; next++)
            buffer_add(&out, "%s", buffer_text(&all.insertion[next].text));
        if (line <= lines_count)
            buffer_append(&out, lines[line - 1].text, lines[line - 1].length);
    }
    free_insertions(&all);
    free(lines);
    return out.text;
}

// ---- as a diff ----

static uint32_t count_lines(const char *text)
{
    uint32_t n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static void add_old(struct buffer *out, const struct source_line *line)
{
    buffer_add(out, " ");
    buffer_append(out, line->text, line->length);
    if (line->text[line->length - 1] != '\n')
        buffer_add(out, "\n\\ No newline at end of file\n");
}

static void add_new(struct buffer *out, const char *text)
{
    while (*text) {
        size_t length = (size_t)(strchr(text, '\n') - text) + 1;
        buffer_add(out, "+");
        buffer_append(out, text, length);
        text += length;
    }
}

// The insertions from `first` up to, but not including, `end`, which are close together; `added` lines came before.
static uint32_t add_hunk(struct buffer *out, const struct insertions *all, size_t first, size_t end,
                         const struct source_line *lines, uint32_t count, uint32_t added)
{
    uint32_t from = all->insertion[first].line, to = all->insertion[end - 1].line - 1, fresh = 0;
    from = from > CONTEXT ? from - CONTEXT : 1;
    to = to + CONTEXT < count ? to + CONTEXT : count;
    for (size_t i = first; i < end; i++)
        fresh += count_lines(buffer_text(&all->insertion[i].text));
    uint32_t old = to + 1 - from;
    buffer_add(out, "@@ -%u,%u +%u,%u @@\n", from, old, from + added, old + fresh);
    for (uint32_t line = from; line <= to + 1; line++) {
        for (; first < end && all->insertion[first].line == line; first++)
            add_new(out, buffer_text(&all->insertion[first].text));
        if (line <= to)
            add_old(out, &lines[line - 1]);
    }
    return added + fresh;
}

char *lock_patch_diff(const char *name, const char *text, const struct statement_run *runs, size_t count)
{
    size_t lines_count;
    struct source_line *lines = split(text, &lines_count);
    struct insertions all = insertions_of(lines, lines_count, runs, count);
    struct buffer out = {0};
    uint32_t added = 0;
    buffer_add(&out, "--- a/%s\n+++ b/%s\n", name, name);
    for (size_t i = 0, end; i < all.count; i = end) {
        end = i + 1;
        while (end < all.count && all.insertion[end].line <= all.insertion[end - 1].line + 2 * CONTEXT)
            end++;
        added = add_hunk(&out, &all, i, end, lines, (uint32_t)lines_count, added);
    }
    free_insertions(&all);
    free(lines);
    return out.text;
}
