#include "target/nodes/agreement.h"

#include <inttypes.h>

#include "target/nodes/world.h"

enum { MOST_ROUNDS = 4096 };

static struct {
    struct qtree tree;
    bool is_open;
    uint64_t told;
    struct qtree_violation violation;
} agreement;

static void keep(const void *what, size_t size)
{
    undo_save(&world.undo, what, size);
}

void agreement_open(void)
{
    unsigned mode = world.library.protocol->qtree;
    agreement.is_open = agreement_is_watched();
    if (agreement.is_open)
        qtree_open(&agreement.tree,
                   &(struct qtree_options){.values = mode & HEDDLE_ANY_VALUES ? QTREE_ANY_VALUES : QTREE_SAME_VALUES,
                                           .witnesses = mode & HEDDLE_WITNESSES,
                                           .most_nodes = MOST_ROUNDS,
                                           .keep = keep});
}

void agreement_close(void)
{
    if (agreement.is_open)
        qtree_close(&agreement.tree);
    agreement.is_open = false;
}

bool agreement_is_watched(void)
{
    return world.library.asks_qtree;
}

uint64_t agreement_hash(void)
{
    return agreement.is_open ? qtree_hash(&agreement.tree) : 0;
}

uint64_t agreement_told(void)
{
    return agreement.told;
}

const struct qtree *agreement_tree(void)
{
    return &agreement.tree;
}

const struct qtree_violation *agreement_violation(void)
{
    return &agreement.violation;
}

static void name_number(const void *context, uint64_t number, struct buffer *text)
{
    (void)context;
    buffer_add(text, "%" PRId64, (int64_t)number);
}

static void name_node(const void *context, uint64_t node, struct buffer *text)
{
    (void)context;
    buffer_add(text, " by node %" PRIu64, node);
}

const struct qtree_names agreement_names = {.instance = name_number, .value = name_number, .origin = name_node};

static struct qtree_round round_of(struct heddle_round r)
{
    return (struct qtree_round){r.number, r.index};
}

// A row of the story.
static void say(const struct qtree_event *e)
{
    struct buffer text = {0};
    if (!world.observer)
        return;
    buffer_add(&text, e->is_commit ? "commits " : "adds ");
    if (e->instance)
        buffer_add(&text, "%" PRId64 "/", (int64_t)e->instance);
    qtree_word_round(e->round, &text);
    if (!e->is_commit) {
        buffer_add(&text, " = %" PRId64 " on ", (int64_t)e->value);
        qtree_word_round(e->parent, &text);
    }
    world.observer->said(world.observer->context, world.self, buffer_text(&text));
    buffer_free(&text);
}

static void tell(struct qtree_event e)
{
    struct qtree_violation v;
    if (world.self < 0)
        world_fail(FAILURE_USE, -1, "what looks on tells the quorum tree something: that is for callbacks of a node");
    if (world.failure != FAILURE_NONE)
        return;
    e.origin = (uint64_t)world.self;
    agreement.told++;
    say(&e);
    enum qtree_fault fault = qtree_take(&agreement.tree, &e, &v);
    if (fault == QTREE_FINE)
        return;
    if (fault == QTREE_FULL) {
        world_fail(FAILURE_ROOM, world.self, "executions had more rounds than the %d that heddle has room for",
                   MOST_ROUNDS);
        return;
    }
    struct buffer text = {0};
    qtree_word_violation(&agreement.tree, &agreement_names, &v, &text);
    world_fail(FAILURE_AGREEMENT, world.self, "%s", buffer_text(&text));
    world.failure_sort = (int)fault;
    agreement.violation = v;
    buffer_free(&text);
}

void heddle_qtree_add(long instance, struct heddle_round round, long value, struct heddle_round parent)
{
    tell((struct qtree_event){.instance = (uint64_t)instance,
                              .round = round_of(round),
                              .value = (uint64_t)value,
                              .parent = round_of(parent)});
}

void heddle_qtree_commit(long instance, struct heddle_round round)
{
    tell((struct qtree_event){.is_commit = true, .instance = (uint64_t)instance, .round = round_of(round)});
}
