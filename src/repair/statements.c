#include "repair/statements.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/buffer.h"
#include "repair/c_tokens.h"

// ---- statements ----

// Whether a label of any kind begins at i.
static bool is_label(const struct c_tokens *s, uint32_t i)
{
    const struct c_token *t = &s->token[i];
    if (c_token_is(t, "case") || c_token_is(t, "default"))
        return true;
    return i + 1 < s->count && c_token_is_word(t) && c_token_is(&s->token[i + 1], ":");
}

static uint32_t to_end_of(const struct c_tokens *s, uint32_t i, const char *mark)
{
    while (i < s->count && !c_token_is(&s->token[i], mark) && !c_token_is(&s->token[i], "}"))
        i = s->token[i].match > i ? s->token[i].match + 1 : i + 1;
    return i < s->count && c_token_is(&s->token[i], mark) ? i + 1 : i;
}

// The end of the statement that begins at i; a label is one by itself.
static uint32_t statement_end(const struct c_tokens *s, uint32_t i)
{
    const struct c_token *t = &s->token[i];
    if (i >= s->count)
        return i;
    if (c_token_is(t, "{"))
        return c_tokens_after_bracket(s, i);
    if (is_label(s, i))
        return to_end_of(s, i, ":");
    if (c_token_is(t, "do"))
        return to_end_of(s, statement_end(s, i + 1), ";");
    if (c_token_is(t, "if") || c_token_is(t, "for") || c_token_is(t, "while") || c_token_is(t, "switch")) {
        uint32_t end = statement_end(s, c_tokens_after_bracket(s, i + 1));
        if (c_token_is(t, "if") && end < s->count && c_token_is(&s->token[end], "else"))
            end = statement_end(s, end + 1);
        return end;
    }
    return to_end_of(s, i, ";");
}

// The body in braces of the statement at i that has the lines in it, from brace to brace; false if none has.
static bool body_with(const struct c_tokens *s, uint32_t i, uint32_t from, uint32_t to, struct c_extent *e)
{
    uint32_t end = statement_end(s, i);
    for (uint32_t at = i; at < end;) {
        const struct c_token *t = &s->token[at];
        if (c_token_is(t, "{") && t->match > at) {
            if (s->token[at + 1].line <= from && to <= s->token[t->match - 1].line) {
                *e = (struct c_extent){at, t->match};
                return true;
            }
            at = t->match + 1;
        } else {
            at = c_token_is(t, "(") && t->match > at ? t->match + 1 : at + 1;
        }
    }
    return false;
}

static uint32_t first_line(const struct c_tokens *s, uint32_t i)
{
    return s->token[i].line;
}

static uint32_t last_line(const struct c_tokens *s, uint32_t end)
{
    return s->token[end - 1].line;
}

// The statements of a body that have the lines in them; false if there are none.
static bool covering(const struct c_tokens *s, const struct c_extent *body, uint32_t from, uint32_t to,
                     struct c_extent *e)
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
static bool covering_lines(const struct c_tokens *s, const struct c_extent *body, uint32_t from, uint32_t to,
                           struct c_extent *e)
{
    struct c_extent before;
    if (!covering(s, body, from, to, e))
        return false;
    do
        before = *e;
    while (covering(s, body, first_line(s, before.first), last_line(s, before.end), e) &&
           (e->first != before.first || e->end != before.end));
    return true;
}

static bool has_labels(const struct c_tokens *s, const struct c_extent *body)
{
    for (uint32_t i = body->first + 1; i < body->end; i = statement_end(s, i))
        if (is_label(s, i))
            return true;
    return false;
}

static bool on_own_lines(const struct c_tokens *s, const struct c_extent *e)
{
    return s->token[e->first - 1].line < first_line(s, e->first) && e->end < s->count &&
           s->token[e->end].line > last_line(s, e->end);
}

// ---- leaving ----

static bool leaves(const struct c_tokens *s, struct c_extent e, bool breaks, bool continues);

