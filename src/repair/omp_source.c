#include "repair/omp_source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

// ---- tokens ----

bool omp_is(const struct omp_token *t, const char *word)
{
    return t->length == strlen(word) && !memcmp(t->text, word, t->length);
}

bool omp_same(const struct omp_token *a, const struct omp_token *b)
{
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static bool begins_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

bool omp_is_word(const struct omp_token *t)
{
    return t->length && begins_word(*t->text);
}

static const char *skip_quoted(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += *at == '\\' && at[1] ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

// A number, with its point and exponent.
static const char *skip_number(const char *at)
{
    while (isalnum((unsigned char)*at) || *at == '_' || *at == '.' ||
           ((*at == '+' || *at == '-') && strchr("eEpP", at[-1])))
        at++;
    return at;
}

static const char *skip_operator(const char *at)
{
    static const char *const operators[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                            "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (!strncmp(at, operators[i], strlen(operators[i])))
            return at + strlen(operators[i]);
    return at + 1;
}

static const char *token_end(const char *at)
{
    if (*at == '"' || *at == '\'')
        return skip_quoted(at);
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1])))
        return skip_number(at + 1);
    if (!begins_word(*at))
        return skip_operator(at);
    while (isalnum((unsigned char)*at) || *at == '_')
        at++;
    return at;
}

// `# 12 "file.c" 2`: what follows is line 12 of the file. False if it is no such mark.
static bool read_mark(const char *at, const char *file, uint32_t *line, bool *own)
{
    char *end;
    at++;
    if (!strncmp(at, "line", 4))
        at += 4;
    unsigned long number = strtoul(at, &end, 10);
    const char *quote = end == at ? NULL : strchr(end, '"'), *newline = strchr(at, '\n');
    if (end == at || (quote && newline && quote > newline))
        return false;
    *line = (uint32_t)number;
    if (quote)
        *own = !strncmp(quote + 1, file, strlen(file)) && quote[1 + strlen(file)] == '"';
    return true;
}

static void add_token(struct omp_source *s, const char *at, const char *end, uint32_t line, bool own, bool directive)
{
    s->token = alloc_grow(s->token, s->count, &s->room, sizeof *s->token);
    s->token[s->count] = (struct omp_token){at, (uint32_t)(end - at), line, s->count, own, directive};
    s->count++;
}

static void read_tokens(struct omp_source *s, const char *file)
{
    uint32_t line = 1;
    bool own = true, fresh = true;
    for (const char *at = s->text; *at;) {
        if (*at == '\n') {
            line++;
            fresh = true;
            at++;
        } else if (fresh && *at == '#') {
            const char *end = at + strcspn(at, "\n");
            if (read_mark(at, file, &line, &own))
                line--; // the end of the mark's own line counts
            else
                add_token(s, at, end, line, own, true);
            at = end;
        } else if (isspace((unsigned char)*at)) {
            at++;
        } else {
            const char *end = token_end(at);
            add_token(s, at, end, line, own, false);
            fresh = false;
            at = end;
        }
    }
}

static void match_brackets(struct omp_source *s)
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

struct omp_source *omp_source_read(const char *text, const char *file)
{
    struct omp_source *s = alloc_zeroed(1, sizeof *s);
    s->text = alloc_copy(text);
    read_tokens(s, file);
    add_token(s, s->text + strlen(s->text), s->text + strlen(s->text), 0, false, false);
    s->count--;
    match_brackets(s);
    return s;
}

void omp_source_free(struct omp_source *s)
{
    if (!s)
        return;
    free(s->text);
    free(s->token);
    free(s);
}

// ---- directives ----

// The next word of a directive, after blanks; its length is 0 at the end.
static const char *next_word(const char *at, const char *end, size_t *length)
{
    while (at < end && isspace((unsigned char)*at))
        at++;
    const char *from = at;
    while (at < end && (isalnum((unsigned char)*at) || *at == '_'))
        at++;
    *length = (size_t)(at - from);
    return from;
}

static bool is_word(const char *at, size_t length, const char *word)
{
    return length == strlen(word) && !memcmp(at, word, length);
}

