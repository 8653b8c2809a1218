#include "repair/statements.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"

struct token {
    const char *text; // of what was read, which is kept
    uint32_t length;
    uint32_t line;
    uint32_t match; // of a bracket: the other one; of anything else itself
    bool own;       // stands in the source, not in what it includes
};

struct statements {
    char *text;
    struct token *token;
    size_t count, room;
};

// Tokens from `first` up to, but not including, `end`.
struct extent {
    uint32_t first, end;
};

// ---- tokens ----

static bool is(const struct token *t, const char *word)
{
    return t->length == strlen(word) && !memcmp(t->text, word, t->length);
}

static const char *skip_quoted(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

static const char *token_end(const char *at)
{
    if (*at == '"' || *at == '\'')
        return skip_quoted(at);
    if (!isalnum((unsigned char)*at) && *at != '_')
        return at + 1;
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    return at;
}

// `# 12 "file.c" 2`: what follows is line 12 of the file.
static void read_mark(const char *at, const char *file, uint32_t *line, bool *own)
{
    char *end;
    at++;
    if (!strncmp(at, "line", 4))
        at += 4;
    unsigned long number = strtoul(at, &end, 10);
    const char *quote = end == at ? NULL : strchr(end, '"'), *newline = strchr(at, '\n');
    if (end == at || (quote && newline && quote > newline))
        return;
    *line = (uint32_t)number;
    if (quote)
        *own = !strncmp(quote + 1, file, strlen(file)) && quote[1 + strlen(file)] == '"';
}

static void add_token(struct statements *s, const char *at, const char *end, uint32_t line, bool own)
{
    s->token = alloc_grow(s->token, s->count, &s->room, sizeof *s->token);
    s->token[s->count] = (struct token){at, (uint32_t)(end - at), line, (uint32_t)s->count, own};
    s->count++;
}

static void read_tokens(struct statements *s, const char *file)
{
    uint32_t line = 1;
    bool own = true, fresh = true;
    for (const char *at = s->text; *at;) {
        if (*at == '\n') {
            line++;
            fresh = true;
            at++;
        } else if (fresh && *at == '#') {
            read_mark(at, file, &line, &own);
            if (!(at = strchr(at, '\n')))
                break;
            line--; // the end of the mark's own line counts
        } else if (isspace((unsigned char)*at)) {
            at++;
        } else {
            const char *end = token_end(at);
            add_token(s, at, end, line, own);
            fresh = false;
            at = end;
        }
    }
}

static void match_brackets(struct statements *s)
{
    uint32_t *open = alloc_zeroed(s->count + 1, sizeof *open);
    size_t depth = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        char c = s->token[i].length == 1 ? *s->token[i].text : 0;
        if (c == '{' || c == '(' || c == '[') {
            open[depth++] = i;
        } else if ((c == '}' || c == ')' || c == ']') && depth) {
            s->token[i].match = open[--depth];
            s->token[open[depth]].match = i;
        }
    }
    free(open);
}

struct statements *statements_read(const char *text, const char *file)
{
    struct statements *s = alloc_zeroed(1, sizeof *s);
    s->text = alloc_copy(text);
    read_tokens(s, file);
    match_brackets(s);
    return s;
}

void statements_free(struct statements *s)
{
    if (!s)
        return;
    free(s->text);
    free(s->token);
    free(s);
}

// ---- statements ----

// After the bracket that closes the one at i.
static uint32_t after_bracket(const struct statements *s, uint32_t i)
{
    return i < s->count && s->token[i].match > i ? s->token[i].match + 1 : i + 1;
}

// Whether a loop begins at i; the `while' at the end of another does not count.
static bool is_loop(const struct statements *s, uint32_t i)
{
    const struct token *t = &s->token[i], *before = i ? &s->token[i - 1] : NULL;
    bool tail =
        before && is(before, "}") && before->match && before->match < i && is(&s->token[before->match - 1], "do");
    return is(t, "for") || (is(t, "while") && !tail) || is(t, "do");
}

// Whether a label of any kind begins at i.
static bool is_label(const struct statements *s, uint32_t i)
{
    const struct token *t = &s->token[i];
    if (is(t, "case") || is(t, "default"))
        return true;
    return i + 1 < s->count && (isalpha((unsigned char)*t->text) || *t->text == '_') && is(&s->token[i + 1], ":");
}