// `breaks`, `continues`: such a statement ends something outside.
static bool statement_leaves(const struct c_tokens *s, uint32_t i, uint32_t end, bool breaks, bool continues)
{
    const struct c_token *t = &s->token[i];
    if (c_token_is(t, "return") || c_token_is(t, "goto"))
        return true;
    if (c_token_is(t, "break"))
        return breaks;
    if (c_token_is(t, "continue"))
        return continues;
    if (c_token_is(t, "{"))
        return leaves(s, (struct c_extent){i + 1, end - 1}, breaks, continues);
    if (c_token_is(t, "do"))
        return leaves(s, (struct c_extent){i + 1, statement_end(s, i + 1)}, false, false);
    if (c_token_is(t, "for") || c_token_is(t, "while") || c_token_is(t, "switch"))
        return leaves(s, (struct c_extent){c_tokens_after_bracket(s, i + 1), end}, false,
                      c_token_is(t, "switch") && continues);
    if (!c_token_is(t, "if"))
        return false;
    uint32_t then = c_tokens_after_bracket(s, i + 1), otherwise = statement_end(s, then);
    bool both = otherwise < end && c_token_is(&s->token[otherwise], "else");
    return leaves(s, (struct c_extent){then, otherwise}, breaks, continues) ||
           (both && leaves(s, (struct c_extent){otherwise + 1, end}, breaks, continues));
}

static bool leaves(const struct c_tokens *s, struct c_extent e, bool breaks, bool continues)
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
static bool function_with(const struct c_tokens *s, uint32_t from, uint32_t to, struct c_extent *body)
{
    for (uint32_t i = 1; i < s->count; i++) {
        const struct c_token *t = &s->token[i];
        if (!c_token_is(t, "{") || t->match <= i)
            continue;
        if (t->own && c_token_is(&s->token[i - 1], ")") && t->line <= from && to <= s->token[t->match].line) {
            *body = (struct c_extent){i, t->match};
            return true;
        }
        i = t->match;
    }
    return false;
}

// The first line of what stands at top level in front of the body: after the last end of something else.
static uint32_t definition_line(const struct c_tokens *s, uint32_t body)
{
    uint32_t i = body;
    while (i > 0 && s->token[i - 1].own && !c_token_is(&s->token[i - 1], ";") && !c_token_is(&s->token[i - 1], "}"))
        i--;
    return s->token[i].line;
}

static bool jumps(const struct c_tokens *s, const struct c_extent *body)
{
    for (uint32_t i = body->first; i < body->end; i++)
        if (c_token_is(&s->token[i], "goto"))
            return true;
    return false;
}

static bool ends_with_return(const struct c_tokens *s, const struct c_extent *e)
{
    uint32_t last = e->first;
    for (uint32_t i = e->first; i < e->end; i = statement_end(s, i))
        last = i;
    return c_token_is(&s->token[last], "return");
}

static void describe(const struct c_tokens *s, const struct c_extent *body, const struct c_extent *e,
                     struct statement_run *run)
{
    *run = (struct statement_run){.from = first_line(s, e->first),
                                  .to = last_line(s, e->end),
                                  .function = definition_line(s, body->first),
                                  .leaves = leaves(s, *e, true, true),
                                  .returns = ends_with_return(s, e)};
}

const char *statements_cover(const struct c_tokens *s, uint32_t from, uint32_t to, struct statement_run *run)
{
    struct c_extent function, body, e;
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

const char *statements_body(const struct c_tokens *s, uint32_t line, struct statement_run *run)
{
    struct c_extent function;
    if (!function_with(s, line, line, &function))
        return "it is not in a function of the source";
    if (jumps(s, &function))
        return "its function has a goto";
    struct c_extent e = {function.first + 1, function.end};
    if (e.first == e.end || !on_own_lines(s, &e))
        return "its statements do not stand on lines of their own";
    describe(s, &function, &e, run);
    return NULL;
}

// ---- loops ----

bool statements_widen_to_loop(const struct c_tokens *s, uint32_t *from, uint32_t *to)
{
    struct c_extent function;
    bool found = false;
    uint32_t first = 0, last = UINT32_MAX;
    if (!function_with(s, *from, *to, &function))
        return false;
    for (uint32_t i = function.first + 1; i < function.end; i++) {
        uint32_t end = c_tokens_have_loop_at(s, i) ? statement_end(s, i) : 0;
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

bool statements_have_loop(const struct c_tokens *s, uint32_t from, uint32_t to)
{
    struct c_extent function;
    if (!function_with(s, from, to, &function))
        return false;
    for (uint32_t i = function.first + 1; i < function.end; i++)
        if (c_tokens_have_loop_at(s, i) && first_line(s, i) >= from && last_line(s, statement_end(s, i)) <= to)
            return true;
    return false;
}
