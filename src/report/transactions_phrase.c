#include "report/transactions_phrase.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/interrupt.h"

enum { NONE = UINT32_MAX, VALUE_TEXT = 120, SHOWN_AT_FIRST = 4, SHOWN_AT_END = 8 };

// Names

void txn_names_add(struct txn_names *names, uint32_t transaction)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (names->transactions[i] == transaction)
            return;
    names->transactions = alloc_grow(names->transactions, names->count, &names->room, sizeof *names->transactions);
    names->transactions[names->count++] = transaction;
}

void txn_names_sort(struct txn_names *names, const struct transactions *from)
{
    for (uint32_t i = 1; i < names->count; i++) {
        uint32_t t = names->transactions[i], at = i;
        for (; at && from->all[names->transactions[at - 1]].called > from->all[t].called; at--)
            names->transactions[at] = names->transactions[at - 1];
        names->transactions[at] = t;
    }
}

static void add_access(struct txn_names *names, const struct transactions *from, uint32_t access)
{
    if (access != NO_ACCESS)
        txn_names_add(names, from->accesses[access].transaction);
}

// A step between versions of a list rests on the read that shows the order.
static void add_cycle(struct txn_names *names, const struct decision *x, const struct cycle *cycle)
{
    for (uint32_t i = 0; i < cycle->count; i++) {
        const struct cycle_step *step = &cycle->steps[i];
        txn_names_add(names, step->from);
        if (step->kind == DEPENDS_WW && x->from->model == MODEL_LISTS)
            add_access(names, x->from, x->versions.longest[x->versions.all[step->version].key]);
    }
}

static void add_choice(struct txn_names *names, const struct decision *x, uint32_t choice)
{
    txn_names_add(names, x->versions.all[x->choices.all[choice].first].writer);
    txn_names_add(names, x->versions.all[x->choices.all[choice].second].writer);
}

static void add_cases(struct txn_names *names, const struct decision *x)
{
    const struct choices *c = &x->choices;
    bool *needed = forced_needed(c);
    add_choice(names, x, c->impossible);
    add_cycle(names, x, &c->either_way[0]);
    add_cycle(names, x, &c->either_way[1]);
    for (uint32_t i = 0; i < c->forced_count; i++)
        if (needed[i]) {
            add_choice(names, x, c->forced[i].choice);
            add_cycle(names, x, &c->forced[i].other);
        }
    free(needed);
}

void txn_names_of(struct txn_names *names, const struct decision *x)
{
    const struct anomaly *a = &x->versions.anomaly;
    if (x->verdict != VERDICT_NO)
        return;
    if (a->kind != ANOMALY_NONE) {
        add_access(names, x->from, a->read);
        add_access(names, x->from, a->write);
        add_access(names, x->from, a->other);
    } else if (x->cycle.count) {
        add_cycle(names, x, &x->cycle);
    } else if (x->choices.impossible != NONE) {
        add_cases(names, x);
    }
    txn_names_sort(names, x->from);
}

void txn_names_free(struct txn_names *names)
{
    free(names->transactions);
    *names = (struct txn_names){0};
}

void tell_txn(struct buffer *out, const struct txn_names *names, uint32_t transaction)
{
    for (uint32_t i = 0; i < names->count; i++)
        if (names->transactions[i] == transaction)
            buffer_add(out, "T%u", i + 1);
}

// Choices

uint32_t forced_number(const struct choices *c, uint32_t choice)
{
    for (uint32_t i = 0; i < c->forced_count; i++)
        if (c->forced[i].choice == choice)
            return i;
    return NONE;
}

static void need_cycle(const struct choices *c, const struct cycle *cycle, bool *needed)
{
    for (uint32_t i = 0; i < cycle->count; i++) {
        uint32_t forced = cycle->steps[i].choice ? forced_number(c, cycle->steps[i].choice - 1) : NONE;
        if (forced != NONE)
            needed[forced] = true;
    }
}

bool *forced_needed(const struct choices *c)
{
    bool *needed = alloc_zeroed(c->forced_count + (size_t)1, sizeof *needed);
    need_cycle(c, &c->either_way[0], needed);
    need_cycle(c, &c->either_way[1], needed);
    for (uint32_t i = c->forced_count; i-- > 0;) // each rests only on earlier ones
        if (needed[i])
            need_cycle(c, &c->forced[i].other, needed);
    return needed;
}

// Verdicts

const char *tell_level(const struct decision *x, char *text, size_t room)
{
    struct buffer out = {0};
    if (x->verdict == VERDICT_UNKNOWN)
        buffer_add(&out, "unknown");
    else
        buffer_add(&out, "%s%s", x->verdict == VERDICT_YES ? "" : "not ", x->level->said);
    snprintf(text, room, "%s", buffer_text(&out));
    buffer_free(&out);
    return text;
}

