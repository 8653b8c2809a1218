#include "repair/omp_dominance.h"

// A write in a list of statements, and the tokens that are reached only after it: the rest of the list.
struct write {
    uint32_t at, until;
};

enum { WRITES = 64 };

struct writes {
    const char *name;
    struct write write[WRITES];
    uint32_t count;
    bool more; // there was no room
};

static void add_write(struct writes *w, uint32_t at, uint32_t until)
{
    if (w->count == WRITES)
        w->more = true;
    else
        w->write[w->count++] = (struct write){at, until};
}

static uint32_t find_mark(const struct c_tokens *s, uint32_t i, uint32_t end, const char *mark)
{
    while (i < end && !c_token_is(&s->token[i], mark))
        i = c_tokens_after_bracket(s, i);
    return i;
}

// Whether `name = …` stands from i up to the end, and the right side does not mention the variable.
static bool is_write(const struct c_tokens *s, uint32_t i, uint32_t end, const char *name)
{
    return i + 2 < end && omp_mentions(s, i, name) && c_token_is(&s->token[i + 1], "=") &&
           !omp_range_mentions(s, (struct c_extent){i + 2, end}, name);
}

// Whether a declaration of the variable begins there: a fresh one holds nothing that anybody wrote.
static bool is_declaration(const struct c_tokens *s, uint32_t i, uint32_t end, const char *name)
{
    return i + 1 < end && c_token_is_word(&s->token[i]) && omp_mentions(s, i + 1, name) &&
           !c_token_is(&s->token[i], "return") && !c_token_is(&s->token[i], "else") &&
           !c_token_is(&s->token[i], "sizeof") && !c_token_is(&s->token[i], "goto") &&
           !c_token_is(&s->token[i], "static");
}

static void look_at_list(const struct c_tokens *s, struct c_extent list, struct writes *w);

// A statement of a list that goes on up to `until`.
static void look_at_statement(const struct c_tokens *s, uint32_t i, uint32_t until, struct writes *w)
{
    const struct c_token *t = &s->token[i];
    uint32_t end = omp_statement_end(s, i), body = c_tokens_after_bracket(s, i + 1);
    if (t->directive) {
        if (end > i + 1) // what it rules may be executed by others, or not at all: it stands for itself
            look_at_list(s, (struct c_extent){i + 1, end}, w);
    } else if (c_token_is(t, "{")) {
        look_at_list(s, (struct c_extent){i + 1, end - 1}, w);
    } else if (c_token_is(t, "do")) {
        look_at_list(s, (struct c_extent){i + 1, omp_statement_end(s, i + 1)}, w);
    } else if (c_token_is(t, "for") || c_token_is(t, "if") || c_token_is(t, "while")) {
        uint32_t rest = omp_statement_end(s, body), first = i + 2;
        if (c_token_is(t, "for") && is_write(s, first, find_mark(s, first, body - 1, ";"), w->name))
            add_write(w, first, until);
        if (c_token_is(t, "for") && is_declaration(s, first, body, w->name))
            add_write(w, first + 1, end);
        look_at_list(s, (struct c_extent){body, rest}, w);
        if (rest < end)
            look_at_list(s, (struct c_extent){rest + 1, end}, w);
    } else if (is_write(s, i, end, w->name)) {
        add_write(w, i, until);
    } else if (is_declaration(s, i, end, w->name)) {
        add_write(w, i + 1, until);
    }
}

static void look_at_list(const struct c_tokens *s, struct c_extent list, struct writes *w)
{
    for (uint32_t i = list.first; i < list.end;) {
        uint32_t end = omp_statement_end(s, i);
        look_at_statement(s, i, list.end, w);
        i = end > i ? end : i + 1;
    }
}

static bool is_in(uint32_t at, struct c_extent e)
{
    return e.first <= at && at < e.end;
}

// Whether a use inside the part comes after a write inside it.
static bool is_covered_inside(const struct writes *w, uint32_t use, struct c_extent part)
{
    for (uint32_t i = 0; i < w->count; i++)
        if (is_in(w->write[i].at, part) && w->write[i].at <= use && use < w->write[i].until)
            return true;
    return false;
}

// The innermost loop of the function that has both the use and the part in it. False: none has.
static bool loop_around(const struct c_tokens *s, struct c_extent function, struct c_extent part, uint32_t use,
                        struct c_extent *loop)
{
    bool found = false;
    for (uint32_t i = function.first; i < part.first && i <= use; i++) {
        struct c_extent e = {i, omp_statement_end(s, i)};
        if (c_tokens_have_loop_at(s, i) && e.end >= part.end && is_in(use, e)) {
            *loop = e;
            found = true;
        }
    }
    return found;
}

// Whether a use outside of the part never sees what was written in it: there is a write on every way from the part to the use.
// `again`: the function may be called again while the variable has its value.
static bool is_covered_outside(const struct c_tokens *s, struct c_extent function, const struct writes *w, uint32_t use,
                               struct c_extent part, bool again)
{
    struct c_extent loop = function;
    if (use < part.first && !loop_around(s, function, part, use, &loop) && !again)
        return true;
    for (uint32_t i = 0; i < w->count; i++) {
        uint32_t at = w->write[i].at;
        bool reaches = at <= use && use < w->write[i].until && !is_in(at, part);
        bool between = use >= part.end ? at >= part.end : is_in(at, loop);
        if (reaches && between)
            return true;
    }
    return false;
}

static bool has_static(const struct c_tokens *s, struct c_extent function)
{
    for (uint32_t i = function.first; i < function.end; i++)
        if (c_token_is(&s->token[i], "static"))
            return true;
    return false;
}

bool omp_is_written_first(const struct c_tokens *s, struct c_extent function, struct c_extent part, const char *name,
                          bool lasting)
{
    struct writes w = {.name = name};
    bool again = lasting || has_static(s, function);
    look_at_list(s, (struct c_extent){function.first + 1, function.end - 1}, &w);
    if (w.more)
        return false;
    for (uint32_t i = function.first; i < function.end; i++)
        if (omp_mentions(s, i, name) &&
            !(is_in(i, part) ? is_covered_inside(&w, i, part) : is_covered_outside(s, function, &w, i, part, again)))
            return false;
    return true;
}

bool omp_is_used_elsewhere(const struct c_tokens *s, struct c_extent function, const char *name)
{
    for (uint32_t i = 0; i < s->count; i = c_tokens_after_bracket(s, i))
        if (c_token_is(&s->token[i], "{") && i != function.first &&
            omp_range_mentions(s, (struct c_extent){i, c_tokens_after_bracket(s, i)}, name))
            return true;
    return false;
}
