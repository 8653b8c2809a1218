#include "target/nodes/looking.h"

#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "target/nodes/world.h"

// What was left in variables, byte by byte, in all of the search so far.
static struct {
    uint8_t *is_written; // null: nothing ever was
    uint8_t *value;
    size_t size;
    bool matters;  // somebody answered something else because of it
    bool is_there; // it has been put into the variables, and the predicate goes on from it
} left;

bool looking_writes(void)
{
    return left.is_written;
}

bool looking_depends(void)
{
    return left.matters;
}

void looking_close(void)
{
    left.matters = false;
    if (!left.is_written)
        return;
    mem_release(left.is_written, left.size);
    mem_release(left.value, left.size);
    left.is_written = NULL;
}

static void begin_to_note(void)
{
    left.size = world.library.segment_size;
    left.is_written = mem_reserve(left.size);
    left.value = mem_reserve(left.size);
}

// What is written over the node's own values stays as it was left before, unless the predicate went on from that.
static void note_writes(const uint8_t *segment, const uint8_t *own)
{
    for (size_t i = 0; i < left.size; i++) {
        bool is_new = segment[i] != own[i] && !left.is_written[i];
        left.is_written[i] |= is_new;
        if (is_new || (left.is_there && left.is_written[i]))
            left.value[i] = segment[i];
    }
}

// The node whose memory is at its place does not notice.
static void take_writes_back(void)
{
    uint8_t *segment = world.library.segment;
    if (world.loaded < 0)
        return;
    const uint8_t *own = world.block[world.loaded] + sizeof(struct node_local);
    bool is_changed = memcmp(segment, own, world.library.segment_size) != 0;
    if (is_changed && !left.is_written)
        begin_to_note();
    if (is_changed || left.is_there)
        note_writes(segment, own);
    if (is_changed)
        memcpy(segment, own, world.library.segment_size);
}

static void put_what_was_left(void)
{
    for (size_t i = 0; i < left.size; i++)
        if (left.is_written[i])
            world.library.segment[i] = left.value[i];
}

const char *looking_ask_with(const char *(*ask)(const struct heddle_view *view, void *context), void *context)
{
    static char text[FAILURE_TEXT]; // filled while a crash is still the predicate's
    const void *states[MAX_NODES] = {NULL};
    bool up[MAX_NODES] = {false};
    for (int i = 0; i < world.options.nodes; i++) {
        states[i] = world.report[i];
        up[i] = node_local(i)->up;
    }
    struct heddle_view view = {.nodes = world.options.nodes, .up = up, .state = states};
    if (sigsetjmp(world.escape, 0)) {
        world.inside = false;
        world.loaded = -1;
        return "the predicate itself crashed";
    }
    world.ticks = 0;
    world.inside = true;
    const char *wrong = ask(&view, context);
    if (wrong)
        stpncpy(text, wrong, sizeof text - 1);
    world.inside = false;
    take_writes_back();
    return wrong ? text : NULL;
}

static const char *ask_predicate(const struct heddle_view *view, void *context)
{
    const char *(*predicate)(const struct heddle_view *) = *(const char *(**)(const struct heddle_view *))context;
    return predicate(view);
}

const char *looking_ask(const char *(*predicate)(const struct heddle_view *view))
{
    const char *wrong = predicate ? looking_ask_with(ask_predicate, &predicate) : NULL;
    if (wrong || !predicate || !looking_writes() || world.loaded < 0 || world.failure != FAILURE_NONE)
        return wrong;
    put_what_was_left();
    left.is_there = true;
    wrong = looking_ask_with(ask_predicate, &predicate);
    left.is_there = false;
    left.matters |= wrong != NULL;
    return NULL;
}