static const char *const anomaly_names[] = {
    [ANOMALY_GARBAGE] = "garbage read",
    [ANOMALY_ABORTED] = "aborted read (G1a)",
    [ANOMALY_INTERMEDIATE] = "intermediate read (G1b)",
    [ANOMALY_FUTURE] = "future read",
    [ANOMALY_INTERNAL] = "a transaction that does not see its own writes (internal)",
    [ANOMALY_TWICE] = "duplicate elements",
    [ANOMALY_INCOMPATIBLE] = "incompatible orders",
    [ANOMALY_REORDERED] = "reordered appends",
    [ANOMALY_INTERLEAVED] = "dirty write (G0)",
    [ANOMALY_UNREPEATABLE] = "unrepeatable read",
    [ANOMALY_LOST_UPDATE] = "lost update",
};

const char *tell_reason_name(const struct decision *x, char *text, size_t room)
{
    char name[32];
    if (x->verdict != VERDICT_NO || (!x->cycle.count && x->versions.anomaly.kind == ANOMALY_NONE))
        return NULL;
    if (x->versions.anomaly.kind != ANOMALY_NONE)
        return anomaly_names[x->versions.anomaly.kind];
    cycle_name(&x->cycle, name, sizeof name);
    bool skew = x->cycle.count == 2 && !strcmp(name, "G2-item");
    const char *words = skew                        ? "write skew"
                        : !strcmp(name, "G2-item")  ? "anti-dependency cycle"
                        : !strcmp(name, "G-single") ? "read skew"
                        : !strcmp(name, "G1c")      ? "circular information flow"
                        : !strcmp(name, "G0")       ? "write cycle"
                        : strstr(name, "-realtime") ? "real-time violation"
                                                    : "session violation";
    snprintf(text, room, "%s (%s)", words, name);
    return text;
}

// Values

static void tell_word(struct buffer *out, const struct transactions *from, int64_t value)
{
    char text[VALUE_TEXT];
    value_show(&from->values, value, text, sizeof text);
    buffer_add_safe(out, text, strlen(text), false);
}

static void tell_key(struct buffer *out, const struct transactions *from, uint32_t key)
{
    tell_word(out, from, from->keys[key]);
}

void tell_process_of(struct buffer *out, const struct transactions *from, uint32_t transaction)
{
    tell_word(out, from, from->processes[from->all[transaction].process]);
}

// Of a long list its ends, and how much is between them.
static void tell_list(struct buffer *out, const struct transactions *from, const struct access *read)
{
    bool all = read->count <= SHOWN_AT_FIRST + SHOWN_AT_END + 2;
    buffer_add(out, "[");
    for (uint32_t i = 0; i < read->count; i++) {
        if (!all && i == SHOWN_AT_FIRST) {
            i = read->count - SHOWN_AT_END;
            buffer_add(out, " (%u more)", i - SHOWN_AT_FIRST);
        }
        buffer_add(out, i ? " " : "");
        tell_word(out, from, elements_of(from, read)[i]);
    }
    buffer_add(out, "]");
}

static void tell_result(struct buffer *out, const struct transactions *from, const struct access *read)
{
    if (from->model == MODEL_LISTS)
        tell_list(out, from, read);
    else
        tell_word(out, from, read->value);
}

void tell_accesses(struct buffer *out, const struct transactions *from, uint32_t transaction, const char *gives)
{
    const struct transaction *t = &from->all[transaction];
    for (uint32_t i = 0; i < t->count; i++) {
        const struct access *a = &from->accesses[t->first + i];
        buffer_add(out, "%s%s ", i ? ", " : "", !a->write ? "r" : from->model == MODEL_LISTS ? "append" : "w");
        tell_key(out, from, a->key);
        if (a->write) {
            buffer_add(out, " ");
            tell_word(out, from, a->value);
        } else if (t->outcome == OUTCOME_COMMITTED) {
            buffer_add(out, " %s ", gives);
            tell_result(out, from, a);
        }
    }
}

// Sentences are made of these pieces: a transaction (%T, an access's), a key (%K), what was read (%R), a value written (%V).
struct telling {
    const struct transactions *from;
    const struct txn_names *names;
};

static void tell_piece(struct buffer *out, const struct telling *t, char piece, uint32_t access)
{
    const struct access *a = &t->from->accesses[access];
    if (piece == 'T')
        tell_txn(out, t->names, a->transaction);
    else if (piece == 'K')
        tell_key(out, t->from, a->key);
    else if (piece == 'R')
        tell_result(out, t->from, a);
    else
        tell_word(out, t->from, a->value);
}

