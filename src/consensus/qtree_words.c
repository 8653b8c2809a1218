#include "consensus/qtree_words.h"

#include <inttypes.h>

struct sentence {
    const struct qtree_names *names;
    struct buffer *text;
};

void qtree_word_round(struct qtree_round r, struct buffer *text)
{
    buffer_add(text, r.index ? "%" PRIu64 ":%" PRIu64 : "%" PRIu64, r.term, r.index);
}

static void add_round(const struct sentence *s, const char *before, struct qtree_round r)
{
    buffer_add(s->text, "%sround ", before);
    qtree_word_round(r, s->text);
}

// "round 3 (b)"
static void add_node(const struct sentence *s, const char *before, const struct qtree_event *e)
{
    add_round(s, before, e->round);
    buffer_add(s->text, " (");
    s->names->value(s->names->context, e->value, s->text);
    buffer_add(s->text, ")");
}

static void add_origin(const struct sentence *s, const char *verb, const struct qtree_event *e)
{
    buffer_add(s->text, "%s", verb);
    s->names->origin(s->names->context, e->origin, s->text);
}

static void add_value(const struct sentence *s, const char *before, const struct qtree_event *e)
{
    buffer_add(s->text, "%s", before);
    s->names->value(s->names->context, e->value, s->text);
}

// A round was committed, and another passes over it; whichever comes last is what went wrong.
static void tell_passed_over(const struct sentence *s, const struct qtree_violation *v)
{
    bool late_commit = v->event.is_commit;
    const struct qtree_event *commit = late_commit ? &v->event : &v->other, *add = late_commit ? &v->other : &v->event;
    if (late_commit) {
        add_node(s, "", commit);
        add_origin(s, " was committed", commit);
        add_node(s, ", but ", add);
        add_origin(s, ", added", add);
        add_round(s, " on ", add->parent);
        buffer_add(s->text, ", had passed over it");
        return;
    }
    add_node(s, "", add);
    add_origin(s, " was added", add);
    add_round(s, " on ", add->parent);
    add_node(s, ", passing over ", commit);
    add_origin(s, ", which was committed", commit);
}

static void tell_added_twice(const struct sentence *s, const struct qtree_violation *v)
{
    const struct qtree_event *events[] = {&v->other, &v->event};
    add_round(s, "", v->event.round);
    for (int i = 0; i < 2; i++) {
        add_value(s, i ? ", and with value " : " was added twice: with value ", events[i]);
        add_round(s, " on ", events[i]->parent);
        add_origin(s, "", events[i]);
    }
}

static void tell_alone(const struct sentence *s, const struct qtree_violation *v)
{
    const struct qtree_event *e = &v->event;
    add_round(s, "", e->round);
    add_origin(s, e->is_commit ? " was committed" : " was added", e);
    if (v->fault == QTREE_ROUND_ZERO)
        buffer_add(s->text, ", but that is the root");
    if (v->fault == QTREE_NEVER_ADDED)
        buffer_add(s->text, ", but had never been added");
    if (v->fault == QTREE_NO_PARENT || v->fault == QTREE_PARENT_NOT_LOWER)
        add_round(s, " on ", e->parent);
    if (v->fault == QTREE_NO_PARENT)
        buffer_add(s->text, ", which had never been added");
    if (v->fault == QTREE_PARENT_NOT_LOWER)
        buffer_add(s->text, ", which is not lower");
    if (v->fault == QTREE_FULL)
        buffer_add(s->text, ", and there is no room for more rounds");
}

static void tell_pair(const struct sentence *s, const struct qtree_violation *v)
{
    if (v->fault == QTREE_PASSED_OVER) {
        tell_passed_over(s, v);
    } else if (v->fault == QTREE_ADDED_TWICE) {
        tell_added_twice(s, v);
    } else if (v->fault == QTREE_COMMITTED_TWICE) {
        add_node(s, "", &v->event);
        add_origin(s, " was committed twice:", &v->other);
        add_origin(s, ", and", &v->event);
    } else { // QTREE_VALUE_CHANGED
        add_round(s, "", v->event.round);
        add_value(s, " was added with value ", &v->event);
        add_origin(s, "", &v->event);
        add_round(s, " on ", v->other.round);
        add_value(s, ", which was added with value ", &v->other);
        add_origin(s, "", &v->other);
    }
}

void qtree_word_violation(const struct qtree *tree, const struct qtree_names *names, const struct qtree_violation *v,
                          struct buffer *text)
{
    struct sentence s = {names, text};
    if (tree->counts.instances > 1) {
        buffer_add(text, "instance ");
        names->instance(names->context, v->event.instance, text);
        buffer_add(text, ": ");
    }
    if (v->has_other)
        tell_pair(&s, v);
    else
        tell_alone(&s, v);
}
