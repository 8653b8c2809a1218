#include "repair/omp_directives.h"

#include <stdio.h>
#include <string.h>

#include "repair/omp_dominance.h"
#include "repair/omp_updates.h"

// ---- where ----

// A parallel region around a race, and the innermost directive in it that can have the clause.
struct region {
    struct c_extent all;    // the region, with its directive
    struct c_extent inner;  // what the innermost directive rules, with it
    struct c_extent within; // the body of the function
};

static bool has_lines(const struct c_tokens *s, struct c_extent e, uint32_t line)
{
    return s->token[e.first].line <= line && line <= s->token[e.end - 1].line;
}

static bool takes_clauses(const struct c_token *t)
{
    return omp_directive_has(t, "parallel") || omp_directive_has(t, "for");
}

// Goes from the outermost parallel region with the line in it to the innermost directive.
static bool find_region(const struct c_tokens *s, uint32_t line, struct region *region)
{
    bool found = false;
    for (uint32_t i = 0; line && i < s->count; i++) {
        const struct c_token *t = &s->token[i];
        struct c_extent e = {i, omp_statement_end(s, i)};
        if (!t->own || !t->directive || !takes_clauses(t) || !has_lines(s, e, line))
            continue;
        if (!found && !omp_directive_has(t, "parallel"))
            return false;
        if (!found)
            region->all = e;
        region->inner = e;
        found = true;
    }
    return found && omp_function_of(s, region->all.first, &region->within);
}

// ---- what rules out that a variable gets copies ----