// Where the words of a directive of OpenMP begin, after "#pragma omp"; null if it is none.
static const char *omp_words(const struct omp_token *t)
{
    const char *end = t->text + t->length;
    size_t length;
    if (!t->directive)
        return NULL;
    const char *at = next_word(t->text + 1, end, &length);
    if (!is_word(at, length, "pragma"))
        return NULL;
    at = next_word(at + length, end, &length);
    return is_word(at, length, "omp") ? at + length : NULL;
}

bool omp_directive_has(const struct omp_token *t, const char *word)
{
    const char *end = t->text + t->length, *at = omp_words(t);
    size_t length = 0;
    while (at) {
        at = next_word(at + length, end, &length);
        if (!length)
            return false;
        if (is_word(at, length, word))
            return true;
        if (at + length < end && at[length] == '(') // a clause: the kind is told
            return false;
    }
    return false;
}

static bool stands_alone(const struct omp_token *t)
{
    static const char *const words[] = {"barrier", "taskwait", "taskyield",    "flush",  "threadprivate",
                                        "declare", "cancel",   "cancellation", "depobj", "interop",
                                        "error",   "requires", "allocate",     "end"};
    if (!omp_words(t))
        return true;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (omp_directive_has(t, words[i]))
            return true;
    return false;
}

// ---- statements ----

uint32_t omp_after_bracket(const struct omp_source *s, uint32_t i)
{
    return i < s->count && s->token[i].match > i ? s->token[i].match + 1 : i + 1;
}

bool omp_is_loop(const struct omp_source *s, uint32_t i)
{
    const struct omp_token *t = &s->token[i], *before = i ? &s->token[i - 1] : NULL;
    bool tail = before && omp_is(before, "}") && before->match && before->match < i &&
                omp_is(&s->token[before->match - 1], "do");
    return omp_is(t, "for") || (omp_is(t, "while") && !tail) || omp_is(t, "do");
}

static uint32_t to_semicolon(const struct omp_source *s, uint32_t i)
{
    while (i < s->count && !omp_is(&s->token[i], ";") && !omp_is(&s->token[i], "}"))
        i = omp_after_bracket(s, i);
    return i < s->count && omp_is(&s->token[i], ";") ? i + 1 : i;
}

uint32_t omp_statement_end(const struct omp_source *s, uint32_t i)
{
    const struct omp_token *t = &s->token[i];
    if (i >= s->count)
        return i;
    if (t->directive)
        return stands_alone(t) ? i + 1 : omp_statement_end(s, i + 1);
    if (omp_is(t, "{"))
        return omp_after_bracket(s, i);
    if (omp_is(t, "do"))
        return to_semicolon(s, omp_statement_end(s, i + 1));
    if (omp_is(t, "if") || omp_is(t, "for") || omp_is(t, "while") || omp_is(t, "switch")) {
        uint32_t end = omp_statement_end(s, omp_after_bracket(s, i + 1));
        if (omp_is(t, "if") && omp_is(&s->token[end], "else"))
            end = omp_statement_end(s, end + 1);
        return end;
    }
    return to_semicolon(s, i);
}

bool omp_function_of(const struct omp_source *s, uint32_t at, struct omp_extent *body)
{
    for (uint32_t i = 0; i < s->count; i = omp_is(&s->token[i], "{") ? omp_after_bracket(s, i) : i + 1)
        if (omp_is(&s->token[i], "{") && i <= at && at < omp_after_bracket(s, i)) {
            *body = (struct omp_extent){i, omp_after_bracket(s, i)};
            return i > 0 && omp_is(&s->token[i - 1], ")");
        }
    return false;
}

uint32_t omp_token_at(const struct omp_source *s, uint32_t line)
{
    uint32_t i = 0;
    while (i < s->count && !(s->token[i].own && s->token[i].line >= line))
        i++;
    return i;
}

bool omp_mentions(const struct omp_source *s, uint32_t i, const char *name)
{
    return omp_is(&s->token[i], name) && !(i && (omp_is(&s->token[i - 1], ".") || omp_is(&s->token[i - 1], "->")));
}

bool omp_range_mentions(const struct omp_source *s, struct omp_extent range, const char *name)
{
    for (uint32_t i = range.first; i < range.end; i++)
        if (omp_mentions(s, i, name))
            return true;
    return false;
}
