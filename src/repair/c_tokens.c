#include "repair/c_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

bool c_token_is(const struct c_token *t, const char *word)
{
    return t->length == strlen(word) && !memcmp(t->text, word, t->length);
}

bool c_token_same(const struct c_token *a, const struct c_token *b)
{
    return a->length == b->length && !memcmp(a->text, b->text, a->length);
}

static bool begins_word(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

bool c_token_is_word(const struct c_token *t)
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

static void add_token(struct c_tokens *s, const char *at, const char *end, uint32_t line, bool own, bool directive)
{
    s->token = alloc_grow(s->token, s->count, &s->room, sizeof *s->token);
    s->token[s->count] = (struct c_token){at, (uint32_t)(end - at), line, s->count, own, directive};
    s->count++;
}

static void read_tokens(struct c_tokens *s, const char *file, bool directives)
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
            else if (directives)
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

static void match_brackets(struct c_tokens *s)
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

struct c_tokens *c_tokens_read(const char *text, const char *file, bool directives)
{
    struct c_tokens *s = alloc_zeroed(1, sizeof *s);
    s->text = alloc_copy(text);
    read_tokens(s, file, directives);
    add_token(s, s->text + strlen(s->text), s->text + strlen(s->text), 0, false, false);
    s->count--;
    match_brackets(s);
    return s;
}

void c_tokens_free(struct c_tokens *s)
{
    if (!s)
        return;
    free(s->text);
    free(s->token);
    free(s);
}

uint32_t c_tokens_after_bracket(const struct c_tokens *s, uint32_t i)
{
    return i < s->count && s->token[i].match > i ? s->token[i].match + 1 : i + 1;
}

bool c_tokens_have_loop_at(const struct c_tokens *s, uint32_t i)
{
    const struct c_token *t = &s->token[i], *before = &s->token[i ? i - 1 : 0];
    bool tail = i && c_token_is(before, "}") && before->match && before->match < i &&
                c_token_is(&s->token[before->match - 1], "do");
    return c_token_is(t, "for") || (c_token_is(t, "while") && !tail) || c_token_is(t, "do");
}
