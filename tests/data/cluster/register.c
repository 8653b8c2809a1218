// A register on three nodes: node 0 has it, node 1 a copy. Clients write at node 0 and read at nodes 1 and 2, which ask node
// 0. What clients see is judged as a register. -DLOCAL: node 1 answers reads from its copy. -DNOWHERE: no such model.
#include <heddle/node.h>
#include <string.h>

enum kind { READ, COPY, COPIED, GIVE };

struct packet {
    enum kind kind;
    int client, value;
};

static int value;

static void send(int to, enum kind kind, int client, int what)
{
    struct packet p = {kind, client, what};
    heddle_send(to, &p, sizeof p);
}

static void boot(int self, int nodes)
{
    (void)self;
    (void)nodes;
}

static void request(int client)
{
    if (client == 1) {
        heddle_invoke(client, "write", 7, 0);
        value = 7;
        send(1, COPY, client, value);
        return;
    }
    heddle_invoke(client, "read", 0, 0);
#ifdef LOCAL
    if (client == 2) {
        heddle_return(client, value);
        return;
    }
#endif
    send(0, READ, client, 0);
}

static void message(int from, const void *data, size_t size)
{
    struct packet p;
    memcpy(&p, data, size);
    if (p.kind == COPY) {
        value = p.value;
        send(from, COPIED, p.client, 0);
    } else if (p.kind == COPIED) {
        heddle_return(p.client, 0);
    } else if (p.kind == READ) {
        send(from, GIVE, p.client, value);
    } else {
        heddle_return(p.client, p.value);
    }
}

static const struct heddle_request requests[] = {{0, 1}, {1, 2}, {2, 3}};

const struct heddle_protocol heddle_protocol = {
    .boot = boot,
    .message = message,
    .request = request,
    .requests = requests,
    .request_count = 3,
#ifdef NOWHERE
    .model = "nowhere",
#else
    .model = "register",
#endif
};
