#include "repair/omp_source.h"

#include <ctype.h>
#include <string.h>

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
static const char *omp_words(const struct c_token *t)
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

bool omp_directive_has(const struct c_token *t, const char *word)
{
    const char *end = t->text + t->length, *at = omp_words(t);
    size_t length = 0;
    if (!at)
        return false;
    do {
        at = next_word(at + length, end, &length);
        if (is_word(at, length, word))
            return true;
    } while (length && (at + length == end || at[length] != '(')); // at a clause the kind is told
    return false;
}

static bool stands_alone(const struct c_token *t)
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

static uint32_t to_semicolon(const struct c_tokens *s, uint32_t i)
{
    while (i < s->count && !c_token_is(&s->token[i], ";") && !c_token_is(&s->token[i], "}"))
        i = c_tokens_after_bracket(s, i);
    return i < s->count && c_token_is(&s->token[i], ";") ? i + 1 : i;
}

uint32_t omp_statement_end(const struct c_tokens *s, uint32_t i)
{
    const struct c_token *t = &s->token[i];
    if (i >= s->count)
        return i;
    if (t->directive)
        return stands_alone(t) ? i + 1 : omp_statement_end(s, i + 1);
    if (c_token_is(t, "{"))
        return c_tokens_after_bracket(s, i);
    if (c_token_is(t, "do"))
        return to_semicolon(s, omp_statement_end(s, i + 1));
    if (c_token_is(t, "if") || c_token_is(t, "for") || c_token_is(t, "while") || c_token_is(t, "switch")) {
        uint32_t end = omp_statement_end(s, c_tokens_after_bracket(s, i + 1));
        if (c_token_is(t, "if") && c_token_is(&s->token[end], "else"))
            end = omp_statement_end(s, end + 1);
        return end;
    }
    return to_semicolon(s, i);
}

bool omp_function_of(const struct c_tokens *s, uint32_t at, struct c_extent *body)
{
    for (uint32_t i = 0; i < s->count; i = c_token_is(&s->token[i], "{") ? c_tokens_after_bracket(s, i) : i + 1)
        if (i <= at && c_token_is(&s->token[i], "{") && at < c_tokens_after_bracket(s, i)) {
            *body = (struct c_extent){i, c_tokens_after_bracket(s, i)};
            return i > 0 && c_token_is(&s->token[i - 1], ")");
        }
    return false;
}

uint32_t omp_token_at(const struct c_tokens *s, uint32_t line)
{
    uint32_t i = 0;
    while (i < s->count && !(s->token[i].own && s->token[i].line >= line))
        i++;
    return i;
}

bool omp_mentions(const struct c_tokens *s, uint32_t i, const char *name)
{
    return c_token_is(&s->token[i], name) &&
           !(i && (c_token_is(&s->token[i - 1], ".") || c_token_is(&s->token[i - 1], "->")));
}

bool omp_range_mentions(const struct c_tokens *s, struct c_extent range, const char *name)
{
    for (uint32_t i = range.first; i < range.end; i++)
        if (omp_mentions(s, i, name))
            return true;
    return false;
}
