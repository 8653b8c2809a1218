#include "report/difference_text.h"

#include "report/names.h"

static void add_operation(struct names *n, const struct difference_side *side, struct buffer *out)
{
    Dwarf_Die ignored;
    buffer_add(out, "%s", op_table[side->op].name);
    if (side->address) {
        buffer_add(out, " ");
        names_data(n, side->address, 0, 0, out, &ignored);
    }
    struct buffer place = {0};
    if (side->pc && names_place(n, side->pc, &place))
        buffer_add(out, " at %s", place.text);
    buffer_free(&place);
}

// "T1 did lock a at x.c:3", "T1 had ended": at the moment of the event, or after the last one.
static void add_side(struct names *n, const struct difference *d, const struct difference_side *side,
                     struct buffer *out)
{
    static const char *const states[] = {[ACTOR_ABSENT] = "was not there",
                                         [ACTOR_WAITING] = "waited to be woken",
                                         [ACTOR_STOPPED] = "had been stopped",
                                         [ACTOR_ENDED] = "had ended"};
    names_thread(n, side->actor, out);
    if (side->state == ACTOR_PARKED && side->op != OP_NONE && side->op < OP_KINDS) {
        bool did = side == &d->expected ? d->kind != DIFFERENCE_END : d->kind == DIFFERENCE_OUTCOME;
        buffer_add(out, did ? " did " : " was about to ");
        add_operation(n, side, out);
    } else if (side->state < sizeof states / sizeof *states && states[side->state]) {
        buffer_add(out, side == &d->expected && d->kind == DIFFERENCE_BLOCKED ? " was to go on" : " %s",
                   states[side->state]);
    } else {
        buffer_add(out, " was to go on");
    }
    if (d->kind == DIFFERENCE_OUTCOME)
        buffer_add(out, ", which gave %llu", (unsigned long long)side->result);
}

void difference_sides(const struct job *job, const char *program, struct buffer *expected, struct buffer *seen)
{
    struct names names;
    names_open(&names, NULL, job);
    names.symbols = symbols_new();
    symbols_add(names.symbols, program, job->answer.base);
    add_side(&names, &job->answer.difference, &job->answer.difference.expected, expected);
    add_side(&names, &job->answer.difference, &job->answer.difference.seen, seen);
    names_close(&names);
}

void difference_sentence(const struct job *job, const char *program, struct buffer *out)
{
    const struct difference *d = &job->answer.difference;
    struct buffer expected = {0}, seen = {0};
    difference_sides(job, program, &expected, &seen);
    if (d->kind == DIFFERENCE_END && !d->event)
        buffer_add(out, "at the end, without any event, %s", buffer_text(&expected));
    else if (d->kind == DIFFERENCE_END)
        buffer_add(out, "after the last event, number %u, %s", d->event - 1, buffer_text(&expected));
    else
        buffer_add(out, "at event %u %s", d->event, buffer_text(&expected));
    buffer_add(out, ", but when the execution was repeated %s", buffer_text(&seen));
    buffer_free(&expected);
    buffer_free(&seen);
}

const char *difference_kind(const struct difference *d)
{
    static const char *const words[] = {"none", "operation", "outcome", "blocked", "end"};
    return words[d->kind];
}
