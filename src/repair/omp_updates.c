#include "repair/omp_updates.h"

#include <string.h>

// Operators of which a reduction can be made. A bracket, or an operator that binds more tightly, may follow on the right of
// `x = x op …`; so may the operators of the same kind.
static const struct kind {
    const char *assigns, *symbol, *reduction;
    int binds; // the more, the more tightly
} kinds[] = {
    {"+=", "+", "+", 9}, {"-=", "-", "+", 9}, {"*=", "*", "*", 10},  {"&=", "&", "&", 5},
    {"|=", "|", "|", 3}, {"^=", "^", "^", 4}, {NULL, "&&", "&&", 2}, {NULL, "||", "||", 1},
};

enum { KINDS = sizeof kinds / sizeof *kinds, COMPARISON = 7 };

static const struct kind *kind_of(const struct c_token *t, bool assigns)
{
    for (const struct kind *k = kinds; k < kinds + KINDS; k++)
        if (assigns ? k->assigns && c_token_is(t, k->assigns) : c_token_is(t, k->symbol))
            return k;
    return NULL;
}

// How tightly an operator binds; 0: it must not stand there at all, 100: it is none.
static int binding(const struct c_token *t)
{
    static const struct {
        const char *symbol;
        int binds;
    } others[] = {{"/", 10}, {"%", 10}, {"<<", 8}, {">>", 8}, {"<", 7}, {">", 7}, {"<=", 7},
                  {">=", 7}, {"==", 6}, {"!=", 6}, {"?", 0},  {",", 0}, {":", 0}};
    const struct kind *k = kind_of(t, false);
    if (k)
        return k->binds;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (c_token_is(t, others[i].symbol))
            return others[i].binds;
    return t->length > 1 && t->text[t->length - 1] == '=' ? 0 : c_token_is(t, "=") ? 0 : 100;
}

