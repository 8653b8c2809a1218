// Totem's transport (totemnet.h) over heddle's network: what is multicast goes to all nodes, the sender too, and the token to the
// one that Totem names. As with UDP, a message is a datagram.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <qb/qbloop.h>

#include "totemnet.h"

#include "node.h"

static int (*deliver)(void *context, const void *message, unsigned size, const struct sockaddr_storage *from);
static void (*target_is_set)(void *context);
static void *context_of_ring;
static unsigned target;

int totemnet_initialize(qb_loop_t *loop, void **net_context, struct totem_config *config, totemsrp_stats_t *stats,
                        void *context,
                        int (*deliver_fn)(void *, const void *, unsigned, const struct sockaddr_storage *),
                        int (*iface_change_fn)(void *, const struct totem_ip_address *, unsigned),
                        void (*mtu_changed)(void *, int), void (*target_set_completed)(void *))
{
    (void)loop;
    (void)config;
    (void)stats;
    (void)iface_change_fn;
    (void)mtu_changed;
    static char self;
    *net_context = &self;
    deliver = deliver_fn;
    target_is_set = target_set_completed;
    context_of_ring = context;
    return 0;
}

// A receive buffer as Totem's own transports have it: its handlers read a token with room for all it could hold.
void network_deliver(int from, const void *data, size_t size)
{
    static char buffer[4 * FRAME_MOST];
    struct sockaddr_storage sender = {0};
    (void)from;
    memcpy(buffer, data, size);
    deliver(context_of_ring, buffer, (unsigned)size, &sender);
    memset(buffer, 0, size);
}

static int multicast(const void *message, unsigned size)
{
    heddle_broadcast(message, size);
    heddle_send(heddle_self(), message, size);
    return 0;
}

int totemnet_mcast_flush_send(void *context, const void *message, unsigned size)
{
    (void)context;
    return multicast(message, size);
}

int totemnet_mcast_noflush_send(void *context, const void *message, unsigned size)
{
    (void)context;
    return multicast(message, size);
}

int totemnet_token_send(void *context, const void *message, unsigned size)
{
    (void)context;
    heddle_send((int)target - 1, message, size);
    return 0;
}

int totemnet_token_target_set(void *context, unsigned node)
{
    (void)context;
    target = node;
    target_is_set(context_of_ring);
    return 0;
}

void *totemnet_buffer_alloc(void *context)
{
    (void)context;
    return calloc(1, FRAME_MOST);
}

void totemnet_buffer_release(void *context, void *buffer)
{
    (void)context;
    free(buffer);
}

void network_show(const void *data, size_t size, char *text, size_t room)
{
    static const char *const kinds[] = {"token", "message", "merge?", "join", "commit token", "cancel hold"};
    struct totem_message_header header;
    if (size < sizeof header)
        return;
    memcpy(&header, data, sizeof header);
    snprintf(text, room, "%s", (unsigned char)header.type < 6 ? kinds[(int)header.type] : "?");
}
