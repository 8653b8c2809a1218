// What else Totem asks of its transport and of corosync, and a node of heddle does not have: there is nothing to flush, to encrypt, to
// configure or to count, and addresses are not printed.
#include <qb/qbloop.h>

#include <corosync/icmap.h>
#include "totemnet.h"
#include "totemconfig.h"

int totemnet_recv_flush(void *context)
{
    (void)context;
    return 0;
}

int totemnet_send_flush(void *context)
{
    (void)context;
    return 0;
}

int totemnet_iface_check(void *context)
{
    (void)context;
    return 0;
}

int totemnet_recv_mcast_empty(void *context)
{
    (void)context;
    return 0;
}

int totemnet_finalize(void *context)
{
    (void)context;
    return 0;
}

void totemnet_stats_clear(void *context)
{
    (void)context;
}

int totemnet_processor_count_set(void *context, int count)
{
    (void)context;
    (void)count;
    return 0;
}

int totemnet_crypto_set(void *context, const char *cipher, const char *hash)
{
    (void)context;
    (void)cipher;
    (void)hash;
    return 0;
}

int totemnet_ifaces_get(void *context, char ***status, unsigned *count)
{
    (void)context;
    (void)status;
    *count = 0;
    return 0;
}

int totemnet_nodestatus_get(void *context, unsigned node, struct totem_node_status *status)
{
    (void)context;
    (void)node;
    (void)status;
    return 0;
}

int totemnet_iface_set(void *context, const struct totem_ip_address *address, unsigned short port, unsigned number)
{
    (void)context;
    (void)address;
    (void)port;
    (void)number;
    return 0;
}

int totemnet_member_add(void *context, const struct totem_ip_address *local, const struct totem_ip_address *member,
                        int ring)
{
    (void)context;
    (void)local;
    (void)member;
    (void)ring;
    return 0;
}

int totemnet_member_remove(void *context, const struct totem_ip_address *member, int ring)
{
    (void)context;
    (void)member;
    (void)ring;
    return 0;
}

int totemnet_reconfigure(void *context, struct totem_config *config)
{
    (void)context;
    (void)config;
    return 0;
}

int totemnet_crypto_reconfigure_phase(void *context, struct totem_config *config,
                                      cfg_message_crypto_reconfig_phase_t phase)
{
    (void)context;
    (void)config;
    (void)phase;
    return 0;
}

int totemconfig_commit_new_params(struct totem_config *config, icmap_map_t map)
{
    (void)config;
    (void)map;
    return 0;
}

icmap_map_t icmap_get_global_map(void)
{
    return NULL;
}

char *qb_strerror_r(int number, char *text, size_t room)
{
    (void)number;
    (void)room;
    text[0] = 0;
    return text;
}

const char *totemip_print(const struct totem_ip_address *address)
{
    (void)address;
    return "?";
}

const char *totemip_sa_print(const struct sockaddr *address)
{
    (void)address;
    return "?";
}

void totemip_copy(struct totem_ip_address *to, const struct totem_ip_address *from)
{
    *to = *from;
}
