#include <stdlib.h>

#include "base/alloc.h"
#include "report/style.h"
#include "report/transactions_phrase.h"

enum { NONE = UINT32_MAX };

struct txn_printing {
    FILE *out;
    const struct transactions_report *r;
    const struct decision *x;
    struct txn_names names;
    struct style style;
};

static void print_buffer(struct txn_printing *p, const char *indent, struct buffer *text, const char *end)
{
    fprintf(p->out, "%s%s%s\n", indent, buffer_text(text), end);
    buffer_free(text);
}

static void print_transaction(struct txn_printing *p, uint32_t transaction)
{
    static const char *const outcomes[] = {"", ", aborted", ", outcome unknown"};
    const struct transaction *t = &p->x->from->all[transaction];
    struct buffer text = {0};
    tell_txn(&text, &p->names, transaction);
    buffer_add(&text, " (process ");
    tell_process_of(&text, p->x->from, transaction);
    buffer_add(&text, t->end_line > t->line ? ", lines %u" : ", line %u", t->line);
    if (t->end_line > t->line)
        buffer_add(&text, " and %u", t->end_line);
    buffer_add(&text, "%s): ", outcomes[t->outcome]);
    tell_accesses(&text, p->x->from, transaction, p->style.gives);
    print_buffer(p, "  ", &text, "");
}

static void print_transactions(struct txn_printing *p)
{
    for (uint32_t i = 0; i < p->names.count; i++)
        print_transaction(p, p->names.transactions[i]);
}

// What follows from a choice that was forced refers to it by its number, if it has one by now.
static void print_cycle(struct txn_printing *p, const struct cycle *cycle, const char *indent, const uint32_t *numbers)
{
    for (uint32_t i = 0; i < cycle->count; i++) {
        struct buffer text = {0};
        tell_step(&text, p->x, &p->names, &cycle->steps[i]);
        uint32_t choice = cycle->steps[i].choice, forced = choice ? forced_number(&p->x->choices, choice - 1) : NONE;
        if (forced != NONE && numbers && numbers[forced])
            buffer_add(&text, " (%u)", numbers[forced]);
        print_buffer(p, indent, &text, "");
    }
}

// What has to be so, each because the other way round there would be a circle; then the case that has no way left.
static void print_cases(struct txn_printing *p)
{
    const struct choices *c = &p->x->choices;
    bool *needed = forced_needed(c);
    uint32_t *numbers = alloc_zeroed(c->forced_count + (size_t)1, sizeof *numbers), count = 0;
    for (uint32_t i = 0; i < c->forced_count; i++) {
        const struct order_choice *choice = &c->all[c->forced[i].choice];
        struct buffer text = {0};
        if (!needed[i])
            continue;
        buffer_add(&text, "(%u) ", ++count);
        tell_order(&text, p->x, &p->names, choice, choice->made);
        print_buffer(p, "  ", &text, "; otherwise");
        print_cycle(p, &c->forced[i].other, "      ", numbers);
        numbers[i] = count;
    }
    for (int way = 0; way < 2; way++) {
        struct buffer text = {0};
        buffer_add(&text, way ? "and if " : "if ");
        tell_order(&text, p->x, &p->names, &c->all[c->impossible], way);
        print_buffer(p, "  ", &text, ", then");
        print_cycle(p, &c->either_way[way], "      ", numbers);
    }
    free(needed);
    free(numbers);
}

static void print_reason(struct txn_printing *p)
{
    const struct decision *x = p->x;
    txn_names_of(&p->names, x);
    fputc('\n', p->out);
    print_transactions(p);
    if (p->names.count)
        fputc('\n', p->out);
    if (x->versions.anomaly.kind != ANOMALY_NONE) {
        struct buffer text = {0};
        tell_anomaly(&text, x, &p->names);
        print_buffer(p, "  ", &text, "");
    } else if (x->cycle.count) {
        print_cycle(p, &x->cycle, "  ", NULL);
    } else if (x->choices.impossible != NONE) {
        print_cases(p);
    } else {
        fprintf(
            p->out,
            "  the order of %u pairs of writes was not seen; every way to order them leads to a circle (%llu tried)\n",
            x->choices.count, (unsigned long long)x->choices.tried);
    }
}

static void print_order(struct txn_printing *p)
{
    fputs("  one order:\n", p->out);
    for (uint32_t i = 0; i < p->x->order_count; i++) {
        const struct replay_step *step = &p->x->order[i];
        const struct transaction *t = &p->x->from->all[step->transaction];
        struct buffer text = {0};
        tell_accesses(&text, p->x->from, step->transaction, p->style.gives);
        buffer_add(&text, "  (line %u%s)", t->line, t->outcome == OUTCOME_UNKNOWN ? ", outcome unknown" : "");
        print_buffer(p,
                     step->ends == step->begins ? "    "
                     : step->begins             ? "    begins  "
                                                : "    ends    ",
                     &text, "");
    }
}

static void print_subject(struct txn_printing *p)
{
    const struct transactions *from = p->x->from;
    uint32_t aborted = 0, unknown = 0;
    for (uint32_t i = 0; i < from->count; i++) {
        aborted += from->all[i].outcome == OUTCOME_ABORTED;
        unknown += from->all[i].outcome == OUTCOME_UNKNOWN;
    }
    const char *model = from->model == MODEL_LISTS ? "list-append" : "rw-register";
    fprintf(p->out, "  model %s, %u %s%s of %u process%s", p->r->model ? p->r->model : model, from->count,
            p->r->model ? "operation" : "transaction", from->count == 1 ? "" : "s", from->process_count,
            from->process_count == 1 ? "" : "es");
    if (!p->r->model || from->key_count > 1)
        fprintf(p->out, " on %u key%s", from->key_count, from->key_count == 1 ? "" : "s");
    if (aborted)
        fprintf(p->out, ", %u aborted", aborted);
    if (unknown)
        fprintf(p->out, ", %u of unknown outcome", unknown);
    fprintf(p->out, "\n  %.2f s, %.1f MiB\n", p->r->seconds, (double)p->r->memory / (1 << 20));
}

void report_transactions_text(FILE *out, const struct transactions_report *r, bool colour)
{
    struct txn_printing p = {.out = out, .r = r, .x = r->decision};
    char verdict[80], name[80];
    enum look look = p.x->verdict == VERDICT_NO ? LOOK_FAILURE : LOOK_BOLD;
    style_init(&p.style, out, colour);
    const char *reason = tell_reason_name(p.x, name, sizeof name);
    fprintf(out, "%s%s%s\n", style_on(&p.style, look), tell_level(p.x, verdict, sizeof verdict),
            style_off(&p.style, look));
    if (reason)
        fprintf(out, "  %s\n", reason);
    if (p.x->verdict == VERDICT_UNKNOWN) {
        struct buffer text = {0};
        tell_unknown(&text, p.x);
        print_buffer(&p, "  ", &text, "");
    }
    print_subject(&p);
    if (p.x->verdict == VERDICT_NO && r->explain)
        print_reason(&p);
    if (p.x->verdict == VERDICT_YES && r->witness)
        print_order(&p);
    txn_names_free(&p.names);
}
