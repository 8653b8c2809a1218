#include "cluster/words.h"

#include <stdio.h>
#include <string.h>

#include "base/buffer.h"

// What comes from the protocol may hold anything.
static void make_safe(char *text, size_t room)
{
    struct buffer safe = {0};
    buffer_add_safe(&safe, text, strnlen(text, room), false);
    snprintf(text, room, "%s", buffer_text(&safe));
    buffer_free(&safe);
}

void words_of_message(const struct entry *entry, char *text, size_t room)
{
    const struct heddle_protocol *p = world.library.protocol;
    const uint8_t *data = world.data + entry->offset;
    text[0] = 0;
    if (p->show_message) {
        p->show_message(data, entry->size, text, room);
        make_safe(text, room);
        return;
    }
    size_t used = 0;
    for (uint32_t i = 0; i < entry->size && i < 16 && used + 4 < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%02x", i ? " " : "", data[i]);
    if (entry->size > 16)
        snprintf(text + used, room - used, " ...");
}

void words_of_entry(const struct channel *c, const struct entry *e, char *text, size_t room)
{
    char message[128];
    switch ((enum entry_kind)e->kind) {
    case ENTRY_MESSAGE:
        words_of_message(e, message, sizeof message);
        snprintf(text, room, "%s from node %d", message, e->from);
        break;
    case ENTRY_DOWN:
        snprintf(text, room, "loss of node %d", e->from);
        break;
    case ENTRY_TIMER:
        snprintf(text, room, "timer %d", c->number);
        break;
    case ENTRY_REQUEST:
        snprintf(text, room, "request %d", world.library.protocol->requests[c->number].number);
        break;
    case ENTRY_CRASH:
        snprintf(text, room, "crash");
        break;
    case ENTRY_REBOOT:
        snprintf(text, room, "reboot");
        break;
    case ENTRY_ISOLATE:
        snprintf(text, room, "cut off");
        break;
    case ENTRY_HEAL:
        snprintf(text, room, "reachable again");
        break;
    case ENTRY_START:
        snprintf(text, room, "start");
        break;
    }
}

void words_of_state(int node, char *text, size_t room)
{
    const struct heddle_protocol *p = world.library.protocol;
    text[0] = 0;
    if (!p->show_state)
        return;
    p->show_state(world.report[node], text, room);
    make_safe(text, room);
}