static uint32_t to_end_of(const struct statements *s, uint32_t i, const char *mark)
{
    while (i < s->count && !is(&s->token[i], mark) && !is(&s->token[i], "}"))
        i = s->token[i].match > i ? s->token[i].match + 1 : i + 1;
    return i < s->count && is(&s->token[i], mark) ? i + 1 : i;
}

// The end of the statement that begins at i; a label is one by itself.
static uint32_t statement_end(const struct statements *s, uint32_t i)
{
    const struct token *t = &s->token[i];
    if (i >= s->count)
        return i;
    if (is(t, "{"))
        return after_bracket(s, i);
    if (is_label(s, i))
        return to_end_of(s, i, ":");
    if (is(t, "do"))
        return to_end_of(s, statement_end(s, i + 1), ";");
    if (is(t, "if") || is(t, "for") || is(t, "while") || is(t, "switch")) {
        uint32_t end = statement_end(s, after_bracket(s, i + 1));
        if (is(t, "if") && end < s->count && is(&s->token[end], "else"))
            end = statement_end(s, end + 1);
        return end;
    }
    return to_end_of(s, i, ";");
}

// The body in braces of the statement at i that has the lines in it, from brace to brace; false if none has.
static bool body_with(const struct statements *s, uint32_t i, uint32_t from, uint32_t to, struct extent *e)
{
    uint32_t end = statement_end(s, i);
    for (uint32_t at = i; at < end;) {
        const struct token *t = &s->token[at];
        if (is(t, "{") && t->match > at) {
            if (s->token[at + 1].line <= from && to <= s->token[t->match - 1].line) {
                *e = (struct extent){at, t->match};
                return true;
            }
            at = t->match + 1;
        } else {
            at = is(t, "(") && t->match > at ? t->match + 1 : at + 1;
        }
    }
    return false;
}

static uint32_t first_line(const struct statements *s, uint32_t i)
{
    return s->token[i].line;
}

static uint32_t last_line(const struct statements *s, uint32_t end)
{
    return s->token[end - 1].line;
}

// The statements of a body that have the lines in them; false if there are none.
static bool covering(const struct statements *s, const struct extent *body, uint32_t from, uint32_t to,
                     struct extent *e)
{
    bool found = false;
    for (uint32_t i = body->first + 1; i < body->end;) {
        uint32_t end = statement_end(s, i);
        if (end <= i)
            return false;
        if (last_line(s, end) >= from && first_line(s, i) <= to) {
            e->first = found ? e->first : i;
            e->end = end;
            found = true;
        }
        i = end;
    }
    return found && first_line(s, e->first) <= from && last_line(s, e->end) >= to;
}

// The same, with those that share a line with the first or the last of them.
static bool covering_lines(const struct statements *s, const struct extent *body, uint32_t from, uint32_t to,
                           struct extent *e)
{
    struct extent before;
    if (!covering(s, body, from, to, e))
        return false;
    do
        before = *e;
    while (covering(s, body, first_line(s, before.first), last_line(s, before.end), e) &&
           (e->first != before.first || e->end != before.end));
    return true;
}

static bool has_labels(const struct statements *s, const struct extent *body)
{
    for (uint32_t i = body->first + 1; i < body->end; i = statement_end(s, i))
        if (is_label(s, i))
            return true;
    return false;
}

static bool on_own_lines(const struct statements *s, const struct extent *e)
{
    return s->token[e->first - 1].line < first_line(s, e->first) && e->end < s->count &&
           s->token[e->end].line > last_line(s, e->end);
}

// ---- leaving ----

static bool leaves(const struct statements *s, struct extent e, bool breaks, bool continues);

// `breaks`, `continues`: such a statement ends something outside.
static bool statement_leaves(const struct statements *s, uint32_t i, uint32_t end, bool breaks, bool continues)
{
    const struct token *t = &s->token[i];
    if (is(t, "return") || is(t, "goto"))
        return true;
    if (is(t, "break"))
        return breaks;
    if (is(t, "continue"))
        return continues;
    if (is(t, "{"))
        return leaves(s, (struct extent){i + 1, end - 1}, breaks, continues);
    if (is(t, "do"))
        return leaves(s, (struct extent){i + 1, statement_end(s, i + 1)}, false, false);
    if (is(t, "for") || is(t, "while") || is(t, "switch"))
        return leaves(s, (struct extent){after_bracket(s, i + 1), end}, false, is(t, "switch") && continues);
    if (!is(t, "if"))
        return false;
    uint32_t then = after_bracket(s, i + 1), otherwise = statement_end(s, then);
    bool both = otherwise < end && is(&s->token[otherwise], "else");
    return leaves(s, (struct extent){then, otherwise}, breaks, continues) ||
           (both && leaves(s, (struct extent){otherwise + 1, end}, breaks, continues));
}