// In the pattern "{T0}" is the transaction of the first access, "{R1}" what the second one read, and so on.
static void tell_pattern(struct buffer *out, const struct telling *t, const char *pattern, const uint32_t *accesses)
{
    for (const char *at = pattern; *at; at++) {
        if (*at != '{') {
            buffer_append(out, at, 1);
            continue;
        }
        tell_piece(out, t, at[1], accesses[at[2] - '0']);
        at += 3;
    }
}

struct anomaly_pattern {
    const char *lists, *registers; // accesses: 0 the read, 1 the write, 2 the other
};

static const struct anomaly_pattern patterns[] = {
    [ANOMALY_ABORTED] = {"{T0} read {K0} as {R0}, but {T1}, which appended the {V1}, aborted",
                         "{T0} read {K0} as {R0}, but {T1}, which wrote it, aborted"},
    [ANOMALY_INTERMEDIATE] = {"{T0} read {K0} as {R0}, with the {V1} of {T1} but without its {V2}",
                              "{T0} read {K0} as {R0}, which {T1} itself overwrote with {V2}"},
    [ANOMALY_FUTURE] = {"{T0} read {K0} as {R0}, and appended the {V1} only after that",
                        "{T0} read {K0} as {R0}, and wrote it only after that"},
    [ANOMALY_INTERNAL] = {"{T0} appended {V1} to {K0}, and then read {K0} as {R0}",
                          "{T0} wrote {V1} to {K0}, and then read {K0} as {R0}"},
    [ANOMALY_TWICE] = {"{T0} read {K0} as {R0}, though {T1} appended the {V1} only once", ""},
    [ANOMALY_INCOMPATIBLE] = {"{T0} read {K0} as {R0}, and {T2} as {R2}: neither is the beginning of the other", ""},
    [ANOMALY_REORDERED] = {"{T1} appended {V2} to {K0} before {V1}, but {T0} read {K0} as {R0}", ""},
    [ANOMALY_INTERLEAVED] = {"{T0} read {K0} as {R0}, with the {V2} of {T2} amid what {T1} appended", ""},
    [ANOMALY_UNREPEATABLE] = {"{T0} read {K0} as {R2}, and then as {R0}", "{T0} read {K0} as {R2}, and then as {R0}"},
    [ANOMALY_LOST_UPDATE] = {"{T0} and {T2} both read {K0} as {R0}, and both appended to it",
                             "{T0} and {T2} both read {K0} as {R0}, and both overwrote it"},
};

void tell_anomaly(struct buffer *out, const struct decision *x, const struct txn_names *names)
{
    const struct anomaly *a = &x->versions.anomaly;
    struct telling t = {x->from, names};
    bool lists = x->from->model == MODEL_LISTS;
    if (a->kind == ANOMALY_GARBAGE) {
        tell_pattern(out, &t, "{T0} read {K0} as {R0}, but nobody wrote ", &a->read);
        tell_word(out, x->from, a->value);
        return;
    }
    tell_pattern(out, &t, lists ? patterns[a->kind].lists : patterns[a->kind].registers,
                 (const uint32_t[]){a->read, a->write, a->other});
}

// Steps

// The first of a transaction's writes of the same key as this one.
static uint32_t first_write(const struct transactions *from, uint32_t access)
{
    const struct access *a = &from->accesses[access];
    for (uint32_t i = from->all[a->transaction].first;; i++)
        if (from->accesses[i].write && from->accesses[i].key == a->key)
            return i;
}

static bool is_in_chain(const struct versions *v, uint32_t version)
{
    return v->all[version].previous != NO_VERSION && v->longest[v->all[version].key] != NO_ACCESS;
}

static bool was_seen(const struct decision *x, uint32_t write)
{
    const struct access *a = &x->from->accesses[write];
    const struct access *longest = &x->from->accesses[x->versions.longest[a->key]];
    for (uint32_t i = 0; i < longest->count; i++)
        if (elements_of(x->from, longest)[i] == a->value)
            return true;
    return false;
}

static void tell_ww(struct buffer *out, const struct decision *x, const struct telling *t,
                    const struct cycle_step *step)
{
    const struct versions *v = &x->versions;
    uint32_t before = v->all[step->version].access, after = first_write(x->from, v->all[step->then].access);
    uint32_t shown = v->longest[v->all[step->version].key];
    const uint32_t accesses[] = {before, after, shown};
    bool follows = v->all[step->then].previous == step->version;
    if (x->from->model == MODEL_REGISTERS)
        tell_pattern(out, t,
                     step->choice ? "{T0} wrote {K0} before {T1} did"
                     : follows    ? "{T1} read the {V0} that {T0} wrote to {K0}, and overwrote it"
                                  : "{T0} wrote {K0} before {T1} did, as their times say",
                     accesses);
    else if (step->choice || shown == NO_ACCESS)
        tell_pattern(out, t, "{T0} appended to {K0} before {T1} did", accesses);
    else if (is_in_chain(v, step->then) && was_seen(x, after))
        tell_pattern(out, t, "{T2} read {K0} as {R2}, with the {V1} of {T1} behind the {V0} of {T0}", accesses);
    else if (was_seen(x, before))
        tell_pattern(out, t, "{T2} read {K0} as {R2}, with the {V0} of {T0} and not yet the {V1} of {T1}", accesses);
    else
        tell_pattern(out, t, "{T0} read {K0} just before it appended to it, and {T1} appended to it too", accesses);
}