// Directives in a region that leave the meaning of its clauses alone.
static bool is_harmless(const struct c_token *t)
{
    static const char *const words[] = {"task",    "taskloop", "target", "teams",      "single",
                                        "master",  "masked",   "simd",   "scan",       "depobj",
                                        "ordered", "loop",     "scope",  "distribute", "taskgroup"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (omp_directive_has(t, words[i]))
            return false;
    return true;
}

static bool directive_names(const struct c_token *t, const char *name)
{
    size_t length = strlen(name);
    for (uint32_t i = 0; i + length <= t->length; i++) {
        const char *at = t->text + i;
        char before = i ? at[-1] : ' ', after = i + length < t->length ? at[length] : ' ';
        bool inside = (before | 32) >= 'a' && (before | 32) <= 'z';
        inside |= ((after | 32) >= 'a' && (after | 32) <= 'z') || before == '_' || after == '_' ||
                  (before >= '0' && before <= '9') || (after >= '0' && after <= '9');
        if (!memcmp(at, name, length) && !inside)
            return true;
    }
    return false;
}

// Whether control may go where the text does not show it.
static bool is_obscure(const struct c_tokens *s, struct c_extent function)
{
    static const char *const words[] = {"goto", "switch", "setjmp", "sigsetjmp", "asm", "__asm__", "__asm"};
    for (uint32_t i = function.first; i < function.end; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (c_token_is(&s->token[i], words[k]))
                return true;
    return false;
}

// Whether somebody may know the variable by another name: `&x`, `&(x)`.
static bool has_alias(const struct c_tokens *s, struct c_extent range, const char *name)
{
    for (uint32_t i = range.first; i < range.end; i++) {
        uint32_t k = i;
        while (k > 0 && c_token_is(&s->token[k - 1], "("))
            k--;
        if (omp_mentions(s, i, name) && k > 0 && c_token_is(&s->token[k - 1], "&"))
            return true;
    }
    return false;
}

// Whether the variable is mentioned in the range but not in the part of it.
static bool mentioned_outside(const struct c_tokens *s, struct c_extent range, struct c_extent part, const char *name)
{
    return omp_range_mentions(s, (struct c_extent){range.first, part.first}, name) ||
           omp_range_mentions(s, (struct c_extent){part.end, range.end}, name);
}

static bool is_call(const struct c_tokens *s, uint32_t i)
{
    static const char *const keywords[] = {"for", "if", "while", "return", "sizeof"};
    const struct c_token *before = &s->token[i - 1];
    if (!c_token_is(&s->token[i], "("))
        return false;
    for (size_t k = 0; k < sizeof keywords / sizeof *keywords; k++)
        if (c_token_is(before, keywords[k]))
            return false;
    bool named = c_token_is_word(before) && !omp_changes_nothing(s, (struct c_extent){i - 1, i + 1});
    return named || c_token_is(before, ")") || c_token_is(before, "]");
}

static bool has_calls(const struct c_tokens *s, struct c_extent range)
{
    for (uint32_t i = range.first + 1; i < range.end; i++)
        if (is_call(s, i))
            return true;
    return false;
}

// Whether the clause can be put where `inner` begins: all that the region has of the variable is there, and nothing in the region
// gives the variable another meaning.
static bool can_have_copies(const struct c_tokens *s, const struct region *r, const struct omp_race *race, bool alone)
{
    const char *name = race->variable;
    struct c_extent everything = {0, s->count};
    if (mentioned_outside(s, r->all, r->inner, name) || is_obscure(s, r->within) ||
        has_alias(s, race->local ? r->within : everything, name))
        return false;
    if (!race->local && (!alone || omp_is_used_elsewhere(s, r->within, name)) && has_calls(s, r->all))
        return false;
    for (uint32_t i = r->all.first; i < r->all.end; i++) {
        const struct c_token *t = &s->token[i];
        bool nested = i > r->all.first && omp_directive_has(t, "parallel");
        if (t->directive && (nested || directive_names(t, name) || !is_harmless(t)))
            return false;
    }
    return true;
}

// The region around a race, if the variable can get copies there: for the innermost directive, or else for the whole region.
static bool find_region_for_clause(const struct c_tokens *s, const struct omp_race *race, bool alone, struct region *r)
{
    if (!race->whole || !*race->variable || (!find_region(s, race->line[0], r) && !find_region(s, race->line[1], r)))
        return false;
    if (mentioned_outside(s, r->all, r->inner, race->variable))
        r->inner = r->all;
    return can_have_copies(s, r, race, alone);
}

// ---- reduction ----

// What a walk through a region has seen of a variable.
struct sight {
    const char *name, *symbol; // the operator of all updates so far
    bool other;                // there is something else
};

static void see_statement(const struct c_tokens *s, uint32_t i, struct sight *sight);

static void see_range(const struct c_tokens *s, struct c_extent range, struct sight *sight)
{
    sight->other |= omp_range_mentions(s, range, sight->name);
}

static bool sees_update(const struct c_tokens *s, uint32_t i, struct sight *sight)
{
    struct omp_update update;
    if (!omp_read_update(s, i, &update) || !omp_updates_variable(s, &update, sight->name))
        return false;
    sight->other |= sight->symbol && strcmp(sight->symbol, update.symbol) != 0;
    sight->symbol = update.symbol;
    return true;
}

static void see_block(const struct c_tokens *s, struct c_extent block, struct sight *sight)
{
    for (uint32_t i = block.first; i < block.end;) {
        uint32_t end = omp_statement_end(s, i);
        see_statement(s, i, sight);
        i = end > i ? end : i + 1;
    }
}

static void see_statement(const struct c_tokens *s, uint32_t i, struct sight *sight)
{
    const struct c_token *t = &s->token[i];
    uint32_t end = omp_statement_end(s, i), body = c_tokens_after_bracket(s, i + 1);
    if (end <= i || sees_update(s, i, sight))
        return;
    if (t->directive) {
        if (end > i + 1)
            see_statement(s, i + 1, sight);
    } else if (c_token_is(t, "{")) {
        see_block(s, (struct c_extent){i + 1, end - 1}, sight);
    } else if (c_token_is(t, "do")) {
        uint32_t tail = omp_statement_end(s, i + 1);
        see_statement(s, i + 1, sight);
        see_range(s, (struct c_extent){tail, end}, sight);
    } else if (c_token_is(t, "if") || c_token_is(t, "for") || c_token_is(t, "while")) {
        uint32_t rest = omp_statement_end(s, body);
        see_range(s, (struct c_extent){i, body}, sight);
        see_statement(s, body, sight);
        if (rest < end) // after `else`
            see_statement(s, rest + 1, sight);
    } else {
        see_range(s, (struct c_extent){i, end}, sight);
    }
}

static bool find_reduction(const struct c_tokens *s, const struct omp_race *race, bool alone,
                           struct omp_directive *found)
{
    struct region r;
    struct sight sight = {.name = race->variable};
    if (!find_region_for_clause(s, race, alone, &r))
        return false;
    see_statement(s, r.inner.first, &sight);
    if (sight.other || !sight.symbol)
        return false;
    found->line = s->token[r.inner.first].line;
    snprintf(found->text, sizeof found->text, "reduction(%s : %s)", sight.symbol, race->variable);
    return true;
}

// ---- private ----

static bool find_private(const struct c_tokens *s, const struct omp_race *race, bool alone, struct omp_directive *found)
{
    struct region r;
    if (!find_region_for_clause(s, race, alone, &r))
        return false;
    if (!race->local && (!alone || omp_is_used_elsewhere(s, r.within, race->variable)))
        return false;
    if (!omp_is_written_first(s, r.within, r.inner, race->variable, !race->local))
        return false;
    found->line = s->token[r.inner.first].line;
    snprintf(found->text, sizeof found->text, "private(%s)", race->variable);
    return true;
}

// ---- statements ----

static bool begins_statement(const struct c_tokens *s, uint32_t i)
{
    static const char *const words[] = {"{", "}", ";", ")", "else", "do"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (c_token_is(&s->token[i - 1], words[k]))
            return true;
    return s->token[i - 1].directive;
}

// The smallest update that has the line in it; `count` if there is none.
static uint32_t update_with(const struct c_tokens *s, uint32_t line, struct omp_update *found)
{
    uint32_t at = omp_token_at(s, line), best = s->count, length = UINT32_MAX;
    struct c_extent body;
    if (!line || at >= s->count || !omp_function_of(s, at, &body))
        return s->count;
    for (uint32_t i = body.first + 1; i < body.end; i++) {
        struct c_extent e = {i, omp_statement_end(s, i)};
        struct omp_update update;
        if (begins_statement(s, i) && e.end > i && e.end - i <= length && has_lines(s, e, line) &&
            omp_read_update(s, i, &update)) {
            best = i;
            length = e.end - i;
            *found = update;
        }
    }
    return best;
}

// The update that is the access that writes.
static bool racing_update(const struct c_tokens *s, const struct omp_race *race, uint32_t *at,
                          struct omp_update *update)
{
    for (int k = 1; k >= 0; k--) {
        *at = race->writes[k] ? update_with(s, race->line[k], update) : s->count;
        if (*at < s->count)
            return !*race->variable || omp_range_mentions(s, update->place, race->variable);
    }
    return false;
}

// A directive in front of the statement, which must not be ruled by another one already.
static bool put_in_front(const struct c_tokens *s, uint32_t i, const char *text, struct omp_directive *found)
{
    const struct c_token *t = &s->token[i];
    if (!t->own || s->token[i - 1].directive || s->token[i - 1].line == t->line || t->length >= sizeof found->begins)
        return false;
    found->line = t->line;
    memcpy(found->begins, t->text, t->length);
    snprintf(found->text, sizeof found->text, "%s", text);
    return true;
}

static bool find_atomic(const struct c_tokens *s, const struct omp_race *race, struct omp_directive *found)
{
    struct omp_update update;
    uint32_t i;
    return racing_update(s, race, &i, &update) && !c_token_is(&s->token[i], "if") &&
           put_in_front(s, i, "#pragma omp atomic", found);
}

// What `atomic` cannot do, such as a maximum.
static bool find_critical(const struct c_tokens *s, const struct omp_race *race, struct omp_directive *found)
{
    struct omp_update update;
    uint32_t i;
    return racing_update(s, race, &i, &update) && put_in_front(s, i, "#pragma omp critical", found);
}

bool omp_directive_find(const struct c_tokens *s, const struct omp_race *race, enum omp_directive_kind kind, bool alone,
                        struct omp_directive *found)
{
    *found = (struct omp_directive){.kind = kind};
    switch (kind) {
    case OMP_REDUCTION:
        return find_reduction(s, race, alone, found);
    case OMP_PRIVATE:
        return find_private(s, race, alone, found);
    case OMP_ATOMIC:
        return find_atomic(s, race, found);
    case OMP_CRITICAL:
        return find_critical(s, race, found);
    default:
        return false;
    }
}

bool omp_is_clause(enum omp_directive_kind kind)
{
    return kind == OMP_REDUCTION || kind == OMP_PRIVATE;
}
