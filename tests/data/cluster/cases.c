// Protocols of known truth for fuzz_cases: FUZZ_KIND and FUZZ_SEED say which (cases.h).
#include <heddle/node.h>
#include <stdlib.h>

#include "cases.h"

struct state {
    int value, content, wrong;
};

static struct drawn_case c;
static struct state me;
static int rung, life;
static volatile char *block[CASE_BLOCKS]; // as the script has them, freed or not

static int number(const char *name)
{
    const char *text = getenv(name);
    return text ? atoi(text) : 0;
}

static void settle_boot(int self, int nodes)
{
    for (int i = 0; i < c.messages[self]; i++)
        heddle_send((self + 1) % nodes, "x", 1);
    me.content = !c.wants[self];
    heddle_set_timer(0);
}

static void settle_timer(int self)
{
    me.value += c.tick[self];
    if (++rung < c.rings[self])
        heddle_set_timer(0);
    me.content = rung >= c.wants[self];
}

static void token_boot(int self)
{
    heddle_read("life", &life, sizeof life);
    life++;
    heddle_write("life", &life, sizeof life);
    heddle_sync();
    for (int i = 0; i < c.tokens && self == 0; i++) {
        int token[2] = {life, c.by_peer};
        heddle_send(c.by_peer ? 1 : 0, token, sizeof token);
    }
}

static void token_message(int from, const int *token)
{
    if (token[1] && heddle_self() == 1) {
        int back[2] = {token[0], 0};
        heddle_send(from, back, sizeof back);
    } else if (heddle_self() == 0) {
        me.wrong |= token[0] != life;
    }
}

static void bounce(int from, int left)
{
    int next = left - !c.endless;
    me.value++;
    me.content = next <= 0;
    if (next > 0)
        heddle_send(from, &next, sizeof next);
}

static void touch(const struct case_access *a)
{
    if (a->what == 0)
        block[a->block] = malloc(a->size);
    else if (a->what == 1 && block[a->block])
        free((void *)block[a->block]), me.value++;
    else if (a->what == 2 && block[a->block])
        block[a->block][a->at] = 1;
    else if (a->what == 3 && block[a->block])
        me.value += block[a->block][a->at];
}

static void boot(int self, int nodes)
{
    c = draw_case((enum case_kind)number("FUZZ_KIND"), (unsigned)number("FUZZ_SEED"));
    if (c.kind == CASE_SETTLE)
        settle_boot(self, nodes);
    else if (c.kind == CASE_OWN_MESSAGE)
        token_boot(self);
    else if (c.kind == CASE_UNFAIR)
        for (int to = 0; to < nodes; to++)
            to != self ? heddle_send(to, &c.bounces, sizeof c.bounces) : (void)0;
    else
        heddle_send(self, "x", 1);
}

static void message(int from, const void *data, size_t size)
{
    (void)size;
    if (c.kind == CASE_SETTLE)
        me.value += c.gain[heddle_self()];
    else if (c.kind == CASE_OWN_MESSAGE)
        token_message(from, data);
    else if (c.kind == CASE_UNFAIR)
        bounce(from, *(const int *)data);
    else
        for (int i = 0; i < CASE_STEPS; i++)
            touch(&c.access[i]);
}

static void timer(int which)
{
    (void)which;
    settle_timer(heddle_self());
}

static void report(void *state)
{
    *(struct state *)state = me;
}

static const char *check(const struct heddle_view *v)
{
    for (int i = 0; i < v->nodes; i++) {
        const struct state *s = v->state[i];
        struct drawn_case drawn = draw_case((enum case_kind)number("FUZZ_KIND"), (unsigned)number("FUZZ_SEED"));
        if (s->wrong)
            return "a message of an earlier life";
        if (drawn.kind == CASE_SETTLE && s->value > drawn.limit[i])
            return "too much";
    }
    return NULL;
}

static const char *quiet(const struct heddle_view *v)
{
    struct drawn_case drawn = draw_case((enum case_kind)number("FUZZ_KIND"), (unsigned)number("FUZZ_SEED"));
    for (int i = 0; i < v->nodes; i++)
        if ((drawn.kind == CASE_SETTLE || drawn.kind == CASE_UNFAIR) && !((const struct state *)v->state[i])->content)
            return "not content";
    return NULL;
}

const struct heddle_protocol heddle_protocol = {.boot = boot,
                                                .message = message,
                                                .timer = timer,
                                                .state_size = sizeof(struct state),
                                                .report = report,
                                                .check = check,
                                                .quiet = quiet};