static bool leaves(const struct statements *s, struct extent e, bool breaks, bool continues)
{
    for (uint32_t i = e.first; i < e.end;) {
        uint32_t end = statement_end(s, i);
        if (end <= i || statement_leaves(s, i, end, breaks, continues))
            return end > i;
        i = end;
    }
    return false;
}

// ---- functions ----

// The body of the function that the lines are in, from brace to brace.
static bool function_with(const struct statements *s, uint32_t from, uint32_t to, struct extent *body)
{
    for (uint32_t i = 1; i < s->count; i++) {
        const struct token *t = &s->token[i];
        if (!is(t, "{") || t->match <= i)
            continue;
        if (t->own && is(&s->token[i - 1], ")") && t->line <= from && to <= s->token[t->match].line) {
            *body = (struct extent){i, t->match};
            return true;
        }
        i = t->match;
    }
    return false;
}

// The first line of what stands at top level in front of the body: after the last end of something else.
static uint32_t definition_line(const struct statements *s, uint32_t body)
{
    uint32_t i = body;
    while (i > 0 && s->token[i - 1].own && !is(&s->token[i - 1], ";") && !is(&s->token[i - 1], "}"))
        i--;
    return s->token[i].line;
}

static bool jumps(const struct statements *s, const struct extent *body)
{
    for (uint32_t i = body->first; i < body->end; i++)
        if (is(&s->token[i], "goto"))
            return true;
    return false;
}

static bool ends_with_return(const struct statements *s, const struct extent *e)
{
    uint32_t last = e->first;
    for (uint32_t i = e->first; i < e->end; i = statement_end(s, i))
        last = i;
    return is(&s->token[last], "return");
}

static void describe(const struct statements *s, const struct extent *body, const struct extent *e,
                     struct statement_run *run)
{
    *run = (struct statement_run){.from = first_line(s, e->first),
                                  .to = last_line(s, e->end),
                                  .function = definition_line(s, body->first),
                                  .leaves = leaves(s, *e, true, true),
                                  .returns = ends_with_return(s, e)};
}

const char *statements_cover(const struct statements *s, uint32_t from, uint32_t to, struct statement_run *run)
{
    struct extent function, body, e;
    bool found = false;
    if (!function_with(s, from, to, &function))
        return "it is not in a function of the source";
    if (jumps(s, &function))
        return "its function has a goto";
    body = function;
    while (covering_lines(s, &body, from, to, &e)) {
        if (on_own_lines(s, &e) && !has_labels(s, &body)) {
            describe(s, &function, &e, run);
            found = true;
        }
        if (e.end != statement_end(s, e.first) || !body_with(s, e.first, from, to, &body))
            break;
    }
    return found ? NULL : "its statements do not stand on lines of their own";
}

const char *statements_body(const struct statements *s, uint32_t line, struct statement_run *run)
{
    struct extent function;
    if (!function_with(s, line, line, &function))
        return "it is not in a function of the source";
    if (jumps(s, &function))
        return "its function has a goto";
    struct extent e = {function.first + 1, function.end};
    if (e.first == e.end || !on_own_lines(s, &e))
        return "its statements do not stand on lines of their own";
    describe(s, &function, &e, run);
    return NULL;
}

// ---- loops ----

bool statements_widen_to_loop(const struct statements *s, uint32_t *from, uint32_t *to)
{
    struct extent function;
    bool found = false;
    uint32_t first = 0, last = UINT32_MAX;
    if (!function_with(s, *from, *to, &function))
        return false;
    for (uint32_t i = function.first + 1; i < function.end; i++) {
        uint32_t end = is_loop(s, i) ? statement_end(s, i) : 0;
        if (!end || first_line(s, i) > *from || last_line(s, end) < *to ||
            last_line(s, end) - first_line(s, i) >= last - first)
            continue;
        first = first_line(s, i);
        last = last_line(s, end);
        found = true;
    }
    if (found)
        *from = first, *to = last;
    return found;
}

bool statements_have_loop(const struct statements *s, uint32_t from, uint32_t to)
{
    struct extent function;
    if (!function_with(s, from, to, &function))
        return false;
    for (uint32_t i = function.first + 1; i < function.end; i++)
        if (is_loop(s, i) && first_line(s, i) >= from && last_line(s, statement_end(s, i)) <= to)
            return true;
    return false;
}