static void tell_rw(struct buffer *out, const struct decision *x, const struct telling *t,
                    const struct cycle_step *step)
{
    const struct versions *v = &x->versions;
    const uint32_t accesses[] = {step->read, first_write(x->from, v->all[step->then].access),
                                 v->all[step->then].access};
    if (x->from->model == MODEL_LISTS)
        tell_pattern(out, t, "{T0} read {K0} as {R0}, without the {V1} of {T1}", accesses);
    else if (v->all[step->version].writer == NO_TRANSACTION)
        tell_pattern(out, t, "{T0} read {K0} as {R0}, before {T1} wrote {V2} to it", accesses);
    else
        tell_pattern(out, t,
                     step->choice || v->all[step->then].previous == step->version
                         ? "{T0} read {K0} as {R0}, which {T1} overwrote with {V2}"
                         : "{T0} read {K0} as {R0}, which by the times of the writes {T1} overwrote with {V2}",
                     accesses);
}

static void tell_wr(struct buffer *out, const struct decision *x, const struct telling *t,
                    const struct cycle_step *step)
{
    const uint32_t accesses[] = {step->read, x->versions.all[step->version].access};
    tell_pattern(out, t,
                 x->from->model == MODEL_LISTS ? "{T0} read {K0} as {R0}, with the {V1} of {T1}"
                                               : "{T0} read {K0} as {R0}, which {T1} wrote",
                 accesses);
}

static void tell_time(struct buffer *out, const struct decision *x, const struct telling *t,
                      const struct cycle_step *step)
{
    const struct transaction *from = &x->from->all[step->from], *to = &x->from->all[step->to];
    tell_txn(out, t->names, step->from);
    buffer_add(out, " returned (line %u) before ", from->end_line);
    tell_txn(out, t->names, step->to);
    buffer_add(out, " was called (line %u)", to->line);
    if (step->kind == DEPENDS_SESSION)
        buffer_add(out, ", by the same process");
}

void tell_step(struct buffer *out, const struct decision *x, const struct txn_names *names,
               const struct cycle_step *step)
{
    struct telling t = {x->from, names};
    bool split = x->level->isolation == SNAPSHOT_ISOLATION, rw = step->kind == DEPENDS_RW;
    tell_txn(out, names, step->from);
    buffer_add(out, !split ? " is before " : rw ? " began before the end of " : " ended before the beginning of ");
    tell_txn(out, names, step->to);
    buffer_add(out, ": ");
    switch (step->kind) {
    case DEPENDS_WW:
        tell_ww(out, x, &t, step);
        break;
    case DEPENDS_WR:
        tell_wr(out, x, &t, step);
        break;
    case DEPENDS_RW:
        tell_rw(out, x, &t, step);
        break;
    default:
        tell_time(out, x, &t, step);
    }
}

void tell_order(struct buffer *out, const struct decision *x, const struct txn_names *names,
                const struct order_choice *choice, int way)
{
    const struct version *all = x->versions.all;
    struct telling t = {x->from, names};
    uint32_t before = all[last_of_chain(&x->versions, way ? choice->second : choice->first)].access;
    uint32_t after = all[way ? choice->first : choice->second].access;
    const char *pattern =
        x->from->model == MODEL_LISTS ? "{T0} appended to {K0} before {T1} did" : "{T0} wrote {K0} before {T1} did";
    tell_pattern(out, &t, pattern, (const uint32_t[]){before, after});
}

void tell_unknown(struct buffer *out, const struct decision *x)
{
    const struct choices *c = &x->choices;
    if (interrupted())
        buffer_add(out, "%s", interrupt_reason());
    else if (!strcmp(x->reason, "values"))
        buffer_add(out,
                   "values were written to one register by several transactions and read: nobody can tell whose write "
                   "was read, and the rest shows nothing wrong");
    else if (!strcmp(x->reason, "choices"))
        buffer_add(out, "nobody saw the order of %u pairs of writes%s, too many to try every way", c->count,
                   c->too_many ? " and more" : "");
    else
        buffer_add(out, "out of %s after %llu ways to order %u pairs of writes whose order nobody saw", x->reason,
                   (unsigned long long)c->tried, c->count);
}