static bool is_assignment(const struct c_token *t)
{
    static const char *const operators[] = {
        "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "++", "--"};
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (c_token_is(t, operators[i]))
            return true;
    return false;
}

// Functions of <math.h> and <stdlib.h> that are only their value.
static bool is_pure(const struct c_token *t)
{
    static const char *const names[] = {"abs",  "labs",  "fabs", "fabsf", "sqrt",  "sqrtf", "sin",
                                        "cos",  "tan",   "exp",  "log",   "pow",   "hypot", "fmin",
                                        "fmax", "floor", "ceil", "fmod",  "atan2", "sizeof"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (c_token_is(t, names[i]))
            return true;
    return false;
}

bool omp_changes_nothing(const struct c_tokens *s, struct c_extent range)
{
    for (uint32_t i = range.first; i < range.end; i++) {
        bool call = i > range.first && c_token_is(&s->token[i], "(") && c_token_is_word(&s->token[i - 1]) &&
                    !is_pure(&s->token[i - 1]);
        bool call_by_value = i > range.first && c_token_is(&s->token[i], "(") && c_token_is(&s->token[i - 1], ")");
        if (is_assignment(&s->token[i]) || call || call_by_value || s->token[i].directive)
            return false;
    }
    return true;
}

static bool same_tokens(const struct c_tokens *s, struct c_extent a, struct c_extent b)
{
    bool same = a.end - a.first == b.end - b.first;
    for (uint32_t i = 0; same && i < a.end - a.first; i++)
        same = c_token_same(&s->token[a.first + i], &s->token[b.first + i]);
    return same && a.end > a.first;
}

// A variable, with what selects a part of it: `a`, `a[i].n`, `*p`, `p->n`.
static uint32_t place_end(const struct c_tokens *s, uint32_t i)
{
    while (c_token_is(&s->token[i], "*"))
        i++;
    if (!c_token_is_word(&s->token[i]))
        return 0;
    for (i++;;) {
        if (c_token_is(&s->token[i], "["))
            i = c_tokens_after_bracket(s, i);
        else if ((c_token_is(&s->token[i], ".") || c_token_is(&s->token[i], "->")) && c_token_is_word(&s->token[i + 1]))
            i += 2;
        else
            return i;
    }
}

static bool read_place(const struct c_tokens *s, uint32_t first, struct c_extent *place)
{
    *place = (struct c_extent){first, place_end(s, first)};
    return place->end > first && omp_changes_nothing(s, *place);
}

// Whether the place occurs in the range, also as a part of something else.
static bool occurs(const struct c_tokens *s, struct c_extent place, struct c_extent range)
{
    uint32_t length = place.end - place.first;
    for (uint32_t i = range.first; i + length <= range.end; i++)
        if (same_tokens(s, place, (struct c_extent){i, i + length}))
            return true;
    return false;
}

// What may stand beside the place in `place = place op …`.
static bool is_operand(const struct c_tokens *s, struct c_extent range, const struct kind *k, bool right)
{
    for (uint32_t i = range.first; i < range.end; i = c_tokens_after_bracket(s, i)) {
        const struct kind *other = kind_of(&s->token[i], false);
        bool alike = other && !strcmp(other->reduction, k->reduction) && (right || !strcmp(other->symbol, k->symbol));
        if (!alike && binding(&s->token[i]) <= k->binds)
            return false;
    }
    bool lazy = !k->assigns;
    return range.end > range.first && (!lazy || omp_changes_nothing(s, range));
}

// `place op right` or `left op place`, from `first` up to the semicolon.
static bool read_binary(const struct c_tokens *s, struct c_extent place, struct c_extent value,
                        struct omp_update *update)
{
    uint32_t length = place.end - place.first;
    if (value.end - value.first <= length)
        return false;
    struct c_extent left = {value.first, value.first + length}, right = {value.end - length, value.end};
    const struct kind *k = kind_of(&s->token[left.end], false);
    if (same_tokens(s, place, left) && k) {
        struct c_extent rest = {left.end + 1, value.end};
        update->symbol = k->reduction;
        return !occurs(s, place, rest) && is_operand(s, rest, k, true);
    }
    k = kind_of(&s->token[right.first - 1], false);
    if (same_tokens(s, place, right) && k && !c_token_is(&s->token[right.first - 1], "-")) {
        struct c_extent rest = {value.first, right.first - 1};
        update->symbol = k->reduction;
        return !occurs(s, place, rest) && is_operand(s, rest, k, false);
    }
    return false;
}

// `a > b` of a place and a value that has nothing to do with it. Says whether the place is the smaller one.
static bool read_comparison(const struct c_tokens *s, struct c_extent place, struct c_extent range,
                            struct c_extent *value, bool *smaller)
{
    uint32_t i = range.first;
    while (i < range.end && binding(&s->token[i]) > COMPARISON)
        i = c_tokens_after_bracket(s, i);
    struct c_extent left = {range.first, i}, right = {i + 1, range.end};
    bool less = c_token_is(&s->token[i], "<") || c_token_is(&s->token[i], "<=");
    bool more = c_token_is(&s->token[i], ">") || c_token_is(&s->token[i], ">=");
    if (i >= range.end || (!less && !more))
        return false;
    bool on_left = same_tokens(s, place, left);
    *value = on_left ? right : left;
    *smaller = on_left == less;
    return (on_left || same_tokens(s, place, right)) && !occurs(s, place, *value) && omp_changes_nothing(s, *value);
}

// `place = place < value ? value : place`, and what else means the same.
static bool read_choice(const struct c_tokens *s, struct c_extent place, struct c_extent value,
                        struct omp_update *update)
{
    uint32_t question = value.first, colon;
    while (question < value.end && !c_token_is(&s->token[question], "?"))
        question = c_tokens_after_bracket(s, question);
    for (colon = question; colon < value.end && !c_token_is(&s->token[colon], ":");)
        colon = c_tokens_after_bracket(s, colon);
    struct c_extent condition = {value.first, question}, other;
    bool smaller;
    if (colon >= value.end)
        return false;
    if (c_token_is(&s->token[value.first], "(") && c_tokens_after_bracket(s, value.first) == question)
        condition = (struct c_extent){value.first + 1, question - 1};
    if (!read_comparison(s, place, condition, &other, &smaller))
        return false;
    struct c_extent yes = {question + 1, colon}, no = {colon + 1, value.end};
    bool takes_other = same_tokens(s, yes, other) && same_tokens(s, no, place);
    bool keeps = same_tokens(s, yes, place) && same_tokens(s, no, other);
    update->symbol = takes_other == smaller ? "max" : "min";
    return takes_other || keeps;
}

// `if (place < value) place = value;`, with braces or without.
static bool read_extreme(const struct c_tokens *s, uint32_t first, struct omp_update *update)
{
    uint32_t open = first + 1, at = c_tokens_after_bracket(s, open), end = omp_statement_end(s, first);
    struct c_extent value;
    bool smaller;
    if (!c_token_is(&s->token[open], "("))
        return false;
    if (c_token_is(&s->token[at], "{")) {
        if (c_tokens_after_bracket(s, at) != end)
            return false;
        at++, end--;
    }
    if (!read_place(s, at, &update->place) || !c_token_is(&s->token[update->place.end], "=") ||
        omp_statement_end(s, at) != end ||
        !read_comparison(s, update->place, (struct c_extent){open + 1, s->token[open].match}, &value, &smaller))
        return false;
    update->symbol = smaller ? "max" : "min";
    return same_tokens(s, value, (struct c_extent){update->place.end + 1, end - 1});
}

// `++place`, `place++`, `place op= value`, from `first` up to `end`.
static bool read_change(const struct c_tokens *s, uint32_t first, uint32_t end, struct omp_update *update)
{
    bool prefix = c_token_is(&s->token[first], "++") || c_token_is(&s->token[first], "--");
    if (!read_place(s, first + prefix, &update->place))
        return false;
    const struct c_token *after = &s->token[update->place.end];
    update->symbol = "+";
    if (prefix)
        return update->place.end == end;
    if (c_token_is(after, "++") || c_token_is(after, "--"))
        return update->place.end + 1 == end;
    const struct kind *k = kind_of(after, true);
    if (!k)
        return false;
    update->symbol = k->reduction;
    return end > update->place.end + 1 && !occurs(s, update->place, (struct c_extent){update->place.end + 1, end});
}

bool omp_read_update(const struct c_tokens *s, uint32_t first, struct omp_update *update)
{
    uint32_t end = omp_statement_end(s, first);
    if (c_token_is(&s->token[first], "if"))
        return read_extreme(s, first, update);
    if (end <= first + 1 || !c_token_is(&s->token[end - 1], ";"))
        return false;
    if (read_change(s, first, end - 1, update))
        return true;
    if (!read_place(s, first, &update->place) || !c_token_is(&s->token[update->place.end], "="))
        return false;
    struct c_extent value = {update->place.end + 1, end - 1};
    return read_binary(s, update->place, value, update) || read_choice(s, update->place, value, update);
}

bool omp_updates_variable(const struct c_tokens *s, const struct omp_update *update, const char *name)
{
    return update->place.end == update->place.first + 1 && c_token_is(&s->token[update->place.first], name);
}
